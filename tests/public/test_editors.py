#!/usr/bin/env python3
"""What editors are given: grammars that are made of the compiler's tables, and color texts as the compiler reads them.

Every example is colored by the TextMate grammar, and by Vim and Emacs (where there are such), and each word, number, text and comment held against
the language server's tokens.

Usage: test_editors.py WORLDC SOURCE
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WORLDC, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
EDITORS = SOURCE / "editors"
EXAMPLES = [SOURCE / "examples" / f"{name}.world" for name in ("grove", "boss", "town", "dungeon", "wilds2d", "planet")]


def messages(*bodies):
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(b), b) for b in (json.dumps({"jsonrpc": "2.0", **m}).encode() for m in bodies))


def server_tokens(text):
    """{(line, column): (end, kind)} of keywords, numbers, texts and comments."""
    place = {"textDocument": {"uri": "file:///a.world"}}
    done = subprocess.run([WORLDC, "lsp"], stdout=subprocess.PIPE, check=True, input=messages(
        {"id": 1, "method": "initialize", "params": {"capabilities": {"general": {"positionEncodings": ["utf-16"]}}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a.world", "version": 1, "languageId": "world", "text": text}}},
        {"id": 2, "method": "textDocument/semanticTokens/full", "params": place}, {"id": 3, "method": "shutdown"}, {"method": "exit"}))
    answers = {}
    rest = done.stdout
    while rest:
        head, rest = rest.split(b"\r\n\r\n", 1)
        length = int(head.split(b":")[1])
        answer = json.loads(rest[:length])
        answers[answer.get("id")] = answer
        rest = rest[length:]
    legend = answers[1]["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data, line, column, out = answers[2]["result"]["data"], 0, 0, {}
    for n in range(0, len(data), 5):
        line, column = line + data[n], data[n + 1] + (0 if data[n] else column)
        if legend[data[n + 3]] in ("keyword", "number", "string", "comment"):
            out[line, column] = (column + data[n + 2], legend[data[n + 3]])
    return out


# -- a TextMate engine, as far as the grammar goes: match, begin and end, captures, include; a rule that opens ends with its line --

KINDS = (("comment", "comment"), ("string", "string"), ("constant.numeric", "number"), ("keyword.other.unit", "number"), ("storage.type", "keyword"),
         ("keyword.control", "keyword"), ("constant.language", "keyword"))


def kind_of(scope):
    return next((kind for start, kind in KINDS if scope.startswith(start)), "")


class TextMate:
    def __init__(self, grammar):
        self.grammar, self.compiled = grammar, {}

    def rules(self, patterns):
        for pattern in patterns:
            include = pattern.get("include")
            if include == "$self":
                yield from self.rules(self.grammar["patterns"])
            elif include:
                yield from self.rules(self.grammar["repository"][include[1:]]["patterns"])
            else:
                yield pattern

    def regex(self, source):
        if source not in self.compiled:
            self.compiled[source] = re.compile(source)
        return self.compiled[source]

    def line(self, text):
        """The kind of each character."""
        kinds, at, stack = [""] * len(text), 0, [(self.grammar["patterns"], None, "")]

        def paint(start, end, kind):
            kinds[start:end] = [kind] * (end - start)

        while at <= len(text):
            patterns, end, kind = stack[-1]
            found = [(m.start(), n, m, rule) for n, rule in enumerate(self.rules(patterns)) if (m := self.regex(rule.get("match") or rule["begin"]).search(text, at))]
            closing = end and self.regex(end).search(text, at)
            first = min(found, key=lambda f: f[:2]) if found else None
            if closing and (not first or closing.start() <= first[0]):
                paint(at, closing.end(), kind)
                at = closing.end()
                stack.pop()
                if closing.end() == len(text) and closing.start() == closing.end():
                    break
                continue
            if not first:
                paint(at, len(text), kind)
                break
            _, _, m, rule = first
            paint(at, m.start(), kind)
            own = kind_of(rule.get("name", "")) or (kind if "meta" not in rule.get("name", "") else "")
            paint(m.start(), m.end(), own)
            for number, capture in rule.get("captures", {}).items():
                if m.group(int(number)) is not None:
                    paint(m.start(int(number)), m.end(int(number)), kind_of(capture["name"]))
            if "begin" in rule:
                stack.append((rule.get("patterns", []), rule["end"], own if "meta" not in rule.get("name", "") else ""))
            at = m.end() if m.end() > m.start() else m.end() + 1
        return kinds


def compare(name, text, colored):
    """`colored`: for each line the kind of each character."""
    tokens, wrong = server_tokens(text), []
    for (line, column), (end, kind) in tokens.items():
        got = set(colored[line][column:end])
        # In a number with a unit the blank between is nobody's; in a text what stands for something else is its own.
        if kind == "keyword" and got != {"keyword"} or kind == "comment" and got != {"comment"} or kind in ("number", "string") and colored[line][column] != kind:
            wrong.append(f"{name}:{line + 1}:{column + 1}: {text.splitlines()[line][column:end]!r} is a {kind}, colored {sorted(got)}")
    for line, kinds in enumerate(colored):
        for column, kind in enumerate(kinds):
            if kind in ("keyword", "comment") and not any(tokens.get((line, start), (0, ""))[0] > column and tokens[line, start][1] == kind for start in range(column, -1, -1) if (line, start) in tokens):
                wrong.append(f"{name}:{line + 1}:{column + 1}: {text.splitlines()[line][column:column + 8]!r} is no {kind}")
                break
    return wrong


def test_grammar():
    subprocess.run([sys.executable, EDITORS / "grammars.py", "--check"], check=True)
    engine = TextMate(json.loads((EDITORS / "vscode/syntaxes/world.tmLanguage.json").read_text(encoding="utf-8")))
    wrong = []
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        wrong += compare(path.name, text, [engine.line(line) for line in text.splitlines()])
    assert not wrong, "\n".join(wrong[:20])


VIM = r"""
set nocompatible
set runtimepath^={editors}/vim
syntax on
filetype plugin on
edit {world}
setfiletype world
syntax sync fromstart
let out = []
for line in range(1, line('$'))
  let kinds = []
  for column in range(1, col([line, '$']) - 1)
    call add(kinds, synIDattr(synID(line, column, 1), 'name'))
  endfor
  call add(out, join(kinds, ','))
