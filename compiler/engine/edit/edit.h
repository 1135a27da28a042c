/* Edits of placed things while a world is open: which layouts take them, their logs, and the files these are kept in.
 *
 *     layout ── reads ──> the root's hidden field ── is the log of ──> EditFile ── written by world_edit_save
 *
 * A layout takes edits when a log of the package `edits` is among what it read. An edit sets the log's cell to one row more, so what
 * read it is worked out again, and nothing else; the file's text keeps the lines it has and gets one more.
 */
#ifndef WORLD_COMPILER_ENGINE_EDIT_EDIT_H
#define WORLD_COMPILER_ENGINE_EDIT_EDIT_H

#include "compiler/engine/ask/ask.h"
#include "stdlib/library_layout.h"

typedef struct EditLayout {
    RtPart *part;
    int field;
    Str path; /* "island.vegetation.layout" */
    int log;  /* field of the root; of several the last that was read */
    SymbolTable *ids; /* of what stands in it; NULL: not asked for yet */
} EditLayout;
typedef VEC(EditLayout) EditLayouts;

/* A file of edits since it was first asked for, in the world's arena for these. */
struct EditFile {
    int log;        /* field of the root */
    WorldFile *source; /* that was read */
    Str path;       /* as a message shows it and a system finds it */
    VEC(Str) lines; /* {"remove": "trees/3"}: for each row of the log one, as it is or will be in the file */
    bool changed;   /* since it was read or written */
    FileStamp stamp; /* of what was read or written last */
    EditFile *next;
};

/* -- edit_layouts.c -- */
/* All layouts that take edits, worked out; or the one of that path, "" for all. False after a fault. */
bool edit_layouts(World *world, Rt *rt, Str path, EditLayouts *out);
const StdEditLog *edit_log(World *world, Rt *rt, int log);
/* A design by its name, or NULL. */
const RtClass *edit_design(const World *world, Str name);

/* -- edit_file.c -- */
EditFile *edit_file(World *world, Rt *rt, int log);
/* The lines of edits that are to be the log's rows from `count` on. */
void edit_add_line(World *world, EditFile *file, int64_t count, const StdEdit *edit);

#endif
