#!/usr/bin/env python3
"""Worlds compiled ahead of time: each function of the header gives the engine's bits, the same text gives the same object, the
example's host runs and links nothing of LLVM, and what is refused says why.

Usage: ahead.py SOURCE_DIR BUILD_DIR [TARGET LIBRARIES CC RUNNER]. With the last four for another machine: the answers alone, of a build
for it in LIBRARIES, by its compiler, under what runs its programs.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
TARGET, LIBRARIES, CC, RUNNER = sys.argv[3:] or ("", BUILD, "cc", "")
WASM = TARGET.startswith("wasm") # linked whole
CC, RUNNER = shlex.split(CC), shlex.split(RUNNER)
INCLUDE = SOURCE / "runtime/include"
AHEAD, ENGINE = (pathlib.Path(LIBRARIES).resolve() / "compiler" / room for room in ("ahead", "engine"))
LETTERS = {"double": "F", "int64_t": "I", "uint32_t": "W", "bool": "B"}


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_world(world, folder, *options, name=None):
    stem = folder / (name or world.stem)
    run(BUILD / "compiler/cli/worldc", "compile", world, "-q", "-o", f"{stem}.o", "--header", f"{stem}.h", *options)
    return pathlib.Path(f"{stem}.h").read_text(encoding="utf-8")


def functions(header, prefix):
    """(the engine's name, the number's name, letters of the arguments) of each."""
    pattern = re.compile(rf"/\* (.*?) \*/\nenum \{{ {prefix}_(\w+)_NUMBER = (\d+) \}};\nstatic inline WorldAheadStatus \w+\(WorldAhead \*world(.*?), \w+ \*?answer",
                         re.S)
    for doc, name, number, parameters in pattern.findall(header):
        part = re.search(r"\* of ([\w.]+), in whose frame", doc)
        dotted = f"{part[1]}.{name[len(part[1]) + 1:]}" if part else name
        if field := re.search(r"field \w+: (\w+)", doc): # asked of the engine as a function of nothing
            dotted = f"fn() {field[1]} {{ {dotted} }}"
        letters = ""
        for parameter in filter(None, parameters.split(", ")):
            type_ = next(t for t in LETTERS if t in parameter)
            letters += LETTERS[type_] * (3 if "[3]" in parameter else 1)
        yield dotted, number, letters


def link(source, folder, target, *objects):
    run(*CC, "-std=c11", "-Wall", "-Wextra", "-Werror", source, *objects, f"-I{folder}", f"-I{INCLUDE}", f"-L{AHEAD}", f"-L{ENGINE}",
        "-lworld-ahead", *(["-lworld"] if "host" in source.name else []), *([] if WASM else [f"-Wl,-rpath,{AHEAD}:{ENGINE}"]), "-o", target)


def compare(world, folder, least, *options):
    """Every function of a world, against the engine."""
    prefix = world.stem
    header = compile_world(world, folder, *options, *(["--target", TARGET] if TARGET else []))
    rows = list(functions(header, prefix))
    if len(rows) < least or len(rows) != header.count("_NUMBER ="):
        sys.exit(f"{world}: {len(rows)} functions found in the header")
    table = ",\n".join(f'    {{"{name}", {number}, "{letters}"}}' for name, number, letters in rows)
    (folder / "asked.h").write_text(f'#include "{prefix}.h"\n#define OPEN {prefix}_open\n#define IMAGE {prefix}_image\n'
                                    f"static const struct {{ const char *name; int number; const char *letters; }} asked[] = {{\n{table}}};\n",
                                    encoding="utf-8")
    asks = run("llvm-nm-19" if WASM else "nm", "-u", folder / f"{prefix}.o")
    strange = {u.split()[-1] for u in asks.splitlines()} - {"memcpy", "memmove", "memset", "__multi3", "__stack_pointer", "__indirect_function_table"}
    if strange := {s for s in strange if not s.startswith("worldrt_")}: # of the platform's libm, say
        sys.exit(f"{world}: the object asks for {sorted(strange)}")
    link(SOURCE / "tests/api/ahead_host.c", folder, folder / "host", folder / f"{prefix}.o")
    environment = dict(os.environ, WORLD_JIT_LIBRARY=str(BUILD / "compiler/llvm/libworld-jit.so"))
    answer = run(*RUNNER, folder / "host", world, env=environment)
    if answer != f"{len(rows)} functions\n":
        sys.exit(f"{world}: {answer}")


def check_header(folder):
    """C++ takes it, and says what the world's text says."""
    text = (folder / "floating.h").read_text(encoding="utf-8")
    for part in ("How far inside the border", "inland(here: point) number", "groundUnder: it answers a point?"):
        if part not in text:
            sys.exit(f"floating.h does not say {part!r}")
    source = folder / "header.cpp"
    source.write_text('#include "floating.h"\nint main() { return floating_open(nullptr, nullptr); }\n', encoding="utf-8")
    run("c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", source)


