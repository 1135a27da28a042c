/* The checker's classes as the runtime wants them. */
#include "compiler/engine/open/open.h"
#include "stdlib/library_names.h"

_Static_assert((int)TYPE_SLOTS <= (int)RT_FIELD_SLOTS, "a field holds any type");

static int32_t function_index(const Lowering *lowering, const TreeFn *fn) {
    return fn ? lowering->ir_index.items[fn->index] : -1;
}

static void set_span(uint32_t out[3], Span span) {
    out[0] = span.file;
    out[1] = span.start;
    out[2] = span.end;
}

/* A range is stated where the field is declared, and holds for every copy. */
static const TreeFn *within_of(const TreeClass *cls, int index) {
    for (; cls && index < cls->fields.count; cls = cls->base)
        if (cls->fields.items[index].within) return cls->fields.items[index].within;
    return NULL;
}

static RtField field_of(Compile *c, const TreeClass *cls, int index) {
    const TreeField *field = &cls->fields.items[index];
    const Lowering *lowering = &c->lowering;
    RtField out = {.name = symbols_name(c->program->symbols, field->name),
                   .slot = field->slot,
                   .slot_count = field->type->slot_count,
                   .slot_types = field->type->slots,
                   .thing_types = type_is_layout(c->checker, field->type) ? field->type->element->slots : NULL,
                   .init = function_index(lowering, field->init),
                   .within = function_index(lowering, within_of(cls, index)) + 1,
                   .given = field->given,
                   .option = field->option,
                   .clock = field->clock};
    set_span(out.span, field->span);
    return out;
}

static void fill_class(Arena *arena, Compile *c, const TreeClass *tree, RtClass *cls) {
    const Lowering *lowering = &c->lowering;
    const SymbolTable *symbols = c->program->symbols;
    StrBuf captures = {.arena = arena};
    for (int i = 0; i < tree->captures.count; i++)
        strbuf_printf(&captures, "%s", tree->captures.items[i].type->slots);
    *cls = (RtClass){.head = {RT_DESIGN},
                     .name = tree->name,
                     .index = tree->index,
                     .base = tree->base ? tree->base->index : -1,
                     .field_count = tree->fields.count,
                     .slot_count = tree->slot_count,
                     .child_count = tree->children.count,
                     .family_count = tree->families.count,
                     .elaborate_count = tree->elaborates.count,
                     .value_field = tree->value_field,
                     .capture_types = strbuf_take(&captures).ptr};
    set_span(cls->span, tree->span);
    grounds_find(arena, symbols, tree, cls);
    cls->fields = ARENA_ARRAY(arena, RtField, cls->field_count);
    for (int i = 0; i < cls->field_count; i++)
        cls->fields[i] = field_of(c, tree, i);
    cls->children = ARENA_ARRAY(arena, RtChild, cls->child_count);
    for (int i = 0; i < cls->child_count; i++) {
        const TreeChild *child = &tree->children.items[i];
        cls->children[i] =
            (RtChild){symbols_name(symbols, child->name), child->cls->index};
    }
    cls->families = ARENA_ARRAY(arena, RtFamily, cls->family_count);
    for (int i = 0; i < cls->family_count; i++) {
        const TreeChild *family = &tree->families.items[i];
        int32_t line = !family->cls->dynamic_base ? family->cls->index : -1;
        cls->families[i] = (RtFamily){symbols_name(symbols, family->name), line};
    }
    int32_t *elaborates = ARENA_ARRAY(arena, int32_t, cls->elaborate_count);
    for (int i = 0; i < cls->elaborate_count; i++)
        elaborates[i] = function_index(lowering, tree->elaborates.items[i]);
    cls->elaborates = elaborates;
    cls->handler_count = tree->handlers.count;
    cls->handlers = ARENA_ARRAY(arena, RtHandler, cls->handler_count);
    for (int i = 0; i < cls->handler_count; i++) {
        const TreeHandler *handler = &tree->handlers.items[i];
        cls->handlers[i] = (RtHandler){handler->field, function_index(lowering, handler->acts), {0}};
        set_span(cls->handlers[i].span, handler->span);
    }
}

RtClass **classes_create(Arena *arena, Compile *c, int *count) {
    *count = c->program->classes.count;
    RtClass **classes = ARENA_ARRAY(arena, RtClass *, *count);
    for (int i = 0; i < *count; i++) {
        classes[i] = ARENA_NEW(arena, RtClass);
        fill_class(arena, c, c->program->classes.items[i], classes[i]);
    }
    return classes;
}
