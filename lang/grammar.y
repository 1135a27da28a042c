/* The grammar, on one page; lemon turns it into grammar.c when the project is built, and a conflict
 * fails the build. Each action is one call into build.h. Structure comes from layout.h: statements
 * are separated by NEWLINE, an indented body stands between INDENT and DEDENT.
 *
 * MISTAKE is fed by parse.c in place of what it skipped; a body under a wrong line is still read.
 */
%name grammar
%token_prefix TOKEN_
%token_type {Token}
%extra_argument {Parser *p}
%stack_size 8192

%include {
#pragma GCC diagnostic ignored "-Wunused-parameter" /* in lemon's own driver */
#pragma GCC diagnostic ignored "-Wunused-variable"
#define NDEBUG 1 /* lemon's tracing keeps a global file */
#define grammar_ENGINEALWAYSONSTACK 1
#include "lang/build.h"
#include "lang/parser.h"

#define PUSHED_MAX 64 /* states that one token's reductions can stack up: the rules bound them */
}

%stack_overflow { parser_note_overflow(p); }

%token NAME NUMBER TEXT TEXT_BEGIN TEXT_MIDDLE TEXT_END SEMICOLON.
%token PART FIELD FN RECORD USE EACH IN IF ELSE LET VAR TRUE FALSE NONE SELF.
%token EXTERN INTRINSIC PRIVATE CONTRACT TYPE CHECK WORLD GIVEN ONE.
%fallback NAME EXTERN INTRINSIC PRIVATE CONTRACT TYPE CHECK WORLD GIVEN ONE.

%right ARROW.
%left OR.
%left AND.
%nonassoc EQ NE LT LE GT GE.
%nonassoc UNTIL THROUGH.
%left BAR.
%left CARET.
%left AMP.
%left SHL SHR.
%left PLUS MINUS.
%left STAR SLASH PERCENT.
%right NOT.
%left LPAREN LBRACKET DOT.
%right MISTAKE. /* a mistake belongs to the line it is in: shifted before that line is reduced */

%type items {AstList}
%type body {AstList}
%type item {AstNode *}
%type expr {AstNode *}
%type template {AstNode *}
%type branch {AstNode *}
%type block {AstNode *}
%type pattern {AstNode *}
%type patterns {AstList}
%type exprs {AstList}
%type args {AstArgs}
%type args_opt {AstArgs}
%type arg {AstArg}
%type options {AstArgs}
%type params {AstParams}
%type params_opt {AstParams}
%type param {AstParam}
%type names {AstNames}
%type type_params {AstNames}
%type path {AstNames}
%type type {AstNode *}
%type quotient {AstNode *}
%type factor {AstNode *}
%type types {AstList}
%type fn_params {AstList}
%type fn_param {AstNode *}
%type type_name {Token}
%type type_opt {AstNode *}
%type result {AstNode *}
%type value_opt {AstNode *}
%type block_opt {AstNode *}
%type part_name {AstNode *}
%type part {AstNode *}
%type contract {AstNode *}
%type index_opt {AstNode *}
%type design {AstNode *}
%type fn {AstNode *}
%type record {AstNode *}
%type pname {Token}

/* -- files -- */

start ::= BEGIN_FILE END.
start ::= BEGIN_FILE items(L) END.               { build_file(p, L); }
start ::= BEGIN_EXPRESSION expr(E) END.          { build_answer(p, E); }
start ::= BEGIN_EXPRESSION MISTAKE END.

items(A) ::= item(I).                            { A = build_list(p, (AstList){0}, I); }
items(A) ::= items(L) NEWLINE item(I).           { A = build_list(p, L, I); }
items(A) ::= items(L) MISTAKE(M) body(B).        { A = build_list(p, L, build_error(p, M, B)); }
item(A) ::= MISTAKE(M) body(B).                  { A = build_error(p, M, B); }

body(A) ::= . [ARROW]                            { A = (AstList){0}; }
body(A) ::= INDENT items(L) DEDENT.              { A = L; }

