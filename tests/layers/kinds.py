#!/usr/bin/env python3
"""A kind of object that a reader forgets does not compile: each file that makes a table of runtime/rt/kind.def is compiled with a
row more, which must fail and name what is missing, and with the rows as they are, which must not.

Usage: kinds.py BUILD
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = "runtime/rt/kind.def"


def readers():
    for top in ("runtime", "compiler"):
        for file in sorted((ROOT / top).rglob("*.c")):
            if TABLE in file.read_text(encoding="utf-8"):
                yield file


def compile_with(folder, build, command):
    words = shlex.split(command["command"])
    words = [w for w in words[: words.index("-o")] if not w.startswith("-M") and w != "ccache"]
    words = [w for w in words if not w.endswith(".d") and not w.endswith(".o")]
    done = subprocess.run([words[0], f"-I{folder}", *words[1:], "-fsyntax-only", command["file"]], cwd=build, capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    commands = {(build / c["file"]).resolve(): c for c in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))}
    files, wrong = list(readers()), []
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / TABLE
        table.parent.mkdir(parents=True)
        for row in ("", "KIND(FORGOTTEN, forgotten)\n"):
            table.write_text((ROOT / TABLE).read_text(encoding="utf-8") + row, encoding="utf-8")
            for file in files:
                code, told = compile_with(folder, build, commands[file])
                if (code != 0) != bool(row) or (row and not re.search(r"\w+_forgotten", told)):
                    wrong.append(f"{file.relative_to(ROOT)}: {'a kind it forgets compiles' if row else told}")
    if len(files) < 4:
        wrong.append(f"only {len(files)} files read {TABLE}")
    print("\n".join(wrong) if wrong else f"{len(files)} files forget no kind")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
