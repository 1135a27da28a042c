/* What covers the land, sample by sample, read from the land's own methods where it has them:
 * how near the brook is, how thick forest and groves grow. Only for the eye.
 */
#include "compiler/engine/scene/scene.h"

static const double brook_edge = 1.2, brook_gone = 3.0; /* meters from its middle */

typedef struct CoverRow {
    const char *method;
    int channel;
    bool distance; /* meters, near is most; else a share */
} CoverRow;

static const CoverRow rows[] = {
    {"brookDistance", 0, true}, {"forestDensity", 1, false}, {"groveDensity", 2, false}};

/* fn(point) -> one number, of the class itself or what it derives from. */
static const TreeFn *find_method(const TreeClass *cls, const char *name) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++) {
            const TreeFn *fn = cls->methods.items[i];
            if (!str_ends(fn->name, str_of(name)) || fn->draws || fn->param_count != 1) continue;
            bool fits =
                fn->locals.items[0].type->kind == TYPE_POINT && strcmp(fn->result->slots, "F") == 0;
            if (fits) return fn;
        }
    return NULL;
}

typedef struct CoverWork {
    const RtGrid *grid;
    Slot self;
    int func;
    CoverRow row;
    uint8_t *cover;
} CoverWork;

static uint8_t byte_of(double value, bool distance) {
    double share = distance ? (brook_gone - value) / (brook_gone - brook_edge) : value;
    return share >= 1 ? 255 : share > 0 ? (uint8_t)(share * 255 + 0.5) : 0;
}

/* Samples [begin, end) of the grid, counted row by row. */
static void cover_samples(Rt *rt, void *user, int64_t begin, int64_t end) {
    const CoverWork *work = user;
    const RtGrid *grid = work->grid;
    int64_t n = end - begin;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *columns = rt_scratch_push(rt, sizeof *columns * (size_t)(3 * n));
    Slot zero = slot_f(0), *x = columns, *z = columns + n, *answer = columns + 2 * n;
    for (int64_t e = 0; e < n; e++) {
        x[e] = slot_f(grid->x0 + (double)((begin + e) % grid->columns) * grid->cell);
        z[e] = slot_f(grid->z0 + (double)((begin + e) / grid->columns) * grid->cell);
    }
    const Slot *in[] = {&work->self, x, &zero, z};
    program_run(rt, work->func, n, 1u | 1u << 2, in, &answer);
    for (int64_t e = 0; e < n; e++)
        work->cover[(begin + e) * 4 + work->row.channel] = byte_of(answer[e].f, work->row.distance);
    rt_scratch_pop(rt, mark);
}

bool scene_cover_land(Gather *g, const PartVisit *visit, const RtGrid *grid) {
    int64_t count = (int64_t)grid->columns * grid->rows;
    uint8_t *cover = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const TreeFn *fn = find_method(visit->cls, rows[i].method);
        if (fn == NULL) continue;
        if (cover == NULL) cover = arena_alloc(g->store->arena, (size_t)count * 4);
        CoverWork work = {grid, slot_r(visit->part),
                          g->world->compile->lowering.ir_index.items[fn->index], rows[i], cover};
        rt_parallel(g->rt, count, RT_CHUNK, cover_samples, &work);
        if (rt_failed(g->rt)) return false;
    }
    g->store->scene.land_cover = cover;
    return true;
}