/* -- declarations -- */

item(A) ::= WORLD(W) NAME NUMBER(N).             { A = build_version(p, W, N); }
item(A) ::= USE(U) NAME(N).                      { A = build_use(p, U, N, (Token){0}, (Token){0}); }
item(A) ::= USE(U) NAME(N) NAME(AS) NAME(M).     { A = build_use(p, U, N, AS, M); }
item(A) ::= USE(U) NAME(N) NAME(F) TEXT(T).      { A = build_use_file(p, U, N, F, T); }
item(A) ::= PRIVATE(W) item(I).                  { A = build_private(p, W, I); }
item(A) ::= FIELD(F) NAME(N) type_opt(T) options(O) value_opt(V).
                                                 { A = build_field(p, F, N, T, O, V); }
item(A) ::= CHECK(C) TEXT(T) options(O) block(B). { A = build_check(p, C, T, O, B); }

item(A) ::= TYPE(W) NAME(N) ASSIGN type(V).      { A = build_alias(p, W, N, V); }
item(A) ::= contract(C) body(L).                 { A = build_contract(p, C, L); }
contract(A) ::= CONTRACT(C) NAME(N).             { A = build_contract_name(p, C, N); }
contract(A) ::= contract(C) MISTAKE.             { A = C; }

item(A) ::= part(P) body(L).                     { A = build_part_body(p, P, L); }
part(A) ::= part_name(N) design(D) options(O).   { A = build_part(p, N, D, O); }
part(A) ::= part(P) MISTAKE.                     { A = P; }
part_name(A) ::= PART(P) path(L) index_opt(I).   { A = build_part_name(p, P, L, I); }
path(A) ::= NAME(N).                             { A = build_name_list(p, (AstNames){0}, N); }
path(A) ::= path(L) DOT NAME(N).                 { A = build_name_list(p, L, N); }
index_opt(A) ::= .                               { A = NULL; }
index_opt(A) ::= LBRACKET expr(E) RBRACKET.      { A = E; }
design(A) ::= .                                  { A = NULL; }
design(A) ::= COLON expr(E).                     { A = E; }
options(A) ::= .                                 { A = (AstArgs){0}; }
options(A) ::= options(L) COMMA NAME(N) COLON expr(E). { A = build_args(p, L, build_arg(p, N, E)); }

item(A) ::= fn(F).                               { A = F; }
item(A) ::= EXTERN(E) fn(F) options(O).          { A = build_extern_fn(p, E, F, O); }
item(A) ::= INTRINSIC(I) fn(F) ASSIGN TEXT(T).   { A = build_intrinsic_fn(p, I, F, T); }
item(A) ::= INTRINSIC(I) fn(F).                  { A = build_intrinsic_fn(p, I, F, (Token){0}); }
fn(A) ::= FN(F) NAME(N) type_params(G) LPAREN params_opt(L) RPAREN(R) result(T) block_opt(B).
                                                 { A = build_fn(p, F, N, G, L, R, T, B); }
block_opt(A) ::= .                               { A = NULL; }
block_opt(A) ::= block(B).                       { A = B; }
block_opt(A) ::= BODY(B).                        { A = build_unread(p, B); }
type_params(A) ::= .                             { A = (AstNames){0}; }
type_params(A) ::= LBRACKET names(L) RBRACKET.   { A = L; }
names(A) ::= NAME(N).                            { A = build_name_list(p, (AstNames){0}, N); }
names(A) ::= names(L) COMMA NAME(N).             { A = build_name_list(p, L, N); }
params_opt(A) ::= .                              { A = (AstParams){0}; }
params_opt(A) ::= params(L) comma_opt.           { A = L; }
params(A) ::= param(P).                          { A = build_params(p, (AstParams){0}, P); }
params(A) ::= params(L) COMMA param(P).          { A = build_params(p, L, P); }
param(A) ::= pname(N) type_opt(T) value_opt(V).  { A = build_param(p, N, T, V); }
param(A) ::= VAR SELF(N) type_opt(T).            { A = build_param(p, N, T, NULL); A.is_var = true; }
pname(A) ::= NAME(N).                            { A = N; }
pname(A) ::= SELF(N).                            { A = N; }
pname(A) ::= UNDERSCORE(N).                      { A = N; }

