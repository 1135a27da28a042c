#!/usr/bin/env python3
"""The engine as WebAssembly, in node: its hashes against those that answers.py wrote. web/engine.py says how it is built, and what is left out.

Usage: wasm.py BUILD OUT ANSWERS. BUILD: a build of the interpreter alone, whose sources and generated texts are compiled.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "web"))
import engine  # noqa: E402  pylint: disable=import-error,wrong-import-position


def main():
    build, out, answers = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    engine.make(build, out, [ROOT / "tests/portable/wasm_hash.c"], ["-sNODERAWFS=1", "-sEXIT_RUNTIME=1"], out / "world.js")
    differ = 0
    for line in answers.read_text(encoding="utf-8").splitlines():
        example, what, want = (line.split() + ["", "", ""])[:3]
        if what != "hash":
            continue
        # That emcc's programs know no `fetch` of node's own.
        done = subprocess.run(["node", "--no-experimental-fetch", out / "world.js", ROOT / "examples" / example], capture_output=True, text=True,
                              check=False)
        if done.stdout.strip() != want:
            differ += 1
            print(f"{example}: {want}, and as WebAssembly {done.stdout.strip()} {done.stderr[-300:]}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
