/* The language server: messages of an editor in, answers and diagnostics out (README.md).
 *
 *     Lsp ── Doc (an open text) ── Analysis: its Compile, and the table of names sorted by place
 *
 * A text that changed is looked at again when something is asked of it, or when no message waits. Nothing is kept from one look to
 * the next. What a message needs lies in the scratch arena, which ends with it.
 */
#ifndef WORLD_COMPILER_LSP_LSP_H
#define WORLD_COMPILER_LSP_LSP_H

#include "compiler/compile.h"
#include "compiler/files/json.h"
#include "world/world.h"

typedef struct Place { /* as the protocol counts: from 0, columns in the units the client takes */
    uint32_t line, column;
} Place;

/* A text with the starts of its lines. */
typedef struct Lines {
    Str text;
    const uint32_t *starts;
    int count;
    bool utf8; /* columns are bytes; else UTF-16 units */
} Lines;

typedef struct Analysis {
    Compile *compile;
    bool sorted;         /* what is below is there */
    CheckUse *names;     /* one a place, by file and place */
    int name_count;
    CheckTyped *values;  /* expressions, by end, then the longest first */
    int value_count;
} Analysis;

typedef struct RuleCount { /* what a rule placed when it was asked for */
    Str rule;
    int64_t placed, past_cap;
} RuleCount;

typedef struct Doc Doc;
struct Doc {
    Arena arena; /* it lies in it */
    Str uri, path;
    int64_t version;
    Arena text_arena; /* of this text alone: */
    Lines lines;
    VEC(RuleCount) counts; /* none: not asked for */
    Analysis *analysis; /* of the text as it is; NULL: not looked at yet */
    bool untold;        /* its diagnostics are not the client's yet */
    Doc *next;
};

struct WorldEditor {
    Arena arena, scratch; /* the editor lies in arena */
    WorldEngine *engine;
    WorldEditorDesc desc;
    Doc *docs;
    Doc *kept_of; /* what was kept for doc_mended is of that text; NULL: nothing is */
    Analysis *mended, *before; /* the last one mended, and the text as it was before it changed; NULL: not looked at */
    Doc *typed; /* where somebody types, since the last rest; NULL: nowhere */
    uint32_t typed_at;
    Compile *library; /* of an empty text: what all others take the library from; NULL: not yet, or it lies in a folder, and may change */
    Compile *failed; /* what is being compiled, until an Analysis has it */
    World *built; /* for a command, while it runs, with what it answers: */
    WorldTable *rows;
    WorldValue *value;
    const char *problem; /* why a request is refused; NULL: it is not */
    int problem_code;
    bool utf8, shut_down, refreshes_lenses, refreshes_hints;
    int exit_code; /* -1: it goes on */
};

/* -- text.c: places in texts -- */
Lines lines_of(Arena *arena, Str text, bool utf8);
Place lines_place(const Lines *lines, uint32_t offset);
uint32_t lines_offset(const Lines *lines, Place place);
/* The word of letters, digits and _ that ends at an offset. */
uint32_t text_word_start(Str text, uint32_t offset);

/* -- write.c: JSON out -- */
void write_text(StrBuf *out, Str text);
void write_place(StrBuf *out, Place place);
/* {"start": ..., "end": ...} of bytes of a text. */
void write_range(StrBuf *out, const Lines *lines, uint32_t start, uint32_t end);
/* {"range": ..., "newText": ...} */
void write_edit(StrBuf *out, const Lines *lines, uint32_t start, uint32_t end, Str text);
/* A comma before every item but the first of an open bracket. */
void write_item(StrBuf *out);
/* "file:///a%20b" and back; empty when it names no file. */
Str uri_of(Arena *arena, Str path);
Str uri_path(Arena *arena, Str uri);

