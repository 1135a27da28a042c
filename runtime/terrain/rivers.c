#include "runtime/terrain/rivers.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/terrain/drain_parts.h"

typedef struct River {
    int32_t spring, end; /* squares; the end is the last of its own */
    int64_t area;        /* there */
} River;

/* -- which of the streams that meet goes on as the river -- */

/* By square: the one it takes most from, of those that are streams; -1: it is a spring. */
static void find_mains(const Drainage *drainage, int64_t least, int32_t *mains) {
    int32_t all = drainage->land.columns * drainage->land.rows;
    memset(mains, -1, sizeof *mains * (size_t)all);
    for (int32_t square = 0; square < all; square++) {
        int32_t next = drain_next(drainage, square);
        drain_watch(square, 5);
        if (next < 0 || drainage->area[square] < least) continue;
        int32_t main = mains[next];
        if (main < 0 || drainage->area[square] > drainage->area[main] ||
            (drainage->area[square] == drainage->area[main] && drain_goes_before(&drainage->land, square, main)))
            mains[next] = square;
    }
}

static int32_t next_of_river(const Drainage *drainage, const int32_t *mains, int32_t square) {
    int32_t next = drain_next(drainage, square);
    return next >= 0 && mains[next] == square ? next : -1;
}

static int most_first(const void *a, const void *b) {
    const River *x = a, *y = b;
    if (x->area != y->area) return x->area > y->area ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* -- lines -- */

/* The middle of three, as often as wanted, both ends kept: the same from either side. Where a river is taken up its water stands no lower than
 * that of the other. */
static void smooth_line(RiverPoint *points, int64_t count, int32_t times) {
    for (int32_t k = 0; k < times; k++) {
        RiverPoint before = points[0];
        for (int64_t i = 1; i + 1 < count; i++) {
            RiverPoint here = points[i], *after = &points[i + 1];
            points[i].x = ((before.x + after->x) + 2 * here.x) / 4;
            points[i].z = ((before.z + after->z) + 2 * here.z) / 4;
            points[i].level = ((before.level + after->level) + 2 * here.level) / 4;
            before = here;
        }
    }
    for (int64_t i = count - 2; i >= 0; i--)
        if (points[i].level < points[i + 1].level) points[i].level = points[i + 1].level;
}

static RiverPoint point_of(const Drainage *drainage, int32_t river, int32_t square) {
    const Land *land = &drainage->land;
    return (RiverPoint){.river = river, .square = square, .x = square % land->columns * land->cell, .z = square / land->columns * land->cell,
                        .level = (double)drainage->levels[square], .area = (double)drainage->area[square] / DRAIN_UNIT,
                        .lake = drainage->levels[square] > land->heights[square]};
}

/* From its spring on, and then the point of the river that takes it up, if one does; how many are its own. `places` says where squares of
 * earlier rivers came to lie. */
static int64_t trace(const Drainage *drainage, const int32_t *mains, const River *river, int32_t number, RiverPoint *points, int32_t *places,
                     const RiverPoint *all) {
    int64_t count = 0;
    int32_t square = river->spring;
    for (; square >= 0; square = next_of_river(drainage, mains, square))
        points[count++] = point_of(drainage, number, square);
    int32_t taken_up = drain_next(drainage, river->end);
    if (taken_up >= 0) {
        points[count] = all[places[taken_up]];
        points[count].river = number;
    }
    return count;
}

RiverPoint *rivers_trace(Rt *rt, const Drainage *drainage, int64_t least, int32_t smoothings, int64_t *count) {
    int32_t all = drainage->land.columns * drainage->land.rows, *mains = rt_scratch_push(rt, sizeof *mains * (size_t)all);
    int32_t *places = rt_scratch_push(rt, sizeof *places * (size_t)all), rivers = 0;
    int64_t squares = 0;
    find_mains(drainage, least, mains);
    for (int32_t square = 0; square < all; square++) {
        if (drainage->area[square] < least) continue;
        squares++;
        rivers += mains[square] < 0;
    }
    River *list = rt_scratch_push(rt, sizeof *list * (size_t)(rivers + 1));
    RiverPoint *points = rt_scratch_push(rt, sizeof *points * (size_t)(squares + rivers + 1));
    rivers = 0;
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 2);
        if (drainage->area[square] < least || mains[square] >= 0) continue;
        River river = {.spring = square, .end = square};
        for (int32_t next = square; next >= 0; next = next_of_river(drainage, mains, next))
            river.end = next;
        river.area = drainage->area[river.end];
        list[rivers++] = river;
    }
    qsort(list, (size_t)rivers, sizeof *list, most_first);
    *count = 0;
    for (int32_t k = 0; k < rivers; k++) {
        int64_t own = trace(drainage, mains, &list[k], k, points + *count, places, points);
        int64_t length = own + (drain_next(drainage, list[k].end) >= 0);
        smooth_line(points + *count, length, smoothings);
        for (int64_t i = 0; i < own; i++)
            places[points[*count + i].square] = (int32_t)(*count + i);
        *count += length;
    }
    return points;
}

