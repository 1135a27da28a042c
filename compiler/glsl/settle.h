/* What settling leaves: functions of plain operations, and the cells they read. */
#ifndef WORLD_COMPILER_GLSL_SETTLE_H
#define WORLD_COMPILER_GLSL_SETTLE_H

#include "compiler/glsl/glsl.h"

/* `field.get K, K` of null in the settled module. */
typedef struct GlslCell {
    enum { GLSL_UNIFORM, GLSL_COLUMN, GLSL_GRID, GLSL_MAP } kind;
    Str name;          /* "land.cell" */
    double value;      /* of a uniform */
    int bound;         /* of a uniform: a function of the module that answers it, for ranges */
    const void *object; /* the list, the grid, the values of the map */
    GlslMap map;
    int slot;          /* of a column: in an item */
    IrType type;       /* of a column */
    int64_t least, most; /* of a column of whole numbers */
    int64_t base;      /* its first word */
    int64_t count;     /* its words */
} GlslCell;

typedef struct GlslEntry {
    IrFunc *func;
    const char *name;
} GlslEntry;

typedef struct GlslCopy {
    const IrFunc *from;
    IrFunc *to;
} GlslCopy;

struct Glsl {
    GlslInput input;
    GlslError error;
    IrModule *module;
    VEC(GlslCell) cells;
    VEC(GlslEntry) entries;
    VEC(GlslCopy) copies;
    int depth, size;
};

/* The card's own function of a name of the library, or NULL. */
const char *glsl_library(Str name);
extern const char glsl_prelude[];

/* False, always. */
bool glsl_refuse(Glsl *glsl, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* objects.c: a cell's number. */
int glsl_uniform(Glsl *glsl, Str name, double value);
int glsl_column(Glsl *glsl, const RtList *list, int slot, IrType type);
int glsl_grid(Glsl *glsl, const RtGrid *grid);
int glsl_map(Glsl *glsl, const GlslMap *map);
/* The words of all cells; false: they are too many. */
bool glsl_fill(Glsl *glsl, GlslText *out);

/* emit.c: the module as text; in `made` where its entries stand, and which parameters they need. */
bool glsl_emit(Glsl *glsl, StrBuf *out, GlslText *made);

#endif
