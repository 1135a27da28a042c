#!/usr/bin/env python3
"""The engine as WebAssembly, in node: its hashes against those that answers.py wrote.

emcc and node are the system's. Left out are LLVM, GL and OpenEXR; libpng, libffi and meshoptimizer are headers alone, and calling
them would end the program. There is one thread.

Usage: wasm.py BUILD OUT ANSWERS. BUILD: a build of the interpreter alone, whose sources and generated texts are compiled.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, OUT, ANSWERS = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
HEADERS = ["xxhash.h", "meshoptimizer.h", "zlib.h", "libpng16/*.h", "*/zconf.h", "*/ffi.h", "*/ffitarget.h"]
FLAGS = ["-O2", "-std=c17", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-math-errno", "-DXXH_INLINE_ALL", "-DKERNEL_SET=kernels_plain",
         '-DWORLD_LIBDIR="/none"', f"-I{ROOT}", f"-I{BUILD}", f"-I{ROOT}/runtime/include", f"-I{OUT}/include", "-w"]
LINK = ["-O2", "-sALLOW_MEMORY_GROWTH=1", "-sINITIAL_MEMORY=128MB", "-sTOTAL_STACK=8MB", "-sNODERAWFS=1", "-sERROR_ON_UNDEFINED_SYMBOLS=0",
        "-sEXIT_RUNTIME=1"]
# Debian's emcc looks for acorn where Debian's node has it; its programs know no `fetch` of node's own.
ENVIRONMENT = dict(os.environ, NODE_PATH="/usr/share/nodejs")


def emcc(*arguments, **more):
    done = subprocess.run(["emcc", *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT, check=False, **more)
    if done.returncode:
        sys.exit(done.stderr[-4000:])


def engine_sources():
    """By folder, what libworld is made of."""
    made = {"world-export", "stdlib-gen"}
    folders = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        library = entry["output"].split("/lib")[-1].split(".a.p/")
        if len(library) == 2 and library[0] not in made and library[0] != "world-kernels_avx2":
            source = pathlib.Path(os.path.normpath(BUILD / entry["file"]))
            folders.setdefault(source.parent, []).append(source)
    return folders


def compile_folder(folder, sources):
    into = OUT / "objects" / str(folder).strip("/").replace("/", "_")
    into.mkdir(parents=True, exist_ok=True)
    emcc(*FLAGS, "-c", *sources, cwd=into)


def make():
    (OUT / "include").mkdir(parents=True, exist_ok=True)
    shutil.rmtree(OUT / "objects", ignore_errors=True)
    for pattern in HEADERS:
        for header in pathlib.Path("/usr/include").glob(pattern):
            shutil.copy(header, OUT / "include")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(compile_folder, *row) for row in engine_sources().items()]:
            done.result()
    emcc(*FLAGS, *LINK, ROOT / "tests/portable/wasm_hash.c", *sorted((OUT / "objects").rglob("*.o")), "-o", OUT / "world.js")


def main():
    make()
    differ = 0
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        example, what, want = (line.split() + ["", "", ""])[:3]
        if what != "hash":
            continue
        done = subprocess.run(["node", "--no-experimental-fetch", OUT / "world.js", ROOT / "examples" / example], capture_output=True, text=True,
                              env=ENVIRONMENT, check=False)
        if done.stdout.strip() != want:
            differ += 1
            print(f"{example}: {want}, and as WebAssembly {done.stdout.strip()} {done.stderr[-300:]}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
