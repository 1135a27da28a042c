#!/usr/bin/env python3
"""Applies each row of rows/*.txt to a copy of the checkout and runs the suites that should notice (README.md)."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import resource
import shutil
import signal
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
QUICK = 20.0  # seconds of a processor, for a suite
LONGEST = 600.0  # on the clock: a suite that takes longer hangs, and that is noticed too
MEMORY = 12 << 30


class Row:
    """One mistake: `file: title`, its - and + lines, and the suites (?) or the argument that nothing can notice it (=)."""

    def __init__(self, room, number, lines):
        self.room, self.number = room, number
        self.file, _, self.title = lines[0].partition(": ")
        parts = {"-": [], "+": [], "?": [], "=": []}
        for line in lines[1:]:
            if line[0] not in parts or line[1:2] not in ("", " "):
                raise SystemExit(f"{room}:{number}: a line of a row begins with one of - + ? = and a blank: {line}")
            parts[line[0]].append(line[2:])
        self.old, self.new = "\n".join(parts["-"]), "\n".join(parts["+"])
        self.suites = " ".join(parts["?"]).split()
        self.equivalent = " ".join(parts["="])
        if not self.title or not self.old or bool(self.suites) == bool(self.equivalent):
            raise SystemExit(f"{room}:{number}: a row is `file: title`, - lines, + lines, and either ? or =")

    def name(self):
        return f"{self.file}: {self.title}"

    def mutated(self, root):
        """The file's text with the mistake; None when the old text does not occur exactly once."""
        path = root / self.file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return text.replace(self.old, self.new) if text.count(self.old) == 1 else None


def read_rows(filters):
    rows = []
    for path in sorted(HERE.glob("rows/*.txt")):
        block, start = [], 0
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() + [""], 1):
            if line.strip() and not line.startswith("#"):
                start = start if block else number
                block.append(line)
            elif block and not line.strip():
                rows.append(Row(path.name, start, block))
                block = []
    return [row for row in rows if not filters or any(f in row.room or f in row.name() for f in filters)]


def sample(rows, count, seed):
    """So many rows, drawn by a hash of the seed and the row's name: a row that is added changes one of them at most."""
    drawn = sorted(rows, key=lambda row: hashlib.sha256(f"{seed} {row.name()}".encode()).digest())[:int(count)]
    return [row for row in rows if row in drawn]


