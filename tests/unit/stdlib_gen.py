#!/usr/bin/env python3
"""What stdlib-gen writes, and what it refuses: stdlib_gen.py GENERATOR STDLIB.

Each case puts a declaration at the end of a copy of core.world. The last ones change what a package declares, and the
runtime's picture of it, stdlib/layout.c, no longer compiles.
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
     "typedef struct StdPot {\n    _Alignas(8) double size;\n    _Alignas(8) uint64_t glazed;\n} StdPot;"),
    ("record kiln\n  heat: given(at: point, k: int, draws: stream) number\nextern fn f(of: kiln)",
     "typedef struct StdKilnHeat {\n    _Alignas(8) Vec3 at;\n    _Alignas(8) int64_t k;\n} StdKilnHeat;"),
    ("record pot\n  glazeKind: one of (matte, saltGlazed)\nextern fn f(of: pot)",
     "enum {\n    STD_POT_GLAZE_KIND_MATTE,\n    STD_POT_GLAZE_KIND_SALT_GLAZED,\n};"),
    ("extern fn fire(how: one of (slow, fast))", "enum {\n    STD_FIRE_HOW_SLOW,\n    STD_FIRE_HOW_FAST,\n};"),
    ("part anyPot\n  field lid: bool = true\n  fn open() bool { lid }",
     "enum {\n    STD_ANY_POT_LID,\n    STD_ANY_POT_FIELDS\n};"),
    ("record pot\n  size: meters\nextern fn fired(of: pot) pot", '#define STD_core_pot_size "size"\n'),
    ("extern fn fired(n: int) int", '#define STD_core_fired "fired"\n'),
]
# (package, its text, another, what the compiler says)
MISFITS = [
    ("core", "", "", None),
    ("scatter", "  size: number\n  sink: number\n", "  age: int\n  size: number\n  sink: number\n",
     "PLACED_SIZE is not STD_SLOT(StdPlaced, size)"),
    ("scatter", "  along: meters = 0\n  across: meters = 0\n", "  across: meters = 0\n  along: meters = 0\n",
     "SPOT_ALONG is not STD_SLOT(StdSpot, along)"),
    ("scatter", "  place: given(here: point, k: int, spot: spot,", "  place: given(k: int, here: point, spot: spot,",
     "ASK_K is not STD_SLOT(StdRulePlace, k)"),
    ("scatter", "  state: u32 = 0\n", "  state: u32 = 0\n  from: text = \"\"\n", "SPOT_REFS is not StdSpot_REFS"),
    ("core", "  field turn: angle = 0\n", "", "STD_ANY_PART_TURN"),
    ("core", "  field hidden: bool = false\n", "  field hidden: number = 0\n", "hidden"),
    ("core", "one of (open, sea, wall, wrap, fall)", "one of (sea, open, wall, wrap, fall)",
     "WALKER_SEA is not STD_EDGE_KIND_SEA"),
]


def generate(generator, stdlib, declaration):
    with tempfile.TemporaryDirectory() as folder:
        copy, out = pathlib.Path(folder, "stdlib"), pathlib.Path(folder, "out")
        shutil.copytree(stdlib, copy)
        out.mkdir()
        with open(copy / "core" / "core.world", "a", encoding="utf-8") as core:
            core.write(f"\n{declaration}\n")
        done = subprocess.run([generator, copy, out], capture_output=True, text=True)
        return done, "".join(header.read_text(encoding="utf-8") for header in sorted(out.glob("*.h")))


def compile_layout(generator, stdlib, package, text, other):
    """What the C compiler says of stdlib/layout.c when a package's text is another."""
    with tempfile.TemporaryDirectory() as folder:
        copy, out = pathlib.Path(folder, "source"), pathlib.Path(folder, "stdlib")
        shutil.copytree(stdlib, copy)
        out.mkdir()
        path = copy / package / f"{package}.world"
        before = path.read_text(encoding="utf-8")
        assert text in before, text
        path.write_text(before.replace(text, other, 1), encoding="utf-8")
        subprocess.run([generator, copy, out], check=True)
        root = pathlib.Path(stdlib).parent
        done = subprocess.run(["cc", "-std=c17", "-fsyntax-only", f"-I{folder}", f"-I{root}", f"-I{root}/runtime/include", root / "stdlib/layout.c"],
                              capture_output=True, text=True)
        return done.stderr


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
    for package, text, other, wanted in MISFITS:
        said = compile_layout(generator, stdlib, package, text, other)
        if said and wanted is None or wanted and wanted not in said:
            failures += 1
            print(f"{package} with {other!r}\n  is not answered with {wanted!r}:\n{said}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
