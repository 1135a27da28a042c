/* Values that can be kept, as JSON to their last bit, and back. Parts stand there as paths, designs by name. */
#include <math.h>
#include <stdlib.h>

#include "compiler/engine/live/live.h"

static void write_number(StrBuf *out, double value) {
    if (isfinite(value))
        strbuf_double(out, value);
    else
        strbuf_str(out, isnan(value) ? STR_LIT("\"nan\"") : value > 0 ? STR_LIT("\"inf\"") : STR_LIT("\"-inf\""));
}

static int item_count(const Type *type) {
    return type->kind == TYPE_RECORD ? type->record->fields.count : type->item_count;
}

static const Type *item_type(const Type *type, int i) {
    return type->kind == TYPE_RECORD ? type->record->fields.items[i].type : type->items[i];
}

static void write_items(StateParts *parts, StrBuf *out, const Type *type, const Slot *slots) {
    strbuf_char(out, '[');
    for (int i = 0; i < item_count(type); slots += item_type(type, i)->slot_count, i++) {
        if (i) strbuf_char(out, ',');
        state_write(parts, out, item_type(type, i), slots);
    }
    strbuf_char(out, ']');
}

static void write_list(StateParts *parts, StrBuf *out, const Type *element, const RtList *list) {
    strbuf_char(out, '[');
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        if (i) strbuf_char(out, ',');
        state_write(parts, out, element, rt_list_item(list, i));
    }
    strbuf_char(out, ']');
}

void state_write(StateParts *parts, StrBuf *out, const Type *type, const Slot *slots) {
    const RtText *text;
    const RtClass *design;
    switch ((int)type->kind) {
    case TYPE_BOOL:
        strbuf_str(out, slots[0].w ? STR_LIT("true") : STR_LIT("false"));
        return;
    case TYPE_INT:
        strbuf_printf(out, "%lld", (long long)slots[0].i);
        return;
    case TYPE_U32:
        strbuf_printf(out, "%llu", (unsigned long long)slots[0].w);
        return;
    case TYPE_ONE_OF:
        print_quoted(out, symbols_name(&parts->world->compile->symbols, type->names[slots[0].i]));
        return;
    case TYPE_NUMBER:
        write_number(out, slots[0].f);
        return;
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        for (int i = 0; i < 3; i++) {
            strbuf_char(out, i ? ',' : '[');
            write_number(out, slots[i].f);
        }
        strbuf_char(out, ']');
        return;
    case TYPE_TEXT:
        text = slots[0].r;
        print_quoted(out, text ? text->text : STR_LIT(""));
        return;
    case TYPE_PART:
    case TYPE_ANY_PART:
        state_write_part(parts, out, slots[0].r);
        return;
    case TYPE_DESIGN:
        design = slots[0].r;
        print_quoted(out, design ? state_design(parts->world, out->arena, design) : STR_LIT(""));
        return;
    case TYPE_LIST:
        write_list(parts, out, type->element, slots[0].r);
        return;
    case TYPE_OPTIONAL: /* in brackets: what is there may be null itself */
        if (!slots[0].w) {
            strbuf_str(out, STR_LIT("null"));
            return;
        }
        strbuf_char(out, '[');
        state_write(parts, out, type->element, slots + 1);
        strbuf_char(out, ']');
        return;
    case TYPE_TUPLE:
    case TYPE_RECORD:
        write_items(parts, out, type, slots);
        return;
    default:
        strbuf_str(out, STR_LIT("null"));
    }
}

Str state_type(const World *world, Arena *arena, const Type *type) {
    return type_name(type, &world->compile->symbols, arena);
}

/* -- parts by path -- */

static RtPart *find_child(Rt *rt, RtPart *part, Str name) {
    for (int32_t i = 0; i < part->cls->child_count; i++)
        if (str_equal(part->cls->children[i].name, name)) return rt_part_child(rt, part, i);
    return NULL;
}

/* A missing member is no fault here. */
static RtPart *find_in_family(Rt *rt, RtPart *part, int32_t family, int64_t number, const RtText *id) {
    RtFault before = rt->fault;
    RtPart *found = rt_part_member(rt, part, family, number, id);
    if (found == NULL) rt->fault = before;
    return found;
}

static const RtClass *design_at(const World *world, int i) {
    return world->compile->program->classes.items[i]->is_design ? rt_world_class(world->parts, i) : NULL;
}