/* -- lakes -- */

static bool is_under(const Drainage *drainage, int32_t square) {
    return drainage->levels[square] > drainage->land.heights[square];
}

static Lake fill_lake(const Drainage *drainage, int32_t first, int32_t mark, int32_t *numbers, int32_t *stack) {
    const Land *land = &drainage->land;
    Lake lake = {.number = mark, .deepest = first, .outlet = -1, .level = (double)drainage->levels[first]};
    int64_t height = 1;
    stack[0] = first;
    numbers[first] = mark;
    while (height > 0) {
        int32_t square = stack[--height], after = drain_next(drainage, square);
        double depth = (double)(drainage->levels[square] - land->heights[square]);
        lake.squares++;
        lake.volume += depth;
        if (depth > lake.depth) lake.depth = depth, lake.deepest = square;
        if (after >= 0 && !is_under(drainage, after) && (lake.outlet < 0 || drainage->area[after] > drainage->area[lake.outlet])) lake.outlet = after;
        for (int way = 1; way <= 8; way++) {
            int32_t next = land_next(land, square, way);
            if (next < 0 || numbers[next] != 0 || !is_under(drainage, next) || drainage->levels[next] != drainage->levels[first]) continue;
            numbers[next] = mark;
            stack[height++] = next;
        }
    }
    return lake;
}

static int largest_first(const void *a, const void *b) {
    const Lake *x = a, *y = b;
    if (x->squares != y->squares) return x->squares > y->squares ? -1 : 1;
    return (x->deepest > y->deepest) - (x->deepest < y->deepest);
}

Lake *lakes_find(Rt *rt, const Drainage *drainage, int32_t squares, double depth, int32_t *numbers, int32_t *count) {
    int32_t all = drainage->land.columns * drainage->land.rows, found = 0, most = 0;
    for (int32_t square = 0; square < all; square++)
        most += is_under(drainage, square);
    int32_t *stack = rt_scratch_push(rt, sizeof *stack * (size_t)(most + 1)), *renamed = rt_scratch_push(rt, sizeof *renamed * (size_t)(most + 1));
    Lake *lakes = rt_scratch_push(rt, sizeof *lakes * (size_t)(most + 1));
    memset(numbers, 0, sizeof *numbers * (size_t)all);
    memset(renamed, 0, sizeof *renamed * (size_t)(most + 1));
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 5);
        if (is_under(drainage, square) && numbers[square] == 0) {
            lakes[found] = fill_lake(drainage, square, found + 1, numbers, stack);
            found++;
        }
    }
    *count = 0;
    for (int32_t i = 0; i < found; i++)
        if (lakes[i].squares >= squares && lakes[i].depth >= depth) lakes[(*count)++] = lakes[i];
    qsort(lakes, (size_t)*count, sizeof *lakes, largest_first);
    for (int32_t i = 0; i < *count; i++) {
        renamed[lakes[i].number] = i + 1;
        lakes[i].number = i + 1;
    }
    for (int32_t square = 0; square < all; square++)
        numbers[square] = renamed[numbers[square]];
    return lakes;
}
