#!/usr/bin/env python3
"""libworld-ahead as WebAssembly, for objects of `worldc compile --target wasm32`.

Usage: ahead.py BUILD OUT. BUILD: a build of this project, whose generated texts are compiled too. OUT gets libworld-ahead.a.
"""
import pathlib
import subprocess
import sys

import engine

# As compiler/ahead/meson.build has it.
LIBRARIES = ["world-stdlib", "world-runtime", "world-terrain", "world-rt", "world-base"]
OWN = [engine.ROOT / "compiler" / name for name in ("ahead/ahead.c", "exec/chunks.c", "exec/entry.c")]


def archive(objects, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    subprocess.run(["emar", "rcs", target, *objects], check=True, env=engine.ENVIRONMENT)


def make(build, out):
    archive(engine.compile_all(build, out, OWN, LIBRARIES), out / "libworld-ahead.a")


if __name__ == "__main__":
    make(*(pathlib.Path(a).resolve() for a in sys.argv[1:3]))
