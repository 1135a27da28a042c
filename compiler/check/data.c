/* table(...), json(...), image(...), lines(...), contents(...), edits(...), heights(...): files of data as values.
 *
 * A file is read and looked through here, so that what is wrong with it is told at its own line. What it
 * holds is packed into a constant text (runtime/base/pack.h), which a hidden field of the root unpacks:
 * once, and again only when the file's values are others. The expression reads that field. A file of JSON is
 * that field's expression itself (json.c). heights is a call like any other: in place of the file's name it gets that and
 * the bytes, for what they mean depends on its other arguments.
 */
#include "compiler/check/checker.h"
#include "runtime/file/picture.h"
#include "runtime/base/pack.h"
#include "stdlib/library_names.h"

typedef enum Form { FORM_NONE, FORM_TABLE, FORM_JSON, FORM_IMAGE, FORM_LINES, FORM_CONTENTS, FORM_EDITS, FORM_HEIGHTS } Form;

static Form form_of(Checker *c, const Decl *decl) {
    static const struct {
        const char *package, *name;
        Form form;
    } rows[] = {{"data", "table", FORM_TABLE},
                {"data", "json", FORM_JSON},
                {"data", "image", FORM_IMAGE},
                {"data", "lines", FORM_LINES},
                {"data", "contents", FORM_CONTENTS},
                {"edits", "edits", FORM_EDITS},
                {"measured", "heights", FORM_HEIGHTS}};
    bool native = decl->kind == DECL_FN && decl->ast->fn.fn_kind != AST_FN_PLAIN;
    for (size_t i = 0; native && i < sizeof rows / sizeof *rows; i++)
        if (str_equal(decl->package->name, str_of(rows[i].package)) &&
            str_equal(symbols_name(c->symbols, decl->name), str_of(rows[i].name)))
            return rows[i].form;
    return FORM_NONE;
}

bool data_is_form(Checker *c, const Decl *decl) {
    return form_of(c, decl) != FORM_NONE;
}

/* -- the hidden field -- */

/* The same file for the same type is one field. */
static int find_field(const Checker *c, Symbol name, const Type *type) {
    const TreeClass *root = c->root->tree;
    for (int i = 0; i < root->fields.count; i++)
        if (root->fields.items[i].name == name && root->fields.items[i].type == type) return i;
    return -1;
}

static Tree *read_field(Checker *c, int index, const Type *type, Span span) {
    Tree *root = tree_new(c, TREE_ROOT, type_part(c, c->root), span);
    return tree_part(c, TREE_FIELD, root, index, type, span);
}

/* name: `table("wells.csv")`, which no field that is written can have. */
static Symbol field_name(Checker *c, const Decl *decl, const WorldFile *file) {
    Str name = str_printf(c->arena, "%s(\"%.*s\")", name_text(c, decl->name), STR_ARG(file->path));
    return symbols_intern(c->symbols, name);
}

static Tree *make_field(Checker *c, Symbol name, TreeFn *init, Tree *body, Span span) {
    init->body = body;
    init->result = body->type;
    init->owner = c->root->tree;
    fn_finish(c, init);
    TreeField field = {.name = name,
                       .type = body->type,
                       .init = init,
                       .given = true,
                       .hidden = true,
                       .span = span};
    FieldInfo done = {
        .own = true, .type_state = WORK_DONE, .init_state = WORK_DONE, .within_state = WORK_DONE};
    VEC_PUSH(c->arena, &c->root->tree->fields, field);
    VEC_PUSH(c->arena, &c->root->fields, done);
    return read_field(c, c->root->fields.count - 1, body->type, span);
}

/* data.rows(packed) or data.samples(packed), as a List of that type. */
static Tree *unpack(Ctx *x, Package *data, const char *name, const Type *element, Str packed,
                    Span span) {
    Checker *c = x->c;
    Decl *decl = symbolmap_get(&data->values, symbols_find(c->symbols, str_of(name)));
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    env.types[0] = element;
    Tree *text = tree_new(c, TREE_TEXT, c->types.text, span);
    text->text = packed;
    FnInst *inst = fn_instance(c, decl, &env);
    fn_check_body(c, inst, span);
    return tree_call(x, inst, &text, 1, span);
}

