#!/usr/bin/env python3
"""What no author means to write, and what a hurried one types: each is answered within seconds, with the exit code
that the command line promises (0 fine, 1 the world, 2 the usage, 3 a limit) and a message that names the trouble.

    test_bad_input.py WORLDC interp|interp,jit [NAME...]

A crash, a hang, exit code 70 or a message about the compiler's own fault fails. Whatever is worked out is tried under
each executor. What the messages are in full is in the transcripts of tests/golden/cli.
"""
import os
import pathlib
import subprocess
import struct
import sys
import tempfile
import zlib

SECONDS = 240  # a case takes about a tenth of a second, the longest six; sanitizers and a busy machine are far slower
DEEP = 10_000
TRILLION = 1_000_000_000_000
SMALL = "field x = 1 m\nfield n = 0\nfn f(p: point) meters { p.x }\npart a\n  field y = 2\n"

cases = []


def case(name, world, verb, code, message="", *, ran=False, stdin=None, beside=None):
    """`verb` is the command line; FILE stands for the world's path. `ran`: the executors work something out.
    `beside`: files of the same folder, by name: bytes, or what makes one at a path."""
    cases.append((name, world, verb.split("|"), code, message, ran, stdin, beside or {}))


def wrong(name, world, code, message, **more):
    case(name, world, "check|FILE", code, message, **more)


# -- text that is none, or that ends too early
for name, world in {"empty": "", "comments": "// only\n/// a doc comment of nothing\n", "blank": "\n  \n\t\n"}.items():
    case(f"{name} file, checked", world, "check|FILE", 0)
    case(f"{name} file, asked", world, "ask|FILE|1 + 1", 0, "2", ran=True)
    case(f"{name} file, built", world, "build|FILE", 0, ran=True)
case("lines ended as on Windows", "part a\r\n  field x = 1 m\r\n", "ask|FILE|a.x", 0, "1 m", ran=True)
case("byte order mark", "\ufefffield x = 1 m\n", "ask|FILE|x", 0, "1 m", ran=True)
wrong("binary", bytes(range(256)) * 400, 1, "E0102")
wrong("zero byte", "field x = 1\n\0\0", 1, "zero byte")
wrong("cut in an expression", "field x = ", 1, "the end of the file")
wrong("cut in a list", "field x = [1, 2", 1, "never closed")
wrong("cut in a text", 'field x = "abc', 1, "no closing")
wrong("cut in a character", b"// \xe2\x82", 1, "E0102")
wrong("tabs, then spaces", "part a\n\tfield x = 1\n  field y = 1\n", 1, "indented with spaces")
wrong("two mistakes of indentation", "part a\n    field x = 1\n  field y = 1\n", 1, "E0111")

# -- more than anybody needs
wrong("deep parentheses", "field x = " + "(" * DEEP + "1" + ")" * DEEP + "\n", 3, "nesting")
wrong("deep brackets", "field x = " + "[" * DEEP + "]" * DEEP + "\n", 3, "nesting")
wrong("deep braces", "fn f() number { " + "{" * DEEP + "1" + "}" * DEEP + "}\n", 3, "nesting")
wrong("deep calls", "field x = " + "abs(" * DEEP + "1" + ")" * DEEP + "\n", 3, "nesting")
wrong("deep loops", "fn f() { " + "each i in 0 ..< 1 { " * DEEP + "}" * DEEP + " }\n", 3, "nesting")
wrong("deep types", "fn f(a: " + "List[" * DEEP + "int" + "]" * DEEP + ") int { 1 }\n", 3, "nesting")
wrong("deep indentation", "".join(" " * i + f"part p{i}\n" for i in range(1000)), 3, "nesting")
wrong("many signs", "field x = " + "-" * DEEP + "1\n", 3, "depth")
wrong("a long sum", "field x = " + "1 + " * DEEP + "1\n", 3, "depth")
wrong("a long chain of methods", "field x = 1" + ".abs()" * DEEP + "\n", 3, "depth")
wrong("functions in functions", "field x = " + "p => " * DEEP + "1\n", 3, "depth")
wrong("a chain of functions", "fn f0() int { 1 }\n" + "".join(
    f"fn f{i}() int {{ f{i - 1}() + 1 }}\n" for i in range(1, 3000)), 3, "depth of calls")