/* Of the part's own family; else spawned, of any design whose name ends so: no two of those have one number. */
static RtPart *find_member(const World *world, Rt *rt, RtPart *part, Str name, int64_t number, const RtText *id) {
    RtPart *found = NULL;
    for (int32_t i = 0; i < part->cls->family_count; i++)
        if (str_equal(part->cls->families[i].name, name)) return find_in_family(rt, part, i, number, id);
    for (int i = 0; i < rt_world_class_count(world->parts) && !found && !rt_failed(rt); i++) {
        const RtClass *cls = design_at(world, i);
        if (cls && str_equal(str_last_name(cls->name), name)) found = find_in_family(rt, part, RT_SPAWNED + i, number, id);
    }
    return found;
}

static size_t until(Str path, size_t at, const char *ends) {
    while (at < path.len && strchr(ends, path.ptr[at]) == NULL)
        at++;
    return at;
}

/* `name`, `name[7]` or `name["id"]`, from *at on; past the dot behind it. */
static RtPart *find_step(World *world, Rt *rt, RtPart *part, Str path, size_t *at) {
    size_t end = until(path, *at, ".[");
    Str name = {path.ptr + *at, end - *at};
    if (end >= path.len || path.ptr[end] == '.') {
        *at = end + 1;
        return find_child(rt, part, name);
    }
    if (end + 1 < path.len && path.ptr[end + 1] == '"') {
        size_t first = end + 2, close = first;
        while (close + 1 < path.len && !(path.ptr[close] == '"' && path.ptr[close + 1] == ']'))
            close++;
        RtText id = {{RT_TEXT, 0}, {path.ptr + first, close - first}};
        *at = close + 3;
        return find_member(world, rt, part, name, 0, &id);
    }
    size_t close = until(path, end, "]");
    *at = close + 2;
    return find_member(world, rt, part, name, strtoll(path.ptr + end + 1, NULL, 10), NULL);
}

/* What the path begins at, and where it goes on. */
static RtPart *find_first(const StateParts *parts, Str path, size_t *at) {
    if (path.len == 0 || path.ptr[0] != '~') return rt_world_root(parts->world->parts);
    long long number = strtoll(path.ptr + 1, NULL, 10);
    *at = until(path, 0, ".") + 1;
    return number >= 0 && number < parts->gone.count ? parts->gone.items[number] : NULL;
}

RtPart *state_find_part(StateParts *parts, Str path) {
    Rt *rt = parts->rt;
    Str copy = {arena_strndup(rt->arena, path.ptr, path.len), path.len};
    size_t at = 0;
    RtPart *part = find_first(parts, copy, &at);
    while (part && at < copy.len && !rt_failed(rt))
        part = find_step(parts->world, rt, part, copy, &at);
    return rt_failed(rt) ? NULL : part;
}

static bool is_named(const TreeClass *cls, Str name) {
    size_t before = cls->package.len + (cls->package.len > 0);
    return name.len == before + cls->name.len && str_equal((Str){name.ptr + before, cls->name.len}, cls->name) &&
           (before == 0 || (name.ptr[before - 1] == '.' && str_equal((Str){name.ptr, before - 1}, cls->package)));
}

Str state_design(const World *world, Arena *arena, const RtClass *cls) {
    Str package = world->compile->program->classes.items[cls->index]->package;
    return package.len ? str_printf(arena, "%.*s.%.*s", STR_ARG(package), STR_ARG(cls->name)) : cls->name;
}

const RtClass *state_find_design(const World *world, Str name) {
    for (int i = 0; i < rt_world_class_count(world->parts); i++) {
        const RtClass *cls = design_at(world, i);
        if (cls && is_named(world->compile->program->classes.items[i], name)) return cls;
    }
    return NULL;
}

/* -- reading -- */

static bool read_number(const JsonValue *json, double *out) {
    static const struct {
        const char *text;
        double value;
    } words[] = {{"nan", (double)NAN}, {"inf", (double)INFINITY}, {"-inf", (double)-INFINITY}};
    if (json->kind == JSON_NUMBER) {
        *out = json->number;
        return true;
    }
    for (int i = 0; json->kind == JSON_TEXT && i < 3; i++)
        if (str_equal(json->text, str_of(words[i].text))) {
            *out = words[i].value;
            return true;
        }
    return false;
}

