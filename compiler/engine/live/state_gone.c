/* Parts that are gone, and that what is kept still names: whoever holds one reads its last values, also in a state that was read. Of some a
 * path still tells, for nothing can take their place: children of parts of the text, and all that stands in what is gone. The others are
 * numbered, and their rows stand among what was spawned, behind what they name:
 *
 *     spawned         [the part it stood under, its design, its number, null]
 *     of a loop       [the part it stood under, its family, its number or id, its design, what the loop held ...]
 */
#include "compiler/engine/live/live.h"

#include "compiler/check/offers.h"
#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"

RtPart *state_out_of_place(const RtPart *part) {
    for (; part && part->gone; part = part->parent)
        if (!rt_part_in_place(part)) return (RtPart *)(uintptr_t)part;
    return NULL;
}

/* -- numbers -- */

static int *find_place(const StateParts *parts, const RtPart *part) {
    uint64_t at = hash_bytes(&part, sizeof part, 0);
    for (;; at++) {
        int *place = &parts->index[at & (uint64_t)(parts->index_size - 1)];
        if (*place == 0 || parts->gone.items[*place - 1] == part) return place;
    }
}

static void grow_index(StateParts *parts) {
    parts->index_size = parts->index_size ? parts->index_size * 2 : 16;
    parts->index = ARENA_ARRAY(parts->rt->arena, int, parts->index_size);
    for (int i = 0; i < parts->gone.count; i++)
        *find_place(parts, parts->gone.items[i]) = i + 1;
}

static Str class_name(const StateParts *parts, const RtClass *cls) {
    return state_design(parts->world, parts->rt->arena, cls);
}

/* The class of the family's line. */
static const TreeClass *line_of(const StateParts *parts, const RtPart *under, int family) {
    return parts_class(parts->world, under)->families.items[family].cls;
}

/* Its row can say how it came to be. */
static bool can_keep(const StateParts *parts, const RtPart *part) {
    if (part_is_spawned(part)) return true;
    const TreeClass *line = line_of(parts, part->parent, part->family);
    for (int i = 0; i < line->captures.count; i++)
        if (!act_keeps(line->captures.items[i].type)) return false;
    return true;
}

/* -- writing -- */

enum { MOST_DEEP = 1000 }; /* gone parts, each because the one before names it */

static void write_row(StateParts *parts, StrBuf *out, const RtPart *part);

/* Those that the row names have theirs before it: there were those before there was this one. -1: it cannot be kept. */
static int number_of(StateParts *parts, RtPart *part) {
    if (parts->gone.count * 2 >= parts->index_size) grow_index(parts);
    int known = *find_place(parts, part) - 1;
    if (known >= 0) return known;
    if (!can_keep(parts, part) || parts->depth == MOST_DEEP) return -1;
    StrBuf row = {.arena = parts->rt->arena};
    RtPart *outer = state_out_of_place(part->parent);
    parts->depth++;
    bool stood = outer == NULL || number_of(parts, outer) >= 0;
    if (stood) write_row(parts, &row, part);
    parts->depth--;
    if (!stood) return -1;
    if (parts->gone.count * 2 >= parts->index_size) grow_index(parts);
    int *place = find_place(parts, part);
    VEC_PUSH(parts->rt->arena, &parts->rows, strbuf_take(&row));
    VEC_PUSH(parts->rt->arena, &parts->gone, part);
    return (*place = parts->gone.count) - 1;
}

void state_write_part(StateParts *parts, StrBuf *out, const RtPart *part) {
    StrBuf path = {.arena = out->arena}, outer = {.arena = out->arena};
    RtPart *from = state_out_of_place(part);
    int number = from ? number_of(parts, from) : 0;
    if (part == NULL || number < 0) {
        strbuf_str(out, STR_LIT("null"));
        return;
    }
    rt_part_path(&path, part);
    Str whole = strbuf_take(&path);
    if (from) {
        rt_part_path(&outer, from);
        whole = str_printf(out->arena, "~%d%.*s", number, (int)(whole.len - outer.len), whole.ptr + outer.len);
    }
    print_quoted(out, whole);
}

