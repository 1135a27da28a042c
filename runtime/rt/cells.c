/* Working cells out: evaluations, the record of what they read, and what a change makes stale. See
 * cell.h.
 *
 * Marks are written only by the thread that holds the lock, and are read by anyone. An evaluation
 * runs in a recovery point of its own, so a failed allocation ends as that cell's fault and leaves
 * no mark behind.
 */
#include "runtime/rt/cell.h"
#include "runtime/rt/life.h"

#include <math.h>

enum { MAX_DEPTH = 1000 }; /* cells being worked out, each because the one before reads it */
static const uint32_t half_way = 1u << 31; /* of the numbers of evaluations */

static const uint32_t nowhere[3];

void world_lock(Rt *rt, RtWorld *world) {
    if (rt->reader == 0) pthread_mutex_lock(&world->lock);
}

void world_unlock(Rt *rt, RtWorld *world) {
    if (rt->reader == 0) pthread_mutex_unlock(&world->lock);
}

static uint32_t get_mark(const RtCell *cell) {
    return __atomic_load_n(&cell->part->marks[cell->field], __ATOMIC_ACQUIRE);
}

static void set_mark(const RtCell *cell, uint32_t mark) {
    __atomic_store_n(&cell->part->marks[cell->field], mark, __ATOMIC_RELEASE);
}

static bool is_ready(uint32_t mark) {
    return mark != RT_MARK_EMPTY && mark != RT_MARK_BUSY;
}

/* -- versions and edges -- */

RtVersion *version_create(RtWorld *world) {
    Arena arena;
    arena_init(&arena, world->memory);
    RtVersion *version = ARENA_NEW(&arena, RtVersion);
    version->arena = arena;
    version->refs = 1;
    return version;
}

/* Releases a version, and then those it alone held: a list, not recursion, for chains may be long.
 */
void version_release(RtWorld *world, RtVersion *version) {
    (void)world;
    RtVersion *dead = NULL;
    if (version && --version->refs == 0) dead = version;
    while (dead) {
        RtVersion *gone = dead;
        dead = gone->next_dead;
        for (RtEdge *edge = gone->first; edge; edge = edge->next) {
            if (edge->dep_version == NULL || --edge->dep_version->refs > 0) continue;
            edge->dep_version->next_dead = dead;
            dead = edge->dep_version;
        }
        if (gone->code) rt_code_release(gone->code);
        Arena arena = gone->arena; /* the version lies in its own arena */
        arena_fini(&arena);
    }
}

static void link_edge(RtEdge *edge) {
    edge->next_reader = edge->dep->readers;
    edge->previous_reader = NULL;
    if (edge->next_reader) edge->next_reader->previous_reader = edge;
    edge->dep->readers = edge;
}

static void unlink_edge(RtEdge *edge) {
    if (edge->dep == NULL) return; /* it was given back */
    if (edge->previous_reader)
        edge->previous_reader->next_reader = edge->next_reader;
    else
        edge->dep->readers = edge->next_reader;
    if (edge->next_reader) edge->next_reader->previous_reader = edge->previous_reader;
}

/* Makes `version` (or none) the cell's, with the edges that lead to it. */
static void set_version(RtWorld *world, RtCell *cell, RtVersion *version) {
    RtVersion *old = cell->current;
    if (old && !old->kept)
        for (RtEdge *edge = old->first; edge; edge = edge->next)
            unlink_edge(edge);
    cell->current = version;
    if (version && !version->kept)
        for (RtEdge *edge = version->first; edge; edge = edge->next)
            link_edge(edge);
    version_release(world, old);
}

void cell_fini(RtWorld *world, RtCell *cell) {
    set_version(world, cell, NULL);
}

static bool is_clock(const RtCell *cell) {
    return cell->field < cell->part->cls->field_count && cell->part->cls->fields[cell->field].clock;
}

/* The running evaluation reads a ready cell. */
static void record_read(RtWorld *world, RtCell *dep) {
    RtEvaluation *evaluation = world->running;
    RtEdge *edge = ARENA_NEW(&evaluation->version->arena, RtEdge);
    edge->reader = evaluation->cell;
    edge->dep = dep;
    edge->dep_version = dep->current;
    if (dep->current) dep->current->refs++;
    evaluation->version->timed |= is_clock(dep) || (dep->current && dep->current->timed);
    if (evaluation->version->last)
        evaluation->version->last->next = edge;
    else
        evaluation->version->first = edge;
    evaluation->version->last = edge;
}

