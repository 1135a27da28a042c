#include "gpu/things.h"

#include "gpu/buffer.h"
#include "gpu/cards.h"
#include "gpu/things_order.h"

#include <math.h>
#include <stdlib.h>

enum { COPIES_AT_ONCE = 1 << 13, MANY = 1 << 10 /* copies: from so many on they are put in order */ };
static const double smallest = 0.7; /* pixels: what looks smaller is left out */
static const double most_left_out = 4; /* likewise, where the coarsest levels of all are too many */
static const double shadow_size = 0.4; /* a shadow needs the detail of a thing that looks so much smaller */
static const double coarser_step = 0.8, coarsest = 0.05; /* of a copy's pixels, where triangles are too many */
static const double coarsest_card = 0.75; /* likewise, for the step to a picture: a texel is not to be seen */
static const double rough_below = 9, coarsest_rough = 0.5; /* likewise, to what stands for a thing of so few pixels and is hardly of its shape */

/* One copy, as things.vert reads it. */
typedef struct ThingCopy {
    float rows[3][4];
    float tint[4];
} ThingCopy;

void things_init(Things *things) {
    *things = (Things){0};
    memory_init(&things->memory, NULL, NULL, 0);
    arena_init(&things->arena, &things->memory);
    arena_init(&things->scratch, &things->memory);
    arena_init(&things->placed, &things->memory);
}

/* Room for what is known of each row. */
static void resize_rows(Things *things, size_t rows) {
    size_t size = sizeof *things->balls, block = sizeof *things->blocks;
    things->balls = memory_resize(&things->memory, things->balls, things->row_room * size, rows * size);
    things->blocks = memory_resize(&things->memory, things->blocks, things->row_room / THING_BLOCK * block, rows / THING_BLOCK * block);
    things->row_room = rows;
}

static void drop_copies(Things *things) {
    const GLuint buffers[2] = {things->copies, things->visible_buffer};
    glDeleteBuffers(2, buffers);
    things->copies = things->visible_buffer = 0;
    things->group_count = things->count = 0;
    resize_rows(things, 0);
    rows_fini(&things->rows, &things->memory);
    arena_fini(&things->placed);
    arena_init(&things->placed, &things->memory);
    arena_fini(&things->scratch);
    arena_init(&things->scratch, &things->memory);
}

void things_fini(Things *things) {
    drop_copies(things);
    things_drop_meshes(things);
    *things = (Things){0};
}

/* -- copies -- */

static void place_copy(const ThingMesh *mesh, const float *rows, const float *tint, ThingCopy *copy,
                       ThingBall *ball) {
    memcpy(copy->rows, rows, sizeof copy->rows);
    for (int i = 0; i < 3; i++)
        copy->tint[i] = tint ? tint[i] : 1;
    Transform transform = transform_of(rows);
    ball->middle = transform_point(&transform, mesh->middle);
    ball->radius = mesh->radius * transform_scale(&transform);
}

/* Rows for so many more copies. */
static void add_rows(Things *things, uint32_t count) {
    uint32_t before = things->rows.count, more = before / 2 > count ? before / 2 : count;
    resize_rows(things, (size_t)before + more);
    rows_add(&things->rows, &things->memory, more);
    GLuint grown = buffer_create_dynamic((size_t)things->rows.count * sizeof(ThingCopy));
    if (before) glCopyNamedBufferSubData(things->copies, grown, 0, 0, (GLsizeiptr)(before * sizeof(ThingCopy)));
    const GLuint old[2] = {things->copies, things->visible_buffer};
    glDeleteBuffers(2, old);
    things->copies = grown;
    things->visible_buffer = buffer_create_dynamic((size_t)things->rows.count * sizeof(uint32_t));
}

/* Rows of a group up to where its next block begins. */
typedef struct Stretch {
    uint32_t first, end;
    ThingBlock *block; /* NULL: not all of one is the group's */
} Stretch;

static Stretch stretch_from(const Things *things, const ThingGroup *group, uint32_t first) {
    uint32_t end = group->first + group->count, next = (first / THING_BLOCK + 1) * THING_BLOCK;
    bool whole = first % THING_BLOCK == 0 && next <= end;
    return (Stretch){first, next < end ? next : end, whole ? &things->blocks[first / THING_BLOCK] : NULL};
}

