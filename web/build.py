#!/usr/bin/env python3
"""The page's own files, for `worldc web`: the engine as WebAssembly (engine.py), and page/ in two bundles, with three.js.

emcc, node and npm are the system's; what npm gives is pinned in package-lock.json and lands in OUT.

Usage: build.py BUILD OUT PAGE. BUILD: of this project, whose sources and generated texts are compiled; OUT: where objects lie and stay;
PAGE: the folder that becomes the page's.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import engine

HERE = engine.HERE
LINK = ["-sMODULARIZE=1", "-sEXPORT_ES6=1", "-sENVIRONMENT=worker", "-sINVOKE_RUN=0", "-sEXPORTED_RUNTIME_METHODS=ccall,FS,HEAPU8,addFunction,removeFunction", "-sALLOW_TABLE_GROWTH=1",
        "-Wl,--export=__stack_pointer", "--no-entry"]
# What the page calls, and where it finds machine code that came with it.
OWN = [HERE / "engine/web.c", HERE / "engine/code.c", *(engine.ROOT / "compiler/llvm" / name for name in ("names.c", "facts.c", "variant.c"))]


def npm(out):
    """The folder of what is pinned."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy2(HERE / name, out)
    done = out / "node_modules/.package-lock.json"
    if not done.exists() or done.stat().st_mtime < (HERE / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=out, check=True)
    return out / "node_modules"


def bundle(modules, out, page):
    subprocess.run([modules / ".bin/esbuild", HERE / "page/page.js", HERE / "page/worker.js", "--bundle", "--format=esm", "--minify", "--target=es2022",
                    "--legal-comments=none", "--log-level=warning", f"--alias:engine={out / 'world.mjs'}", f"--outdir={page}"],
                   env=dict(os.environ, NODE_PATH=str(modules)), check=True)


def main():
    build, out, page = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    page.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    engine.make(build, out, OWN, LINK, out / "world.mjs")
    bundle(npm(out), out, page)
    for file in (out / "world.wasm", HERE / "page/index.html", HERE / "page/style.css"):
        shutil.copyfile(file, page / file.name)


if __name__ == "__main__":
    main()