/* -- evaluation -- */

static const RtField *field_of(const RtCell *cell) {
    return &cell->part->cls->fields[cell->field];
}

static bool is_families(const RtCell *cell) {
    return cell->field >= cell->part->cls->field_count;
}

static void name_cell(StrBuf *out, const RtCell *cell) {
    rt_part_path(out, cell->part);
    if (is_families(cell)) return;
    if (out->len) strbuf_char(out, '.');
    strbuf_str(out, field_of(cell)->name);
}

static Str cell_name(Rt *rt, const RtCell *cell) {
    StrBuf out = {.arena = rt->arena};
    name_cell(&out, cell);
    return strbuf_take(&out);
}

/* "a -> b -> a": from the cell's own evaluation inward, then the cell again. */
static Str loop_text(Rt *rt, const RtCell *cell) {
    RtEvaluation *chain[MAX_DEPTH + 1];
    int count = 0;
    for (RtEvaluation *e = rt->world->running; e && count <= MAX_DEPTH; e = e->outer) {
        if (e->cell) chain[count++] = e; /* else what a host keeps is being made */
        if (e->cell == cell) break;
    }
    StrBuf out = {.arena = rt->arena};
    while (count-- > 0) {
        strbuf_str(&out, cell_name(rt, chain[count]->cell));
        strbuf_str(&out, STR_LIT(" -> "));
    }
    strbuf_str(&out, cell_name(rt, cell));
    return strbuf_take(&out);
}

/* These two run between evaluations, where a failed allocation must not jump: the text is then
 * missing. */
static void fault_read_loop(Rt *rt, const RtCell *cell) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        rt_fault_at(rt, RT_FAULT_READ_LOOP, nowhere, 0, loop_text(rt, cell));
        memory_end_try(&recover);
    } else {
        rt_fault_at(rt, RT_FAULT_READ_LOOP, nowhere, 0, STR_LIT(""));
    }
}

void rt_fault_keep(Rt *rt, RtFault *fault) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        fault->detail.ptr = arena_strndup(rt->arena, fault->detail.ptr, fault->detail.len);
        memory_end_try(&recover);
    } else {
        fault->detail = STR_LIT("");
    }
}

/* The function that gives a field its value: the part line's own option when the design is only
 * known now. */
static int32_t init_of(const RtCell *cell) {
    const RtPart *part = cell->part;
    const RtField *field = field_of(cell);
    if (part->site != part->cls && field->option && cell->field < part->site->field_count) {
        const RtField *own = &part->site->fields[cell->field];
        if (own->given) return own->init;
    }
    return field->init;
}

static bool has_nan(const char *types, const Slot *slots) {
    for (int i = 0; types[i]; i++)
        if (types[i] == 'F' && isnan(slots[i].f)) return true;
    return false;
}

bool cell_holds_nan(const RtField *info, const Slot *slots, int64_t *thing) {
    const RtList *things = info->thing_types ? slots[0].r : NULL;
    for (*thing = 0; *thing < rt_list_length(things); ++*thing)
        if (has_nan(info->thing_types, rt_list_item(things, *thing))) return true;
    *thing = -1;
    return has_nan(info->slot_types, slots);
}

static void check_numbers(Rt *rt, const RtCell *cell, const Slot *slots) {
    const RtField *field = field_of(cell);
    int64_t thing;
    if (!cell_holds_nan(field, slots, &thing)) return;
    StrBuf what = {.arena = rt->arena};
    name_cell(&what, cell);
    if (thing >= 0) strbuf_printf(&what, ", its thing %lld", (long long)thing);
    rt_fault_at(rt, RT_FAULT_NAN, field->span, 0, strbuf_take(&what));
}

