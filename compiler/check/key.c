/* Hashes of keys: hashOf(key), in the library, for whatever type the key has.
 *
 *     hashOf(lamp(at: (1, 2), on: true))  ->  hashed(hashed(hashed(START, 1), 2), true)
 *
 * Tuples, records, points and colors are gone through item by item; each plain value is put to the hash by the
 * library's function `hashed` of its type. So equal keys hash alike, and a type of keys without one is an error.
 */
#include "compiler/check/checker.h"

enum { HASH_START = 0x811c9dc5u }; /* FNV's */

static Tree *hash_value(Ctx *x, Tree *hash, Tree *value);

static Tree *hash_plain(Ctx *x, Tree *hash, Tree *value) {
    Tree *call = call_operator(x, x->c->names.hashed, hash, value, value->span);
    if (call) return call;
    diag_add(x->c->diags, DIAG_E_KEY_TYPE, value->span, type_phrase(x->c, value->type));
    return tree_poison(x->c, value->span);
}

static Tree *hash_items(Ctx *x, Tree *hash, Tree *value) {
    Checker *c = x->c;
    const Type *type = value->type;
    bool record = type->kind == TYPE_RECORD;
    int count = record ? type->record->fields.count : type->item_count, slot = 0;
    for (int i = 0; i < count; i++) {
        const Type *item = record ? type->record->fields.items[i].type : type->items[i];
        hash = hash_value(x, hash, tree_component(c, value, slot, item, value->span));
        slot += item->slot_count;
    }
    return hash;
}

static Tree *hash_space(Ctx *x, Tree *hash, Tree *value) {
    for (int i = 0; i < value->type->slot_count; i++)
        hash = hash_plain(x, hash, tree_component(x->c, value, i, x->c->types.number, value->span));
    return hash;
}

static Tree *hash_value(Ctx *x, Tree *hash, Tree *value) {
    if (type_poisoned(hash->type)) return hash;
    TypeKind kind = value->type->kind;
    if (kind == TYPE_TUPLE || kind == TYPE_RECORD) return hash_items(x, hash, value);
    if (kind == TYPE_POINT || kind == TYPE_VECTOR || kind == TYPE_COLOR) return hash_space(x, hash, value);
    if (kind == TYPE_ONE_OF) value = convert_to(x, value, x->c->types.integer);
    return hash_plain(x, hash, value);
}

Tree *key_hash(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Tree *key = expr_check(x, ast->call.args.items[0].value, NULL);
    if (type_poisoned(key->type)) return key;
    int local = ctx_local(x, 0, key->type, false);
    Tree *start = tree_int(c, HASH_START, c->types.u32, ast->span);
    TreeList before = {0};
    treelist_push(c, &before, tree_let(x, local, key));
    Tree *hash = hash_value(x, start, tree_local(x, local, key->span));
    return type_poisoned(hash->type) ? hash : arguments_wrap(c, &before, hash);
}