def check_example(folder):
    """Asks the island's formulas and its land, which a field of grids was worked out for."""
    link(SOURCE / "examples/embed/ahead.c", folder, folder / "ahead", folder / "island.o")
    answer = run(*RUNNER, folder / "ahead").strip()
    if answer != "4.600":
        sys.exit(f"ahead answered {answer!r}")
    if WASM:
        return
    libraries = run("ldd", folder / "ahead")
    if "LLVM" in libraries or "libworld." in libraries:
        sys.exit(f"the host is linked with more than it needs:\n{libraries}")


FAULTS = """field seed: seed = 7
fn third(i: int) int {
  [10, 20, 30][i]
}
fn begun(first: u32) u32 { seed + first }
fn near(double: bool) number { if double { 1 } else { 2 } }
"""
FAULTS_HOST = """#include <stdio.h>
#include "faults.h"
int main(void) {
    WorldAhead *world;
    int64_t third = 5;
    uint32_t begun = 0;
    double near = 0;
    WorldAheadSlot bad = {.w = 2};
    if (faults_open(&(WorldAheadDesc){.has_seed = true, .seed = 40}, &world) != WORLD_AHEAD_OK) return 1;
    printf("%d ", faults_third(world, 2, &third));
    printf("%d ", faults_third(world, 3, &third));
    printf("%lld '%s' ", (long long)third, world_ahead_error(world));
    printf("%d ", faults_begun(world, 2, &begun));
    printf("%d ", faults_near(world, true, &near));
    printf("%u %g ", begun, near);
    printf("%d\\n", world_ahead_call(world, faults_near_NUMBER, 1, &bad, &bad));
    world_ahead_close(world);
    return 0;
}
"""


def check_faults(folder):
    """A call that fails says where in the text and leaves the answer alone; the seed is the host's; no bool is 2."""
    (folder / "faults.world").write_text(FAULTS, encoding="utf-8")
    (folder / "faults.c").write_text(FAULTS_HOST, encoding="utf-8")
    compile_world(folder / "faults.world", folder)
    link(folder / "faults.c", folder, folder / "faults", folder / "faults.o")
    answer = run(folder / "faults")
    want = f"0 1 30 '{folder}/faults.world:3: an index is outside its list: index 3 of 3' 0 0 42 1 3\n"
    if answer != want:
        sys.exit(f"faults answered {answer!r}\nand not          {want!r}")


def check_refusals(folder):
    """What no object is made for."""
    for options, why in ((["--target", "riscv64"], "objects are made for x86_64-linux-gnu, aarch64-linux-gnu and wasm32, not for 'riscv64'"),
                         (["--target", "wasm32", "--processor", "native"], "this machine's own processor is none of that target"),
                         (["--processor", "pentium"], "'pentium' is no processor of that target: native, x86-64-v2, x86-64-v3 or x86-64-v4"),
                         (["--target", "aarch64-linux-gnu", "--processor", "x86-64-v3"], "'x86-64-v3' is no processor of that target"),
                         (["-o", f"{folder}/none/x.o"], "cannot write")):
        done = subprocess.run([BUILD / "compiler/cli/worldc", "compile", SOURCE / "examples/grove.world", "-o", f"{folder}/x.o", "--header",
                               f"{folder}/x.h", *options], capture_output=True, text=True)
        if done.returncode == 0 or why not in done.stderr or (folder / "x.o").exists():
            sys.exit(f"{options}: exit code {done.returncode}, {done.stderr}")


