#!/usr/bin/env python3
"""Fails on a function that nobody calls: defined for other files in the project's own objects, and referred to by none of
them. What only the tests call belongs to the tests.

The public headers' functions are for hosts and may be unused here.

Usage: uncalled.py BUILD
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATED = re.compile(r"grammar|glad|main$|^_Z|world_(jit|rasters|mpi)_entry$")  # lemon's, glad's, what C++ makes of templates, and what is found by name
FOR_TESTS = {  # what a test cannot have any other way
    "ast_print_node": "expressions of goldens that are no file",
    "cover_read": "the tufts as the card placed them",
    "file_open_spare": "the code cache, which a build without LLVM has only in its test",
    "folder_is_ours": "the same",
    "ir_read_module": "IR written by hand, for the tests of everything that reads IR",
    "lod_error": "how far the drawn ground may be from the grid's own, which lod.h states",
    "lod_morph": "what the shader does to a vertex",
    "lod_vertex": "the same",
    "mesh_simplify_memory": "how much is held, beside what meshoptimizer took",
    "stdlib_externs": "all natives, each to be found and called",
    "view_cover_note": "what a weak device leaves out, as the overlay says it",
    "view_uploaded": "how much an edit brings to the card",
    "view_messages": "the driver's complaints",
    "view_read_land_height": "what the card drew",
}


def objects(build):
    for folder, _, names in os.walk(build):
        inside = pathlib.Path(folder).relative_to(build).parts
        if inside[:1] and inside[0] in ("tests", "meson-private", "mutation"):
            continue
        yield from (os.path.join(folder, name) for name in names if name.endswith(".o"))


def symbols(paths):
    """{function: an object that defines it for others}, and the names that objects want of each other."""
    defined, wanted = {}, set()
    done = subprocess.run(["nm", "--print-file-name", "--format=posix", *paths], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        path, name, kind = line.replace(": ", " ", 1).split()[:3]
        if kind in "TW":
            defined.setdefault(name, path)
        elif kind == "U":
            wanted.add(name)
    return defined, wanted


def named_inside(path, name):
    """Whether the object's own code or tables name the function otherwise than by a plain call: as a callback."""
    text = subprocess.run(["readelf", "-rW", path], capture_output=True, text=True, check=True).stdout
    sections = re.split(r"\nRelocation section ", text)
    return any(re.search(rf"\s{name}\s", section) for section in sections if not section.startswith("'.rela.debug"))


def main():
    build = sys.argv[1]
    headers = "".join(header.read_text(encoding="utf-8") for header in (ROOT / "runtime/include/world").glob("*.h"))
    public = set(re.findall(r"\bworld_\w+(?=\()", headers))
    defined, used = symbols(objects(build))
    unused = (name for name in defined if name not in used | public | FOR_TESTS.keys() and not GENERATED.search(name))
    dead = sorted(name for name in unused if not named_inside(defined[name], name))
    for name in dead:
        print(f"{name}: nobody calls it outside its file, so it is static or nothing ({os.path.relpath(defined[name], build)})")
    if len(defined) < 1000:
        print(f"only {len(defined)} functions found: are these the objects?")
        return 1
    return 1 if dead else 0


sys.exit(main())