/* -- doc.c: open texts, and what they come to -- */
Doc *doc_find(WorldEditor *e, Str uri);
Doc *doc_of_path(const WorldEditor *e, Str path);
void doc_open(WorldEditor *e, Str uri, Str text, int64_t version);
void doc_close(WorldEditor *e, Doc *doc);
void doc_set_text(WorldEditor *e, Doc *doc, Str text);
/* All that uses files is looked at again: one of them is another text now; NULL: any of them may be. */
void docs_forget(WorldEditor *e, Doc *changed);
Analysis *doc_analysis(WorldEditor *e, Doc *doc);
/* The same, whose names need not be sorted yet: what is told of a text hangs on none. */
Analysis *doc_look(WorldEditor *e, Doc *doc);
/* Of another text in its place, as far as a pass. `with`: what other open texts are instead; NULL: as they are. */
Analysis *analysis_make(WorldEditor *e, const Doc *doc, Str text, const FilesOverlay *with, CompilePass last);
/* Of its text mended, which often is what it was a key ago, or what was asked about then: the editor's, until the next. */
const Analysis *doc_mended(WorldEditor *e, Doc *doc, Str text);
void analysis_end(Analysis *analysis);
/* Of a source of an analysis: its text with its lines, and its path; the empty path is the library's. */
Lines source_lines(WorldEditor *e, const Analysis *a, uint32_t file);
Str source_path(const Doc *doc, const Analysis *a, uint32_t file);

/* -- find.c: the table of names -- */
void find_sort(Analysis *a); /* once */
/* The name under an offset of a file, or that ends there; NULL: none. */
const CheckUse *find_name(const Analysis *a, uint32_t file, uint32_t offset);
/* The type of the smallest expression that ends there; NULL: none does. */
const Type *find_type_before(const Analysis *a, uint32_t file, uint32_t end);
/* The declaration that stands round, or on, an offset: innermost last, from the file down. */
typedef VEC(const AstNode *) NodePath;
void find_path(const Analysis *a, Arena *arena, uint32_t offset, NodePath *path);

/* -- a method of the protocol: its answer into `out`, nothing: null -- */
typedef void LspMethod(WorldEditor *e, const JsonValue *params, StrBuf *out);
LspMethod lsp_symbols, lsp_folding;                                    /* outline.c */
LspMethod lsp_hover, lsp_definition, lsp_references, lsp_highlight;    /* hover.c, refer.c */
LspMethod lsp_completion, lsp_signature;                               /* complete.c, signature.c */
LspMethod lsp_tokens, lsp_hints;                                       /* tokens.c, hints.c */
LspMethod lsp_rename, lsp_prepare_rename;                              /* rename.c */
LspMethod lsp_command, lsp_lenses;                                     /* built.c */
LspMethod lsp_format, lsp_actions;                                     /* format.c, actions.c */

/* -- tokens.c: what kinds of names and words there are, in the protocol's words -- */
typedef enum Semantic {
#define SEMANTIC(NAME, name) SEMANTIC_##NAME,
#include "compiler/lsp/semantic.def"
#undef SEMANTIC
    SEMANTIC_COUNT
} Semantic;
extern const char *const lsp_semantics[SEMANTIC_COUNT];

/* -- built.c: what a world is built for -- */
void built_end(WorldEditor *e);
/* What a declaration or a call names its rule, if it is one; what was counted of a rule, NULL: nothing. */
AstName rule_name(const Analysis *a, const AstNode *ast);
const RuleCount *count_of(const Doc *doc, const Analysis *a, Symbol rule);

/* -- diagnostics.c -- */
void diagnostics_tell(WorldEditor *e, Doc *doc);
/* With what a message's notes and help say. */
void diagnostics_write(StrBuf *out, WorldEditor *e, const Doc *doc, const Analysis *a, const Diag *diag);

/* -- server.c -- */
/* The open text that `params` name, and the place in it; NULL: none, which is an error. */
Doc *params_doc(WorldEditor *e, const JsonValue *params);
uint32_t params_offset(const Doc *doc, const JsonValue *place);
const JsonValue *member(const JsonValue *object, const char *name);
Str member_text(const JsonValue *object, const char *name);
int64_t member_int(const JsonValue *object, const char *name);
void lsp_refuse(WorldEditor *e, int code, const char *why);
void lsp_send(WorldEditor *e, const StrBuf *message);

#endif
