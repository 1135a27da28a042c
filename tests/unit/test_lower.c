/* Lowering of hand-made trees: what becomes of variables, short circuits, vectors, cells and lists. The whole
 * language goes through the golden worlds; here is what would be hard to see there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/lower/lower.h"

static void *resize_plain(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size) return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

static const Type t_unit = {.kind = TYPE_UNIT, .slots = ""};
static const Type t_bool = {.kind = TYPE_BOOL, .slots = "B", .slot_count = 1};
static const Type t_int = {.kind = TYPE_INT, .slots = "I", .slot_count = 1};
static const Type t_number = {.kind = TYPE_NUMBER, .slots = "F", .slot_count = 1};
static const Type t_point = {.kind = TYPE_POINT, .slots = "FFF", .slot_count = 3};
static const Type t_points = {
    .kind = TYPE_LIST, .element = &t_point, .slots = "R", .slot_count = 1};

typedef struct Case {
    Memory memory;
    Arena arena;
    TreeProgram program;
    TreeFn fn;
    Lowering lowering;
} Case;

static Tree *node(Case *c, TreeKind kind, const Type *type) {
    Tree *tree = ARENA_NEW(&c->arena, Tree);
    tree->kind = kind;
    tree->type = type;
    return tree;
}

static Tree *local(Case *c, int index) {
    Tree *tree = node(c, TREE_LOCAL, c->fn.locals.items[index].type);
    tree->local = index;
    return tree;
}

static Tree *whole(Case *c, int64_t value) {
    Tree *tree = node(c, TREE_INT, &t_int);
    tree->integer = value;
    return tree;
}

static Tree *op(Case *c, Operator kind, const Type *type, Tree *left, Tree *right) {
    Tree *tree = node(c, TREE_OP, type);
    tree->op.op = kind;
    tree->op.left = left;
    tree->op.right = right;
    return tree;
}

static Tree *let(Case *c, TreeKind kind, int index, Tree *value) {
    Tree *tree = node(c, kind, &t_unit);
    tree->let.local = index;
    tree->let.value = value;
    return tree;
}

static Tree *block(Case *c, const Type *type, int count, Tree **items) {
    Tree *tree = node(c, TREE_BLOCK, type);
    for (int i = 0; i < count; i++)
        VEC_PUSH(&c->arena, &tree->items, items[i]);
    return tree;
}

static void add_local(Case *c, const Type *type, bool param) {
    VEC_PUSH(&c->arena, &c->fn.locals, ((TreeLocal){.type = type}));
    c->fn.param_count += param;
}

static void case_init(Case *c) {
    memset(c, 0, sizeof *c);
    memory_init(&c->memory, resize_plain, NULL, 0);
    arena_init(&c->arena, &c->memory);
    c->program.arena = &c->arena;
    c->fn.name = STR_LIT("f");
    c->fn.stream_local = -1;
    c->lowering.module = ir_module_create(&c->arena);
}

/* Lowers, verifies, and compares the printed function. */
static void case_check(Case *c, Tree *body, const Type *result, const char *expected) {
    c->fn.body = body;
    c->fn.result = result;
    VEC_PUSH(&c->arena, &c->program.fns, &c->fn);
    lower_program(&c->lowering, &c->program, &c->arena);
    Str error;
    if (!ir_verify(c->lowering.module, &c->arena, &error)) fail_msg("%.*s", STR_ARG(error));
    StrBuf out = {.arena = &c->arena};
    ir_print_func(&out, c->lowering.module, c->lowering.module->funcs.items[0]);
    assert_string_equal(out.ptr, expected);
    arena_fini(&c->arena);
}

/* var a = p; if q { a = a + 1 }; a */
static void test_var_through_if(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_int, true);
    add_local(&c, &t_bool, true);
    add_local(&c, &t_int, false);
    Tree *branch = node(&c, TREE_IF, &t_unit);
    branch->if_.condition = local(&c, 1);
    branch->if_.then_tree =
        let(&c, TREE_ASSIGN, 2, op(&c, OP_ADD, &t_int, local(&c, 2), whole(&c, 1)));
    Tree *items[] = {let(&c, TREE_LET, 2, local(&c, 0)), branch, local(&c, 2)};
    case_check(&c, block(&c, &t_int, 3, items), &t_int,
               "func @f(%0: I, %1: B) -> (I) {\n"
               "  %2: I = if %1 {\n"
               "    %3 = const.i 1\n"
               "    %4 = add.i %0, %3\n"
               "    yield %4\n"
               "  } else {\n"
               "    yield %0\n"
               "  }\n"
               "  return %2\n"
               "}\n");
}

/* var s = 0; each i in 0 ..< n { s = s + i }; s */
static void test_var_through_each(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_int, true);
    add_local(&c, &t_int, false);
    add_local(&c, &t_int, false);
    Tree *loop = node(&c, TREE_EACH_RANGE, &t_unit);
    loop->each.item = 2;
    loop->each.index = -1;
    loop->each.lo = whole(&c, 0);
    loop->each.hi = local(&c, 0);
    loop->each.body =
        let(&c, TREE_ASSIGN, 1, op(&c, OP_ADD, &t_int, local(&c, 1), local(&c, 2)));
    Tree *items[] = {let(&c, TREE_LET, 1, whole(&c, 0)), loop, local(&c, 1)};
    case_check(&c, block(&c, &t_int, 3, items), &t_int,
               "func @f(%0: I) -> (I) {\n"
               "  %1 = const.i 0\n"
               "  %2 = const.i 0\n"
               "  %3: I = for %4 in %2, %0 carry (%5 = %1) {\n"
               "    %6 = add.i %5, %4\n"
               "    yield %6\n"
               "  }\n"
               "  return %3\n"
               "}\n");
}

