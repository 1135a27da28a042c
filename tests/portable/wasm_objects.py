#!/usr/bin/env python3
"""Objects of `worldc compile --target wasm32`, linked by emcc with libworld-ahead and run in node: each function that a host may ask
gives the bits that the engine's interpreter gives there.

Usage: wasm_objects.py BUILD OUT COMPILER. BUILD: as of wasm.py. COMPILER: a build with LLVM, whose worldc makes the objects.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "web"))
import ahead  # noqa: E402  pylint: disable=import-error,wrong-import-position
import engine  # noqa: E402  pylint: disable=import-error,wrong-import-position


def main():
    build, out, compiler = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    ahead.make(build, out)
    ahead.archive(engine.compile_all(build, out, []), out / "libworld.a")
    emcc = " ".join(["emcc", *engine.LINK, "-msimd128", "-sNODERAWFS=1", "-sEXIT_RUNTIME=1", f"-L{out}"])
    done = subprocess.run([sys.executable, ROOT / "tests/api/ahead.py", ROOT, compiler, "wasm32", out, emcc, "node --no-experimental-fetch"],
                          env=engine.ENVIRONMENT, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
