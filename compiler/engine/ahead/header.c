/* The C header of an object: for each function that a host may ask one of C, made from its checked signature. */
#include "compiler/engine/ahead/object.h"

typedef struct Header {
    const Object *object;
    StrBuf out;
    int number; /* of the next function */
} Header;

static bool is_taken(Str name) {
    static const char *const words[] = {
        "auto",   "bool",   "break",  "case",   "char",    "class",  "const",   "continue", "default", "delete", "do",
        "double", "else",   "enum",   "extern", "float",   "for",    "goto",    "if",       "inline",  "int",    "long",
        "new",    "return", "short",  "signed", "sizeof",  "static", "struct",  "switch",   "this",    "union",  "unsigned",
        "void",   "while",  "world",  "answer", "in",      "out",    "status",  "friend",   "operator", "private", "public",
        "template", "true", "false",  "typename", "using", "virtual", "volatile", "register", "restrict", "typedef", "and",
        "or",     "not",    "xor",    "try",    "catch",   "throw",  "namespace", "explicit", "export", "asm",   "mutable"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_equal(name, str_of(words[i]))) return true;
    return false;
}

static Str param_name(const Header *h, const TreeFn *fn, int index) {
    const SymbolTable *symbols = h->object->world->compile->program->symbols;
    Str name = symbols_name(symbols, fn->locals.items[fn->capture_count + index].name);
    return is_taken(name) ? str_printf(h->object->arena, "%.*s_", STR_ARG(name)) : name;
}

/* A comment's lines, none of which ends it. */
static void add_comment(Header *h, const char *indent, Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            strbuf_printf(&h->out, "\n%s", indent);
        else if (i && text.ptr[i] == '/' && text.ptr[i - 1] == '*')
            strbuf_str(&h->out, STR_LIT(" /"));
        else
            strbuf_char(&h->out, text.ptr[i]);
    }
}

static Str signature(const Object *object, const ObjectAnswer *answer) {
    Compile *c = object->world->compile;
    if (answer->fn) return check_signature(c->checker, answer->fn, object->arena);
    const TreeField *field = &answer->place.cls->fields.items[answer->field];
    return str_printf(object->arena, "field %.*s: %.*s", STR_ARG(symbols_name(c->program->symbols, field->name)),
                      STR_ARG(type_name(field->type, c->program->symbols, object->arena)));
}

static void add_doc(Header *h, const ObjectAnswer *answer) {
    const Object *object = h->object;
    Str doc = answer->fn ? answer->fn->doc : answer->place.cls->fields.items[answer->field].doc;
    strbuf_str(&h->out, STR_LIT("/* "));
    if (doc.len) {
        add_comment(h, " * ", doc);
        strbuf_str(&h->out, STR_LIT("\n *     "));
    }
    add_comment(h, " * ", signature(object, answer));
    if (answer->place.name.len) strbuf_printf(&h->out, "\n * of %.*s, in whose frame places are counted", STR_ARG(answer->place.name));
    strbuf_str(&h->out, STR_LIT(" */\n"));
}

static void add_head(Header *h, const ObjectAnswer *answer) {
    const TreeFn *fn = answer->fn;
    bool three;
    char member;
    strbuf_printf(&h->out, "static inline WorldAheadStatus %.*s_%.*s(WorldAhead *world", STR_ARG(h->object->prefix),
                  STR_ARG(answer->name));
    for (int i = 0; i < object_param_count(answer); i++) {
        const char *type = object_c_type(fn->locals.items[fn->capture_count + i].type, &three, &member);
        strbuf_printf(&h->out, three ? ", const %s %.*s[3]" : ", %s %.*s", type, STR_ARG(param_name(h, fn, i)));
    }
    const char *type = object_c_type(object_result(answer), &three, &member);
    strbuf_printf(&h->out, three ? ", %s answer[3]) {\n" : ", %s *answer) {\n", type);
}

