#!/usr/bin/env python3
"""Runs transcripts of the command line: NAME.cli holds commands and what they print.

    $ worldc ask small.world top          a command, by the shell, in this folder
    4.6 m                                 what it prints, stdout then stderr
    [1]                                   its exit code, when not 0

Usage: run.py WORLDC [--bless] [FILE...]. Lines that differ from run to run (times) are kept out by the commands.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(command, worldc, scratch):
    environment = dict(os.environ, PATH=f"{worldc.parent}:{os.environ['PATH']}", NO_COLOR="1", TMP=scratch,
                       XDG_CACHE_HOME=scratch)
    done = subprocess.run(command, shell=True, cwd=HERE, env=environment, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    lines = (done.stdout + done.stderr).splitlines()
    return lines + ([f"[{done.returncode}]"] if done.returncode else [])


def transcript(path, worldc):
    out = []
    with tempfile.TemporaryDirectory() as scratch:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("$ "):
                out += [line] + [shown.replace(scratch, "$TMP") for shown in run(line[2:], worldc, scratch)]
            elif line.startswith("# "):
                out.append(line)
    return out


def main():
    arguments = sys.argv[1:]
    bless = "--bless" in arguments
    names = [a for a in arguments if a != "--bless"]
    worldc = pathlib.Path(names[0]).resolve()
    failures = 0
    files = [pathlib.Path(n) for n in names[1:]] or sorted(HERE.glob("*.cli"))
    for path in files:
        found = transcript(path, worldc)
        if bless:
            path.write_text("\n".join(found) + "\n", encoding="utf-8")
            continue
        wanted = path.read_text(encoding="utf-8").splitlines()
        if found != wanted:
            failures += 1
            at = next((i for i, (a, b) in enumerate(zip(wanted, found)) if a != b), min(len(wanted), len(found)))
            print(f"{path.name}:{at + 1}\n  wanted {wanted[at:at + 4]}\n  got    {found[at:at + 4]}")
    print(f"{len(files)} transcripts, {failures} failures")
    return 1 if failures or not files else 0


sys.exit(main())