wrong("a chain of fields, last first", "".join(
    f"field a{i} = a{i + 1} + 1 m\n" for i in range(3000)) + "field a3000 = 1 m\n", 3, "E0601")
wrong("records that double", "record r0\n  x: number\n" + "".join(
    f"record r{i}\n  a: List[r{i - 1}]\n  b: List[r{i - 1}]\n" for i in range(1, 60)) + "fn same(a: r59, b: r59) bool { a == b }\n", 3,
    "each counted where it is held")
wrong("functions that answer two of another", "fn f() number {\n  let g0 = fn() { 1 }\n" + "".join(
    f"  let g{i} = fn() {{ (g{i - 1}, g{i - 1}) }}\n" for i in range(1, 60)) + "  g59 + 1\n}\n", 3, "each counted where it is held")
case("a chain of fields, read", "field a0 = 1 m\n" + "".join(
    f"field a{i} = a{i - 1} + 1 m\n" for i in range(1, 3000)), "ask|FILE|a2999", 3, "fields that read one another",
    ran=True)
case("calls that double", "fn f0() int { 1 }\n" + "".join(
    f"fn f{i}() int {{ f{i - 1}() + f{i - 1}() }}\n" for i in range(1, 100)), "ask|FILE|f99()", 1, "E0501", ran=True)
case("designs that double", "part d0\n  field x = 1 m\n" + "".join(
    f"part d{i}\n  part a: d{i - 1}\n  part b: d{i - 1}\n" for i in range(1, 60)), "build|--memory|64M|FILE", 3, "memory",
    ran=True)
wrong("10 MB of junk", "@#$ %^ part part ) ( \n" * 500_000, 1, "means nothing here")
wrong("10 MB in one name", "field " + "a" * 10_000_000 + " = 1\n", 0, "")
wrong("10 MB in one text", 'field x = "' + "a" * 10_000_000 + '"\n', 0, "")
wrong("10 MB in one comment", "// " + "a" * 10_000_000 + "\nfield x = 1\n", 0, "")
wrong("a file past the limit", "// " + "a" * 20_000_000 + "\n", 3, "this source's size")
wrong("texts that never close", 'field x = "\n' * DEEP, 1, "no closing")

# -- what does not mean anything
wrong("unknown unit", "field x = 3 parsec\n", 1, "no unit 'parsec'")
wrong("functions from nowhere", "extern fn f(x: number) number\nintrinsic fn g() number = \"sqrt.f\"\nfield y = f(1) + g()\n", 1,
      "has no body")
wrong("field without a stream", "field u = uniform(0, 1)\n", 1, "no stream flows here")
wrong("recursion", "fn f(n: int) int { g(n) }\nfn g(n: int) int { f(n) }\n", 1, "calls itself in a loop")
wrong("design of itself", "part a: b\npart b: a\n", 1, "copy of itself")
wrong("a later version", "world version 99\n", 1, "world version 99")

# -- what goes wrong while a world is worked out
case("one by zero", SMALL, "ask|FILE|1 / n", 1, "E0517", ran=True)
case("a whole number of what has none", SMALL, "ask|FILE|int(1e300)", 1, "E0505", ran=True)
case("zero by zero", SMALL, "ask|FILE|n / n", 1, "not a number", ran=True)
case("whole number by zero", SMALL, "ask|FILE|1 % 0", 1, "divided by zero", ran=True)
case("a loop of reads", "field a: meters = b\nfield b: meters = a\n", "build|FILE", 1, "a -> b -> a", ran=True)
case("a member twice", "part p\n  part t[1]\n  part t[1]\n", "build|FILE", 1, "one number: t[1]", ran=True)
case("no such member", "part p\n  part t[1]\n", "ask|FILE|p.t[2]", 1, "no such member", ran=True)
case("not a number in a grid", "field zero = 0\nfield g = heightGrid(cell: 1 m, points: 64, height: fn(p: point) meters "
     "{ 1 m * (zero / zero) })\n", "build|FILE", 1, "not a number", ran=True)
