/* The checker's own limits: what a short text can make much of (instances, trees, wide types) ends
 * with an error at the place that made it too much. */
#include "compiler/check/checker.h"
#include "runtime/base/watch.h"

enum { MOST_INSTANCES = 20000, MOST_TREES = 4000000 };

/* Poison for a type that is over the limit, which is reported. */
const Type *limit_type(Checker *c, const Type *type, Span span) {
    if (!type || (type->slot_count <= TYPE_SLOTS && type->unfolded <= TYPE_UNFOLDED)) return type;
    if (type->slot_count > TYPE_SLOTS)
        diag_add(c->diags, DIAG_E_LIMIT, span, "the number of values in this type", "1024");
    else
        diag_add(c->diags, DIAG_E_LIMIT, span, "the number of types in this type, each counted where it is held,", "4096");
    return c->types.poison;
}

/* Checking is left where it stands: nobody could go on with half a tree. */
void limit_trees(Checker *c, Span span) {
    if (++c->home->trees <= MOST_TREES) return;
    diag_add(c->loud, DIAG_E_LIMIT, span, "what this text becomes, in nodes of its tree,", "4000000");
    memory_fail();
}

/* False: a generic function is made for more types than a program may have; told once. */
bool limit_instances(Checker *c, Span call) {
    if (++c->home->instances == MOST_INSTANCES)
        diag_add(c->loud, DIAG_E_LIMIT, call, "the number of types that generic functions are made for",
                 "20000");
    return c->home->instances < MOST_INSTANCES;
}
