/* Written types to C types. */
#include "stdlib/gen/gen.h"

static const struct {
    const char *name, *slots, *text;
} builtin_types[] = {
#define TYPE(name, member, slots, text) {name, slots, text},
#define GENERIC(name, slots, text) {name, slots, text},
#include "lang/type.def"
#undef TYPE
#undef GENERIC
};

enum { BUILTIN_COUNT = sizeof builtin_types / sizeof *builtin_types };

/* One slot by its letter; several are a struct. */
static GenPass pass_of_slots(const char *slots) {
    static const GenPass passes[] = {
        ['F'] = GEN_F, ['I'] = GEN_I, ['W'] = GEN_W, ['B'] = GEN_B, ['R'] = GEN_R};
    return slots[1] ? GEN_STRUCT : passes[(unsigned char)slots[0]];
}

static const GenType closure_type = {.pass = GEN_R,
                                     .slots = 1,
                                     .text = {"const RtClosure *", 17},
                                     .refs = 1,
                                     .has_object = true,
                                     .has_closure = true};
static const GenType void_type = {.pass = GEN_VOID, .text = {"void", 4}};

Str gen_capitalized(Arena *arena, Str name) {
    char *copy = arena_strndup(arena, name.ptr, name.len);
    if (copy[0] >= 'a' && copy[0] <= 'z') copy[0] = (char)(copy[0] - 'a' + 'A');
    return (Str){copy, name.len};
}

static AstName decl_name(const AstNode *decl) {
    switch ((int)decl->kind) {
    case AST_RECORD:
        return decl->record.name;
    case AST_CONTRACT:
        return decl->contract.name;
    case AST_PART:
        return decl->part.path.items[0];
    default:
        return (AstName){0};
    }
}

/* `name` or `package.name`: the first of that name, as packages.def lists them. */
static const AstNode *find_decl(const Gen *gen, Str name) {
    const char *dot = memchr(name.ptr, '.', name.len);
    Str package = {name.ptr, dot ? (size_t)(dot - name.ptr) : 0};
    if (dot) name = (Str){dot + 1, name.len - package.len - 1};
    Symbol wanted = symbols_find(&gen->symbols, name);
    for (int p = 0; wanted && p < gen->packages.count; p++) {
        if (dot && !str_equal(package, str_of(gen->packages.items[p].name))) continue;
        const AstList *decls = &gen->packages.items[p].ast->decls;
        for (int i = 0; i < decls->count; i++)
            if (decl_name(decls->items[i]).symbol == wanted) return decls->items[i];
    }
    return NULL;
}

static const GenType *find_struct(const Gen *gen, Str name) {
    for (int i = 0; i < gen->structs.count; i++)
        if (str_equal(gen->structs.items[i].type.text, name)) return &gen->structs.items[i].type;
    return NULL;
}

static GenStruct begin_struct(Gen *gen, Str name) {
    return (GenStruct){{.pass = GEN_STRUCT, .text = name}, {.arena = gen->arena}};
}

/* In a struct every member takes 8 bytes, as a slot does: a bool or u32 is a uint64_t below 2^32. A pointer may have four, and
 * a processor of such may want a double at every fourth byte: each member says where it begins. */
static void add_member(GenStruct *to, GenType type, Str name) {
    bool narrow = type.pass == GEN_B || type.pass == GEN_W;
    Str text = narrow ? STR_LIT("uint64_t") : type.text;
    bool star = text.len > 0 && text.ptr[text.len - 1] == '*';
    strbuf_printf(&to->members, "    _Alignas(8) %.*s%s%.*s;\n", STR_ARG(text), star ? "" : " ", STR_ARG(name));
    if (to->type.slots < 64) to->type.refs |= type.refs << to->type.slots;
    to->type.slots += type.slots;
    to->type.has_object |= type.has_object;
    to->type.has_closure |= type.has_closure;
}

static GenType finish_struct(Gen *gen, GenStruct made) {
    const GenType *known = find_struct(gen, made.type.text);
    if (known) return *known;
    VEC_PUSH(gen->arena, &gen->structs, made);
    return made.type;
}

/* What the expression of a `given` field is asked with, its stream left out: StdRuleKeep. */
static void add_asked(Gen *gen, Str record, const AstParam *field) {
    Str upper = gen_capitalized(gen->arena, symbols_name(&gen->symbols, field->name.symbol));
    Str name = str_printf(gen->arena, "%.*s%.*s", STR_ARG(record), STR_ARG(upper));
    GenStruct made = begin_struct(gen, name);
    const AstParams *params = &field->type->type_given.params;
    for (int i = 0; i < params->count; i++) {
        GenType type = gen_type(gen, params->items[i].type);
        Str member = symbols_name(&gen->symbols, params->items[i].name.symbol);
        if (!type.is_stream) add_member(&made, type, member);
    }
    if (made.type.slots) finish_struct(gen, made);
}

