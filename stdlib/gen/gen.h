/* stdlib-gen: the build tool that turns the packages' own declarations into C.
 *
 *     packages.def -> NAME/FILE.world -> trees -> library_layout.h  structs of records, numbers of names
 *                                              -> library_names.h   the names themselves
 *                                              -> stdlib_externs.h  prototypes of what C makes
 *                                              -> stdlib_thunks.c   slots in and out; the table
 *                                              -> stdlib_sources.c  the texts themselves
 *                                              -> LIBRARY.md        what they declare, for people
 *
 * It knows syntax only: a type is looked up by its name among the builtin ones (lang/type.def) and the
 * packages' records. A declaration that cannot cross to C is an error of the build, with its file
 * and line.
 */
#ifndef WORLD_STDLIB_GEN_H
#define WORLD_STDLIB_GEN_H

#include "lang/ast.h"
#include "lang/diag.h"

typedef struct GenPackage {
    const char *name;
    const char *reach; /* "PRELUDE" */
    bool out_of_line;
    VEC(const char *) names; /* of its files: "noise" */
    VEC(uint32_t) files;     /* their sources */
    AstFile *ast;
} GenPackage;

/* How values of a type cross. */
typedef enum GenPass {
    GEN_VOID, /* no value */
    GEN_F,
    GEN_I,
    GEN_W,
    GEN_B,     /* one slot: double, int64_t, uint32_t, bool */
    GEN_R,     /* one slot: a pointer */
    GEN_STRUCT /* several slots: a struct of 8-byte members, copied as it is */
} GenPass;

typedef struct GenType {
    GenPass pass;
    int slots;
    Str text;       /* C: "double", "const RtList *", "StdEdge" */
    bool is_stream;
    uint64_t refs; /* bit i: slot i is an R, as in RtShape */
    /* It, or a member of the struct, can be looked into (not a text); is a function value. */
    bool has_object, has_closure;
    bool may_be_null; /* NULL is an honest value: an empty list, no stream */
} GenType;

typedef struct GenStruct {
    GenType type;
    StrBuf members; /* "    int64_t kind;\n..." */
} GenStruct;

typedef struct Gen {
    Arena *arena;
    SymbolTable symbols;
    SourceSet sources;
    DiagList diags;
    VEC(GenPackage) packages;
    VEC(GenStruct) structs; /* each after those it holds */
    bool failed;
} Gen;

/* Reports to stderr and marks the run as failed. */
void gen_error(Gen *gen, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* One of a package's files, as the build found it. */
const Source *gen_file(const Gen *gen, const GenPackage *package, int file);
/* The C side of a written type; NULL is no type (void). After an error: void. */
GenType gen_type(Gen *gen, const AstNode *type);
/* Makes the structs of every record and contract of the packages that have a native part, and of
 * what those natives take and give. */
void gen_structs(Gen *gen);
Str gen_capitalized(Arena *arena, Str name);

Str gen_write_layout(Gen *gen);
Str gen_write_names(Gen *gen);
Str gen_write_header(Gen *gen);
Str gen_write_thunks(Gen *gen);
Str gen_write_sources(Gen *gen);
Str gen_write_reference(Gen *gen);

#endif
