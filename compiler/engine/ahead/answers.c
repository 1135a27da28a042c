/* What a host may ask: functions of numbers, whole numbers, truths and places, of the world and of parts that always exist. */
#include "compiler/engine/ahead/object.h"
#include "lang/declared.h"

static void add_place(Object *object, ObjectPlace place) {
    const SymbolTable *symbols = object->world->compile->program->symbols;
    VEC_PUSH(object->arena, &object->places, place);
    for (int i = 0; i < place.cls->children.count && place.depth < OBJECT_DEPTH; i++) {
        const TreeChild *child = &place.cls->children.items[i];
        Str name = symbols_name(symbols, child->name);
        int32_t *path = ARENA_ARRAY(object->arena, int32_t, place.depth + 1);
        if (place.depth) memcpy(path, place.path, sizeof *path * (size_t)place.depth);
        path[place.depth] = i;
        Str dotted = place.depth ? str_printf(object->arena, "%.*s.%.*s", STR_ARG(place.name), STR_ARG(name)) : name;
        add_place(object, (ObjectPlace){child->cls, dotted, path, place.depth + 1});
    }
}

void object_find_places(Object *object) {
    add_place(object, (ObjectPlace){.cls = object->world->compile->program->classes.items[0]});
}

const char *object_c_type(const Type *type, bool *three, char *member) {
    *three = strcmp(type->slots, "FFF") == 0 &&
             (type->kind == TYPE_POINT || type->kind == TYPE_VECTOR || type->kind == TYPE_COLOR);
    *member = *three || type->kind == TYPE_NUMBER ? 'f' : type->kind == TYPE_INT ? 'i' : 'w';
    if (*member == 'f') return "double";
    if (type->kind == TYPE_INT) return "int64_t";
    if (type->kind == TYPE_U32) return "uint32_t";
    return type->kind == TYPE_BOOL ? "bool" : NULL;
}

static const char *why_not(const Object *object, const TreeFn *fn, int func) {
    bool three;
    char member;
    int slots = 1;
    if (fn->draws) return "it draws";
    if (fn->acts || fn->changes_self) return "it acts";
    if (func < 0) return "nothing of the world is made of it"; /* a generic one, which nothing asks */
    for (int i = 0; i < fn->param_count; i++) {
        const Type *type = fn->locals.items[fn->capture_count + i].type;
        slots += type->slot_count;
        if (!object_c_type(type, &three, &member))
            return str_printf(object->arena, "it takes a %.*s",
                              STR_ARG(type_name(type, object->world->compile->program->symbols, object->arena))).ptr;
    }
    if (!object_c_type(fn->result, &three, &member))
        return str_printf(object->arena, "it answers a %.*s",
                          STR_ARG(type_name(fn->result, object->world->compile->program->symbols, object->arena))).ptr;
    return slots > 64 ? "it takes too much" : NULL;
}

const Type *object_result(const ObjectAnswer *answer) {
    return answer->fn ? answer->fn->result : answer->place.cls->fields.items[answer->field].type;
}

static bool is_known(const Object *object, Str name) {
    for (int i = 0; i < object->answers.count; i++)
        if (str_equal(object->answers.items[i].name, name)) return true;
    return false;
}

/* "land.height" of a part "land" is land_height. */
static Str c_name(const Object *object, const ObjectPlace *place, Str name) {
    StrBuf out = {.arena = object->arena};
    for (size_t i = 0; i < place->name.len; i++)
        strbuf_char(&out, place->name.ptr[i] == '.' ? '_' : place->name.ptr[i]);
    if (place->name.len) strbuf_char(&out, '_');
    strbuf_str(&out, name);
    return strbuf_take(&out);
}

static void add_answer(Object *object, const TreeFn *fn, const ObjectPlace *place) {
    Compile *c = object->world->compile;
    Str name = c_name(object, place, str_last_name(fn->name));
    if (fn->kind != AST_FN_PLAIN || fn->capture_count || is_known(object, name)) return;
    int func = lower_find(&c->lowering, c->program, fn, &c->arena);
    ObjectAnswer answer = {fn, -1, *place, name, func, fn->owner || fn->with_self, why_not(object, fn, func)};
    VEC_PUSH(object->arena, &object->answers, answer);
}

/* A field that the text declares, of what C has a word for; others are not missed. */
static void add_field(Object *object, const ObjectPlace *place, int index) {
    const TreeField *field = &place->cls->fields.items[index];
    bool three;
    char member;
    if (field->span.file < object->world->compile->file || field->hidden || field->option || field->clock) return;
    if (!object_c_type(field->type, &three, &member)) return;
    Str name = c_name(object, place, symbols_name(object->world->compile->program->symbols, field->name));
    ObjectAnswer answer = {NULL, index, *place, name, -1, true, NULL};
    if (!is_known(object, name)) VEC_PUSH(object->arena, &object->answers, answer);
}

static void add_fields(Object *object, const ObjectPlace *place) {
    for (const TreeClass *cls = place->cls; cls && cls->package.len == 0; cls = cls->base)
        for (int i = cls->base ? cls->base->fields.count : 0; i < cls->fields.count; i++)
            add_field(object, place, i);
}

static const TreeFn *find_function(const Object *object, Str name) {
    const TreeProgram *program = object->world->compile->program;
    for (int i = 0; i < program->fns.count; i++)
        if (str_equal(program->fns.items[i]->name, name)) return program->fns.items[i];
    return NULL; /* a generic one, say */
}

static void add_functions_of_text(Object *object) {
    const Compile *c = object->world->compile;
    for (int i = 0; i < c->ast->decls.count; i++) {
        const AstNode *node = c->ast->decls.items[i];
        const TreeFn *fn = node->kind == AST_FN ? find_function(object, declared_name(node, &c->symbols)) : NULL;
        if (fn) add_answer(object, fn, &object->places.items[0]);
    }
}

/* A copy's own functions come before its design's. Those of the library's designs are asked through a function of the world. */
void object_find_answers(Object *object) {
    add_functions_of_text(object);
    for (int i = 0; i < object->places.count; i++) {
        const ObjectPlace *place = &object->places.items[i];
        for (const TreeClass *cls = place->cls; cls && cls->package.len == 0; cls = cls->base)
            for (int m = 0; m < cls->methods.count; m++)
                add_answer(object, cls->methods.items[m], place);
        add_fields(object, place);
    }
}
