#!/usr/bin/env python3
"""The REPL on a terminal: what the tabulator key completes. test_repl.py WORLDC"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

WORLD = "field lamps: List[point] = [(1, 2, 3)]\npart hut\n  field doorWidth: meters = 1 m\n  fn doors(n: int) List[int] { [n] }\n" \
        "part yard\n  field postA1 = 1\n  field postA2 = 2\n  field postB = 3\n"
# (typed, what the line becomes, names that are listed)
CASES = [
    ("hut.doorW\t", "hut.doorWidth", []),
    ("yard.po\tB\t+ 1", "yard.postB+ 1", []),  # as far as all of them go on alike
    ("lamps.firstW\t", "lamps.firstWhere", []),
    ("[1, 2].firstW\t", "[1, 2].firstWhere", []),
    ('hut.doors(("a)]".size())).firstW\t', '.firstWhere', []),
    ("(lamps[0].\t", None, ["lamps[0].x", "lamps[0].z"]),
    ("[1, 2].\t", None, ["[1, 2].map", "[1, 2].sortedBy", "[1, 2].length"]),
]
SECONDS = 30


def read_until(terminal, wanted):
    text, end = "", time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
        if wanted(text):
            return text
    raise AssertionError(f"not in time: {text!r}")


def plain(text):
    """What a line looks like: without escapes, and what they do to the cursor."""
    return re.sub(r"\r?\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]", "", text)


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "w.world"), "w", encoding="utf-8") as world:
            world.write(WORLD)
        ours, theirs = pty.openpty()
        environment = dict(os.environ, HOME=folder, TERM="xterm", NO_COLOR="1", XDG_CACHE_HOME=folder)
        repl = subprocess.Popen([os.path.abspath(sys.argv[1]), "repl", "w.world"], cwd=folder, env=environment, stdin=theirs,
                                stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        read_until(ours, lambda text: "> " in text)
        for typed, line, names in CASES:
            os.write(ours, typed.encode())
            try:
                read_until(ours, lambda text: (line is None or line in plain(text)) and all(n in text for n in names))
            except AssertionError as wrong:
                failures += 1
                print(f"{typed!r}: {wrong}")
            os.write(ours, b"\x15\r")  # away with the line
            time.sleep(0.1)
        os.write(ours, b":quit\r")
        read_until(ours, lambda text: repl.poll() is not None or ":quit" in text)
        repl.wait(SECONDS)
        history = os.path.join(folder, ".worldc_history")
        if not os.path.exists(history) or [name for name in os.listdir(folder) if name.endswith(".part")]:
            failures += 1
            print("no history was kept, or more than it")
    print(f"{len(CASES)} completions, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