case("a grid past the limit", "field g = heightGrid(cell: 1 m, points: 1000000, height: fn(p: point) meters { p.x })\n",
     "build|FILE", 3, "a grid of 1000000 x 1000000 points", ran=True)
case("a list past the limit", SMALL, f"ask|FILE|(0 ..< {TRILLION}).toList().length()", 3, "a limit was reached",
     ran=True)
case("parts past the limit", f"part p\n  each i in 0 ..< {TRILLION} {{\n    part t[i]\n  }}\n",
     "build|--memory|1G|FILE", 3, "while the parts of 'p' were being made", ran=True)
case("a trillion steps", f"fn f() int {{ var n = 0; each i in 0 ..< {TRILLION} {{ n = n * 3 % 1000003 + i }}; n }}\n",
     "ask|FILE|f()", 3, "a limit was reached", ran=True)
case("work past the time", "field g = heightGrid(cell: 1 m, points: 5000, height: p => 1 m * fbm(p.x / 9 m, p.z / 9 m, "
     "seed: 1, octaves: 8))\nuse noise\n", "build|--time-limit|0.05|FILE", 3, "stopped before it was done", ran=True)
case("memory for a list", SMALL, "ask|--memory|32M|FILE|(0 ..< 40000000).toList().length()", 3, "out of memory", ran=True)
case("memory for anything", SMALL, "ask|--memory|100K|FILE|x", 3, "out of memory")
case("an empty question", SMALL, "ask|FILE|", 1, "expected an expression")
case("one question of three", SMALL, "ask|FILE|x|nope|x", 1, "nothing here is called 'nope'", ran=True)

# -- files that a world uses or reads, from strangers too
def png(columns, rows, kind=0, depth=8, data=None):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    width = columns * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind] * depth // 8
    body = zlib.compress(b"".join(b"\0" + bytes(width) for _ in range(rows))) if data is None else data
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, depth, kind, 0, 0, 0))
            + chunk(b"IDAT", body) + chunk(b"IEND", b""))


ROWS = "record row\n  a: int\n  b: text\nfield t: List[row] = table(\"t.csv\")\n"
IMAGE = 'field i = image("i.png")\n'
wrong("a chain of packages", 'use p from "p0.x"\n', 3, "the number of files",
      beside={f"p{i}.x": f'use p from "p{i + 1}.x"\n'.encode() for i in range(1100)})
case("packages used by many", 'use a from "a.x"\nuse b from "b.x"\nfield x = a.f() + b.f()\n', "ask|FILE|x", 0, "6",
     ran=True, beside={"a.x": b'use c from "c.x"\nfn f() int { c.y }\n', "b.x": b'use d from "c.x"\nfn f() int { d.y }\n',
                       "c.x": b"field y = 3\n"})
wrong("a circle of three", 'use a from "a.x"\n', 1, "uses itself in a circle",
      beside={"a.x": b'use b from "b.x"\n', "b.x": b'use c from "c.x"\n', "c.x": b'use a from "a.x"\n'})
wrong("a package of junk", 'use a from "a.x"\n', 1, "E0102", beside={"a.x": bytes(range(256)) * 40})
wrong("a package out of the folder", 'use a from "../../../../../../etc/passwd"\n', 1, "outside the world's folder")
wrong("a package that is a pipe", 'use a from "pipe"\n', 1, "a pipe or a device", beside={"pipe": os.mkfifo})
wrong("data that is a pipe", 'field a = lines("pipe")\n', 1, "a pipe or a device", beside={"pipe": os.mkfifo})
wrong("a link to the root", 'field a = contents("top/etc/passwd")\n', 1, "'top' is a link",
      beside={"top": lambda path: os.symlink("/", path)})
wrong("a name with a zero byte", 'field a = contents("a\0b")\n', 1, "zero byte")
wrong("a table of junk", ROWS, 1, "E0102", beside={"t.csv": bytes(range(256)) * 400})
wrong("a table of quotes", ROWS, 1, "E0827", beside={"t.csv": b"a,b\n" + b'"' * 1_000_001})
wrong("a table in one cell", ROWS, 1, "is no whole number", beside={"t.csv": b"a,b\n" + b"1" * 10_000_000 + b",x\n"})
wrong("a table of commas", ROWS, 1, "has no field ''", beside={"t.csv": b"," * 200_000})
wrong("a table of bad rows", ROWS, 1, "E0826", beside={"t.csv": b"a,b\n" + b"1\n" * 1_000_000})
case("a table of many rows", ROWS, "ask|FILE|t.length()", 0, "200000", ran=True,
     beside={"t.csv": b"a,b\n" + b"1,x\n" * 200_000})
