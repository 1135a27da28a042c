/* Declarations as a reference shows them: their names, their text without how they are made, and what their comments say. */
#ifndef WORLD_LANG_DECLARED_H
#define WORLD_LANG_DECLARED_H

#include "lang/ast.h"
#include "lang/source.h"

/* Empty when it has none: a check, a use. Of a part the last name of its path. */
Str declared_name(const AstNode *node, const SymbolTable *symbols);
Str declared_doc(const AstNode *node);
/* As it was written, up to its body. */
Str declared_text(const SourceSet *sources, const AstNode *node);
/* The same on one line, a record as one makes it: "fn f(a: int = 1) int", "record spot(at: point, i: int = 0)". */
Str declared_line(Arena *arena, const SourceSet *sources, const AstNode *node);
/* A text on one line: each run of blanks and line ends is one blank. */
Str declared_joined(Arena *arena, Str text);
/* Up to the end of its first sentence. */
Str declared_brief(Str doc);
/* What the comment at the head of a package says, behind the package's name: its first paragraph, on one line. */
Str declared_heading(Arena *arena, Str text);

#endif