static bool read_whole(const JsonValue *json, int64_t *out) {
    if (json->kind != JSON_NUMBER) return false;
    bool minus = json->text.len && json->text.ptr[0] == '-';
    uint64_t value = 0;
    for (size_t i = minus; i < json->text.len; i++) {
        char digit = json->text.ptr[i];
        if (digit < '0' || digit > '9' || value > (UINT64_MAX - 9) / 10) return false;
        value = value * 10 + (uint64_t)(digit - '0');
    }
    if (value > (uint64_t)INT64_MAX + minus) return false;
    *out = (int64_t)(minus ? 0 - value : value);
    return true;
}

static bool read_vector(const JsonValue *json, Slot *slots) {
    if (json->kind != JSON_ARRAY || json->members.count != 3) return false;
    for (int i = 0; i < 3; i++)
        if (!read_number(json->members.items[i].value, &slots[i].f)) return false;
    return true;
}

static bool read_name(const World *world, const Type *type, const JsonValue *json, Slot *slot) {
    for (int i = 0; json->kind == JSON_TEXT && i < type->name_count; i++)
        if (str_equal(json->text, symbols_name(&world->compile->symbols, type->names[i]))) {
            *slot = slot_i(i);
            return true;
        }
    return false;
}

static bool read_items(StateParts *parts, const Type *type, const JsonValue *json, Slot *slots) {
    if (json->kind != JSON_ARRAY || json->members.count != item_count(type)) return false;
    for (int i = 0; i < item_count(type); slots += item_type(type, i)->slot_count, i++)
        if (!state_read(parts, item_type(type, i), json->members.items[i].value, slots)) return false;
    return true;
}

static bool read_list(StateParts *parts, const Type *element, const JsonValue *json, Slot *slot) {
    Rt *rt = parts->rt;
    RtShape shape = {.width = element->slot_count};
    for (int i = 0; i < element->slot_count && i < 64; i++)
        if (element->slots[i] == 'R') shape.refs |= 1ull << i;
    if (json->kind != JSON_ARRAY) return false;
    RtList *list = rt_list_create(rt, shape, json->members.count);
    for (int i = 0; i < json->members.count; i++) {
        Slot *item = rt_scratch_push(rt, sizeof *item * (size_t)element->slot_count);
        memset(item, 0, sizeof *item * (size_t)element->slot_count);
        if (!state_read(parts, element, json->members.items[i].value, item)) return false;
        list = rt_list_append(rt, list, shape, item);
    }
    *slot = slot_r(list);
    return true;
}

static bool read_part(StateParts *parts, const Type *type, const JsonValue *json, Slot *slot) {
    if (json->kind == JSON_NULL) return true;
    if (json->kind != JSON_TEXT) return false;
    RtPart *part = state_find_part(parts, json->text);
    bool fits = part && type->kind == TYPE_ANY_PART;
    for (const TreeClass *cls = part ? parts_class(parts->world, part) : NULL; cls; cls = cls->base)
        fits = fits || cls == type->cls;
    *slot = slot_r(fits ? part : NULL);
    return fits;
}

bool state_read(StateParts *parts, const Type *type, const JsonValue *json, Slot *slots) {
    int64_t whole;
    switch ((int)type->kind) {
    case TYPE_BOOL:
        *slots = slot_b(json->truth);
        return json->kind == JSON_BOOL;
    case TYPE_INT:
        return read_whole(json, &slots->i);
    case TYPE_U32:
        if (!read_whole(json, &whole) || whole < 0 || whole > UINT32_MAX) return false;
        *slots = slot_w((uint32_t)whole);
        return true;
    case TYPE_ONE_OF:
        return read_name(parts->world, type, json, slots);
    case TYPE_NUMBER:
        return read_number(json, &slots->f);
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        return read_vector(json, slots);
    case TYPE_TEXT:
        if (json->kind == JSON_TEXT) *slots = slot_r(rt_text(parts->rt, json->text));
        return json->kind == JSON_TEXT;
    case TYPE_PART:
    case TYPE_ANY_PART:
        return read_part(parts, type, json, slots);
    case TYPE_DESIGN:
        if (json->kind == JSON_TEXT) *slots = slot_r(state_find_design(parts->world, json->text));
        return json->kind == JSON_TEXT;
    case TYPE_LIST:
        return read_list(parts, type->element, json, slots);
    case TYPE_OPTIONAL:
        if (json->kind == JSON_NULL) return true;
        if (json->kind != JSON_ARRAY || json->members.count != 1) return false;
        slots[0] = slot_b(true);
        return state_read(parts, type->element, json->members.items[0].value, slots + 1);
    case TYPE_TUPLE:
    case TYPE_RECORD:
        return read_items(parts, type, json, slots);
    default:
        return false;
    }
}