static GenType record_type(Gen *gen, const AstNode *record) {
    Str name = symbols_name(&gen->symbols, record->record.name.symbol);
    Str upper = gen_capitalized(gen->arena, name);
    if (record->record.is_extern) {
        bool stream = str_equal(name, STR_LIT("stream"));
        Str text = str_printf(gen->arena, "%sRt%.*s *", stream ? "" : "const ", STR_ARG(upper));
        return (GenType){.pass = GEN_R,
                         .slots = 1,
                         .text = text,
                         .refs = 1,
                         .has_object = true,
                         .is_stream = stream,
                         .may_be_null = stream};
    }
    if (record->record.type_params.count) {
        gen_error(gen, record->span, "a generic record cannot cross to C; pass its parts");
        return void_type;
    }
    Str c_name = str_printf(gen->arena, "Std%.*s", STR_ARG(upper));
    const GenType *known = find_struct(gen, c_name);
    if (known) return *known;
    GenStruct made = begin_struct(gen, c_name);
    for (int i = 0; i < record->record.fields.count; i++) {
        const AstParam *field = &record->record.fields.items[i];
        if (!field->type) gen_error(gen, field->span, "a record's field needs its type written");
        Str member = symbols_name(&gen->symbols, field->name.symbol);
        add_member(&made, gen_type(gen, field->type), member);
        if (field->type && field->type->kind == AST_TYPE_GIVEN) add_asked(gen, c_name, field);
    }
    return finish_struct(gen, made);
}

/* A contract's value is its methods, each a closure, in order. */
static GenType contract_type(Gen *gen, const AstNode *contract) {
    Str name = symbols_name(&gen->symbols, contract->contract.name.symbol);
    Str upper = gen_capitalized(gen->arena, name);
    Str c_name = str_printf(gen->arena, "Std%.*s", STR_ARG(upper));
    const GenType *known = find_struct(gen, c_name);
    if (known) return *known;
    GenStruct made = begin_struct(gen, c_name);
    for (int i = 0; i < contract->contract.fns.count; i++) {
        Symbol fn = contract->contract.fns.items[i]->fn.name.symbol;
        Str method = symbols_name(&gen->symbols, fn);
        add_member(&made, closure_type, method);
    }
    return finish_struct(gen, made);
}

static GenType builtin_type(int row) {
    GenPass pass = pass_of_slots(builtin_types[row].slots);
    bool list = strcmp(builtin_types[row].name, "List") == 0;
    return (GenType){.pass = pass,
                     .slots = (int)strlen(builtin_types[row].slots),
                     .text = str_of(builtin_types[row].text),
                     .refs = pass == GEN_R,
                     .has_object = list,
                     .may_be_null = list};
}

static GenType named_type(Gen *gen, const AstNode *type) {
    Str name = symbols_name(&gen->symbols, type->type_name.name.symbol);
    for (int i = 0; i < BUILTIN_COUNT; i++)
        if (builtin_types[i].text[0] && str_equal(name, str_of(builtin_types[i].name)))
            return builtin_type(i);
    const AstNode *decl = find_decl(gen, name);
    if (!decl && name.ptr[0] == 'Q') /* a type parameter that stands for a quantity */
        return (GenType){.pass = GEN_F, .slots = 1, .text = STR_LIT("double")};
    if (!decl) {
        gen_error(gen, type->span, "'%.*s' cannot cross to C", STR_ARG(name));
        return void_type;
    }
    if (decl->kind == AST_RECORD) return record_type(gen, decl);
    if (decl->kind == AST_CONTRACT) return contract_type(gen, decl);
    return (GenType){.pass = GEN_R,
                     .slots = 1,
                     .text = STR_LIT("RtPart *"),
                     .refs = 1,
                     .has_object = true};
}