def check_options(folder):
    """The same object again; grids that lie in it; a seed; another machine's."""
    grove = SOURCE / "examples/grove.world"
    first = (folder / "grove.o").read_bytes()
    compile_world(grove, folder, name="again")
    if (folder / "again.o").read_bytes() != first:
        sys.exit("compiled again, the grove is another object")
    compile_world(grove, folder, "--static", name="static")
    if (folder / "static.o").stat().st_size < len(first) + 513 * 513 * 4:
        sys.exit("with --static the grove's grid is not in the object")
    compile_world(grove, folder, "--target", "aarch64-linux-gnu", name="arm")
    if "AArch64" not in run("readelf", "-h", folder / "arm.o"):
        sys.exit("the object of --target aarch64-linux-gnu is of another machine")
    header = (folder / "grove.h").read_text(encoding="utf-8")
    if compile_world(grove, folder, "--target", "wasm32", name="wasm").replace("wasm_", "grove_").replace("OF_wasm", "OF_grove") != header:
        sys.exit("the header of --target wasm32 is another")
    if not (folder / "wasm.o").read_bytes().startswith(b"\0asm\1\0\0\0"):
        sys.exit("the object of --target wasm32 is no WebAssembly")


def sections(module):
    """(kind, body) of each, of a WebAssembly module."""
    def number(at):
        value, shift = 0, 0
        while True:
            value, shift, at = value | (module[at] & 127) << shift, shift + 7, at + 1
            if module[at - 1] < 128:
                return value, at
    at = 8
    while at < len(module):
        size, begin = number(at + 1)
        yield module[at], module[begin:begin + size]
        at = begin + size


def check_page(folder):
    """Machine code for a page: a module that exports kernels by their keys, and is the same when made again; none without LLVM."""
    (folder / "parts").mkdir()
    (folder / "parts/world.wasm").touch()
    for page, *options in (["once"], ["again"], ["plain", "--exec", "interp"]):
        run(BUILD / "compiler/cli/worldc", "web", SOURCE / "examples/grove.world", "-q", "--page", folder / "parts", "-o", folder / page, *options)
    module = (folder / "once/code.wasm").read_bytes()
    kinds = {kind: body for kind, body in sections(module)}
    if not module.startswith(b"\0asm\1\0\0\0") or not {1, 2, 3, 7, 10} <= kinds.keys() or kinds.keys() & {9, 11, 12}:
        sys.exit(f"code.wasm has sections {sorted(kinds)}")
    if len(re.findall(rb"\x10[0-9a-f]{16}\0", kinds[7])) != kinds[7][0] or kinds[7][0] < 30:
        sys.exit("code.wasm does not export kernels by their keys")
    if (folder / "again/code.wasm").read_bytes() != module:
        sys.exit("made again, the code of a page is another")
    told = [json.loads((folder / page / "world.json").read_text(encoding="utf-8"))["code"] for page in ("once", "plain")]
    if told != [True, False] or (folder / "plain/code.wasm").exists():
        sys.exit(f"world.json says {told} of code")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compare(SOURCE / "examples/grove.world", folder, 6)
        compare(SOURCE / "examples/floating.world", folder, 9, *([] if TARGET else ["--processor", "native"]))
        if not TARGET:
            check_header(folder)
            check_options(folder)
            check_refusals(folder)
            check_faults(folder)
            check_page(folder)
        if not TARGET or WASM:
            compare(SOURCE / "examples/island.world", folder, 30, *([] if TARGET else ["-O0", "--static"]))
            check_example(folder)


if __name__ == "__main__":
    main()
