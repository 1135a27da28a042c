#!/usr/bin/env python3
"""Runs transcripts of the command line: NAME.cli holds commands and what they print.

    $ worldc ask small.world top          a command, by the shell, in this folder
    4.6 m                                 what it prints, stdout then stderr
    [1]                                   its exit code, when not 0

The number of a source file, which every file of the library moves, is !FILE: in dumps.

Usage: run.py WORLDC [--exec interp,always] [--no-view] [--bless] [FILE...]. Without a view, transcripts that say "# Needs a view." are left out. Lines that differ from run to run (times) are kept out by
the commands; $EXECUTORS names those that this build has, each with a small limit of memory: interp:20M.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIMITS = {"interp": "20M", "always": "64M"}
HERE = pathlib.Path(__file__).resolve().parent


def run(command, worldc, executors, scratch):
    environment = dict(os.environ, PATH=f"{worldc.parent}:{os.environ['PATH']}", NO_COLOR="1", TMP=scratch,
                       XDG_CACHE_HOME=scratch, EXECUTORS=executors)
    done = subprocess.run(command, shell=True, cwd=HERE, env=environment, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    lines = (done.stdout + done.stderr).splitlines()
    return lines + ([f"[{done.returncode}]"] if done.returncode else [])


def shown_anywhere(line, scratch):
    return re.sub(r"!\d+:", "!FILE:", line.replace(scratch, "$TMP"))


def transcript(path, worldc, executors):
    out = []
    with tempfile.TemporaryDirectory() as scratch:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("$ "):
                out += [line] + [shown_anywhere(said, scratch) for said in run(line[2:], worldc, executors, scratch)]
            elif line.startswith("# "):
                out.append(line)
    return out


def main():
    options = argparse.ArgumentParser()
    options.add_argument("worldc", type=pathlib.Path)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--exec", default="interp,always")
    options.add_argument("--bless", action="store_true")
    options.add_argument("--no-view", action="store_true")
    options = options.parse_intermixed_args()
    worldc = options.worldc.resolve()
    failures = 0
    files = options.files or sorted(HERE.glob("*.cli"))
    if options.no_view:
        files = [path for path in files if "# Needs a view." not in path.read_text(encoding="utf-8").splitlines()]
    for path in files:
        found = transcript(path, worldc, " ".join(f"{how}:{LIMITS[how]}" for how in options.exec.split(",")))
        if options.bless:
            path.write_text("\n".join(found) + "\n", encoding="utf-8")
            continue
        wanted = path.read_text(encoding="utf-8").splitlines()
        if found != wanted:
            failures += 1
            print("".join(line + "\n" for line in difflib.unified_diff(
                wanted, found, f"{path.name}: wanted", f"{path.name}: printed", n=1, lineterm="")))
    print(f"{len(files)} transcripts, {failures} failures")
    return 1 if failures or not files else 0


sys.exit(main())