item(A) ::= record(R) body(L).                   { A = build_record(p, R, L); }
item(A) ::= EXTERN(E) record(R). [ARROW]         { A = build_extern_record(p, E, R); }
item(A) ::= NAME(N) COLON type(T) value_opt(V).  { A = build_record_field(p, N, T, V); }
record(A) ::= RECORD(R) NAME(N) type_params(G).  { A = build_record_name(p, R, N, G); }
record(A) ::= record(R) MISTAKE.                 { A = R; }
comma_opt ::= .
comma_opt ::= COMMA.

/* -- statements -- */

item(A) ::= LET(L) pattern(P) type_opt(T) ASSIGN expr(E). { A = build_let(p, L, P, T, E); }
item(A) ::= VAR(L) pattern(P) type_opt(T) ASSIGN expr(E). { A = build_let(p, L, P, T, E); }
item(A) ::= EACH(F) pattern(P) IN expr(E) block(B). { A = build_each(p, F, P, E, B); }
item(A) ::= WHILE(W) expr(C) options(O) block(B). { A = build_while(p, W, C, O, B); }
item(A) ::= BREAK(W).                            { A = build_leaf(p, AST_BREAK, W); }
item(A) ::= CONTINUE(W).                         { A = build_leaf(p, AST_CONTINUE, W); }
item(A) ::= RETURN(W).                           { A = build_return(p, W, NULL); }
item(A) ::= RETURN(W) expr(E).                   { A = build_return(p, W, E); }
item(A) ::= expr(E).                             { A = E; }
item(A) ::= expr(T) ASSIGN|PLUS_ASSIGN|MINUS_ASSIGN|STAR_ASSIGN|SLASH_ASSIGN(O) expr(E).
                                                 { A = build_assign(p, T, O, E); }

block(A) ::= LBRACE(L) RBRACE(R).                { A = build_block(p, L, (AstList){0}, R); }
block(A) ::= LBRACE(L) items(S) RBRACE(R).       { A = build_block(p, L, S, R); }

pattern(A) ::= NAME(N).                          { A = build_name(p, N); }
pattern(A) ::= UNDERSCORE(U).                    { A = build_leaf(p, AST_WILDCARD, U); }
pattern(A) ::= LPAREN(L) patterns(S) RPAREN(R).  { A = build_pattern_tuple(p, L, S, R); }
patterns(A) ::= pattern(P).                      { A = build_list(p, (AstList){0}, P); }
patterns(A) ::= patterns(L) COMMA pattern(P).    { A = build_list(p, L, P); }

/* -- expressions -- */

