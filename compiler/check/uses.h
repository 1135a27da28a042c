/* Who means whom: every name that an author wrote, with the declaration that it stands for, and the type of every expression. The
 * checker notes it down while it checks, when it is asked to; an editor's questions (what is this, where is it declared, who uses
 * it) are looked up here, and nothing is resolved a second time.
 *
 * A name is noted as often as it is looked at (an argument that is tried, each instance of a generic function): who reads the
 * table takes the last of a place. Declarations are noted as uses of themselves.
 */
#ifndef WORLD_COMPILER_CHECK_USES_H
#define WORLD_COMPILER_CHECK_USES_H

#include "compiler/check/types.h"
#include "lang/ast.h"

typedef enum CheckUseKind {
    CHECK_USE_FN,
    CHECK_USE_FIELD, /* of a part, a record or a package */
    CHECK_USE_PART,
    CHECK_USE_RECORD,
    CHECK_USE_TYPE, /* a contract, a name of a type, what C implements */
    CHECK_USE_PARAM,
    CHECK_USE_LOCAL,
    CHECK_USE_PACKAGE,
    CHECK_USE_CHOICE /* a name of a one of (...) */
} CheckUseKind;

typedef struct CheckUse {
    Span at;   /* the name, as used */
    Span name; /* the name, where it is declared; file 0: nowhere in a text */
    CheckUseKind kind;
    const AstNode *ast;    /* the declaration, of what has one */
    const AstParam *param; /* of a parameter or a record's field */
    const Type *type;      /* of its value there; NULL: not known */
} CheckUse;

typedef struct CheckTyped {
    Span at; /* an expression */
    const Type *type;
} CheckTyped;

typedef struct CheckUses {
    uint32_t first_file; /* sources before it are nobody's to edit, and not noted */
    VEC(CheckUse) items;
    VEC(CheckTyped) types;
} CheckUses;

#endif
