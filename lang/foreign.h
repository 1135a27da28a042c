/* What other languages write: how each is said here. NULL where nothing is known. */
#ifndef WORLD_LANG_FOREIGN_H
#define WORLD_LANG_FOREIGN_H

#include "runtime/base/str.h"

const char *foreign_word(Str name);
const char *foreign_member(Str name);
const char *foreign_option(Str name);
/* Of a word behind a number: a unit's other name, or a word that is none. */
const char *foreign_unit(Str word);
/* The signs that `at` stands in, among the text round it. */
const char *foreign_sign(Str text, size_t at);

#endif
