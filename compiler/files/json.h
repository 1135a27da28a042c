/* JSON (RFC 8259) as a tree, each value with its place in the text, so that what is wrong is told there. */
#ifndef WORLD_COMPILER_FILES_JSON_H
#define WORLD_COMPILER_FILES_JSON_H

#include "lang/diag.h"

enum { JSON_DEPTH = 100 };

typedef enum JsonKind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_OBJECT
} JsonKind;

typedef struct Json Json;
struct Json {
    JsonKind kind;
    Span span;
    Str text;          /* NUMBER: as it is written; TEXT: what it says */
    const Json *first; /* of LIST and OBJECT, in the order of the text */
    const Json *next;  /* in the same list or object */
    Str name;          /* of a member */
    Span name_span;
};

/* A source that is UTF-8. NULL after a mistake, which is told. Who reads an object minds members of one name. */
const Json *json_read(Arena *arena, DiagList *diags, uint32_t file);
/* The first member of that name of an object, or NULL. */
const Json *json_member(const Json *object, Str name);

#endif