/* p || q: the right side only when the left does not decide. */
static void test_or_stops_early(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_bool, true);
    add_local(&c, &t_bool, true);
    Tree *either = node(&c, TREE_OR, &t_bool);
    either->op.left = local(&c, 0);
    either->op.right = local(&c, 1);
    case_check(&c, either, &t_bool,
               "func @f(%0: B, %1: B) -> (B) {\n"
               "  %2: B = if %0 {\n"
               "    %3 = const.b true\n"
               "    yield %3\n"
               "  } else {\n"
               "    yield %1\n"
               "  }\n"
               "  return %2\n"
               "}\n");
}

/* (p * k).z, with p a point: every component times k. */
static void test_vector_by_scalar(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_point, true);
    add_local(&c, &t_number, true);
    Tree *part = node(&c, TREE_COMPONENT, &t_number);
    part->component.operand = op(&c, OP_MUL, &t_point, local(&c, 0), local(&c, 1));
    part->component.index = 2;
    case_check(&c, part, &t_number,
               "func @f(%0: F, %1: F, %2: F, %3: F) -> (F) {\n"
               "  %4 = mul.f %0, %3\n"
               "  %5 = mul.f %1, %3\n"
               "  %6 = mul.f %2, %3\n"
               "  return %6\n"
               "}\n");
}

/* points[i].y reads one slot of the item, not three. */
static void test_component_of_item(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_points, true);
    add_local(&c, &t_int, true);
    Tree *item = node(&c, TREE_ITEM, &t_point);
    item->member.operand = local(&c, 0);
    item->member.key = local(&c, 1);
    Tree *part = node(&c, TREE_COMPONENT, &t_number);
    part->component.operand = item;
    part->component.index = 1;
    case_check(&c, part, &t_number,
               "func @f(%0: R, %1: I) -> (F) {\n"
               "  %2: F = list.get 1, 3, %0, %1\n"
               "  return %2\n"
               "}\n");
}

/* list + [p] appends in place of a loop. */
static void test_join_appends(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_points, true);
    add_local(&c, &t_point, true);
    Tree *more = node(&c, TREE_LIST, &t_points);
    VEC_PUSH(&c.arena, &more->items, local(&c, 1));
    case_check(&c, op(&c, OP_ADD, &t_points, local(&c, 0), more), &t_points,
               "func @f(%0: R, %1: F, %2: F, %3: F) -> (R) {\n"
               "  %4 = list.append 0, 3, %0, %1, %2, %3\n"
               "  return %4\n"
               "}\n");
}

/* fault(q, code: argument, p * p); p: what a message is made of may fail, so it is worked out with the fault only. */
static void test_fault_works_out_late(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_int, true);
    add_local(&c, &t_bool, true);
    Tree *fault = node(&c, TREE_FAULT, &t_unit);
    fault->fault.code = 512;
    fault->fault.condition = local(&c, 1);
    VEC_PUSH(&c.arena, &fault->fault.details, op(&c, OP_MUL, &t_int, local(&c, 0), local(&c, 0)));
    Tree *items[] = {fault, local(&c, 0)};
    case_check(&c, block(&c, &t_int, 2, items), &t_int,
               "func @f(%0: I, %1: B) -> (I) {\n"
               "  %2: I = if %1 {\n"
               "    %3 = mul.i %0, %0\n"
               "    yield %3\n"
               "  } else {\n"
               "    %4 = const.i 0\n"
               "    yield %4\n"
               "  }\n"
               "  fault.if 512, %1, %2\n"
               "  return %0\n"
               "}\n");
}

/* fault(q, code: argument, p); p */
static void test_fault_says_what_is_there(void **state) {
    (void)state;
    Case c;
    case_init(&c);
    add_local(&c, &t_int, true);
    add_local(&c, &t_bool, true);
    Tree *fault = node(&c, TREE_FAULT, &t_unit);
    fault->fault.code = 512;
    fault->fault.condition = local(&c, 1);
    VEC_PUSH(&c.arena, &fault->fault.details, local(&c, 0));
    Tree *items[] = {fault, local(&c, 0)};
    case_check(&c, block(&c, &t_int, 2, items), &t_int,
               "func @f(%0: I, %1: B) -> (I) {\n"
               "  fault.if 512, %1, %0\n"
               "  return %0\n"
               "}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_var_through_if),    cmocka_unit_test(test_var_through_each),
        cmocka_unit_test(test_or_stops_early),    cmocka_unit_test(test_vector_by_scalar),
        cmocka_unit_test(test_component_of_item), cmocka_unit_test(test_join_appends),
        cmocka_unit_test(test_fault_works_out_late), cmocka_unit_test(test_fault_says_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
