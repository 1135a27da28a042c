#!/usr/bin/env python3
"""What stdlib-gen writes, and what it refuses: stdlib_gen.py GENERATOR STDLIB.

Each case puts a declaration at the end of a copy of core.world.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

REFUSED = [
    ("extern fn f(x: range)", "'range' cannot cross to C"),
    ("extern fn f(x: Range[int])", "a generic record cannot cross to C; pass its parts"),
    ("extern fn f(x)", "a native function's parameter needs its type"),
    ("extern fn f(x: int)\nextern fn f(y: int)", "two native functions are called 'core.f'"),
    ("extern fn f(x: )", "error: expected"),
    ("extern fn f(x: int), effect: magic", "behind an extern fn stands its effect"),
]
WRITTEN = [
    ("extern fn f(x: meters^2 / seconds, n: int, u: u32, b: bool) number",
     "double core_f(Rt *rt, double /* x */, int64_t /* n */, uint32_t /* u */, bool /* b */);"),
    ("extern fn f(at: point, along: vector[meters]) direction", "Vec3 core_f(Rt *rt, Vec3 /* at */, Vec3 /* along */);"),
    ("extern fn f(draws: stream, over: land, ask: fn(point) meters) List[point]",
     "const RtList *core_f(Rt *rt, RtStream * /* draws */, StdLand /* over */, const RtClosure * /* ask */);"),
    ("extern fn f(which: one of (a, b)) meters?", "StdOptional_double core_f(Rt *rt, int64_t /* which */);"),
    ("extern fn f() (int, point)", "StdTuple_int64t_Vec3 core_f(Rt *rt);"),
    ("record pot\n  size: meters\n  glazed: bool\nextern fn f(of: pot)",
     "typedef struct StdPot {\n    double size;\n    uint64_t glazed;\n} StdPot;"),
]


def generate(generator, stdlib, declaration):
    with tempfile.TemporaryDirectory() as folder:
        copy, out = pathlib.Path(folder, "stdlib"), pathlib.Path(folder, "out")
        shutil.copytree(stdlib, copy)
        out.mkdir()
        with open(copy / "core" / "core.world", "a", encoding="utf-8") as core:
            core.write(f"\n{declaration}\n")
        done = subprocess.run([generator, copy, out], capture_output=True, text=True)
        header = out / "stdlib_externs.h"
        return done, header.read_text(encoding="utf-8") if header.exists() else ""


def main():
    generator, stdlib = sys.argv[1:]
    failures = 0
    for declaration, wanted in REFUSED:
        done, header = generate(generator, stdlib, declaration)
        if done.returncode != 1 or wanted not in done.stderr or "core.world:" not in done.stderr or header:
            failures += 1
            print(f"{declaration}\n  not refused with {wanted!r}:\n{done.stderr}")
    for declaration, wanted in WRITTEN:
        done, header = generate(generator, stdlib, declaration)
        if done.returncode != 0 or wanted not in header:
            failures += 1
            print(f"{declaration}\n  did not give {wanted!r}:\n{done.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
