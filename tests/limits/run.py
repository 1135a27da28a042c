#!/usr/bin/env python3
"""Opens texts that grow (texts.py) under a time and a memory limit: each ends by itself, or by a limit that it names.

    run.py WORLDC [--seconds N] [--only NAME]

Time is the processor's: on a machine that others use, a clock tells nothing. Even that grows there, in the system's part of it:
who is too slow gets two more tries."""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import texts

MEMORY = 512 << 20
OUTSIDE = 150 << 20  # the program itself, its libraries, LLVM's own
LIMIT = re.compile(r"\[E0513\]|\[E0514\]|\[E0515\]|\[E0601\]|\[E0602\]|\[E0112\]|\[E06..\]")


def run(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, out.decode(errors="replace"), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def judge(seconds, code, out, spent, memory):
    if code < 0 or code not in (0, 1, 3):
        return "ended with %d" % code
    if spent > 2 * (1.2 * seconds + 0.1):  # it opens, then answers
        return "took %.2f s" % spent
    if memory > MEMORY + OUTSIDE:
        return "took %d MB" % (memory >> 20)
    if code == 3 and not LIMIT.search(out):
        return "does not name its limit: " + out[:200]
    if code == 3 and "[E0514]" in out and "the time limit of" not in out:
        return "does not say which limit stopped it"
    return None


def ask(args, path, question):
    """What is wrong, and what the last try gave."""
    for left in (2, 1, 0):
        result = run([args.worldc, "ask", path, question, "--memory", "512M", "--time-limit", str(args.seconds)])
        wrong = judge(args.seconds, *result)
        if not wrong or left == 0 or not wrong.endswith(" s"):
            return wrong, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worldc")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.world")
        for name, text, question in texts.texts():
            if args.only not in name:
                continue
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            assert os.path.getsize(path) <= texts.MIB, name
            begin = time.monotonic()
            wrong, result = ask(args, path, question)
            count += 1
            failures += wrong is not None
            print("%s %-22s %5.2f s (%5.2f by the clock) %4d MB  %d  %s" % ("FAIL" if wrong else "ok  ", name, result[2], time.monotonic() - begin,
                  result[3] >> 20, result[0], wrong or result[1].strip().split("\n")[0][-100:]), flush=True)
    print("%d texts, %d failures" % (count, failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