static void add_arguments(Header *h, const ObjectAnswer *answer) {
    const TreeFn *fn = answer->fn;
    int slot = 0;
    bool three;
    char member;
    for (int i = 0; i < object_param_count(answer); i++) {
        object_c_type(fn->locals.items[fn->capture_count + i].type, &three, &member);
        Str name = param_name(h, fn, i);
        for (int k = 0; k < (three ? 3 : 1); k++, slot++)
            strbuf_printf(&h->out, three ? "    in[%d].%c = %.*s[%d];\n" : "    in[%d].%c = %.*s;\n", slot, member, STR_ARG(name), k);
    }
}

static void add_function(Header *h, const ObjectAnswer *answer) {
    const TreeFn *fn = answer->fn;
    bool three;
    char member;
    const char *type = object_c_type(object_result(answer), &three, &member);
    int slots = 0;
    for (int i = 0; i < object_param_count(answer); i++)
        slots += fn->locals.items[fn->capture_count + i].type->slot_count;
    add_doc(h, answer);
    strbuf_printf(&h->out, "enum { %.*s_%.*s_NUMBER = %d };\n", STR_ARG(h->object->prefix), STR_ARG(answer->name), h->number);
    add_head(h, answer);
    strbuf_printf(&h->out, "    WorldAheadSlot in[%d], out[%d];\n", slots ? slots : 1, three ? 3 : 1);
    add_arguments(h, answer);
    strbuf_printf(&h->out,
                  "    WorldAheadStatus status = world_ahead_call(world, %d, 1, in, out);\n"
                  "    if (status != WORLD_AHEAD_OK) return status;\n",
                  h->number);
    if (three)
        strbuf_str(&h->out, STR_LIT("    for (int i = 0; i < 3; i++)\n        answer[i] = out[i].f;\n"));
    else
        strbuf_printf(&h->out, member == 'w' ? "    *answer = (%s)out[0].%c;\n" : "    *answer = %.0sout[0].%c;\n", type, member);
    strbuf_str(&h->out, STR_LIT("    return WORLD_AHEAD_OK;\n}\n\n"));
    h->number++;
}

static void add_left_out(Header *h) {
    const Object *object = h->object;
    for (int i = 0, shown = 0; i < object->answers.count; i++) {
        const ObjectAnswer *answer = &object->answers.items[i];
        if (!answer->why) continue;
        strbuf_str(&h->out, shown++ ? STR_LIT(" *     ") : STR_LIT("/* Left out:\n *     "));
        strbuf_printf(&h->out, "%.*s: ", STR_ARG(answer->name));
        add_comment(h, " * ", str_of(answer->why));
        strbuf_char(&h->out, '\n');
        bool last = true;
        for (int k = i + 1; k < object->answers.count; k++)
            last = last && !object->answers.items[k].why;
        if (last) strbuf_str(&h->out, STR_LIT(" */\n\n"));
    }
}

Str object_header(const Object *object) {
    Header h = {.object = object, .out = {.arena = object->arena}};
    const char *prefix = object->prefix.ptr;
    for (int i = 0; i < object->answers.count; i++)
        if (!object->answers.items[i].why) add_function(&h, &object->answers.items[i]);
    add_left_out(&h);
    Str body = strbuf_take(&h.out);
    h.out = (StrBuf){.arena = object->arena};
    strbuf_printf(&h.out,
                  "/* Written by `worldc compile`: what the object of this world is asked. Lengths are in meters, angles in radians, times in\n"
                  " * seconds; many at once are asked by world_ahead_call and a function's number.\n */\n"
                  "#ifndef WORLD_AHEAD_OF_%s\n#define WORLD_AHEAD_OF_%s\n\n#include <world/ahead.h>\n\n"
                  "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                  "WORLD_API extern const WorldAheadImage %s_image;\n\n"
                  "static inline WorldAheadStatus %s_open(const WorldAheadDesc *desc, WorldAhead **world) {\n"
                  "    return world_ahead_open(&%s_image, UINT64_C(0x%016llx), desc, world);\n}\n\n",
                  prefix, prefix, prefix, prefix, prefix, (unsigned long long)object->key);
    strbuf_str(&h.out, body);
    strbuf_str(&h.out, STR_LIT("#ifdef __cplusplus\n}\n#endif\n\n#endif\n"));
    return strbuf_take(&h.out);
}