class Copy:
    """A checkout of its own with a build folder, brought up to date with ROOT."""

    sound = set()  # suites that pass without a mistake

    def __init__(self, folder):
        self.root, self.build = folder, folder / "build"  # as everybody's, so that ccache knows the objects
        self.log = folder.with_suffix(".log")
        self.sync()
        if not (self.build / "build.ninja").is_file():
            self.command(["meson", "setup", str(self.build), str(self.root), "-Dtests=enabled"], check=True)
        targets = self.introspect("targets")
        self.outputs = {t["id"]: [os.path.relpath(f, self.build) for f in t["filename"]] for t in targets}
        self.tests = {t["name"]: t for t in self.introspect("tests")}

    def sync(self):
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, check=True, text=True).stdout.split("\0")
        wanted = {name for name in listed if name and (ROOT / name).is_file()}
        for name in wanted:
            source, target = ROOT / name, self.root / name
            if not target.is_file() or source.read_bytes() != target.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
                os.utime(target)
        for path in [p for p in self.root.rglob("*") if p.is_file() and self.build not in p.parents]:
            if str(path.relative_to(self.root)) not in wanted:
                path.unlink()

    def introspect(self, what):
        return json.loads(subprocess.run(["meson", "introspect", f"--{what}", str(self.build)],
                                         capture_output=True, check=True, text=True).stdout)

    def command(self, arguments, environment=None, seconds=None, check=False):
        """Whether it ended well, and the seconds that it and what it started took of a processor."""
        with open(self.log, "ab") as log:
            process = subprocess.Popen(arguments, cwd=self.build if self.build.is_dir() else self.root, stdout=log,
                                       stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                       env={**os.environ, **(environment or {})},
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
            timer = threading.Timer(seconds or 1e6, os.killpg, (process.pid, signal.SIGKILL))
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        if check and process.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed: {self.log}")
        return process.returncode == 0, usage.ru_utime + usage.ru_stime

    def suite(self, name):
        """What to build, the command and the environment of a suite: a Meson test, or one golden file."""
        kind, _, rest = name.partition("/")
        golden, how = golden_of(self.root, name), rest.partition(":")[2]
        if golden:
            test = self.tests["golden_std_interp" if kind == "std" else "golden_cli"]
            arguments = [*test["cmd"][:-1], "--first", str(golden)] if kind == "std" else [*test["cmd"], str(golden)]
            if how:
                arguments[arguments.index("--exec") + 1] = how
            targets = ["compiler/cli/worldc"] + (["compiler/llvm/libworld-jit.so"] if kind == "cli" or how else [])
        elif kind == "random":  # so many random functions, interpreted and as machine code
            test = self.tests["interp_jit_1"]
            arguments = [*test["cmd"][:2], rest, "1"]
            targets = [output for id in test["depends"] for output in self.outputs[id]]
        elif name in self.tests:
            test = self.tests[name]
            arguments = test["cmd"]
            targets = [output for id in test["depends"] for output in self.outputs[id]]
            if "golden" in name or "public" in " ".join(test["suite"]):
                targets.append("compiler/llvm/libworld-jit.so")
        else:
            raise SystemExit(f"no suite {name}")
        return [t for t in targets if t == "stdlib/LIBRARY.md" or not t.endswith(".md")], arguments, test["env"]

    def make(self, name):
        targets = self.suite(name)[0]
        return not targets or self.command(["ninja", *targets])[0]

    def passes(self, name):
        _, arguments, environment = self.suite(name)
        return self.command(arguments, environment, LONGEST)

    def judge(self, row):
        """(verdict, suite that noticed, its seconds)."""
        text = row.mutated(self.root)
        if text is None:
            return "DOES NOT APPLY", "", 0.0
        path = self.root / row.file
        kept = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        try:
            verdict = self.try_suites(row)
        finally:
            path.write_text(kept, encoding="utf-8")
        if verdict[0] == "caught" and not self.is_sound(verdict[1]):
            return "NOT SOUND", verdict[1], 0.0
        return verdict

    def try_suites(self, row):
        for name in row.suites:
            if not self.make(name):
                return "DOES NOT BUILD", name, 0.0
            good, seconds = self.passes(name)
            if not good:
                return "caught", name, seconds
        return "MISSED", " ".join(row.suites), 0.0

    def is_sound(self, name):
        """What notices a mistake must pass without one; asked once a suite that does."""
        if name not in self.sound:
            if not self.make(name):
                raise SystemExit(f"the build without a mistake fails: {self.log}")
            if not self.passes(name)[0] and not self.passes(name)[0]:  # twice: other work may have taken its time
                return False
            self.sound.add(name)
        return True


def golden_of(root, suite):
    """The file of a suite that is one golden file, else None."""
    kind, _, name = suite.partition("/")
    ending = {"std": "world", "cli": "cli"}.get(kind)
    return ending and root / f"tests/golden/{kind}/{name.partition(':')[0]}.{ending}"


def check(rows):
    broken = [row for row in rows if row.mutated(ROOT) is None or row.old == row.new]
    for row in broken:
        print(f"{row.room}:{row.number}: does not apply: {row.name()}")
    for row in rows:
        for suite in row.suites:
            if golden_of(ROOT, suite) and not golden_of(ROOT, suite).is_file():
                broken.append(row)
                print(f"{row.room}:{row.number}: there is no suite {suite}")
    print(f"{len(rows)} rows, {len(broken)} do not apply")
    return not broken


def run(rows, jobs):
    build = pathlib.Path(os.environ.get("WORLD_BUILD", ROOT / "build")) / "mutation"
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")
    os.environ.setdefault("CCACHE_BASEDIR", str(build))
    copies = queue.Queue()
    for number in range(jobs):
        (build / str(number)).mkdir(parents=True, exist_ok=True)
        copies.put(Copy(build / str(number)))

    def one(row):
        copy = copies.get()
        try:
            return row, *copy.judge(row)
        finally:
            copies.put(copy)

    counts, quick = {}, 0
    todo = [row for row in rows if not row.equivalent]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row, verdict, suite, seconds in pool.map(one, todo):
            counts[verdict] = counts.get(verdict, 0) + 1
            quick += verdict == "caught" and seconds < QUICK
            print(f"{verdict:8} {suite} {seconds:.1f} s  {row.name()}", flush=True)
    caught = counts.get("caught", 0)
    print(f"{len(rows)} rows: {len(rows) - len(todo)} equivalent, of {len(todo)} others "
          + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    print(f"{100 * caught / max(len(todo), 1):.1f} % caught, {100 * quick / max(caught, 1):.1f} % of them by a suite under {QUICK:.0f} s")
    return caught == len(todo)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("filters", nargs="*")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--part", default="1/1", help="K/N: every N-th row from the K-th on")
    options.add_argument("--sample", help="N/SEED: N rows drawn at random, the same ones for a seed")
    options.add_argument("--check", action="store_true")
    options = options.parse_args()
    part, parts = map(int, options.part.split("/"))
    rows = read_rows(options.filters)[part - 1::parts]
    if options.sample:
        rows = sample(rows, *options.sample.split("/"))
    good = check(rows)
    if rows and good and not options.check:
        good = run(rows, options.jobs)
    return 0 if rows and good else 1


if __name__ == "__main__":
    sys.exit(main())