typedef struct Field { /* one that is being made */
    Ctx x;
    TreeFn *init;
    Symbol name;
} Field;

static void begin_field(Field *field, Checker *c, Symbol name, Package *data, Span span) {
    field->name = name;
    field->init = fn_create(c, symbols_name(c->symbols, name), span);
    ctx_init(&field->x, c, field->init, data);
}

/* -- each form -- */

typedef struct DataCall {
    Ctx *x;
    Decl *decl;
    const WorldFile *file;
    Span span;
} DataCall;

static Tree *list_field(const DataCall *call, const Type *element, Str packed) {
    Checker *c = call->x->c;
    Field field;
    begin_field(&field, c, field_name(c, call->decl, call->file), call->decl->package, call->span);
    Tree *body = unpack(&field.x, call->decl->package, "rows", element, packed, call->span);
    return make_field(c, field.name, field.init, body, call->span);
}

static Tree *check_table(const DataCall *call, const Type *expected) {
    Checker *c = call->x->c;
    while (expected && type_is(expected, TYPE_OPTIONAL))
        expected = expected->element;
    if (!expected || !type_is(expected, TYPE_LIST) || !type_is(expected->element, TYPE_RECORD)) {
        diag_add(c->diags, DIAG_E_TABLE_TYPE, call->span);
        return tree_poison(c, call->span);
    }
    int known = find_field(c, field_name(c, call->decl, call->file), expected);
    if (known >= 0) return read_field(c, known, expected, call->span);
    Str packed;
    if (!table_pack(call->x, call->file->source, expected->element, call->span, &packed))
        return tree_poison(c, call->span);
    return list_field(call, expected->element, packed);
}

static Tree *check_json(const DataCall *call, const Type *expected) {
    Checker *c = call->x->c;
    if (!expected || type_is(expected, TYPE_VAR)) {
        diag_add(c->diags, DIAG_E_JSON_TYPE, call->span);
        return tree_poison(c, call->span);
    }
    Symbol name = field_name(c, call->decl, call->file);
    int known = find_field(c, name, expected);
    if (known >= 0) return read_field(c, known, expected, call->span);
    Field field;
    begin_field(&field, c, name, call->decl->package, call->span);
    Tree *body = json_check(&field.x, call->file->source, expected, call->span);
    return type_poisoned(body->type) ? body
                                     : make_field(c, field.name, field.init, body, call->span);
}

static void add_bytes(StrBuf *out, const void *bytes, size_t count) {
    strbuf_add(out, bytes, count);
}

/* One text a line; the last needs no end. */
static Str pack_lines(Checker *c, Str text) {
    StrBuf out = {.arena = c->arena};
    PackRows head = {.width = 1};
    if (str_starts(text, STR_LIT("\xEF\xBB\xBF"))) text = (Str){text.ptr + 3, text.len - 3};
    add_bytes(&out, &head, sizeof head);
    strbuf_char(&out, 'R');
    for (size_t at = 0; at < text.len; head.count++) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        uint64_t length = end - at;
        if (length && text.ptr[end - 1] == '\r') length--;
        add_bytes(&out, &length, sizeof length);
        add_bytes(&out, text.ptr + at, length);
        at = end + 1;
    }
    memcpy(out.ptr, &head, sizeof head);
    return strbuf_take(&out);
}

static Tree *check_lines(const DataCall *call) {
    Checker *c = call->x->c;
    const Type *type = type_list(c, c->types.text);
    int known = find_field(c, field_name(c, call->decl, call->file), type);
    if (known >= 0) return read_field(c, known, type, call->span);
    return list_field(call, c->types.text, pack_lines(c, call->file->bytes));
}

static Tree *check_contents(const DataCall *call) {
    Checker *c = call->x->c;
    Tree *tree = tree_new(c, TREE_TEXT, c->types.text, call->span);
    Str text = call->file->bytes;
    if (str_starts(text, STR_LIT("\xEF\xBB\xBF"))) text = (Str){text.ptr + 3, text.len - 3};
    tree->text = text;
    return tree;
}

