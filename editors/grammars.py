#!/usr/bin/env python3
"""Writes the grammars that editors color texts by, before or without the language server: a TextMate grammar (Visual Studio Code and
others), a syntax file for Vim and a mode for Emacs. Words, units and types are those of the compiler's own tables.

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


# -- Emacs --

EMACS = r""";;; world-mode.el --- worlds, colored  -*- lexical-binding: t -*-
;;; Commentary:
;; Made by editors/grammars.py: change that.  `worldc lsp' answers for the rest, by Eglot.
;;; Code:

(require 'seq)

(defun world--pieces ()
  "Texts and comments of this line, as (BEGIN END FACE); holes are code."
  (let ((end (line-end-position)) (at (line-beginning-position)) (holes '()) (text nil) (pieces '()))
    (while (< at end)
      (let ((this (char-after at)) (next (char-after (1+ at))))
        (cond
         ((and text (eq this ?\\) (eq next ?{))
          (push (list text at 'font-lock-string-face) pieces)
          (setq text nil at (1+ at))
          (push 0 holes))
         ((and text (eq this ?\\)) (setq at (1+ at)))
         ((and text (eq this ?\"))
          (push (list text (1+ at) 'font-lock-string-face) pieces)
          (setq text nil))
         (text nil)
         ((eq this ?\") (setq text at))
         ((and (eq this ?/) (eq next ?/))
          (push (list at end (if (eq (char-after (+ at 2)) ?/) 'font-lock-doc-face 'font-lock-comment-face)) pieces)
          (setq at end))
         ((and holes (eq this ?{)) (setcar holes (1+ (car holes))))
         ((and holes (eq this ?}))
          (if (> (car holes) 0)
              (setcar holes (1- (car holes)))
            (pop holes)
            (setq text (1+ at)))))
        (setq at (1+ at))))
    (when (and text (< text end)) (push (list text end 'font-lock-string-face) pieces))
    (nreverse pieces)))

(defvar world--face nil "Of the piece that was found last.")

(defun world--next-piece (limit)
  "Find the next text or comment before LIMIT; neither goes past its line."
  (let (found)
    (while (and (not found) (< (point) limit))
      (setq found (seq-find (lambda (piece) (and (>= (car piece) (point)) (< (car piece) (cadr piece)))) (world--pieces)))
      (unless found (forward-line 1)))
    (when (and found (<= (cadr found) limit))
      (setq world--face (nth 2 found))
      (set-match-data (list (car found) (cadr found)))
      (goto-char (cadr found)))))

(defconst world-font-lock-keywords
  `((world--next-piece 0 world--face)
    (,(concat "\\_<\\(?:0x[0-9A-Fa-f_]+\\|[0-9][0-9_]*\\(?:\\.[0-9][0-9_]*\\)?\\(?:[eE][+-]?[0-9]+\\)?\\)"
              "\\(?:[ \t]*UNITS\\)?")
     0 'font-lock-constant-face)
    ("^[ \t]*\\(LINE_WORDS\\)[ \t]+[\"A-Za-z]" 1 'font-lock-builtin-face)
    ("^\\(world[ \t]+version\\)\\_>" 1 'font-lock-builtin-face)
    ("\\_<\\(one[ \t]+of\\|given\\)[ \t]*(" 1 'font-lock-builtin-face)
    ("\\(?:^\\|[^.[:alnum:]_]\\)\\(WORDS\\)\\_>" 1 'font-lock-keyword-face)
    ("\\_<\\([A-Za-z_][[:alnum:]_]*\\):" 1 'font-lock-variable-name-face)
    ("\\(?:^\\|[^.[:alnum:]_]\\)\\(TYPES\\)\\_>" 1 'font-lock-type-face))
  "What `world-mode' colors, in this order.")

(defvar world-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (dolist (operator '(?+ ?- ?* ?% ?< ?> ?= ?! ?& ?| ?^)) (modify-syntax-entry operator "." table))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    table)
  "Comments begin with two slashes.")

;;;###autoload
(define-derived-mode world-mode prog-mode "World"
  "For worlds of `worldc'."
  (setq-local comment-start "// " comment-start-skip "///?[ \t]*" comment-end ""
              indent-tabs-mode nil tab-width 2 standard-indent 2
              font-lock-defaults '(world-font-lock-keywords t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.world\\'" . world-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(world-mode "worldc" "lsp")))

(provide 'world-mode)
;;; world-mode.el ends here
"""


def emacs():
    def any_of(words):
        return r"\\|".join(words)

    unit, power = rf"\\(?:{any_of(UNITS)}\\)\\_>", r"\\(?:\\^-?[0-9]+\\)?"
    units = rf"{unit}{power}\\(?:/{unit}{power}\\)*"
    return EMACS.replace("UNITS", units).replace("LINE_WORDS", any_of(LINE_WORDS)).replace("WORDS", any_of(WORDS)).replace("TYPES", any_of(TYPES))


FILES = {"vscode/syntaxes/world.tmLanguage.json": textmate, "vim/syntax/world.vim": vim, "emacs/world-mode.el": emacs}


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