expr(A) ::= NAME(N).                             { A = build_name(p, N); }
expr(A) ::= NUMBER(N).                           { A = build_number(p, N); }
expr(A) ::= TEXT(T).                             { A = build_text(p, T); }
expr(A) ::= template(L) TEXT_END(E).             { A = build_template_part(p, L, E, NULL); }
template(A) ::= TEXT_BEGIN(B) expr(E).           { A = build_template(p, B, E); }
template(A) ::= template(L) TEXT_MIDDLE(M) expr(E). { A = build_template_part(p, L, M, E); }
expr(A) ::= TRUE(T).                             { A = build_bool(p, T, true); }
expr(A) ::= FALSE(T).                            { A = build_bool(p, T, false); }
expr(A) ::= NONE(T).                             { A = build_leaf(p, AST_NONE, T); }
expr(A) ::= SELF(T).                             { A = build_leaf(p, AST_SELF, T); }
expr(A) ::= LPAREN(L) args(S) comma_opt RPAREN(R). { A = build_tuple(p, L, S, R); }
expr(A) ::= LBRACKET(L) RBRACKET(R).             { A = build_list_node(p, L, (AstList){0}, R); }
expr(A) ::= LBRACKET(L) exprs(S) comma_opt RBRACKET(R). { A = build_list_node(p, L, S, R); }
expr(A) ::= block(B).                            { A = B; }
expr(A) ::= branch(B).                           { A = B; }
expr(A) ::= expr(O) DOT NAME(N).                 { A = build_member(p, O, N); }
expr(A) ::= expr(O) DOT NUMBER(N).               { A = build_member(p, O, N); }
expr(A) ::= expr(O) LBRACKET exprs(I) comma_opt RBRACKET(R). { A = build_index(p, O, I, R); }
expr(A) ::= expr(F) LPAREN args_opt(L) RPAREN(R). { A = build_call(p, F, L, R); }
expr(A) ::= MINUS(O) expr(E). [NOT]              { A = build_unary(p, OP_NEG, O, E); }
expr(A) ::= NOT(O) expr(E).                      { A = build_unary(p, OP_NOT, O, E); }

expr(A) ::= expr(L) STAR|SLASH|PERCENT(O) expr(R).{ A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) PLUS|MINUS(O) expr(R).       { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) SHL|SHR(O) expr(R).          { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) AMP(O) expr(R).              { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) CARET(O) expr(R).            { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) BAR(O) expr(R).              { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) UNTIL expr(R).               { A = build_range(p, L, R, false); }
expr(A) ::= expr(L) THROUGH expr(R).             { A = build_range(p, L, R, true); }
expr(A) ::= expr(L) EQ|NE|LT|LE|GT|GE(O) expr(R).{ A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) AND(O) expr(R).              { A = build_binary(p, L, O, R); }
expr(A) ::= expr(L) OR(O) expr(R).               { A = build_binary(p, L, O, R); }

expr(A) ::= NAME(N) ARROW expr(E).               { A = build_arrow(p, N, E); }
expr(A) ::= UNDERSCORE(N) ARROW expr(E).         { A = build_arrow(p, N, E); }
expr(A) ::= FN(F) LPAREN params_opt(L) RPAREN result(T) block(B).
                                                 { A = build_lambda(p, F, L, T, B); }

branch(A) ::= IF(I) expr(C) block(T).            { A = build_if(p, I, C, T, NULL); }
branch(A) ::= IF(I) expr(C) block(T) ELSE block(E). { A = build_if(p, I, C, T, E); }
branch(A) ::= IF(I) expr(C) block(T) ELSE branch(E). { A = build_if(p, I, C, T, E); }

args_opt(A) ::= .                                { A = (AstArgs){0}; }
args_opt(A) ::= args(L) comma_opt.               { A = L; }
args(A) ::= arg(X).                              { A = build_args(p, (AstArgs){0}, X); }
args(A) ::= args(L) COMMA arg(X).                { A = build_args(p, L, X); }
arg(A) ::= expr(E).                              { A = build_arg(p, (Token){0}, E); }
arg(A) ::= NAME(N) COLON expr(E).                { A = build_arg(p, N, E); }
exprs(A) ::= expr(E).                            { A = build_list(p, (AstList){0}, E); }
exprs(A) ::= exprs(L) COMMA expr(E).             { A = build_list(p, L, E); }
value_opt(A) ::= .                               { A = NULL; }
value_opt(A) ::= ASSIGN expr(E).                 { A = E; }

/* -- types -- */

