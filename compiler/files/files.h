/* The files a world is read from besides its own: packages (`use x from "..."`), and data.
 *
 * All lie in the folder of the world's main file and below. A path is written from the folder of the
 * file that names it; here it is kept from the world's folder, and a file that several name is read
 * once. Needs the syntax tree of a file to read what it uses; gives theirs.
 */
#ifndef WORLD_COMPILER_FILES_FILES_H
#define WORLD_COMPILER_FILES_FILES_H

#include "lang/parse.h"
#include "runtime/file/folder.h"

enum {
    FILES_DEFAULT_COUNT = 1000,
    FILES_DEFAULT_DATA_BYTES = 64 << 20,
    FILES_DEFAULT_LARGE_BYTES = 1 << 30,
    FILES_DEFAULT_SAMPLES = 1 << 27
};

/* Texts that are read in place of files: those an editor has open. False: it has none of that path, which is as messages show it. */
typedef struct FilesOverlay {
    bool (*text)(void *user, Str path, Str *text);
    void *user;
} FilesOverlay;

typedef struct FilesInput {
    Arena *arena;
    SymbolTable *symbols;
    SourceSet *sources;
    DiagList *diags;
    const char *folder; /* NULL: none, and so no files; "" is the current one */
    ParseLimits limits;
    size_t data_bytes; /* the most of one file of data; 0: the default */
    size_t large_bytes; /* and of one of measured heights */
    uint64_t samples;  /* the most of one picture; 0: the default */
    int count;         /* the most files; 0: the default */
    FilesOverlay overlay; /* of packages; text NULL: none */
} FilesInput;

typedef struct WorldFile {
    Str path; /* from the world's folder, "parts/houses.world"; empty: a text without a file */
    Str name; /* of a package: the name that it was first used under */
    uint32_t source;
    const AstFile *ast; /* NULL: data, or it could not be read */
    Str bytes;
    FileStamp stamp;
    bool failed;  /* data that was reported */
    bool missing; /* data that was not there, and need not be */
    bool is_open; /* its uses are being followed: using it now closes a circle */
    int package;  /* of a package: its number in CheckInput.packages, set by who makes that table */
} WorldFile;

typedef struct FileUse { /* a `use ... from`, and what it brings */
    const AstNode *ast;
    const WorldFile *file;
} FileUse;

typedef struct Files {
    FilesInput input;
    VEC(WorldFile *) items; /* [0]: the world's own */
    VEC(FileUse) uses;      /* of all files, in the order of reading */
    VEC(FileUse) chain;     /* the uses under way, one in another */
} Files;

/* The folder part of a path ("examples", "/", ""), in the arena. */
const char *files_folder_of(Arena *arena, Str path);

/* `path`: of the world's own file from its folder; empty for a text. */
void files_init(Files *files, const FilesInput *input, Str path, uint32_t source);

/* Reads and parses every package that the world uses, and those that they use. What is wrong with a
 * file is an error where it is named. */
void files_follow(Files *files, const AstFile *world);

/* Its path with the folder's before it, as a message shows it and a system finds it. */
Str files_shown(const Files *files, Arena *arena, const WorldFile *file);

typedef enum FilesWant {
    FILES_BYTES,
    FILES_LARGE,        /* bytes, and of those many */
    FILES_TEXT,         /* a source in UTF-8 */
    FILES_TEXT_IF_THERE /* the same; one that is not there has the source 0 */
} FilesWant;
/* A file of data named in a source's text at `span`. NULL after an error. */
const WorldFile *files_data(Files *files, Str path, Span span, FilesWant want);

#endif