wrong("a table past the limit", ROWS, 3, "the size of 't.csv'", beside={"t.csv": b"\n" * 70_000_000})
wrong("a picture of nothing", IMAGE, 1, "it is no PNG", beside={"i.png": b""})
wrong("a picture too large to be", IMAGE, 3, "the picture 'i.png'", beside={"i.png": png(1 << 30, 1 << 30, data=b"")})
wrong("a picture that swells", IMAGE, 3, "the picture 'i.png'", beside={"i.png": png(20_000, 10_000)})
case("a picture for little memory", IMAGE, "check|--memory|20M|FILE", 3, "out of memory", beside={"i.png": png(5_000, 5_000)})
wrong("a picture without samples", IMAGE, 1, "cannot be read as a picture", beside={"i.png": png(4, 4, data=b"")})
for length in range(8, len(png(3, 3, 2)), 7):
    wrong(f"a picture cut at {length}", IMAGE, 1, "cannot be read as a picture", beside={"i.png": png(3, 3, 2)[:length]})

# -- files and the command line
case("no file", SMALL, "check|FILE.none", 2, "cannot read")
case("a world that is a pipe", SMALL, "check|pipe", 2, "is a pipe or a device", beside={"pipe": os.mkfifo})
case("a library of pipes", SMALL, "check|--stdlib|pipes|FILE", 2, "is a pipe or a device",
     beside={"pipes/core/core.world": lambda path: (os.makedirs(os.path.dirname(path)), os.mkfifo(path))})
case("a bake that is a pipe", "part land\n  field ground: heightGrid = heightGrid(cell: 1 m, points: 8, height: p => p.x)\n",
     "ask|--baked|.|FILE|land.ground.columns()", 0, "8", ran=True, beside={"land.ground.bake": os.mkfifo})
case("a directory", SMALL, "check|.", 2, "Is a directory")
case("no library", SMALL, "check|--stdlib|none|FILE", 2, "cannot read")
# libraries in folders: NAME is the folder; in a package's text, one text for another
LIBRARIES = {
    "same": ("core", "", "// A comment more.\n"),
    "function": ("core", "fn open() edge { edge(kind: open, ", "fn open() edge { edge(kind: sea, "),
    "field": ("scatter", "  size: number\n  sink: number\n", "  size: number\n  age: int\n  sink: number\n"),
    "native": ("scatter", "extern fn spotState(draws: stream) u32", "extern fn spotState(draws: text) u32"),
    "option": ("core", "  field turn: angle = 0\n", ""),
    "gone": ("grid", "extern record heightGrid", "record heightGrid\n  cell: meters"),
}
for name, code, message in (("same", 0, ""), ("function", 0, ""), ("field", 1, "another 'placed' in the package scatter"),
                            ("native", 1, "another 'spotState'"), ("option", 1, "another 'anyPart'"), ("gone", 1, "E0813")):
    case(f"library of another {name}", SMALL, f"check|--stdlib|{name}|FILE", code, message)
for verb in ("ask|FILE.none|1", "build|FILE.none", "hash|FILE.none", "list|FILE.none", "repl|FILE.none",
             "stats|FILE.none", "explain|FILE.none|0|0", "diff|FILE|FILE.none", "dump|FILE.none|--ir",
             "map|FILE.none|x|-o|x.png", "export|FILE.none|-o|x.r32"):
    case(f"{verb.split('|')[0]} of no file", SMALL, verb, 2, "cannot read")
