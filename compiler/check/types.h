/* Types: interned, so equal types are one pointer.
 *
 * A quantity is a NUMBER with a dimension; `number` is the one without. A type flattens into slots, in the order
 * its parts are written (see runtime/rt/rt.h): `slots` holds a letter of B W I F R for each.
 *
 *     number, quantities F | int I | u32, seed W | bool B | text, List, fn, objects, parts, designs, name R | one of: I
 *     point, vector[dim], color FFF | tuple, record, contract: their parts | T?: B then T | unit: none
 */
#ifndef WORLD_COMPILER_CHECK_TYPES_H
#define WORLD_COMPILER_CHECK_TYPES_H

/* clang-format off */

#include "lang/ast.h"
#include "runtime/base/str.h"

typedef enum TypeKind {
    TYPE_POISON,   /* of something already reported; goes with everything, silently */
    TYPE_UNIT,     /* no value */
    TYPE_NONE,     /* of `none` before it meets an optional */
    TYPE_BOOL, TYPE_INT, TYPE_U32,
    TYPE_NUMBER,   /* dims; `fraction` marks the alias 0..1 (a number everywhere else) */
    TYPE_ANY_QUANTITY,      /* parameter only: any NUMBER, its dimension dropped (a rule's order:) */
    TYPE_METERS_OR_NUMBER,  /* parameter only: meters, or a plain number that stands for meters (test:, room:) */
    TYPE_TEXT,
    TYPE_POINT,    /* meters, absolute */
    TYPE_VECTOR,   /* dims; `direction` is the plain one, `offset` the one in meters */
    TYPE_COLOR,
    TYPE_TUPLE, TYPE_RECORD, TYPE_CONTRACT, TYPE_LIST, TYPE_OPTIONAL,
    TYPE_FN,       /* fn(T, U) R, and what a given(...) parameter becomes */
    TYPE_OBJECT,   /* extern record: heightGrid, spine, curve, outline, stream, mesh */
    TYPE_PART,     /* an instance of a class */
    TYPE_ANY_PART, /* an instance of any class (of anyPart); element: what all of them are made of, or NULL */
    TYPE_DESIGN,   /* a design as a value: thing.kind */
    TYPE_ONE_OF,   /* of bare names */
    TYPE_NAME, TYPE_PATH, /* parameter only */
    TYPE_VAR,      /* a type parameter inside a generic declaration; never in a checked tree */
    TYPE_KIND_COUNT
} TypeKind;

/* Exponents in sixths, so that square and cube roots stay whole: meters^2 is length 12. No type has one past
 * POWER_MOST either way. */
enum { SIXTHS = 6, POWER_MOST = 100 };
typedef struct Dims {
    int32_t length, time, angle;
} Dims;

/* No type has more: what a field can hold (RT_FIELD_SLOTS). */
enum { TYPE_SLOTS = 1024, TYPE_UNFOLDED = 4096 };

typedef struct Type Type;
struct TreeClass;
struct TreeRecord;

struct Type {
    TypeKind kind;
    Dims dims;              /* NUMBER, VECTOR */
    bool fraction;          /* NUMBER */
    bool draws;             /* FN: takes a hidden stream */
    const Type *const *items; /* TUPLE items; FN parameters */
    int item_count;
    const Type *element;    /* LIST, OPTIONAL; FN result; ANY_PART */
    struct TreeRecord *record; /* RECORD, CONTRACT */
    struct TreeClass *cls;  /* PART */
    Symbol name;            /* OBJECT, VAR, aliases */
    const Symbol *names;    /* ONE_OF */
    int name_count;
    const char *slots;      /* letters, terminated */
    int slot_count;
    int unfolded;           /* types met on a walk through all that it is written with and the fields of records, itself among them */
};

#endif
