#!/usr/bin/env python3
"""Which room may include which: the arrows of the architecture, checked against every #include line.

Usage: layers.py ROOT. Prints each arrow that is not in the table, and fails if there is one.
"""
import pathlib
import re
import sys

# room -> rooms it may include (itself is always allowed). The longest matching folder is a file's room.
ALLOWED = {
    "runtime/base": [],
    "lang": ["runtime/base"],
    "runtime": ["runtime/base"],
    "runtime/export": ["runtime", "runtime/base"],
    "stdlib": ["runtime", "runtime/base"],
    "stdlib/gen": ["lang", "runtime/base", "stdlib"],
    "compiler": ["lang", "runtime", "runtime/base", "runtime/include", "stdlib", "compiler/llvm", "compiler/cli"],
    "compiler/llvm": ["lang", "runtime", "runtime/base", "compiler"],
    "compiler/cli": ["runtime/include", "runtime/export", "gpu"],
    "compiler/repl": ["runtime/include", "compiler/cli"],
    "gpu": ["runtime/include", "runtime/export", "runtime/base", "runtime"],
    "examples": ["runtime/include"],
}
# Headers of outside libraries that only one room may include.
OUTSIDE = {
    r"llvm-c/": "compiler/llvm",
    r"(GL|EGL|GLFW|glad)/": "gpu",
    r"editline/|histedit": "compiler/repl",
    r"ffi\.h": "compiler/engine",
}
# The table through which the others load it, and the functions it calls back: all of that room they may see.
PUBLIC_OF_JIT = {"compiler/llvm/jit.h", "compiler/llvm/entry.def"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    return max((room for room in ALLOWED if path == room or path.startswith(room + "/")), key=len, default=None)


def target_room(root, name):
    if name.startswith("world/"):
        return "runtime/include"
    if (root / name).exists():
        return room_of(name) if not name.startswith("runtime/include/") else "runtime/include"
    return None  # generated, or of an outside library


def complaints(root):
    for room in ("lang", "compiler", "runtime", "stdlib", "gpu", "examples"):
        for file in sorted((root / room).rglob("*")):
            if file.suffix not in (".c", ".h", ".re", ".y", ".def"):
                continue
            name = file.relative_to(root).as_posix()
            home = room_of(name)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = match.group(2)
                for pattern, owner in OUTSIDE.items():
                    if re.match(pattern, target) and not name.startswith(owner + "/"):
                        yield f"{name}:{number}: only {owner} may include <{target}>"
                there = target_room(root, target)
                if there is None or there == home:
                    continue
                if there == "compiler/llvm" and target not in PUBLIC_OF_JIT:
                    yield f"{name}:{number}: {home} sees into compiler/llvm ({target})"
                elif there not in ALLOWED[home]:
                    yield f"{name}:{number}: {home} may not include {there} ({target})"


def main():
    found = list(complaints(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "every include follows the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
