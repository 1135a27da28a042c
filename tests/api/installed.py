#!/usr/bin/env python3
"""The installed tree: exported symbols against world.h, the header as C11 and C++17, and the embedding examples
built through pkg-config and run.

Usage: installed.py SOURCE_DIR BUILD_DIR
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def declared():
    text = (SOURCE / "runtime/include/world/world.h").read_text(encoding="utf-8")
    return set(re.findall(r"^WORLD_API [^;(]*?\b(world_\w+)\(", text, re.M))


def exported(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[-1] for line in lines if line.split()[-2] in "TtBbDdRrWwVv"}


def compare_symbols(library):
    want, have = declared(), exported(library)
    if want - have or have - want:
        sys.exit(f"declared but not exported: {sorted(want - have)}\nexported but not declared: {sorted(have - want)}")


def check_ahead(root, worldc, world, environment):
    """The host of a compiled world, which knows the installed library alone."""
    if not any(root.rglob("libworld-jit.so")):
        return
    shutil.copy(world, root / "island.world")
    run(worldc, "compile", root / "island.world", "-o", root / "island.o", "--header", root / "island.h", env=environment)
    flags = run("pkg-config", "--cflags", "--libs", "world-ahead", env=environment).split()
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", SOURCE / "examples/embed/ahead.c", root / "island.o", f"-I{root}", *flags, "-o", root / "ahead")
    answer = run(root / "ahead", env=environment).strip()
    if answer != "4.600":
        sys.exit(f"ahead answered {answer!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", root)
        config = next(root.rglob("world.pc"))
        library = next(root.rglob("libworld.so"))
        compare_symbols(library)
        environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(root), PKG_CONFIG_LIBDIR=str(config.parent),
                           LD_LIBRARY_PATH=str(library.parent), PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1")
        flags = run("pkg-config", "--cflags", "--libs", "world", env=environment).split()
        includes = [f for f in flags if f.startswith("-I")]
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
        header = root / "header.c"
        header.write_text("#include <world/world.h>\nint main(void) { return WORLD_OK; }\n", encoding="utf-8")
        run("cc", "-std=c11", *strict, *includes, header)
        run("c++", "-std=c++17", "-x", "c++", *strict, *includes, header)

        example = SOURCE / "examples/embed/minimal.c"
        lines = len(example.read_text(encoding="utf-8").splitlines())
        if lines >= 30:
            sys.exit(f"{example} has {lines} lines; a minimal host is under 30")
        for name in ("minimal", "hostfunction", "moving", "live", "threads"):
            run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", SOURCE / f"examples/embed/{name}.c", *flags, "-lm",
                "-o", root / name)
        world = SOURCE / "tests/api/small.world"
        answer = run(root / "minimal", world, env=environment).strip()
        if answer != "4.600":
            sys.exit(f"minimal answered {answer!r}")
        answer = run(root / "hostfunction", env=environment).strip()
        if answer != "level 1.4830917874396135 m, wind 3":
            sys.exit(f"hostfunction answered {answer!r}")
        answer = run(root / "moving", SOURCE / "examples/floating.world", env=environment).strip()
        if answer != "after 600 frames the land stands at 129.120 m":
            sys.exit(f"moving answered {answer!r}")
        boss = SOURCE / "examples/boss.world"
        answer = run(root / "live", boss, env=environment).strip().splitlines()[-1]
        if answer != "the fourth troll stands at (4.41, 0.00, -6.07)":
            sys.exit(f"live answered {answer!r}")
        worldc = next(root.rglob("bin/worldc"))
        check_ahead(root, worldc, world, environment)
        seeds = [run(worldc, "run", boss, "-q", "--seconds", "5", "--seed", seed, "--hash", env=environment).strip() for seed in "0123"]
        answer = run(root / "threads", boss, env=environment).splitlines()
        if len(set(seeds)) != 4 or answer != [f"seed {i // 2}  {seeds[i // 2]}" for i in range(8)]:
            sys.exit(f"eight worlds in threads answered {answer}, and alone {seeds}")
        run(worldc, "ask", world, "land.height((0, 0, 330))", env=environment)


main()