static void write_made(StateParts *parts, StrBuf *out, const RtPart *part) {
    const TreeClass *line = line_of(parts, part->parent, part->family);
    const Slot *slots = part->captures;
    print_quoted(out, part->parent->cls->families[part->family].name);
    strbuf_char(out, ',');
    if (part->id)
        print_quoted(out, part->id->text);
    else
        strbuf_printf(out, "%lld", (long long)part->number);
    strbuf_char(out, ',');
    print_quoted(out, line->dynamic_base ? class_name(parts, part->cls) : STR_LIT(""));
    for (int i = 0; i < line->captures.count; slots += line->captures.items[i].type->slot_count, i++) {
        strbuf_char(out, ',');
        state_write(parts, out, line->captures.items[i].type, slots);
    }
}

static void write_row(StateParts *parts, StrBuf *out, const RtPart *part) {
    state_write_part(parts, out, part->parent);
    strbuf_char(out, ',');
    if (part_is_spawned(part)) {
        print_quoted(out, class_name(parts, part->cls));
        strbuf_printf(out, ",%lld,null", (long long)part->number);
    } else {
        write_made(parts, out, part);
    }
    strbuf_char(out, ']');
}

/* -- reading -- */

static const JsonValue *item(const JsonValue *row, int i) {
    static const JsonValue none = {.kind = JSON_NULL};
    return i < row->members.count ? row->members.items[i].value : &none;
}

static int64_t number_at(const JsonValue *row, int i) {
    const JsonValue *value = item(row, i);
    return value->kind == JSON_NUMBER && value->number > -9e15 && value->number < 9e15 ? (int64_t)value->number : 0;
}

static Str text_at(const JsonValue *row, int i) {
    return item(row, i)->kind == JSON_TEXT ? item(row, i)->text : STR_LIT("");
}

/* What the loop held; NULL: it is not of this line. */
static Slot *read_captures(StateParts *parts, const JsonValue *row, const TreeClass *line, int count) {
    Slot *held = ARENA_ARRAY(parts->rt->arena, Slot, count + 1), *slots = held;
    memset(held, 0, sizeof *held * (size_t)count);
    if (row->members.count != 4 + line->captures.count) return NULL;
    for (int i = 0; i < line->captures.count; slots += line->captures.items[i].type->slot_count, i++)
        if (!state_read(parts, line->captures.items[i].type, item(row, 4 + i), slots)) return NULL;
    return held;
}

static RtPart *read_made(StateParts *parts, const JsonValue *row, RtPart *under, RtPart *was) {
    int family = -1;
    for (int i = 0; i < under->cls->family_count; i++)
        if (str_equal(under->cls->families[i].name, text_at(row, 1))) family = i;
    if (family < 0) return NULL;
    const TreeClass *line = line_of(parts, under, family);
    const RtClass *site = rt_world_class(parts->world->parts, line->index);
    const RtClass *cls = line->dynamic_base ? state_find_design(parts->world, text_at(row, 3)) : site;
    int count = (int)strlen(site->capture_types);
    const Slot *held = cls ? read_captures(parts, row, line, count) : NULL;
    if (held && was && was->parent == under && value_equal(site->capture_types, was->captures, held, count)) return was;
    const RtText *id = item(row, 2)->kind == JSON_TEXT ? rt_text(parts->rt, text_at(row, 2)) : NULL;
    return held ? rt_part_made(parts->rt, under, site, cls, family, number_at(row, 2), id, held) : NULL;
}

RtPart *state_read_gone(StateParts *parts, const JsonValue *row, RtPart *was) {
    RtPart *under = item(row, 0)->kind == JSON_TEXT ? state_find_part(parts, text_at(row, 0)) : NULL;
    if (under == NULL) return NULL;
    if (item(row, 3)->kind == JSON_TEXT) return read_made(parts, row, under, was);
    if (was && was->parent == under) return was;
    const RtClass *design = state_find_design(parts->world, text_at(row, 1));
    RtPart *part = design ? rt_part_stand(parts->rt, under, design, number_at(row, 2)) : NULL;
    if (part) rt_part_go(parts->rt, part);
    return part;
}
