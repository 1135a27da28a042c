/* From a world's text to a program that can run: the passes of pass.def, one after the other.
 *
 * A Compile owns everything a text became, in one arena: sources, trees, the checker (which
 * stays, for questions), IR. It is not changed by running. Questions are overlays of it
 * (engine/overlay.h); what one leaves behind is what it was first to need of the library.
 */
#ifndef WORLD_COMPILER_COMPILE_H
#define WORLD_COMPILER_COMPILE_H

#include "compiler/check/check.h"
#include "compiler/ir/meaning.h"
#include "compiler/lower/lower.h"
#include "lang/parse.h"

typedef enum CompilePass {
#define PASS(NAME, name, FORM) COMPILE_##NAME,
#include "compiler/pass.def"
#undef PASS
    COMPILE_PASS_COUNT
} CompilePass;

/* What there is to show after a pass. */
typedef enum CompileForm {
    COMPILE_FORM_NONE,
    COMPILE_FORM_AST,
    COMPILE_FORM_TREE,
    COMPILE_FORM_IR
} CompileForm;

typedef struct Compile Compile;

typedef struct CompileInput {
    Memory *memory;
    Str name;                   /* a path, or what a text is called */
    const Str *text;            /* NULL: read the file `name` */
    const char *folder;         /* of a text: where the files lie that it uses; NULL: it uses none */
    size_t data_bytes;          /* the most of a file of data, and the most files; 0: the default */
    uint64_t samples; /* the most of one picture; 0: the default */
    int file_count;
    const char *stdlib_dir;     /* NULL: the built-in copy */
    const Str *host_signatures; /* of host functions, without `extern fn` */
    int host_count;
    ParseLimits limits;
    FilesOverlay overlay; /* see compiler/files/files.h */
    bool notes_uses;      /* `uses` is filled */
    const Compile *library; /* of any text: the library's texts and trees are its, and it lives longer. NULL: they are read. Not with stdlib_dir */
    bool recovers;        /* what could be read of a text with mistakes is checked too, and nothing said of that */
    int optimize;    /* 0 to 3 */
    int pass_count;  /* how many of the passes run; 0: all */
    bool only_check; /* without checks of its own, the world is not optimized */
    const Compile *before; /* what was optimized for a text like this is taken from it; NULL: there is none. It need not live longer than the passes */
    /* Makes the program executable; the engine's own. */
    bool (*execute)(void *user, Compile *compile);
    void *user;
} CompileInput;

struct Compile {
    Arena arena, scratch, bodies; /* bodies: of IR while it is optimized */
    CompileInput input;
    SymbolTable symbols;
    SourceSet sources;
    DiagList diags;
    uint32_t file;   /* the world's */
    FileStamp stamp; /* of that file */
    VEC(CheckPackage) packages;
    VEC(uint32_t) package_files;
    Files files;
    VEC(const AstNode *) host_fns;
    const AstFile *ast;
    Checker *checker;
    TreeProgram *program;
    CheckUses uses; /* what is noted for an editor: see compiler/check/uses.h */
    Lowering lowering;
    IrMeanings meanings; /* of the lowered functions, before they were optimized, with `layout`: of what was not only checked */
    uint64_t layout;     /* of the classes: check_layout */
    double milliseconds[COMPILE_PASS_COUNT];
};

/* Runs the passes; stops after the first that fails. Look at `diags` either way. Allocations
 * that fail leave through memory_fail with the Compile in a state that compile_destroy can
 * release. */
bool compile_world(Compile *compile);
Compile *compile_create(const CompileInput *input);
void compile_destroy(Compile *compile);

/* Whether a file that it was read from is another now. */
bool compile_is_stale(const Compile *compile);

const char *compile_pass_name(CompilePass pass);
CompileForm compile_pass_form(CompilePass pass);

/* -- stages (stage.c): a pass of pass.def or of opt/pass.def by its name, or "ast", "tree", "ir", the
 * last pass that gives this -- */
/* How many passes it takes to get there ("llvm", "asm" and "glsl", which are of what runs, take all); 0: there is no such
 * stage. */
int compile_stage(Str stage);
/* The names of all stages, with blanks between. */
Str compile_stage_names(Arena *arena);
/* A stage as text; name empty: all of it, else the function (or class, or any declaration of the syntax) of that name. False: there is
 * none, or the text did not come so far. */
bool compile_dump(const Compile *compile, Str stage, Str name, StrBuf *out);

#endif
