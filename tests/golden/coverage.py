#!/usr/bin/env python3
"""Every diagnostic and every fault has a number of its own and is shown by some test: lists those that have not, and fails.

    coverage.py ROOT

A golden names a diagnostic by its number (E0301), a test in C by its name (RT_FAULT_LIMIT, DIAG_E_LIMIT). It counts where
a test compares it: what a world is told (`//~`, `//!`) or answered (`//>`), what a command printed, C's code, Python's texts; in a comment
it shows nothing. What cannot be shown by an input is in UNSHOWN, each with the reason; a reason that no longer holds fails too.
"""
import ast
import pathlib
import re
import sys

UNSHOWN = {
    "E0223": "the parser refuses it first, as E0114",
    "E0231": "only the standard library has fault(...)",
    "E0306": "the parser refuses it first, as E0107",
    "E0516": "a signature that was accepted and that libffi then refuses",
}


def rows(path, macro):
    """(name, number) of each row; the macro that a .def defines for another's rows has no digits there."""
    return re.findall(rf"^{macro}\((\w+), (\d+),", path.read_text(encoding="utf-8"), re.M)


def told(text):
    return re.findall(r"//[~>!](.*)", text)


def printed(text):
    return [line for line in text.splitlines() if not line.startswith(("# ", "$ "))]


def c_code(text):
    return [re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)]


def python_texts(text):
    tree = ast.parse(text)
    said = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
            and node.body and isinstance(node.body[0], ast.Expr)}  # doc strings
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said]


COMPARED = {".world": told, ".package": told, ".cli": printed, ".c": c_code, ".h": c_code, ".py": python_texts}


def main():
    root = pathlib.Path(sys.argv[1])
    found = [(f"{name[0]}{int(number):04}", name) for name, number in rows(root / "lang/diag.def", "DIAG")]
    found += [(f"E{int(number):04}", name) for name, number in rows(root / "runtime/base/fault.def", "FAULT")]
    wanted = dict(found)
    words = set()
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in COMPARED and path.name != "coverage.py":
            for text in COMPARED[path.suffix](path.read_text(encoding="utf-8", errors="replace")):
                words.update(re.findall(r"\w+", text))
    failures = 0
    for number, name in found:
        if wanted[number] != name:
            failures += 1
            print(f"{number} {name}: {wanted[number]} has this number too")
    for code, name in sorted(wanted.items()):
        shown = code in words or f"DIAG_{name}" in words or f"RT_{name}" in words
        if shown == (code in UNSHOWN):
            failures += 1
            print(f"{code} {name}: " + ("is shown now: take it out of UNSHOWN" if shown else "no test shows it"))
    print(f"{len(wanted)} diagnostics, {len(UNSHOWN)} not to be shown, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