static bool read_picture(const DataCall *call, Picture *picture) {
    Checker *c = call->x->c;
    Str reason, path = call->file->path;
    switch (picture_read(c->arena, call->file->bytes, c->input.files->input.samples, picture,
                         &reason)) {
    case PICTURE_FINE:
        return true;
    case PICTURE_DAMAGED:
        diag_add(c->diags, DIAG_E_IMAGE, call->span, STR_ARG(path), STR_ARG(reason));
        return false;
    case PICTURE_LARGE: {
        Str what = str_printf(c->arena, "the picture '%.*s'", STR_ARG(path));
        Str most =
            str_printf(c->arena, "%llu samples", (unsigned long long)c->input.files->input.samples);
        diag_add(c->diags, DIAG_E_LIMIT, call->span, what.ptr, most.ptr);
        return false;
    }
    }
    return false;
}

static Str pack_samples(Checker *c, const Picture *picture) {
    StrBuf out = {.arena = c->arena};
    PackSamples head = {.count = (uint64_t)picture->columns * (uint64_t)picture->rows,
                        .channels = (uint32_t)picture->channels,
                        .bytes = (uint32_t)picture->bytes};
    add_bytes(&out, &head, sizeof head);
    add_bytes(&out, picture->samples, head.count * head.channels * head.bytes);
    return strbuf_take(&out);
}

/* Grid[number] or Grid[color], as the file is. */
static Tree *check_image(const DataCall *call) {
    Checker *c = call->x->c;
    Package *data = call->decl->package;
    Picture picture;
    Symbol name = field_name(c, call->decl, call->file);
    for (int i = 0; i < c->root->tree->fields.count; i++)
        if (c->root->tree->fields.items[i].name == name)
            return read_field(c, i, c->root->tree->fields.items[i].type, call->span);
    if (!read_picture(call, &picture)) return tree_poison(c, call->span);
    const Type *element = picture.channels == 3 ? c->types.color : c->types.number;
    Package *cells = package_find(c, symbols_find(c->symbols, STR_LIT("cells")));
    Decl *grid = symbolmap_get(&cells->types, symbols_find(c->symbols, STR_LIT(STD_cells_Grid)));
    Field field;
    begin_field(&field, c, name, data, call->span);
    Tree *body =
        tree_new(c, TREE_AGGREGATE, typeexpr_record(c, grid, &element, call->span), call->span);
    treelist_push(c, &body->items, tree_int(c, picture.columns, c->types.integer, call->span));
    treelist_push(c, &body->items, tree_int(c, picture.rows, c->types.integer, call->span));
    treelist_push(
        c, &body->items,
        unpack(&field.x, data, "samples", element, pack_samples(c, &picture), call->span));
    return make_field(c, field.name, field.init, body, call->span);
}

/* edits.read(file, packed, kinds). */
static Tree *read_edits(Ctx *x, const DataCall *call, const EditsPacked *packed) {
    Checker *c = x->c;
    Decl *decl = symbolmap_get(&call->decl->package->values, symbols_find(c->symbols, STR_LIT("read")));
    FnInst *inst = fn_instance(c, decl, NULL);
    Tree *kinds = tree_new(c, TREE_LIST, type_list(c, c->types.design), call->span);
    for (int i = 0; i < packed->kinds.count; i++) {
        Tree *kind = tree_new(c, TREE_DESIGN, c->types.design, call->span);
        class_activate(c, packed->kinds.items[i]);
        kind->design = packed->kinds.items[i]->tree;
        treelist_push(c, &kinds->items, kind);
    }
    Tree *args[3] = {tree_new(c, TREE_TEXT, c->types.text, call->span),
                     tree_new(c, TREE_TEXT, c->types.text, call->span), kinds};
    args[0]->text = call->file->path;
    args[1]->text = packed->rows;
    fn_check_body(c, inst, call->span);
    return tree_call(x, inst, args, 3, call->span);
}

