#!/usr/bin/env python3
"""Runs worldc with ever more address space, from as little as it begins with at all: it answers, or says what it lacks. No
library it uses, neither threads nor LLVM, may end it.

    space.py WORLDC [--steps N]"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

MIB = 1 << 20
WORLD = """field seed: seed = 7
part land
  field ground: heightGrid = heightGrid(cell: 2 m, points: 257, height: shape)
  fn shape(here: point) meters { 3 m * fbm(here.x / 40 m, here.z / 40 m, seed: 3, octaves: 3) }
  fn height(here: point) meters { ground.heightAt(here) }
fn long(n: int) int {
  var sum = 0
  var kept: List[int] = []
  each i in 0 ..< n {
    sum += i % 7
    if i % 1000 == 0 { kept += [sum] }
  }
  sum + kept.map(k => k % 5).length()
}
"""


def run(command, space):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, preexec_fn=limit, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def least(worldc):
    """The space in which the loader gets as far as the program."""
    space = 8 * MIB
    while run([worldc, "--version"], space)[0] != 0:
        space += MIB
    return space + 2 * MIB


def judge(code, out):
    if code == 0:
        return None
    if code in (1, 3) and ("[E0515]" in out or "[E0602]" in out or "out of memory" in out):
        return None
    return "ended with %d: %s" % (code, out.strip()[:300])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worldc")
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    first, failures, answers = least(args.worldc), 0, {}
    with tempfile.TemporaryDirectory() as folder:
        world = os.path.join(folder, "space.world")
        with open(world, "w", encoding="utf-8") as file:
            file.write(WORLD)
        for step in range(args.steps):
            space = first + step * 420 * MIB // args.steps
            for words in (["map", world, "land.height", "-o", os.path.join(folder, "out.csv"), "--threads", "16"],
                          ["ask", world, "long(300_000)", "land.height((1, 0, 2))"]):
                code, out = run([args.worldc] + words, space)
                wrong = judge(code, out)
                if code == 0 and out != answers.setdefault(words[0], out):
                    wrong = "another answer: " + out[:200]
                if wrong:
                    failures += 1
                    print("%s in %d MB: %s" % (words[0], space // MIB, wrong), flush=True)
    print("%d steps from %d MB on, %d failures, %d answered" % (args.steps, first // MIB, failures, len(answers)))
    return failures > 0 or len(answers) < 2


if __name__ == "__main__":
    sys.exit(main())