type_opt(A) ::= .                                { A = NULL; }
type_opt(A) ::= COLON type(T).                   { A = T; }
result(A) ::= .                                  { A = NULL; }
result(A) ::= type(T).                           { A = T; }
type(A) ::= quotient(T).                         { A = T; }
type(A) ::= FN(F) LPAREN RPAREN type(R).         { A = build_type_fn(p, F, (AstList){0}, R); }
type(A) ::= FN(F) LPAREN fn_params(L) RPAREN type(R). { A = build_type_fn(p, F, L, R); }
type(A) ::= GIVEN(G) LPAREN params(L) RPAREN type(R). { A = build_type_given(p, G, L, R); }
quotient(A) ::= factor(T).                       { A = T; }
quotient(A) ::= quotient(L) STAR factor(R).      { A = build_type_pair(p, AST_TYPE_PRODUCT, L, R); }
quotient(A) ::= quotient(L) SLASH factor(R).    { A = build_type_pair(p, AST_TYPE_QUOTIENT, L, R); }
factor(A) ::= type_name(N).                      { A = build_type_name(p, N, (AstList){0}, N); }
factor(A) ::= type_name(N) LBRACKET types(L) RBRACKET(R). { A = build_type_name(p, N, L, R); }
factor(A) ::= LPAREN(L) types(S) RPAREN(R).      { A = build_type_tuple(p, L, S, R); }
factor(A) ::= ONE(O) NAME LPAREN names(L) RPAREN(R). { A = build_type_one_of(p, O, L, R); }
factor(A) ::= factor(T) QUESTION(Q).             { A = build_type_optional(p, T, Q); }
factor(A) ::= factor(T) CARET NUMBER(N).         { A = build_type_power(p, T, 1, N); }
factor(A) ::= factor(T) CARET MINUS NUMBER(N).   { A = build_type_power(p, T, -1, N); }
type_name(A) ::= NAME(N).                        { A = N; }
type_name(A) ::= type_name(L) DOT NAME(N).       { A = L; A.end = N.end; }
fn_params(A) ::= fn_param(T).                    { A = build_list(p, (AstList){0}, T); }
fn_params(A) ::= fn_params(L) COMMA fn_param(T). { A = build_list(p, L, T); }
fn_param(A) ::= type(T).                         { A = T; }
fn_param(A) ::= NAME COLON type(T).              { A = T; /* the name only tells the reader */ }
types(A) ::= type(T).                            { A = build_list(p, (AstList){0}, T); }
types(A) ::= types(L) COMMA type(T).             { A = build_list(p, L, T); }

%code {

void *grammar_create(Arena *arena) {
    yyParser *parser = arena_alloc_raw(arena, sizeof *parser); /* half a megabyte of stack, hardly ever touched */
    grammarInit(parser);
    return parser;
}

void grammar_feed(void *parser, Token token, Parser *p) {
    grammar(parser, token.kind, token, p);
}

/* What the tables would do with `kind`, worked out without touching the stack: `pushed` holds the
 * states that reductions put above its first `kept` entries. */
bool grammar_accepts(const void *of, int kind) {
    const yyParser *parser = of;
    YYACTIONTYPE pushed[PUSHED_MAX];
    int count = 0, kept = (int)(parser->yytos - parser->yystack) + 1;
    while (count < PUSHED_MAX) {
        YYACTIONTYPE top = count ? pushed[count - 1] : parser->yystack[kept - 1].stateno;
        YYACTIONTYPE action = yy_find_shift_action((YYCODETYPE)kind, top);
        if (action < YY_MIN_REDUCE)
            return action <= YY_MAX_SHIFTREDUCE || action == YY_ACCEPT_ACTION;
        int rule = action - YY_MIN_REDUCE, length = -yyRuleInfoNRhs[rule];
        int from_pushed = length < count ? length : count;
        count -= from_pushed;
        kept -= length - from_pushed;
        top = count ? pushed[count - 1] : parser->yystack[kept - 1].stateno;
        pushed[count++] = yy_find_reduce_action(top, yyRuleInfoLhs[rule]);
    }
    return false;
}

void grammar_recover(void *of, Token token, Parser *p) {
    yyParser *parser = of;
    while (parser->yytos > parser->yystack && !grammar_accepts(parser, TOKEN_MISTAKE))
        parser->yytos--;
    token.kind = TOKEN_MISTAKE;
    grammar_feed(parser, token, p);
}

}