/* "StdTuple_double_Vec3": letters and digits of the C name. */
static void add_name(StrBuf *buf, Str c_type) {
    strbuf_char(buf, '_');
    for (size_t i = 0; i < c_type.len; i++) {
        char c = c_type.ptr[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            strbuf_char(buf, c);
    }
}

static GenType tuple_type(Gen *gen, const AstNode *type) {
    StrBuf name = {.arena = gen->arena};
    GenStruct made = begin_struct(gen, (Str){0});
    strbuf_printf(&name, "StdTuple");
    for (int i = 0; i < type->type_tuple.items.count; i++) {
        GenType item = gen_type(gen, type->type_tuple.items.items[i]);
        add_name(&name, item.text);
        add_member(&made, item, str_printf(gen->arena, "item%d", i));
    }
    made.type.text = strbuf_take(&name);
    return finish_struct(gen, made);
}

static GenType optional_type(Gen *gen, const AstNode *type) {
    GenType value = gen_type(gen, type->type_optional.base);
    StrBuf name = {.arena = gen->arena};
    strbuf_printf(&name, "StdOptional");
    add_name(&name, value.text);
    GenStruct made = begin_struct(gen, strbuf_take(&name));
    add_member(&made, (GenType){.pass = GEN_B, .slots = 1}, STR_LIT("present"));
    add_member(&made, value, STR_LIT("value"));
    return finish_struct(gen, made);
}

GenType gen_type(Gen *gen, const AstNode *type) {
    if (!type) return void_type;
    switch ((int)type->kind) {
    case AST_TYPE_NAME:
        return named_type(gen, type);
    case AST_TYPE_POWER:
        return gen_type(gen, type->type_power.base);
    case AST_TYPE_PRODUCT:
    case AST_TYPE_QUOTIENT: { /* a vector with a unit, or a quantity */
        GenType left = gen_type(gen, type->type_pair.left);
        GenType right = gen_type(gen, type->type_pair.right);
        return left.pass == GEN_STRUCT ? left : right;
    }
    case AST_TYPE_TUPLE:
        return tuple_type(gen, type);
    case AST_TYPE_OPTIONAL:
        return optional_type(gen, type);
    case AST_TYPE_FN:
    case AST_TYPE_GIVEN:
        return closure_type;
    case AST_TYPE_ONE_OF:
        return (GenType){.pass = GEN_I, .slots = 1, .text = STR_LIT("int64_t")};
    default:
        gen_error(gen, type->span, "this type cannot cross to C");
        return void_type;
    }
}

static bool has_native(const GenPackage *package) {
    for (int i = 0; i < package->ast->decls.count; i++) {
        const AstNode *decl = package->ast->decls.items[i];
        if (decl->kind == AST_FN && decl->fn.fn_kind == AST_FN_EXTERN) return true;
    }
    return false;
}

static bool has_struct(const AstNode *decl) {
    return decl->kind == AST_CONTRACT || (decl->kind == AST_RECORD && !decl->record.is_extern &&
                                          decl->record.type_params.count == 0);
}

/* The structs of what the natives take and give. */
static void add_crossing(Gen *gen, const AstNode *fn) {
    for (int i = 0; i < fn->fn.params.count; i++)
        gen_type(gen, fn->fn.params.items[i].type);
    gen_type(gen, fn->fn.result_type);
}

/* What the fields of a part are: StdAnyPart. Its cells need not lie so. */
static void add_part(Gen *gen, const AstNode *part) {
    Str upper =
        gen_capitalized(gen->arena, symbols_name(&gen->symbols, part->part.path.items[0].symbol));
    GenStruct made = begin_struct(gen, str_printf(gen->arena, "Std%.*s", STR_ARG(upper)));
    for (int i = 0; i < part->part.body.count; i++) {
        const AstNode *item = part->part.body.items[i];
        if (item->kind != AST_FIELD) continue;
        if (!item->field.type) gen_error(gen, item->span, "a library part's field needs its type");
        add_member(&made, gen_type(gen, item->field.type),
                   symbols_name(&gen->symbols, item->field.name.symbol));
    }
    if (made.type.slots) finish_struct(gen, made);
}

static void add_declared(Gen *gen, const AstNode *decl) {
    if (decl->kind == AST_FN && decl->fn.fn_kind == AST_FN_EXTERN) add_crossing(gen, decl);
    if (decl->kind == AST_PART) add_part(gen, decl);
    if (!has_struct(decl)) return;
    if (decl->kind == AST_RECORD)
        record_type(gen, decl);
    else
        contract_type(gen, decl);
}

void gen_structs(Gen *gen) {
    for (int p = 0; p < gen->packages.count; p++) {
        const GenPackage *package = &gen->packages.items[p];
        if (!has_native(package)) continue;
        for (int i = 0; i < package->ast->decls.count; i++)
            add_declared(gen, package->ast->decls.items[i]);
    }
}