/* Asks the field's `within` of a value. */
static void check_range(Rt *rt, const RtCell *cell, const Slot *slots) {
    const RtField *field = field_of(cell);
    if (field->within == 0) return;
    Slot self = slot_r(cell->part), good = {0};
    const Slot **in = rt_scratch_push(rt, sizeof *in * (size_t)(field->slot_count + 1));
    Slot *out[] = {&good};
    in[0] = &self;
    for (int i = 0; i < field->slot_count; i++)
        in[i + 1] = &slots[i];
    rt->host->run(rt, field->within - 1, 1, UINT64_MAX, in, out);
    if (!rt_failed(rt) && !good.w)
        rt_fault_at(rt, RT_FAULT_WITHIN, field->span, 0, cell_name(rt, cell));
}

static void run_init(Rt *rt, const RtCell *cell, Slot *slots) {
    const RtField *field = field_of(cell);
    int32_t init = init_of(cell);
    if (init < 0) {
        rt_fault_at(rt, RT_FAULT_NO_VALUE, field->span, 0, cell_name(rt, cell));
        return;
    }
    Slot self = slot_r(cell->part);
    const Slot *in[] = {&self};
    Slot **out = rt_scratch_push(rt, sizeof *out * (size_t)field->slot_count);
    for (int i = 0; i < field->slot_count; i++)
        out[i] = &slots[i];
    rt->host->run(rt, init, 1, 1, in, out);
    if (!rt_failed(rt)) check_numbers(rt, cell, slots);
    if (!rt_failed(rt)) check_range(rt, cell, slots);
    rt_fault_place(rt, cell->part->site->span); /* of a field of the library: the line that made the part */
}

/* What a cell keeps is read by many threads: nobody counts it any more, and it lives as long as the version. */
static void freeze_slots(const RtField *field, const Slot *slots) {
    for (int i = 0; i < field->slot_count; i++)
        if (field->slot_types[i] == 'R') rt_freeze(slots[i].r);
}

/* Works a field out into its slots; answers whether the value differs from the one before. */
/* What is recalled is none. Read without the lock. */
static void count_evaluation(RtWorld *world) {
    __atomic_fetch_add(&world->evaluations, 1, __ATOMIC_RELAXED);
}

static bool evaluate_field(Rt *rt, RtCell *cell) {
    const RtField *field = field_of(cell);
    Slot *slots = rt_scratch_push(rt, sizeof *slots * (size_t)field->slot_count);
    Slot *old = cell->part->slots + field->slot;
    memset(slots, 0, sizeof *slots * (size_t)field->slot_count);
    const RtHost *host = rt->host;
    if (!host->recall || !host->recall(rt, cell->part, cell->field, slots)) {
        count_evaluation(rt->world);
        run_init(rt, cell, slots);
    }
    if (rt_failed(rt)) return true;
    freeze_slots(field, slots);
    bool differs =
        cell->current == NULL || !value_equal(field->slot_types, old, slots, field->slot_count);
    if (field->slot_count) memcpy(old, slots, sizeof *slots * (size_t)field->slot_count);
    return differs;
}

/* Runs an evaluation in a recovery point. On failure only rt's fault says so; the caller puts the
 * rest back. */
static bool evaluate_safely(Rt *rt, RtCell *cell, RtEvaluation *evaluation) {
    Recover recover;
    bool differs = true;
    if (MEMORY_TRY(&recover)) {
        evaluation->version = version_create(rt->world);
        rt->arena = &evaluation->version->arena;
        if (is_families(cell)) count_evaluation(rt->world);
        differs = is_families(cell) ? part_make_members(rt, cell->part, evaluation)
                                    : evaluate_field(rt, cell);
        memory_end_try(&recover);
        return differs;
    }
    rt->fault = (RtFault){0};
    rt->element_base = 0;
    rt_fault_at(rt, RT_FAULT_MEMORY, nowhere, 0, STR_LIT(""));
    return true;
}

/* The fault of an evaluation, as one of the element that asked; its text leaves the arena that
 * ends. */
static void pass_fault_on(Rt *rt, const RtCell *cell, RtFault inner) {
    if (inner.part == NULL) {
        inner.part = cell->part;
        inner.field = cell->field;
        if (inner.span[0] == 0 && !is_families(cell))
            memcpy(inner.span, field_of(cell)->span, sizeof inner.span);
    }
    inner.element = inner.index = rt->element_base;
    rt_fault_keep(rt, &inner);
    rt_fault_merge(rt, &inner);
}

