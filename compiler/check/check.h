/* The checker: files of syntax trees to a checked program.
 *
 * Needs: the standard library's trees (std), the world's tree. Gives: a TreeProgram when `diags` has no error.
 * Standard library functions are checked when first used, so a small world costs little.
 *
 * An environment stays alive after checking so that questions (`ask`, the REPL, a host's function by signature)
 * can be checked against the finished world. What a question is made of lies in its asker's arena and ends with that;
 * only what it is first to need of the world or the library (instances of functions, types) is added to the program.
 */
#ifndef WORLD_COMPILER_CHECK_CHECK_H
#define WORLD_COMPILER_CHECK_CHECK_H

/* clang-format off */

#include "compiler/check/tree.h"
#include "compiler/check/uses.h"
#include "compiler/files/files.h"
#include "runtime/base/container.h"

typedef struct CheckPackage {
    Str name;           /* "noise"; of a file, the name it was first used under */
    bool prelude;       /* its names are in scope everywhere */
    bool internal;      /* only library files that say `use` see it */
    bool out_of_line;   /* its functions are marked so (math, noise) */
    bool is_file;       /* an author's: only files that say `use x from` see it */
    const AstFile *ast;
} CheckPackage;


typedef struct Checker Checker;

typedef struct CheckInput {
    Arena *arena;
    SymbolTable *symbols;
    SourceSet *sources;
    DiagList *diags;
    const CheckPackage *packages;
    int package_count;
    Files *files;      /* what the world's own file uses and reads; NULL: it stands alone */
    const AstFile *world;      /* NULL: an empty world (for a host that only asks functions) */
    const AstNode *const *host_fns; /* `extern fn` declarations of host functions, in scope like the prelude */
    int host_fn_count;
    CheckUses *uses;   /* what is noted of an author's names; NULL: nothing is */
} CheckInput;

/* Checks everything in the world's file. Never NULL; look at diags. */
Checker *check_world(const CheckInput *input);
TreeProgram *check_program(Checker *checker);
/* How its classes, their fields and children are named and numbered: programs of one number have the same. */
uint64_t check_layout(const TreeProgram *program, Arena *arena);

/* Who asks: where the trees of the question lie, and who is told of its mistakes. */
typedef struct CheckAsker {
    Arena *arena;
    DiagList *diags;
} CheckAsker;

/* Checks an expression in the scope of a class of the world (the root: index 0) as a function (self) -> T, or NULL
 * after an error. `wanted`: the type it is to have, as where a field of that type is given its value; NULL: its own. */
TreeFn *check_question(Checker *checker, const CheckAsker *asker, const AstNode *expression, int cls,
                       const Type *wanted);

/* A function like `fn`, with the same parameters, captures and locals, that answers another body: a part of fn's own. Its name is fn's with
 * the number, for machine code is found by names. */
TreeFn *check_variant(const TreeFn *fn, Tree *body, int number, Arena *arena);

/* A function by its dotted name from the root ("land.height", "smoothstep"): NULL when there is none; an error when
 * it is generic. For a method, *object is the tree of the part it belongs to. */
TreeFn *check_find_function(Checker *checker, const CheckAsker *asker, Str dotted, Tree **object);

/* Whether a record is the one that a package of the standard library declares under that name. */
bool check_library_record(Checker *checker, const TreeRecord *record, Str package, Str name);
/* Whether it is List[placed]: rows of StdPlaced. */
bool type_is_layout(Checker *checker, const Type *type);

/* Types as an author writes them: "meters", "List[placed]". */
Str type_name(const Type *type, const SymbolTable *symbols, Arena *arena);
/* How its values print (runtime/rt/print.h). */
void type_shape(StrBuf *out, const Type *type, const SymbolTable *symbols);
/* What kind of the library's containers a record is, and the types of what a row of it holds. */
ContainerKind record_contents(const struct TreeRecord *record, const SymbolTable *symbols,
                              const Type *types[2]);
/* "height(here: point) meters". */
Str check_signature(Checker *checker, const TreeFn *fn, Arena *arena);

typedef struct CheckOffer {
    Str name;           /* with what stood before the dot */
    const AstNode *ast; /* its declaration; NULL: it has none of its own (x of a point) */
} CheckOffer;
/* What completes `prefix` ("land.he"), sorted; with a type, what stands behind a value of it. */
int check_offers(Checker *checker, const Type *type, Str prefix, Arena *arena, CheckOffer **offers);
/* Names that complete `prefix` ("land.he"), for the REPL and hosts, sorted. */
int check_complete(Checker *checker, Str prefix, Arena *arena, Str **names);
/* The same of what stands behind a value of that type: "[1, 2].le". */
int check_complete_value(Checker *checker, const Type *type, Str prefix, Arena *arena, Str **names);

#endif
