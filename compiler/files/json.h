/* JSON (RFC 8259): values, each with its place in the text. Strict: no comments, no comma before a closing bracket, no name twice in
 * an object. */
#ifndef WORLD_COMPILER_FILES_JSON_H
#define WORLD_COMPILER_FILES_JSON_H

#include "lang/diag.h"

typedef enum JsonKind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} JsonKind;

typedef struct JsonValue JsonValue;

typedef struct JsonMember {
    Str name;  /* of an object's; empty in an array */
    Span span; /* the name's */
    JsonValue *value;
} JsonMember;

struct JsonValue {
    JsonKind kind;
    Span span;
    bool truth;              /* BOOL */
    double number;           /* NUMBER; infinite when it is too large */
    Str text;                /* TEXT; of a NUMBER as it is written */
    VEC(JsonMember) members; /* ARRAY, OBJECT */
};

/* What an object has of that name, or NULL. */
const JsonValue *json_member(const JsonValue *object, Str name);
/* The value that a source holds; NULL after an error. */
JsonValue *json_read(Arena *arena, DiagList *diags, uint32_t file);

#endif
