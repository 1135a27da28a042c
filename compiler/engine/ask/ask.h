/* Asking a finished world, from inside: questions, functions, values, data by path. */
#ifndef WORLD_COMPILER_ENGINE_ASK_ASK_H
#define WORLD_COMPILER_ENGINE_ASK_ASK_H

#include "compiler/engine/open/overlay.h"
#include "runtime/rt/print.h"

/* -- question.c: expressions of an author, asked of the world -- */
typedef struct Question {
    Str text;
    const Type *wanted; /* NULL: whatever it is */
    const uint32_t *asker; /* the span it is asked for: what fails in its own text is told of there; NULL: it is the author's own */
    const TreeFn *fn;
    Callee callee; /* lives while the operation does, unless it is held */
    const Type *type;
    Slot *slots; /* the answer */
} Question;
/* Parses, checks and lowers; the answer's type is known afterwards. */
WorldStatus question_compile(World *world, Question *question);
/* Runs it; the answer lies in `arena`. */
WorldStatus question_run(World *world, Question *question, Rt *rt);
/* The same, kept (runtime/rt/part.h). */
WorldStatus question_keep(World *world, Question *question, Rt *rt, RtVersion **version);

/* -- value.c, value_json.c -- */
WorldValue *value_create(World *world, const Type *type, const Slot *slots);
typedef struct ValuePrinter {
    World *world;
    StrBuf *out;
} ValuePrinter;
/* As an author writes it: the very text that text(x) gives. */
void value_print(const ValuePrinter *printer, const Type *type, const Slot *slots);
void value_print_json(const ValuePrinter *printer, const Type *type, const Slot *slots);

/* -- contents.c: what a container of the library holds. False: the type is none -- */
typedef struct Contents {
    int columns; /* values a row */
    const Type *types[2];
    const RtList *rows;
} Contents;
bool contents_type(const World *world, const Type *type);
bool contents_open(const World *world, Arena *arena, const Type *type, const Slot *slots, Contents *contents);
/* inspect.c: a text that lives until the next of its kind. */
void inspect_hand_out(World *world, Str text, const char **out);

/* OK, or that a handle is of a text that is not loaded any more, or of another world. */
static inline WorldStatus handle_status(const World *world, uint32_t generation) {
    return generation == world->handles.generation ? WORLD_OK : WORLD_ERROR_STALE;
}

/* What a host sees of a type; of an optional that is there, its element's. */
WorldValueKind value_kind(const World *world, const Type *type);

/* -- table.c -- */

typedef WorldStatus (*TableBody)(World *world, Rt *rt, WorldTable *table, void *args);
/* The entry of what hands out a table: the body fills it, and it is the host's when all went well.
 */
WorldStatus table_entry(World *world, TableBody body, void *args, WorldTable **out);
/* The same for what only looks at the text, as entry_look. */
WorldStatus table_look(World *world, TableBody body, void *args, WorldTable **out);
/* Finds a column by name, or adds it. */
int table_column(WorldTable *table, Str name, Str type, WorldValueKind kind);
void table_begin_row(WorldTable *table);
/* A cell of the last row; NAN leaves it empty. Texts are copied. */
void table_put(WorldTable *table, int column, Slot value);
void table_put_text(WorldTable *table, int column, Str text);
void table_put_vector(WorldTable *table, int column, const Slot *three);
/* The same by the column's name, which is added when it is first told of; "" and RT_EMPTY leave the
 * cell empty. */
void table_tell_text(WorldTable *table, const char *column, Str text);
void table_tell_int(WorldTable *table, const char *column, int64_t value);
void table_tell_number(WorldTable *table, const char *column, const char *type, double value);
/* While it is filled: a cell of one row as in another, and all but one of the rows. */
void table_copy_cell(WorldTable *table, int column, size_t from, size_t to);
void table_drop_row(WorldTable *table, size_t row);

/* table_list.c: the rows of a list; NOT_FOUND when the type is none that has rows. */
WorldStatus table_fill(World *world, Rt *rt, WorldTable *table, const Type *type, const RtList *list);

/* -- function.c -- */
typedef struct FunctionHandle {
    Str name;
    const TreeFn *fn; /* NULL: `closure` is called */
    Callee callee;
    RtPart *self; /* of a method */
    const RtClosure *closure;
    const Type *type;       /* of the closure */
    int arguments, results; /* slots */
    const char *argument_letters, *result_letters;
    int ground; /* the field of `self` that holds a height grid, when the function is that grid's heightAt and no more; else -1 */
} FunctionHandle;

/* -- data.c -- */
WorldGridView data_grid_view(const RtGrid *grid);

/* The part and field of a dotted path: "island.vegetation.layout". */
WorldStatus data_find_field(World *world, Rt *rt, Str path, RtPart **part, int *field);

#endif
