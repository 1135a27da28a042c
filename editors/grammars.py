#!/usr/bin/env python3
"""Writes the grammars that editors color texts by, before or without the language server: a TextMate grammar (Visual Studio Code and
others) and a syntax file for Vim. Words, units and types are those of the compiler's own tables.

Usage: grammars.py [--check]    --check writes nothing and fails when what lies here is another
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def rows(path, name, group=""):
    """The texts of a table's rows: TOKEN(PART, "part", WORD), TYPE("number", ...)."""
    text = (ROOT / path).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.findall(rf'^{name}\((?:\w+, )?"([^"]+)"[^\n]*{group}', text, re.M)


WORDS = rows("lang/token.def", "TOKEN", r", WORD\)")
DECLARING = [w for w in ("part", "field", "fn", "record", "use", "let", "var") if w in WORDS]
VALUES = [w for w in ("true", "false", "none", "self") if w in WORDS]
UNITS = sorted(rows("compiler/check/units.def", "UNIT"), key=lambda u: (-len(u), u))
TYPES = rows("lang/type.def", "(?:TYPE|GENERIC)")
LINE_WORDS = ["private", "extern", "intrinsic", "contract", "type", "check"]  # words where they begin a declaration
NUMBER = r"0x[0-9A-Fa-f_]+|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?"


def either(words):
    return "|".join(words)


# -- TextMate --

def textmate():
    word = r"(?<![\w.])(?:{})(?!\w)"
    unit = rf"(?:{either(UNITS)})(?!\w)"
    units = rf"{unit}(?:\^-?[0-9]+)?(?:/{unit}(?:\^-?[0-9]+)?)*"
    patterns = {
        "comment": [{"name": "comment.line.documentation.world", "match": r"///.*$"}, {"name": "comment.line.double-slash.world", "match": r"//.*$"}],
        "text": [{"name": "string.quoted.double.world", "begin": '"', "end": r'"|$',
                  "patterns": [{"name": "meta.embedded.world", "begin": r"\\\{", "end": r"\}|$",
                                "beginCaptures": {"0": {"name": "constant.character.escape.world"}}, "endCaptures": {"0": {"name": "constant.character.escape.world"}},
                                "patterns": [{"include": "#braces"}, {"include": "$self"}]},
                               {"name": "constant.character.escape.world", "match": r"\\."}]}],
        "braces": [{"begin": r"\{", "end": r"\}|$", "patterns": [{"include": "#braces"}, {"include": "$self"}]}],
        "number": [{"match": rf"(?<![\w])({NUMBER})(?:[ \t]*({units}))?",
                    "captures": {"1": {"name": "constant.numeric.world"}, "2": {"name": "keyword.other.unit.world"}}}],
        "declaration": [{"match": rf"(?<![\w.])(part|record|contract|type)[ \t]+([A-Za-z_][\w.]*)",
                         "captures": {"1": {"name": "storage.type.world"}, "2": {"name": "entity.name.type.world"}}},
                        {"match": r"(?<![\w.])(fn)[ \t]+([A-Za-z_]\w*)",
                         "captures": {"1": {"name": "storage.type.world"}, "2": {"name": "entity.name.function.world"}}},
                        {"match": r"(?<![\w.])(field|let|var)[ \t]+([A-Za-z_]\w*)",
                         "captures": {"1": {"name": "storage.type.world"}, "2": {"name": "variable.other.world"}}}],
        "word": [{"name": "storage.modifier.world", "match": rf"^[ \t]*(?:{either(LINE_WORDS)})(?=[ \t]+[\"A-Za-z])"},
                 {"name": "storage.modifier.world", "match": r"^world[ \t]+version(?!\w)"},
                 {"name": "storage.modifier.world", "match": r"(?<![\w.])(?:one[ \t]+of|given)(?=[ \t]*\()"},
                 {"name": "storage.type.world", "match": word.format(either(DECLARING))},
                 {"name": "constant.language.world", "match": word.format(either(VALUES))},
                 {"name": "keyword.control.world", "match": word.format(either([w for w in WORDS if w not in DECLARING + VALUES]))}],
        "name": [{"name": "variable.parameter.world", "match": r"(?<![\w.])[A-Za-z_]\w*(?=:)"},
                 {"name": "entity.name.function.world", "match": r"[A-Za-z_]\w*(?=\()"},
                 {"name": "support.type.world", "match": rf"(?<![\w.])(?:{either(TYPES)})(?!\w)"},
                 {"match": r"[A-Za-z_]\w*"}],
        "operator": [{"name": "keyword.operator.world", "match": r"=>|\|\||&&|==|!=|<=|>=|\.\.[<=]|[-+*/%]=?|[<>=!|&^]"}],
    }
    order = ["comment", "text", "number", "word", "declaration", "name", "operator"]
    order[3], order[4] = "declaration", "word"
    grammar = {"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "name": "World", "scopeName": "source.world",
               "fileTypes": ["world"], "patterns": [{"include": f"#{name}"} for name in order], "repository": {name: {"patterns": p} for name, p in patterns.items()}}
    return json.dumps(grammar, indent=2) + "\n"