static const Type *library_record(Checker *c, const Package *package, const char *name) {
    Decl *decl = symbolmap_get(&package->types, symbols_find(c->symbols, str_of(name)));
    return typeexpr_record(c, decl, NULL, decl->span);
}

/* A file is laid over one layout: it is asked for at one place of the text. */
static Tree *check_edits(const DataCall *call) {
    Checker *c = call->x->c;
    Package *package = call->decl->package;
    const Type *log = library_record(c, package, STD_edits_editLog), *edit = library_record(c, package, STD_edits_edit);
    Symbol name = field_name(c, call->decl, call->file);
    int known = find_field(c, name, log);
    EditsPacked packed = {0};
    if (known >= 0) {
        Span first = c->root->tree->fields.items[known].span;
        if (memcmp(&first, &call->span, sizeof first) == 0) return read_field(c, known, log, call->span);
        Diag *diag = diag_add(c->diags, DIAG_E_EDITS_TWICE, call->span, STR_ARG(call->file->path));
        diag_note(c->diags, diag, first, "here");
        return tree_poison(c, call->span);
    }
    if (!edits_pack(call->x, call->file->source, edit, &packed)) return tree_poison(c, call->span);
    Field field;
    begin_field(&field, c, name, package, call->span);
    Tree *body = read_edits(&field.x, call, &packed);
    return make_field(c, field.name, field.init, body, call->span);
}

/* The name, a zero byte, and what is in it: what heights calls `file` (stdlib/measured/measured.c). */
static Tree *check_heights(const DataCall *call, const AstArgs *args, const Type *expected) {
    Checker *c = call->x->c;
    Tree *file = tree_new(c, TREE_TEXT, c->types.text, call->span);
    StrBuf out = {.arena = c->arena};
    strbuf_str(&out, call->file->path);
    strbuf_char(&out, '\0');
    strbuf_str(&out, call->file->bytes);
    file->text = strbuf_take(&out);
    AstArgs rest = {.items = args->items + 1, .count = args->count - 1};
    return call_one(call->x, call->decl, file, &rest, call->span, expected);
}

/* -- the call -- */

/* The name is written out, so that what a world reads is known before it runs. */
static const AstNode *written_name(Ctx *x, const Decl *decl, const AstArgs *args, Span span) {
    bool more = form_of(x->c, decl) == FORM_HEIGHTS; /* arguments behind it */
    bool one = (more ? args->count >= 1 : args->count == 1) && args->items[0].value->kind == AST_TEXT &&
               (!args->items[0].name.symbol ||
                args->items[0].name.symbol == decl_params(decl)->items[0].name.symbol);
    if (one) return args->items[0].value;
    diag_add(x->c->diags, DIAG_E_DATA_NAME, span, name_text(x->c, decl->name));
    return NULL;
}

static FilesWant wants(Form form) {
    return form == FORM_HEIGHTS ? FILES_LARGE : form == FORM_IMAGE ? FILES_BYTES : form == FORM_EDITS ? FILES_TEXT_IF_THERE : FILES_TEXT;
}

Tree *data_check(Ctx *x, Decl *decl, const AstArgs *args, Span span, const Type *expected) {
    Checker *c = x->c;
    const AstNode *name = written_name(x, decl, args, span);
    if (!name) return tree_poison(c, span);
    if (c->root->finished || !c->input.files) {
        diag_add(c->diags, DIAG_E_DATA_QUESTION, span);
        return tree_poison(c, span);
    }
    Form form = form_of(c, decl);
    const WorldFile *file =
        files_data(c->input.files, name->text.value, name->span, wants(form));
    DataCall call = {x, decl, file, span};
    if (!file) return tree_poison(c, span);
    if (form == FORM_TABLE) return check_table(&call, expected);
    if (form == FORM_JSON) return check_json(&call, expected);
    if (form == FORM_IMAGE) return check_image(&call);
    if (form == FORM_EDITS) return check_edits(&call);
    if (form == FORM_HEIGHTS) return check_heights(&call, args, expected);
    return form == FORM_LINES ? check_lines(&call) : check_contents(&call);
}