static void forget_value(RtWorld *world, RtCell *cell) {
    RtPart *part = cell->part;
    set_version(world, cell, NULL);
    if (!is_families(cell) && field_of(cell)->slot_count) /* members stay: they are the same when they are made again */
        memset(part->slots + field_of(cell)->slot, 0,
               sizeof(Slot) * (size_t)field_of(cell)->slot_count);
}

/* An equal value takes the old one's place without counting as a change: what was made from the old
 * one holds it. */
static void keep_value(RtWorld *world, RtCell *cell, RtVersion *version, bool differs) {
    set_version(world, cell, version);
    if (differs) cell->changed = world->clock;
}

static bool work_out(Rt *rt, RtCell *cell, RtEvaluation *evaluation) {
    RtWorld *world = rt->world;
    struct Rt outer = *rt; /* what an evaluation replaces, put back below */
    RtScratchMark mark = rt_scratch_mark(rt);
    rt->reader = evaluation->id;
    rt->element_base = 0;
    rt->fault = (RtFault){0};
    bool differs = evaluate_safely(rt, cell, evaluation);
    RtFault inner = rt->fault;
    rt_scratch_pop(rt, mark);
    rt->arena = outer.arena;
    rt->reader = outer.reader;
    rt->element_base = outer.element_base;
    rt->fault = outer.fault;
    if (inner.code == RT_FAULT_NONE) {
        keep_value(world, cell, evaluation->version, differs);
        return true;
    }
    pass_fault_on(rt, cell, inner);
    forget_value(world, cell);
    version_release(world, evaluation->version);
    return false;
}

/* Whether all that the value was made from is as it was. A fault met on the way only means "no":
 * the cell is then worked out again and meets it, if it still reads that way. */
static bool holds(Rt *rt, const RtVersion *version, uint64_t since) {
    RtFault outer = rt->fault;
    bool good = version != NULL;
    rt->fault = (RtFault){0};
    for (RtEdge *edge = good ? version->first : NULL; edge && good; edge = edge->next)
        good = edge->dep && cell_make_ready(rt, edge->dep) && edge->dep->changed <= since;
    rt->fault = outer;
    return good;
}

static bool is_still_good(Rt *rt, RtCell *cell) {
    return holds(rt, cell->current, cell->verified);
}

bool rt_value_holds(Rt *rt, const RtVersion *version, uint64_t since) {
    world_lock(rt, rt->world);
    bool good = holds(rt, version, since);
    world_unlock(rt, rt->world);
    return good;
}

static bool begin_evaluation(Rt *rt, RtCell *cell, RtEvaluation *evaluation) {
    RtWorld *world = rt->world;
    if (world->depth == 0 && world->last_evaluation >= half_way) world_renumber(world);
    if (world->depth == MAX_DEPTH || world->last_evaluation == RT_MARK_BUSY - 1) {
        rt_fault_at(rt, RT_FAULT_LIMIT, nowhere, 0, STR_LIT("fields that read one another"));
        return false;
    }
    *evaluation =
        (RtEvaluation){.cell = cell, .id = ++world->last_evaluation, .outer = world->running};
    world->running = evaluation;
    world->depth++;
    if (cell) set_mark(cell, RT_MARK_BUSY);
    return true;
}

static void end_evaluation(RtWorld *world, const RtEvaluation *evaluation) {
    world->depth--;
    world->running = evaluation->outer;
}

bool cell_make_ready(Rt *rt, RtCell *cell) {
    RtWorld *world = rt->world;
    uint32_t mark = get_mark(cell);
    RtEvaluation evaluation;
    if (is_ready(mark)) return true;
    if (mark == RT_MARK_BUSY) {
        fault_read_loop(rt, cell);
        return false;
    }
    if (!begin_evaluation(rt, cell, &evaluation)) return false;
    bool ready = is_still_good(rt, cell) || work_out(rt, cell, &evaluation);
    if (ready) cell->verified = world->clock;
    end_evaluation(world, &evaluation);
    set_mark(cell, ready ? evaluation.id : RT_MARK_EMPTY);
    return ready;
}

