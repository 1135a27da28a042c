/* A file of edits (stdlib/edits) as rows of its record `edit`, packed for the library as those of a table are. What is
 * wrong with it is told in the file, with the path of the value: edits[3].turn.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/check/checker.h"
#include "compiler/files/json.h"
#include "lang/literal.h"
#include "runtime/base/pack.h"
#include "stdlib/library_names.h"

typedef struct Reading {
    Checker *c;
    const struct TreeRecord *record; /* `edit` */
    StrBuf out;
    EditsPacked *packed;
    SymbolMap added; /* ids */
    int index;       /* of the edit under way */
} Reading;

static bool fail(const Reading *r, const char *member, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail(const Reading *r, const char *member, Span span, const char *format, ...) {
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    Str path = str_printf(r->c->arena, "edits[%d]%s%s", r->index, member[0] ? "." : "", member);
    diag_add(r->c->diags, DIAG_E_EDIT, span, STR_ARG(path), what);
    return false;
}

static void add_word(Reading *r, uint64_t word) {
    strbuf_add(&r->out, (const char *)&word, sizeof word);
}

static void add_text(Reading *r, Str text) {
    add_word(r, text.len);
    strbuf_add(&r->out, text.ptr, text.len);
}

/* -- values -- */

static bool add_quantity(Reading *r, const char *name, const Type *type, const JsonValue *value) {
    double number;
    const char *wrong = "a number expected";
    bool could = value->kind == JSON_NUMBER || value->kind == JSON_TEXT;
    if (!could || !table_quantity(r->c, value->text, type, &number, &wrong))
        return fail(r, name, value->span, "%s", wrong);
    bool is_size = strcmp(name, STD_edits_edit_size) == 0;
    if (is_size && !(number > 0)) return fail(r, name, value->span, "a size is above 0");
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    add_word(r, word);
    return true;
}

static bool add_whole(Reading *r, const char *name, const JsonValue *value) {
    double number = value->kind == JSON_NUMBER ? value->number : -1;
    if (!(number >= 0 && number <= INT32_MAX && number == floor(number)))
        return fail(r, name, value->span, "a whole number from 0 expected");
    add_word(r, (uint64_t)number);
    return true;
}

/* A design by its name, as `worldc list` shows it; the world's own come first. */
static Class *find_kind(Checker *c, Str name) {
    for (int k = 0; k <= c->packages.count; k++) {
        const Package *package = k ? c->packages.items[k - 1] : c->world;
        for (int i = 0; i < package->decls.count; i++) {
            const Decl *decl = package->decls.items[i];
            if (decl->kind == DECL_PART && decl->cls->tree->is_design &&
                str_equal(decl->cls->tree->name, name))
                return decl->cls;
        }
    }
    return NULL;
}

static bool add_kind(Reading *r, const char *name, const JsonValue *value) {
    Class *kind = value->kind == JSON_TEXT ? find_kind(r->c, value->text) : NULL;
    if (value->kind != JSON_TEXT) return fail(r, name, value->span, "the name of a design expected");
    if (!kind)
        return fail(r, name, value->span, "there is no design '%.*s'", (int)value->text.len,
                    value->text.ptr);
    int at = 0;
    while (at < r->packed->kinds.count && r->packed->kinds.items[at] != kind)
        at++;
    if (at == r->packed->kinds.count) VEC_PUSH(r->c->arena, &r->packed->kinds, kind);
    add_word(r, (uint64_t)at);
    return true;
}

static bool add_value(Reading *r, const char *name, const Type *type, const JsonValue *value) {
    if (type_is(type, TYPE_DESIGN)) return add_kind(r, name, value);
    return type_is(type, TYPE_INT) ? add_whole(r, name, value) : add_quantity(r, name, type, value);
}

/* -- one edit -- */

/* The member that says what is done, "remove": "trees/3"; NULL after an error. */
static const JsonMember *find_action(const Reading *r, const Type *actions, const JsonValue *edit, int *action) {
    const JsonMember *found = NULL;
    for (int i = 0; edit->kind == JSON_OBJECT && i < edit->members.count; i++) {
        const JsonMember *member = &edit->members.items[i];
        int which = 0;
        while (which < actions->name_count && !str_equal(member->name, symbols_name(r->c->symbols, actions->names[which])))
            which++;
        if (which == actions->name_count) continue;
        if (found) {
            fail(r, "", member->span, "one edit does one thing");
            return NULL;
        }
        *action = which;
        found = member;
    }
    if (!found) fail(r, "", edit->span, "it says neither remove, change nor add");
    return found;
}

static int find_field(const Reading *r, Str name) {
    for (int i = 0; i < r->record->fields.count; i++)
        if (type_is(r->record->fields.items[i].type, TYPE_OPTIONAL) &&
            str_equal(symbols_name(r->c->symbols, r->record->fields.items[i].name), name))
            return i;
    return -1;
}

static bool check_members(const Reading *r, const JsonValue *edit, const JsonMember *action) {
    bool removes = str_equal(action->name, STR_LIT("remove"));
    for (int i = 0; i < edit->members.count; i++) {
        const JsonMember *member = &edit->members.items[i];
        if (member != action && (removes || find_field(r, member->name) < 0))
            return fail(r, "", member->span, "%.*s takes no '%.*s'", STR_ARG(action->name), STR_ARG(member->name));
    }
    return true;
}

/* What is added says what it is and where, and has an id that nothing else has. */
static bool check_added(Reading *r, const JsonValue *edit, const JsonValue *id) {
    static const char *const needed[] = {"kind", "x", "z"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!json_member(edit, str_of(needed[i])))
            return fail(r, "", edit->span, "what is added says its kind, x and z");
    Symbol name = symbols_intern(r->c->symbols, id->text);
    if (symbolmap_get(&r->added, name))
        return fail(r, "add", id->span, "'%.*s' is added before", STR_ARG(id->text));
    symbolmap_put(r->c->arena, &r->added, name, (void *)(uintptr_t)id);
    return true;
}

static bool pack_edit(Reading *r, const JsonValue *edit) {
    const Type *actions = r->record->fields.items[0].type;
    int which = 0;
    const JsonMember *action = find_action(r, actions, edit, &which);
    if (!action) return false;
    const JsonValue *id = action->value;
    if (id->kind != JSON_TEXT || id->text.len == 0)
        return fail(r, "", id->span, "an id expected, as \"trees/3\"");
    bool adds = str_equal(action->name, STR_LIT("add"));
    if (!check_members(r, edit, action) || (adds && !check_added(r, edit, id))) return false;
    add_word(r, (uint64_t)which);
    add_text(r, id->text);
    for (int i = 2; i < r->record->fields.count; i++) {
        const Type *type = r->record->fields.items[i].type;
        const char *name = name_text(r->c, r->record->fields.items[i].name);
        const JsonValue *value = json_member(edit, str_of(name));
        add_word(r, value != NULL);
        if (value && !add_value(r, name, type->element, value)) return false;
        for (int k = 1; !value && k < type->slot_count; k++)
            add_word(r, 0);
    }
    return true;
}

/* -- the file -- */

static bool fail_file(Checker *c, Span span, const char *path, const char *what) {
    diag_add(c->diags, DIAG_E_EDIT, span, (int)strlen(path), path, what);
    return false;
}

static bool check_file(Checker *c, const JsonValue *file, const JsonValue **edits) {
    if (file->kind != JSON_OBJECT) return fail_file(c, file->span, "edits", "an object expected");
    for (int i = 0; i < file->members.count; i++)
        if (!str_equal(file->members.items[i].name, STR_LIT("version")) &&
            !str_equal(file->members.items[i].name, STR_LIT("edits")))
            return fail_file(c, file->members.items[i].span, "the file", "it has a version and edits, and nothing else");
    const JsonValue *version = json_member(file, STR_LIT("version"));
    *edits = json_member(file, STR_LIT("edits"));
    if (!version || version->kind != JSON_NUMBER || !str_equal(version->text, STR_LIT("1")))
        return fail_file(c, version ? version->span : file->span, "version", "this build knows version 1");
    if (!*edits || (*edits)->kind != JSON_ARRAY)
        return fail_file(c, *edits ? (*edits)->span : file->span, "edits", "a list expected");
    return true;
}

static void add_letters(Reading *r) {
    for (int i = 0; i < r->record->fields.count; i++) {
        const Type *type = r->record->fields.items[i].type;
        bool kind = type_is(type, TYPE_OPTIONAL) && type_is(type->element, TYPE_DESIGN);
        strbuf_str(&r->out, kind ? STR_LIT("BI") : str_of(type->slots));
    }
}

bool edits_pack(Ctx *x, uint32_t source, const Type *type, EditsPacked *packed) {
    Checker *c = x->c;
    Reading r = {.c = c, .record = type->record, .out = {.arena = c->arena}, .packed = packed};
    PackRows head = {.width = (uint64_t)type->slot_count};
    const JsonValue *file = source ? json_read(c->arena, c->diags, source) : NULL, *edits = NULL;
    if (source && (!file || !check_file(c, file, &edits))) return false;
    strbuf_add(&r.out, (const char *)&head, sizeof head);
    add_letters(&r);
    for (; edits && r.index < edits->members.count; r.index++)
        if (!pack_edit(&r, edits->members.items[r.index].value)) return false;
    head.count = (uint64_t)r.index;
    memcpy(r.out.ptr, &head, sizeof head);
    packed->rows = strbuf_take(&r.out);
    return true;
}
