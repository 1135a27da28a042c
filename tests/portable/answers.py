#!/usr/bin/env python3
"""What a worldc answers, a line each, for comparing with another's: of every example its hash, its state after half a second, its grids
as they are baked, maps, heights and the scene in each form that holds exact numbers, interpreted; and whether the goldens of the library hold.

Usage: answers.py WORLDC OUT [EXAMPLE...]. WORLDC may be a script that runs one for another machine. An example that takes over $LIMIT
seconds (3600) is a line that says so. $ASKED: the words that stand second in a
line, or "goldens" ("hash bake"); all when empty.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = float(os.environ.get("LIMIT", "3600"))
OPTIONS = ["--exec", "interp", "-q"]
ASKED = os.environ.get("ASKED", "").split()
MAPPED = ["--over", "-200,-200,200,200", "--size", "96"]


def said(worldc, folder, *words):
    """What a verb prints, and what it wrote; an error by its first line, for texts may name folders."""
    command = [worldc, *(w.replace("MAP", f"{folder}/MAP") for w in words), *OPTIONS]
    try:
        done = subprocess.run(command, cwd=ROOT / "examples", capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"over {LIMIT:g} seconds"
    if done.returncode:
        return f"exit code {done.returncode}: " + (done.stderr.splitlines() or [""])[0].replace(str(folder), "")
    written = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
    return hashlib.sha256(done.stdout.encode() + written).hexdigest()[:16] if written else done.stdout.strip()


def answers(worldc, example):
    verbs = {"hash": ["hash", example], "state": ["run", example, "--seconds", "0.5", "--save", "MAP.json"],
             "bake": ["build", example, "-o", "MAP"], "export": ["export", example, "-o", "MAP.glb"]}
    verbs |= {f"map{kind}": ["map", example, "land.height", "-o", f"MAP{kind}", *MAPPED] for kind in (".f32", ".exr")}
    verbs |= {f"heights{kind}": ["export", example, "-o", f"MAP{kind}"] for kind in (".r32", ".r16", ".png", ".tif")}
    for name, words in verbs.items():
        if not ASKED or name in ASKED:
            with tempfile.TemporaryDirectory() as folder:
                yield f"{example} {name} {said(worldc, pathlib.Path(folder), *words)}"


def goldens(worldc):
    done = subprocess.run([sys.executable, ROOT / "tests/golden/run.py", "--worldc", worldc, "--exec", "interp", ROOT / "tests/golden/std"],
                          capture_output=True, text=True, check=False)
    return "goldens " + ("hold" if done.returncode == 0 else (done.stdout + done.stderr).replace("\n", "\n  "))


def main():
    worldc, out = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    examples = sys.argv[3:] or sorted((p.name for p in (ROOT / "examples").glob("*.world")), key=lambda n: (n in ("planet.world", "mesa.world"), n))
    with open(out, "w", encoding="utf-8") as file:
        for example in examples:
            for line in answers(worldc, example):
                print(line, file=file, flush=True)
        if not ASKED or "goldens" in ASKED:
            print(goldens(worldc), file=file, flush=True)


if __name__ == "__main__":
    main()