endfor
call writefile(out, '{out}')
qall!
"""
VIM_KINDS = {"worldDeclaration": "keyword", "worldKeyword": "keyword", "worldConstant": "keyword", "worldNumber": "number", "worldText": "string",
             "worldComment": "comment", "worldDoc": "comment"}


def test_vim():
    if not shutil.which("vim"):
        return
    path = EXAMPLES[0]
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        script, out = pathlib.Path(folder) / "script.vim", pathlib.Path(folder) / "out"
        script.write_text(VIM.replace("{editors}", str(EDITORS)).replace("{world}", str(path)).replace("{out}", str(out)), encoding="utf-8")
        subprocess.run(["vim", "-u", "NONE", "-N", "-i", "NONE", "-n", "-es", "-S", script], timeout=60, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        colored = [[VIM_KINDS.get(k, "") for k in line.split(",")] for line in out.read_text(encoding="utf-8").split("\n")]
    if text.isascii():  # Vim counts bytes
        wrong = compare(path.name, text, colored)
        assert not wrong, "\n".join(wrong[:20])


EMACS = r"""
(require 'world-mode)
(dolist (file command-line-args-left)
  (with-current-buffer (find-file-noselect file)
    (unless (eq major-mode 'world-mode) (error "%s is no world" file))
    (font-lock-ensure)
    (dotimes (n (- (point-max) 1))
      (princ (if (eq (char-after (1+ n)) ?\n) "\n" (format "%s," (get-text-property (1+ n) 'face)))))
    (princ "\f\n")))
"""
EMACS_KINDS = {"font-lock-keyword-face": "keyword", "font-lock-constant-face": "number", "font-lock-string-face": "string",
               "font-lock-comment-face": "comment", "font-lock-doc-face": "comment"}


def test_emacs():
    emacs = shutil.which("emacs")
    if not emacs:
        return
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script.el"
        script.write_text(EMACS, encoding="utf-8")
        # Compiled in memory, for what the compiler warns of.
        warned = subprocess.run([emacs, "-Q", "--batch", "--eval", "(setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) (concat %s \"/w.elc\")))" % json.dumps(folder),
                                 "-f", "batch-byte-compile", EDITORS / "emacs/world-mode.el"], timeout=60, capture_output=True, text=True, check=False)
        assert warned.returncode == 0, warned.stderr
        said = subprocess.run([emacs, "-Q", "--batch", "-L", EDITORS / "emacs", "-l", script, *EXAMPLES], timeout=60, capture_output=True, text=True, check=True).stdout
    wrong = []
    for path, colored in zip(EXAMPLES, said.split("\f\n")):
        text = path.read_text(encoding="utf-8")
        wrong += compare(path.name, text, [[EMACS_KINDS.get(face, "") for face in line.split(",")[:-1]] for line in colored.split("\n")])
    assert not wrong, "\n".join(wrong[:20])


def test_package():
    folder = EDITORS / "vscode"
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    gives = package["contributes"]
    files = [package["main"], gives["languages"][0]["configuration"], gives["grammars"][0]["path"], gives["snippets"][0]["path"]]
    missing = [f for f in files if not (folder / f).is_file()]
    assert not missing, missing
    for name in files[1:]:
        json.loads((folder / name).read_text(encoding="utf-8"))
    # What `npx vsce package` asks for, and what the package's own prepublish step copies from here.
    assert package["license"] == "MIT" and "@vscode/vsce" in package["devDependencies"] and (folder / "README.md").is_file() and (SOURCE / "LICENSE").is_file()
    assert (SOURCE / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    client = (folder / "extension.js").read_text(encoding="utf-8")
    without = [c["command"] for c in gives["commands"] if f'registerCommand("{c["command"]}"' not in client]
    assert not without, without
    node = shutil.which("node")
    if node:
        subprocess.run([node, "--check", folder / "extension.js"], check=True)


def main():
    failed = 0
    for name, case in [(n, f) for n, f in globals().items() if n.startswith("test_")]:
        try:
            case()
            print(f"{name}: fine")
        except Exception as problem:  # each case tells its own
            failed += 1
            print(f"{name}: {type(problem).__name__}: {problem}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
