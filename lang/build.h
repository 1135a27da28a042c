/* The grammar's actions: one call a rule, each makes a node (or grows a list) in the parse's arena.
 *
 * Tokens give the spans and the texts; what the grammar cannot check (a file holds declarations
 * only, a function has a body) is checked here, where the whole declaration is at hand.
 */
#ifndef WORLD_LANG_BUILD_H
#define WORLD_LANG_BUILD_H

#include "lang/parser.h"

/* roots */
void build_file(Parser *p, AstList items);
void build_answer(Parser *p, AstNode *expr);

/* lists */
AstNode *build_unread(Parser *p, Token body);
AstList build_list(Parser *p, AstList list, AstNode *item);
AstNames build_name_list(Parser *p, AstNames list, Token name);
AstArgs build_args(Parser *p, AstArgs list, AstArg arg);
AstArg build_arg(Parser *p, Token name /* kind 0: positional */, AstNode *value);
AstParams build_params(Parser *p, AstParams list, AstParam param);
AstParam build_param(Parser *p, Token name, AstNode *type, AstNode *default_value);

/* declarations (build_decl.c) */
AstNode *build_version(Parser *p, Token world, Token number);
AstNode *build_use(Parser *p, Token use, Token package, Token as, Token alias);
AstNode *build_use_file(Parser *p, Token use, Token package, Token from, Token path);
AstNode *build_private(Parser *p, Token word, AstNode *item);
AstNode *build_field(Parser *p, Token field, Token name, AstNode *type, AstArgs options,
                     AstNode *value);
AstNode *build_check(Parser *p, Token check, Token title, AstArgs options, AstNode *body);
AstNode *build_alias(Parser *p, Token word, Token name, AstNode *type);
AstNode *build_contract_name(Parser *p, Token contract, Token name);
AstNode *build_contract(Parser *p, AstNode *contract, AstList fns);
AstNode *build_part_name(Parser *p, Token part, AstNames path, AstNode *index);
AstNode *build_part(Parser *p, AstNode *part, AstNode *design, AstArgs options);
AstNode *build_part_body(Parser *p, AstNode *part, AstList body);
AstNode *build_fn(Parser *p, Token fn, Token name, AstNames type_params, AstParams params,
                  Token close, AstNode *result, AstNode *body);
AstNode *build_intrinsic_fn(Parser *p, Token word, AstNode *fn, Token op);
AstNode *build_extern_fn(Parser *p, Token word, AstNode *fn, AstArgs options);
AstNode *build_record_name(Parser *p, Token record, Token name, AstNames type_params);
AstNode *build_record(Parser *p, AstNode *record, AstList fields);
AstNode *build_extern_record(Parser *p, Token word, AstNode *record);
/* A line `name: type = value`, which only a record holds; a FIELD node whose span begins at its
 * name. */
AstNode *build_record_field(Parser *p, Token name, AstNode *type, AstNode *default_value);

/* statements */
AstNode *build_let(Parser *p, Token word, AstNode *pattern, AstNode *type, AstNode *value);
AstNode *build_while(Parser *p, Token word, AstNode *condition, AstArgs options, AstNode *body);
AstNode *build_return(Parser *p, Token word, AstNode *value);
AstNode *build_each(Parser *p, Token word, AstNode *pattern, AstNode *iterable, AstNode *body);
AstNode *build_assign(Parser *p, AstNode *target, Token token, AstNode *value);
AstNode *build_block(Parser *p, Token open, AstList statements, Token close);
AstNode *build_pattern_tuple(Parser *p, Token open, AstList items, Token close);

/* expressions */
/* `body` is checked and left out of the tree. */
AstNode *build_error(Parser *p, Token mistake, AstList body);
AstNode *build_leaf(Parser *p, AstKind kind, Token token);
AstNode *build_name(Parser *p, Token name);
AstNode *build_number(Parser *p, Token number);
AstNode *build_text(Parser *p, Token text);
/* `"stand \{count`, then each `} of \{total` and the last `}"` (value NULL). */
AstNode *build_template(Parser *p, Token open, AstNode *value);
AstNode *build_template_part(Parser *p, AstNode *node, Token text, AstNode *value);
AstNode *build_bool(Parser *p, Token token, bool value);
AstNode *build_tuple(Parser *p, Token open, AstArgs items,
                     Token close); /* or what `( )` is round */
AstNode *build_list_node(Parser *p, Token open, AstList items, Token close);
AstNode *build_member(Parser *p, AstNode *object, Token name);
AstNode *build_index(Parser *p, AstNode *object, AstList keys, Token close);
AstNode *build_call(Parser *p, AstNode *callee, AstArgs args, Token close);
AstNode *build_unary(Parser *p, Operator op, Token token, AstNode *operand);
AstNode *build_binary(Parser *p, AstNode *left, Token token, AstNode *right);
AstNode *build_range(Parser *p, AstNode *lo, AstNode *hi, bool closed);
AstNode *build_arrow(Parser *p, Token param, AstNode *body);
AstNode *build_lambda(Parser *p, Token fn, AstParams params, AstNode *result, AstNode *body);
AstNode *build_if(Parser *p, Token word, AstNode *condition, AstNode *then_block,
                  AstNode *else_block);

/* types */
AstNode *build_type_name(Parser *p, Token name, AstList args, Token end);
AstNode *build_type_pair(Parser *p, AstKind kind, AstNode *left, AstNode *right);
AstNode *build_type_power(Parser *p, AstNode *base, int sign, Token exponent);
AstNode *build_type_tuple(Parser *p, Token open, AstList items, Token close);
AstNode *build_type_fn(Parser *p, Token fn, AstList params, AstNode *result);
AstNode *build_type_given(Parser *p, Token given, AstParams params, AstNode *result);
AstNode *build_type_one_of(Parser *p, Token one, AstNames names, Token close);
AstNode *build_type_optional(Parser *p, AstNode *base, Token mark);

/* shared by build.c and build_decl.c */
/* Reports what may not stand in a part's body or in { }. */
void build_check_members(Parser *p, AstList items);
Span build_span(const Parser *p, Token token);
AstName build_ast_name(Parser *p, Token name);
Str build_doc(Parser *p, Token first);
/* A node from `start` to `end`, of height 1. */
AstNode *build_node(Parser *p, AstKind kind, Span start, Span end);
/* Counts the children that the node has by now into its height; stops the parse when it is too
 * much. */
AstNode *build_measure(Parser *p, AstNode *node);

#endif