for text in ("chekc|FILE", "check|--chekc|FILE", "ask|--seed|x|FILE|x", "ask|--seed", "ask|-O9|FILE|x",
             "ask|--memory|0|FILE|x", "ask|--memory|much|FILE|x", "ask|--time-limit|-1|FILE|x", "ask|--threads|0|FILE|x",
             "check", "explain|FILE|1|b", "map|FILE|f(here)", "map|FILE|f(here)|-o|x.gif", "dump|FILE",
             "map|FILE|f(here)|-o|x.png|--over|0,0,0,0"):
    case(f"usage: {text}", SMALL, text, 2, "--help says how")
for verb, ending in (("map|FILE|f(here)", "png"), ("map|FILE|f(here)", "csv")):
    case(f"unwritable .{ending}", SMALL, f"{verb}|--size|4|-o|none/x.{ending}", 2, "cannot write")
case("unwritable folder", SMALL, "build|FILE|-o|/proc/none", 2, "cannot make the folder", ran=True)
case("grids kept in a file", "part land\n  field ground: heightGrid = heightGrid(cell: 1 m, points: 8, height: p => p.x)\n",
     "build|FILE|-o|FILE", 2, "E0806", ran=True)
case("a map of a constant", SMALL, "map|FILE|x|--size|2|-o|-", 0, "value")
case("nothing called that", SMALL, "doc|nope", 1, "nothing is called")
case("no such function", SMALL, "dump|FILE|--ir|nope", 1, "there is no function 'nope'")
case("standard input", SMALL, "ask|-|x", 1, "nothing here is called 'x'", stdin="")
case("a question of junk", SMALL, "repl|FILE", 1, "closes nothing", stdin=")))\nx\n")


def trouble(done, code, message):
    """What is wrong with an answer; None when nothing is."""
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode != code:
        return f"exit code {done.returncode}, not {code}: {said[:400]}"
    if message not in said:
        return f"'{message}' is not in: {said[:400]}"
    for sign in ("compiler's own", "Sanitizer", "runtime error:", "E0899"):
        if sign in said:
            return said[-1500:]
    if code == 0 and "error:" in said:
        return f"an error, but exit code 0: {said[:400]}"
    return None


def write_library(folder, name, package, text, other):
    for source in (pathlib.Path(__file__).resolve().parents[2] / "stdlib").glob("*/*.world"):
        told = source.read_text(encoding="utf-8")
        if source.stem == package:
            assert text in told, f"{package} no longer says {text!r}"
            told = told.replace(text, other, 1)
        copy = pathlib.Path(folder, name, source.parent.name, source.name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(told, encoding="utf-8")


def run_case(worldc, executors, folder, chosen):
    name, world, verb, code, message, ran, stdin, beside = chosen
    path = pathlib.Path(folder, "bad.world")
    for other, content in beside.items():
        if callable(content):
            content(os.path.join(folder, other))
        else:
            pathlib.Path(folder, other).write_bytes(content)
    path.write_bytes(world if isinstance(world, bytes) else world.encode())
    arguments = [word.replace("FILE", path.name, 1) for word in verb]
    environment = dict(os.environ, NO_COLOR="1", XDG_CACHE_HOME=folder)
    failures = 0
    for executor in executors if ran else [None]:
        choice = ["--exec", {"jit": "always"}.get(executor, executor)] if executor else []
        try:
            done = subprocess.run([worldc, arguments[0], *choice, *arguments[1:]], cwd=folder, env=environment,
                                  input=(stdin or "").encode(), capture_output=True, timeout=SECONDS)
            wrong_with_it = trouble(done, code, message)
        except subprocess.TimeoutExpired:
            wrong_with_it = f"no answer in {SECONDS} seconds"
        if wrong_with_it:
            failures += 1
            print(f"{name} {' '.join(choice)}: {wrong_with_it}")
    for other in beside:
        os.remove(os.path.join(folder, other))
    return failures


def main():
    worldc, executors, names = os.path.abspath(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
    failures = 0
    if "machine code" not in subprocess.run([worldc, "--version"], capture_output=True, text=True, check=True).stdout:
        case("no machine code to show", SMALL, "dump|FILE|--llvm", 1, "E0805")
    with tempfile.TemporaryDirectory() as folder:
        for name, change in LIBRARIES.items():
            write_library(folder, name, *change)
        for chosen in cases:
            if not names or chosen[0] in names:
                failures += run_case(worldc, executors, folder, chosen)
    print(f"{len(cases)} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