bool cell_read(Rt *rt, RtCell *cell) {
    uint32_t mark = get_mark(cell);
    bool known = is_ready(mark) && (rt->reader == 0 || mark == rt->reader);
    if (known) return true;
    if (rt->worker) {
        rt->wants_cell = 1;
        return false;
    }
    if (rt_failed(rt) && rt->fault.element <= rt->element_base) return false;
    world_lock(rt, rt->world);
    bool ready = cell_make_ready(rt, cell);
    world_unlock(rt, rt->world);
    if (!ready || rt->reader == 0) return ready;
    record_read(rt->world, cell);
    set_mark(cell, rt->reader);
    return true;
}

const Slot *rt_cell_read(Rt *rt, RtPart *part, int32_t field) {
    static const Slot zeros[RT_FIELD_SLOTS];
    if (part == NULL) {
        rt_fault(rt, RT_FAULT_NO_VALUE, "a part");
        return zeros;
    }
    return cell_read(rt, &part->cells[field]) ? part->slots + part->cls->fields[field].slot : zeros;
}

uint64_t rt_cell_changed(Rt *rt, RtPart *part, int32_t field) {
    rt_cell_get(rt, part, field);
    return part->cells[field].changed;
}

/* -- setting -- */

/* Empties the marks of everything that rests on a cell. A list, not recursion: chains may be long.
 */
static void make_readers_stale(RtCell *changed) {
    RtCell *todo = changed;
    changed->next_stale = NULL;
    while (todo) {
        RtCell *cell = todo;
        todo = cell->next_stale;
        for (RtEdge *edge = cell->readers; edge; edge = edge->next_reader) {
            if (!is_ready(get_mark(edge->reader))) continue;
            set_mark(edge->reader, RT_MARK_EMPTY);
            edge->reader->next_stale = todo;
            todo = edge->reader;
        }
    }
}

void cell_changed(RtWorld *world, RtCell *cell) {
    cell->changed = cell->verified = ++world->clock;
    make_readers_stale(cell);
}

void cell_forget(RtWorld *world, RtCell *cell) {
    forget_value(world, cell);
    set_mark(cell, RT_MARK_EMPTY);
    cell_changed(world, cell);
}

void cell_orphan(RtWorld *world, RtCell *cell) {
    (void)world;
    for (RtEdge *edge = cell->readers; edge; edge = edge->next_reader) {
        edge->dep = NULL;
        if (is_ready(get_mark(edge->reader))) set_mark(edge->reader, RT_MARK_EMPTY);
    }
    cell->readers = NULL;
}

static bool is_set_to(const RtCell *cell, const Slot *slots) {
    const RtField *info = field_of(cell);
    const Slot *mine = cell->part->slots + info->slot;
    return is_ready(get_mark(cell)) &&
           value_equal(info->slot_types, mine, slots, info->slot_count);
}

bool rt_cell_takes(Rt *rt, RtPart *part, int32_t field, const Slot *slots) {
    const RtCell *cell = &part->cells[field];
    if (field_of(cell)->within == 0) return true;
    RtFault before = rt->fault;
    RtScratchMark mark = rt_scratch_mark(rt);
    rt->fault = (RtFault){0};
    check_range(rt, cell, slots);
    rt_scratch_pop(rt, mark);
    bool good = !rt_failed(rt);
    if (good || before.code != RT_FAULT_NONE) rt->fault = before;
    return good;
}

void cell_put(RtWorld *world, RtCell *cell, const Slot *slots, RtVersion *version) {
    const RtField *info = field_of(cell);
    if (info->slot_count)
        memcpy(cell->part->slots + info->slot, slots, sizeof *slots * (size_t)info->slot_count);
    freeze_slots(info, cell->part->slots + info->slot);
    set_version(world, cell, version);
    set_mark(cell, RT_MARK_SET);
    cell_changed(world, cell);
}