# -- Vim --

def vim():
    def word(group, words):
        return f"syn keyword {group} {' '.join(words)}\n"

    unit = rf"\%({either(UNITS)})\w@!".replace("|", r"\|").replace(")", r"\)")
    units = rf"{unit}\%(\^-\?\d\+\)\?\%(\/{unit}\%(\^-\?\d\+\)\?\)*"
    return (
        '" Vim syntax of worlds. Made by editors/grammars.py: change that.\n'
        "if exists('b:current_syntax') | finish | endif\n"
        + word("worldDeclaration", DECLARING)
        + word("worldConstant", VALUES)
        + word("worldKeyword", [w for w in WORDS if w not in DECLARING + VALUES])
        + word("worldType", TYPES)
        + rf"syn match worldModifier /^\s*\%({either(LINE_WORDS)}\)\%(\s\+[\"A-Za-z]\)\@=/".replace("|", r"\|") + "\n"
        + "syn match worldModifier /^world\\s\\+version\\>/\n"
        + "syn match worldModifier /\\<\\%(one\\s\\+of\\|given\\)\\%(\\s*(\\)\\@=/\n"
        + "syn match worldArgument /\\.\\@1<!\\<[A-Za-z_]\\w*:\\@=/\n"
        + "syn match worldMember /\\.[A-Za-z_]\\w*/\n"
        + rf"syn match worldNumber /\<\%(0x[0-9A-Fa-f_]\+\|[0-9][0-9_]*\%(\.[0-9][0-9_]*\)\?\%([eE][+-]\?[0-9]\+\)\?\)\%(\s*{units}\)\?/" + "\n"
        + r"""syn region worldText start=/"/ skip=/\\\\\|\\"/ end=/"\|$/ contains=worldHole,worldEscape
syn match worldEscape /\\[^{]/ contained
syn region worldHole matchgroup=worldEscape start=/\\{/ end=/}\|$/ contained contains=TOP
syn match worldComment /\/\/.*$/
syn match worldDoc /\/\/\/.*$/
hi def link worldDeclaration Keyword
hi def link worldKeyword Keyword
hi def link worldModifier StorageClass
hi def link worldConstant Constant
hi def link worldType Type
hi def link worldArgument Identifier
hi def link worldNumber Number
hi def link worldText String
hi def link worldEscape Special
hi def link worldComment Comment
hi def link worldDoc SpecialComment
let b:current_syntax = 'world'
""")


FILES = {"vscode/syntaxes/world.tmLanguage.json": textmate, "vim/syntax/world.vim": vim}


def main():
    stale = []
    for name, make in FILES.items():
        path, text = HERE / name, make()
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.exit(f"not as editors/grammars.py makes them: {', '.join(stale)}")


if __name__ == "__main__":
    main()
