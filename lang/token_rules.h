/* token.def as re2c's rules: the preprocessor makes token_rules.re of this, which lexer.re includes. */
/* clang-format off */
#define RULE_WORD(NAME, text) text { return TOKEN_##NAME; }
#define RULE_MARK RULE_WORD
#define RULE_JOINS RULE_WORD
#define RULE_ENDS RULE_WORD
#define RULE_LITERAL(NAME, text)
#define RULE_LAYOUT(NAME, text)
#define TOKEN(NAME, text, GROUP) RULE_##GROUP(NAME, text)
#include "lang/token.def"