/* The version of a value that is not kept: it holds copies of its texts and lists. */
RtVersion *cell_copy_value(Rt *rt, const RtField *info, Slot *slots) {
    RtWorld *world = rt->world;
    if (strchr(info->slot_types, 'R') == NULL) {
        world->plain->refs++;
        return world->plain;
    }
    Arena *arena = rt->arena;
    Recover recover;
    RtVersion *volatile version = version_create(world);
    if (!MEMORY_TRY(&recover)) {
        rt->arena = arena;
        version_release(world, version);
        memory_fail();
    }
    version->state = true;
    rt->arena = &version->arena;
    for (int i = 0; i < info->slot_count; i++)
        slots[i] = value_copy(rt, info->slot_types[i], slots[i]);
    rt->arena = arena;
    memory_end_try(&recover);
    return version;
}

void rt_cell_put(Rt *rt, RtPart *part, int32_t field, const Slot *slots) {
    RtCell *cell = &part->cells[field];
    const RtField *info = field_of(cell);
    Slot copy[RT_FIELD_SLOTS];
    if (is_set_to(cell, slots)) return;
    if (info->slot_count) memcpy(copy, slots, sizeof *slots * (size_t)info->slot_count);
    RtVersion *version = cell_copy_value(rt, info, copy);
    cell_put(rt->world, cell, copy, version);
}

void rt_cell_set(Rt *rt, RtPart *part, int32_t field, const Slot *slots) {
    if (is_set_to(&part->cells[field], slots)) return;
    if (rt_cell_takes(rt, part, field, slots)) rt_cell_put(rt, part, field, slots);
}

/* -- what a host keeps -- */

/* Runs `make` as an evaluation of no cell, in a recovery point; a failed allocation is rt's fault. */
static RtVersion *make_kept(Rt *rt, RtMaker make, void *user, RtEvaluation *evaluation,
                            Slot *slots) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        evaluation->version = version_create(rt->world);
        evaluation->version->kept = evaluation->version->state = true;
        rt->world->kept_serial = rt->world->brood_serial;
        rt->arena = &evaluation->version->arena;
        make(rt, user, slots);
        memory_end_try(&recover);
    } else {
        rt_fault_at(rt, RT_FAULT_MEMORY, nowhere, 0, STR_LIT(""));
    }
    return evaluation->version;
}

RtVersion *rt_value_keep(Rt *rt, RtMaker make, void *user, RtCode *code, Slot *slots) {
    RtWorld *world = rt->world;
    RtEvaluation evaluation;
    Arena *arena = rt->arena;
    uint32_t reader = rt->reader;
    world_lock(rt, world);
    if (!begin_evaluation(rt, NULL, &evaluation)) {
        world_unlock(rt, world);
        return NULL;
    }
    RtScratchMark mark = rt_scratch_mark(rt);
    rt->reader = evaluation.id;
    RtVersion *version = make_kept(rt, make, user, &evaluation, slots);
    rt_scratch_pop(rt, mark);
    rt->arena = arena;
    rt->reader = reader;
    end_evaluation(world, &evaluation);
    if (rt_failed(rt)) {
        rt_fault_keep(rt, &rt->fault);
        version_release(world, version);
        version = NULL;
    } else if (code) {
        version->code = code;
        rt_code_hold(code);
    }
    world_unlock(rt, world);
    return version;
}

void rt_value_let_go(RtWorld *world, RtVersion *version) {
    pthread_mutex_lock(&world->lock);
    version_release(world, version);
    pthread_mutex_unlock(&world->lock);
}

void rt_cell_set_kept(Rt *rt, RtPart *part, int32_t field, const Slot *slots, RtVersion *version) {
    RtCell *cell = &part->cells[field];
    if (is_set_to(cell, slots) || !rt_cell_takes(rt, part, field, slots))
        version_release(rt->world, version);
    else
        cell_put(rt->world, cell, slots, version);
}

uint64_t rt_world_evaluations(const RtWorld *world) {
    return __atomic_load_n(&world->evaluations, __ATOMIC_RELAXED);
}

bool rt_cell_is_timed(const RtPart *part, int32_t field) {
    const RtVersion *version = part->cells[field].current;
    return is_clock(&part->cells[field]) || (version && version->timed);
}

bool rt_cell_is_state(const RtPart *part, int32_t field) {
    const RtVersion *version = part->cells[field].current;
    return version && version->state && !is_clock(&part->cells[field]);
}

uint64_t rt_world_clock(const RtWorld *world) {
    return world->clock;
}