static void bound_block(const ThingBall *balls, ThingBlock *block) {
    Vec low = balls->middle, high = balls->middle;
    for (int i = 1; i < THING_BLOCK; i++) {
        Vec p = balls[i].middle;
        low = (Vec){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (Vec){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    *block = (ThingBlock){.middle = vec_scale(vec_add(low, high), 0.5)};
    for (int i = 0; i < THING_BLOCK; i++) {
        block->radius = fmax(block->radius, vec_length(vec_sub(balls[i].middle, block->middle)) + balls[i].radius);
        block->largest = fmax(block->largest, balls[i].radius);
    }
}

static void bound_group(const Things *things, const ThingGroup *group) {
    for (uint32_t i = group->first, end = group->first + group->count; i < end;) {
        Stretch stretch = stretch_from(things, group, i);
        if (stretch.block) bound_block(things->balls + i, stretch.block);
        i = stretch.end;
    }
}

static void write_group(Things *things, ThingGroup *group, const WorldInstances *from) {
    ArenaMark mark = arena_mark(&things->scratch);
    ThingCopy *copies = ARENA_ARRAY(&things->scratch, ThingCopy, from->count < COPIES_AT_ONCE ? from->count : COPIES_AT_ONCE);
    if (!rows_take(&things->rows, from->count, &group->first)) {
        add_rows(things, from->count);
        rows_take(&things->rows, from->count, &group->first);
    }
    group->count = from->count;
    const uint32_t *order = from->count >= MANY ? things_order(&things->scratch, from->transforms, from->count) : NULL;
    for (uint32_t first = 0; first < from->count; first += COPIES_AT_ONCE) {
        uint32_t count = from->count - first < COPIES_AT_ONCE ? from->count - first : COPIES_AT_ONCE;
        for (uint32_t k = 0; k < count; k++) {
            size_t i = order ? order[first + k] : first + k;
            place_copy(&things->meshes.items[group->mesh], from->transforms + 12 * i, from->tints ? from->tints + 3 * i : NULL, &copies[k],
                       &things->balls[group->first + first + k]);
        }
        glNamedBufferSubData(things->copies, (GLintptr)((group->first + first) * sizeof *copies), (GLsizeiptr)(count * sizeof *copies), copies);
    }
    bound_group(things, group);
    things->uploaded += from->count * sizeof *copies;
    arena_release(&things->scratch, mark);
}

static int by_standing(const void *a, const void *b) {
    const ThingGroup *first = *(ThingGroup *const *)a, *second = *(ThingGroup *const *)b;
    return first->standing < second->standing ? -1 : first->standing > second->standing;
}

static int by_mesh(const void *a, const void *b) {
    const ThingGroup *first = a, *second = b;
    if (first->of != second->of) return first->of < second->of ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* Groups that stand where they stood keep their rows; the rows of the others are free. */
static void keep_groups(Things *things, ThingGroup *groups, size_t count) {
    ThingGroup **known = ARENA_ARRAY(&things->scratch, ThingGroup *, things->group_count + 1);
    for (size_t g = 0; g < things->group_count; g++)
        known[g] = &things->groups[g];
    if (things->group_count) qsort(known, things->group_count, sizeof(ThingGroup *), by_standing);
    for (size_t g = 0; g < count && things->group_count; g++) {
        const ThingGroup *wanted = &groups[g];
        ThingGroup **found = wanted->standing ? bsearch(&wanted, known, things->group_count, sizeof(ThingGroup *), by_standing) : NULL;
        if (found == NULL || (*found)->mesh != wanted->mesh) continue;
        groups[g].first = (*found)->first;
        groups[g].count = (*found)->count;
        (*found)->count = 0;
    }
    for (size_t g = 0; g < things->group_count; g++)
        if (things->groups[g].count) rows_give(&things->rows, &things->memory, things->groups[g].first, things->groups[g].count);
    things->group_count = 0;
}

static void place_groups(Things *things, const WorldScene *scene) {
    Arena placed;
    arena_init(&placed, &things->memory);
    ThingGroup *groups = ARENA_ARRAY(&placed, ThingGroup, scene->instance_count + 1);
    size_t count = 0, copies = 0, more = 0;
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *from = &scene->instances[g];
        if (from->count == 0) continue;
        groups[count++] = (ThingGroup){.mesh = things->firsts.items[from->mesh], .of = from->mesh, .standing = from->standing, .number = (uint32_t)g};
        copies += from->count;
    }
    keep_groups(things, groups, count);
    Arena before = things->placed;
    things->placed = placed;
    arena_fini(&before);
    for (size_t g = 0; g < count; g++)
        if (groups[g].count == 0) more += scene->instances[groups[g].number].count;
    if (things->rows.count == 0 && more) add_rows(things, (uint32_t)more);
    for (size_t g = 0; g < count; g++)
        if (groups[g].count == 0) write_group(things, &groups[g], &scene->instances[groups[g].number]);
    if (count) qsort(groups, count, sizeof *groups, by_mesh);
    things->groups = groups;
    things->group_count = count;
    things->count = copies;
}

void things_set(Things *things, const WorldScene *scene) {
    drop_copies(things);
    things->uploaded = 0;
    things_forget_meshes(things, scene);
    things_move(things, scene);
}

void things_move(Things *things, const WorldScene *scene) {
    ArenaMark mark = arena_mark(&things->scratch);
    things_add_meshes(things, scene);
    place_groups(things, scene);
    arena_release(&things->scratch, mark);
}

/* -- drawing -- */

/* Whether any copy of a block may be in the picture and large enough. */
static bool may_see(const Things *things, const ThingBlock *block, const ThingsView *view) {
    Vec middle = vec_sub(block->middle, view->eye->at);
    if (!eye_sees_ball(view->eye, middle, block->radius)) return false;
    Vec nearest = vec_sub(middle, vec_scale(view->eye->forward, block->radius));
    return eye_pixels(view->eye, nearest, block->largest, view->height) >= things->least;
}

/* How large a copy looks across, in pixels; 0: not seen. */
static void measure_copy(const Things *things, ThingBall *ball, const ThingsView *view) {
    Vec middle = vec_sub(ball->middle, view->eye->at);
    double pixels = eye_sees_ball(view->eye, middle, ball->radius) ? eye_pixels(view->eye, middle, ball->radius, view->height) : 0;
    double counted = pixels * (view->materials ? 1 : shadow_size) * things->fineness;
    ball->across = pixels >= things->least ? (float)counted : 0;
}

static void measure_copies(Things *things, const ThingGroup *group, const ThingsView *view) {
    for (uint32_t i = group->first, end = group->first + group->count; i < end;) {
        Stretch stretch = stretch_from(things, group, i);
        if (stretch.block) stretch.block->seen = may_see(things, stretch.block, view);
        bool looks = stretch.block == NULL || stretch.block->seen;
        for (; looks && i < stretch.end; i++, things->looked_at++)
            measure_copy(things, &things->balls[i], view);
        i = stretch.end;
    }
}

/* Appends the copies of a group that look at least `least` and less than `most` pixels across; how
 * many. */
static uint32_t list_copies(const Things *things, const ThingGroup *group, double least,
                            double most, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = group->first, end = group->first + group->count; i < end;) {
        Stretch stretch = stretch_from(things, group, i);
        bool looks = stretch.block == NULL || stretch.block->seen;
        for (; looks && i < stretch.end; i++)
            if (things->balls[i].across > 0 && (double)things->balls[i].across >= least && (double)things->balls[i].across < most) out[count++] = i;
        i = stretch.end;
    }
    return count;
}

/* Copies that one draw shows. */
typedef struct ThingDraw {
    uint32_t mesh, first, count;
    int level; /* 0: as it was made */
} ThingDraw;

typedef struct ThingDraws {
    VEC(ThingDraw) items;
    uint32_t total; /* copies */
} ThingDraws;

/* The visible copies of the groups of one mesh, each at the level that does for its size. */
static void list_groups(Things *things, const ThingGroup *groups, size_t count, const ThingsView *view, ThingDraws *draws) {
    const ThingMesh *meshes = things->meshes.items;
    double most = INFINITY;
    if (meshes[groups->mesh].water && !view->materials) return;
    for (size_t g = 0; g < count; g++)
        measure_copies(things, &groups[g], view);
    int level = 0;
    for (uint32_t mesh = groups->mesh, next;; mesh = next, level++) {
        next = meshes[mesh].coarser;
        double least = next ? meshes[mesh].coarser_below : 0;
        if (next && meshes[mesh].coarser_below <= rough_below) least *= fmin(1, things->fineness / coarsest_rough);
        if (meshes[next].picture) least *= fmin(1, things->fineness / coarsest_card);
        ThingDraw draw = {mesh, draws->total, 0, level};
        for (size_t g = 0; g < count; g++)
            draw.count += list_copies(things, &groups[g], least, most, things->visible + draws->total + draw.count);
        draws->total += draw.count;
        if (draw.count) VEC_PUSH(&things->scratch, &draws->items, draw);
        if (next == 0) return;
        most = least;
    }
}

/* What is mixed with a thing's color, and how much of it. */
static void set_level_paint(GLuint program, const ThingMesh *mesh, int level, bool shown) {
    static const float paints[][3] = {{1, 1, 1}, {0.1f, 0.8f, 0.15f}, {0.95f, 0.85f, 0.1f}, {0.95f, 0.4f, 0.05f}, {0.7f, 0.1f, 0.9f}};
    enum { PICTURE = sizeof paints / sizeof *paints - 1 };
    const float *paint = paints[mesh->picture || level > PICTURE ? PICTURE : level];
    glProgramUniform4f(program, 2, paint[0], paint[1], paint[2], shown ? 0.8f : 0);
}

static void draw_copies(const Things *things, State *state, const ThingDraw *draw,
                        const ThingsView *view) {
    const ThingMesh *mesh = &things->meshes.items[draw->mesh];
    Pipe own = *view->solid;
    own.vertices = things->vertices;
    own.cull = own.cull && !mesh->two_sided && !mesh->water;
    if (mesh->picture) cards_use(mesh->picture);
    if (mesh->picture) own.program = view->cards;
    if (view->materials) {
        const Material *material = &view->materials->items[mesh->water ? view->materials->ground : mesh->material];
        own.program = mesh->water ? material->water : mesh->picture ? material->cards : material->things;
        material_use(material);
    }
    state_pipe(state, &own);
    glProgramUniform1i(own.program, 0, (GLint)draw->first);
    if (view->materials && !mesh->water) glProgramUniform1f(own.program, 1, mesh->two_sided ? 0.45f : 0);
    if (view->materials && !mesh->water) set_level_paint(own.program, mesh, draw->level, view->show_levels);
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT,
                                      (const void *)(mesh->first_index * sizeof(uint32_t)),
                                      (GLsizei)draw->count, mesh->base_vertex);
}

static ThingDraws list_draws(Things *things, const ThingsView *view) {
    ThingDraws draws = {0};
    things->looked_at = 0;
    for (size_t g = 0, of_mesh; g < things->group_count; g += of_mesh) {
        of_mesh = 1;
        while (g + of_mesh < things->group_count && things->groups[g + of_mesh].mesh == things->groups[g].mesh)
            of_mesh++;
        list_groups(things, &things->groups[g], of_mesh, view, &draws);
    }
    things->triangles = 0;
    for (int i = 0; i < draws.items.count; i++) {
        const ThingDraw *draw = &draws.items.items[i];
        things->triangles += (uint64_t)things->meshes.items[draw->mesh].index_count / 3 * draw->count;
    }
    return draws;
}

void things_draw(Things *things, State *state, const ThingsView *view) {
    things->triangles = 0;
    if (things->count == 0) return;
    ArenaMark mark = arena_mark(&things->scratch), listed;
    things->visible = ARENA_ARRAY(&things->scratch, uint32_t, things->count);
    listed = arena_mark(&things->scratch);
    things->fineness = 1, things->least = smallest;
    ThingDraws draws = list_draws(things, view);
    while (view->most && things->triangles > view->most && things->least < most_left_out) {
        arena_release(&things->scratch, listed);
        if (things->fineness > coarsest)
            things->fineness *= coarser_step;
        else
            things->least /= coarser_step;
        draws = list_draws(things, view);
    }
    glNamedBufferSubData(things->visible_buffer, 0, (GLsizeiptr)(draws.total * sizeof(uint32_t)),
                         things->visible);
    state_storage(0, things->copies);
    state_storage(1, things->visible_buffer);
    for (int i = 0; i < draws.items.count; i++)
        draw_copies(things, state, &draws.items.items[i], view);
    arena_release(&things->scratch, mark);
}

void things_bounds(const Things *things, Vec *low, Vec *high) {
    *low = (Vec){INFINITY, INFINITY, INFINITY};
    *high = (Vec){-INFINITY, -INFINITY, -INFINITY};
    for (size_t g = 0; g < things->group_count; g++)
        for (uint32_t i = things->groups[g].first; i < things->groups[g].first + things->groups[g].count; i++) {
            Vec p = things->balls[i].middle;
            double r = things->balls[i].radius;
            *low = (Vec){fmin(low->x, p.x - r), fmin(low->y, p.y - r), fmin(low->z, p.z - r)};
            *high = (Vec){fmax(high->x, p.x + r), fmax(high->y, p.y + r), fmax(high->z, p.z + r)};
        }
}
