#!/usr/bin/env python3
"""Which folder may include which: the arrows that the READMEs draw, checked against every #include line.

An arrow is an indented line of a README, `    check -> ir, lang, runtime/base`, or `-> nothing`. Names are of folders
beside that README, or else paths from the root; `.` is the README's own folder. A folder that no README names belongs to
the nearest one above it.

Each folder says what it is for, in a README or at the top of a header. The public header's names know no package of the library.

Usage: layers.py ROOT. Prints each include without an arrow, each arrow that no include uses, each folder without a room or without
a purpose, and each name that knows too much.
"""
import pathlib
import re
import sys

TOP = ("lang", "compiler", "runtime", "stdlib", "gpu", "examples")
# Headers of outside libraries that only one room may include.
OUTSIDE = {
    r"llvm-c/": "compiler/llvm",
    r"(GL|EGL|GLFW|glad)/": "gpu",
    r"editline/|histedit": "compiler/repl",
    r"ffi\.h": "compiler/engine/open",
    r"meshoptimizer": "runtime/mesh",
    r"tiffio": "runtime/rasters",
    r"mpi\.h": "compiler/cli",
}
# The table through which the others load it, and the functions it calls back: all of that room they may see.
PUBLIC_OF_JIT = {"compiler/llvm/jit.h", "compiler/llvm/entry.def"}
SOURCES = (".c", ".h", ".re", ".y", ".def")

ARROW = re.compile(r"^    ([\w./, ]+) +-> +([\w./, ]+)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def split_names(text):
    return [name.strip() for name in text.split(",")] if text != "nothing" else []


def read_arrows(root):
    """{room: {target: "README:line"}} of every README under the top rooms."""
    arrows = {}
    for top in TOP:
        for readme in sorted((root / top).rglob("README.md")):
            folder = readme.parent.relative_to(root)

            def resolve(name):
                beside = folder / name
                return (beside if (root / beside).is_dir() else pathlib.Path(name)).as_posix()

            for number, line in enumerate(readme.read_text(encoding="utf-8").splitlines(), 1):
                if match := ARROW.match(line):
                    where = f"{readme.relative_to(root)}:{number}"
                    rooms, targets = (split_names(text) for text in match.groups())
                    for room in rooms:
                        arrows.setdefault(resolve(room), {}).update((resolve(t), where) for t in targets)
    return arrows


def room_of(arrows, path):
    return max((room for room in arrows if path.startswith(room + "/")), key=len, default=None)


def includes(root):
    """(file, line, target) of every include; world/ is found in runtime/include, what is generated is left out."""
    for top in TOP:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            name = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if match := INCLUDE.match(line):
                    yield name, number, match.group(2)


def outside_complaint(name, target):
    for pattern, owner in OUTSIDE.items():
        if re.match(pattern, target) and not name.startswith(owner + "/"):
            return f"only {owner} may include <{target}>"
    return None


def complaints(root, arrows):
    used = set()
    for name, number, target in includes(root):
        home = room_of(arrows, name)
        if problem := outside_complaint(name, target):
            yield f"{name}:{number}: {problem}"
        path = "runtime/include/" + target if target.startswith("world/") else target
        if not (root / path).is_file():
            continue  # generated, or of an outside library
        there = room_of(arrows, path)
        if home is None or there is None:
            yield f"{name}:{number}: no README says to which room {name if home is None else path} belongs"
        elif there == "compiler/llvm" != home and path not in PUBLIC_OF_JIT:
            yield f"{name}:{number}: {home} sees into compiler/llvm ({target})"
        elif there != home and there not in arrows[home]:
            yield f"{name}:{number}: {home} may not include {there} ({target})"
        used.add((home, there))
    for room, targets in arrows.items():
        for target, where in targets.items():
            if (room, target) not in used:
                yield f"{where}: nothing in {room} includes {target}"


def unnamed(root, arrows):
    """Each folder of the compiler and of the runtime is a room of its own."""
    for top in ("compiler", "runtime"):
        for folder in sorted({f.parent.relative_to(root).as_posix() for f in (root / top).rglob("*.[ch]")}):
            if folder not in arrows:
                yield f"{folder}: no README has arrows of it"


def says_its_purpose(folder):
    return (folder / "README.md").is_file() or any(h.read_text(encoding="utf-8").startswith("/* ") for h in folder.glob("*.h"))


def purposeless(root):
    for top in ("compiler", "runtime"):
        for folder in sorted({f.parent for f in (root / top).rglob("*.[ch]")}):
            if not says_its_purpose(folder):
                yield f"{folder.relative_to(root)}: neither a README nor a header says what it is for"


# Of any world: packages that are called as what hosts have too.
COMMON = {"camera", "colors", "data", "edits", "grid", "hash", "sky", "vector"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def knowing(root):
    """Each name of the public header that has a package's name in it."""
    header = COMMENT.sub("", (root / "runtime/include/world/world.h").read_text(encoding="utf-8"))
    packages = re.findall(r"^PACKAGE\((\w+)", (root / "stdlib/packages.def").read_text(encoding="utf-8"), re.MULTILINE)
    for name in sorted(set(re.findall(r"\w+", header))):
        for package in packages:
            if package not in COMMON and package in name.lower():
                yield f"world.h: '{name}' knows the package {package}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    arrows = read_arrows(root)
    found = [*complaints(root, arrows), *unnamed(root, arrows), *purposeless(root), *knowing(root)]
    print("\n".join(found) if found else "every include follows an arrow")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
