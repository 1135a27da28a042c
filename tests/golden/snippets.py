#!/usr/bin/env python3
"""Every piece of code that the documents show is code: snippets.py WORLDC ROOT.

Looked at are the blocks of lang/REFERENCE.md, MANUAL.md, COOKBOOK.md and README.md, indented or fenced, and what stands in backquotes in the comments
of the standard library when it is a declaration or a call. Each is checked as it stands, with what CONTEXT puts before it; blocks of
statements stand in a function. NOT_CODE says of the others what they are. A row that fits nothing fails, too.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

LAND = '''
part land
  field ground: heightGrid = heightGrid(cell: 4 m, points: 33, height: p => 5 m + 0.1 * p.x)
  fn height(here: point) meters { ground.heightAt(here) }
  fn gradient(here: point) direction { ground.gradientAt(here) }
  fn slope(here: point) number { length(gradient(here)) }
  fn normal(here: point) direction { ground.normalAt(here) }
  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }
  part walkway: spine.through(points: [(0, 0, 0), (10, 0, 5), (30, 0, 0)])
  fn pathDistance(here: point) meters { walkway.nearest(here, within: 16 m).distance }
'''
def png_chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


GRAY = (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
        + png_chunk(b"IDAT", zlib.compress(b"\0\x10\x20\0\x30\x40")) + png_chunk(b"IEND", b""))
RULES = '''{"biomes": [{"id": "village", "recipes": [{"recipe": "pine", "layer": "all"}]}],
"recipes": [{"id": "pine", "anchor": {"id": "pine", "mesh": "pine"}}], "layers": [{"id": "all", "spacing": 9}]}'''
TREES = "part tree: shapes.cone(radius: 1 m, height: 3 m, sides: 5)\n"

# What stands before a block, by the block's first line. Statements: what stands before them in their function.
CONTEXT = {
    "use boidflock": LAND,
    "part oak: weberpenn.oak(seed: 4, height: 14 m), bark: (maxLevel: 2, subdivide: 1)":
        "use weberpenn\nfield leafGreen: material = plain(color: color(0.1, 0.3, 0.05))\n",
    'use houses from "parts/houses.world"': {"parts/houses.world": "part cottage\n  field width: meters = 5 m\n"},
    'check "twelve lanterns" { count(lanterns) == 12 }': LAND + TREES + '''
field lanterns = (0 ..< 12).toList()
field trees: List[placed] = scatter(over: land, rules: [rule(candidates: [(0, 0, 20)], test: 1 m, place: tree())])
''',
    "fn near(here: point) bool { land.pathDistance(here) < 70 m }": LAND,
    "fn level(ground: heightGrid) curve { waterLevel(ground, brook, table, around: halfBed) }": '''
field brook: spine = spine.through(points: [(-90, 0, 0), (90, 0, 20)])
field walkway: spine = spine.through(points: [(0, 0, -90), (20, 0, 90)])
field table: curve[meters] = curve([(0, 1 m), (1, 0.5 m)])
field halfBed: curve[meters] = curve([(0, 2 m)])
field bank: curve = curve([(0, 0.5)])
field depth: curve[meters] = curve([(0, 0.5 m)])
field rounding: curve[meters] = curve([(0, 1 m)])
fn baseHeight(p: point) meters { 5 m + 0.1 * p.x }
''',
    "fn groundUnder(place: point) point {": LAND,
    "record plot": {"town.csv": None},
    "record tent": {"camp.json": None},
    "use worldgen": {"wilds.esworld": RULES, "": LAND + """
part pineTree
  field variant = 0
part stone
  field variant = 0
"""},
    "use growth": LAND + """
part oakTree
  field variant = 0
part birchTree
""",
    "part wood": LAND + "part pine\n",
    "use climate": LAND + """
part pineTree
  field variant = 0
part palmTree
part stone
fn wetness(here: point) number { 0.5 }
""",
    "field mask = image(\"mask.png\")": {"mask.png": GRAY},
    "record house": {"village.csv": None},
    'field ground: heightGrid = heights("valley.tif", holes: fill)': {"valley.tif": pathlib.Path("examples/valley.tif")},
    'field ground: heightGrid = heights("valley.tif", cell: 10 m, holes: fill)': {"valley.tif": pathlib.Path("examples/valley.tif")},
}
# Blocks of a part's body.
BODIES = {"each k in 0 ..< 3 {": "part fencePost\nfn spot(k: int) point { (1 m * k, 0 m, 0 m) }\n"}
STATEMENTS = {
    "let way = land.walkway            a name for a value":
        ("fn ends(of: spine) (meters, meters) { (0 m, of.length()) }\n" + LAND, "let xs = [1, 2]\n"),
    "var xs = [1, 2, 3]": ("record tree\n  age: int\nrecord lamp\n  at: point\n",
                           "var stand = [tree(age: 1)]\nvar lamp = lamp(at: (0, 0, 0))\nvar g = Grid(2, 2, 1)\nlet i = 0\nlet j = 1\n"),
    "var a = [1, 2, 3]": ("", ""),
    "var state = start              a copy, at the first change, if `start` is used later":
        ("record tree\n  age: int\n", "let start = [tree(age: 1)]\n"),
}
NOT_CODE = {
    "part field fn record use each in while break continue return if else let var true false none self": "the words",
    "part NAME": "a form", "field NAME: TYPE, within: LO ..= HI = VALUE": "a form",
    "fn NAME(p: TYPE, q: TYPE = DEFAULT) RESULT { statements }": "a form",
    "record Range[T]": "the library's own; a file may not declare it again",
    "contract land": "the library's own, shortened",
    "part land, at: (0, altitude, 0)": "the outline of a land",
    "random(s, i)  = pcg(word(s) ^ pcg(word(i)))        chance(id) = toUnit(random(seed, id)), chance(id, i) = toUnit(random(random(seed, id), i))":
        "formulas", "own        starts at  pcg(seed ^ fnv1a(path))          path: where the rule is written, \"island.vegetation.forest\"": "formulas",
    "hash(seed, i)       h = seed ^ i;  h = (h ^ h >> 16) * 0x7FEB352D;  h = (h ^ h >> 15) * 0x846CA68B;  h ^ h >> 16": "formulas",
    "hash(parts)     h = 0x9747b28c ^ count; of each part k: k * 0xcc9e2d51, turned left by 15, * 0x1b873593; h = (h ^ k) turned left by 13, * 5 + 0xe6546b64;":
        "formulas",
    "hash            as in chapter 15; s = hash(seed, nameHash(world)); layer = hash(s, nameHash(id), version); cell = hash(layer, i, j)": "formulas",
    '[{"name": "first", "width": 2.5, "colors": ["#7a5230", [0.2, 0.3, 0.1]]}, {"name": "second"}]': "JSON",
    "name,side,width,turn": "a table", "name,x,z,width,turn": "a table", '{"version": 1, "edits": [': "a file of edits",
    "grove.world:12:63: error[E0301]: meters expected, found a plain number": "a message",
    "lang      text to tokens to a syntax tree and its printed form; diagnostics. Knows no meaning.": "a drawing",
}
# Of comments in the library, by the text itself.
SAID = {
    'field wells: List[well] = table("wells.csv")': {"wells.csv": "depth\n1 m\n", "": "record well\n  depth: meters\n"},
    'field rules: worldgen.rules = json("wilds.json")': {"wilds.json": RULES, "": "use worldgen\n"},
    'at("moisture")': "fn at(name: text) number { 1 }\n",
    'condition("moisture", min: 0.52, blend: 0.08)': "use worldgen\n",
    "part wilds: worldgen.world(rules: rules, over: land, kinds: kinds)":
        {"wilds.esworld": RULES, "": "use worldgen\n" + LAND + 'field kinds: List[worldgen.kind] = []\nfield rules: worldgen.rules = json("wilds.esworld")\n'},
    'kind("pine", pineTree(variant: tint))': "use worldgen\npart pineTree\n  field variant = 0\n",
    "at(2.5, 3)": "fn at(i: number, j: number) number { i }\n",
    "text(x)": "field x = 1\n",
}
# The same, in a function of these.
SAID_OF = {"spine.indexAt(along)": "spine: spine, along: meters", "grid.border()": "grid: heightGrid"}
SAID_NOT_CODE = {"kind(variant:, turn:, size:, sink:, height:, up:)": "a form", "carve(flat: 5 m)": "a call's one argument",
                 "spruce(variant: int(identity % 3))": "an argument, in which names are known that its callee gives",
                 "pineTree(variant: model)": "the same"}
ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARES = r"(part|field|fn|record|use|type|contract|check)\b"


def blocks(text):
    """Indented blocks: runs of lines that begin with four blanks, apart by empty ones at most."""
    found, lines = [], []
    for line in [*re.sub(r"```.*?```", "", text, flags=re.S).splitlines(), "end"]:
        if line.startswith("    "):
            lines.append(line[4:])
        elif line.strip() == "" and lines:
            lines.append("")
        elif lines:
            found.append("\n".join(lines).strip("\n") + "\n")
            lines = []
    return found


def fenced(text):
    return [body for language, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.S | re.M) if language in ("", "world")]


def apart(block):
    """A table, or JSON, under the record that reads it is a block of its own."""
    return [part.strip("\n") + "\n" for part in re.split(r"\n\n(?=name,|\[\{)", block)]


def complaint(worldc, world, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, pathlib.Path):
                content = (ROOT / content).read_bytes()
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        pathlib.Path(folder, "snippet.world").write_text(world, encoding="utf-8")
        done = subprocess.run([worldc, "check", "snippet.world"], cwd=folder, capture_output=True, text=True)
        return done.stderr if done.returncode else None


class Check:
    def __init__(self, worldc, root):
        self.worldc, self.root, self.failures, self.count, self.used = worldc, root, 0, 0, set()

    def world(self, where, text, context, keep=""):
        files = dict(context) if isinstance(context, dict) else {"": context}
        before = files.pop("", "")
        self.count += 1
        said = complaint(self.worldc, before + keep + text, files)
        if said:
            self.failures += 1
            print(f"{where}: {text}\n{said}")

    def block(self, where, text, table=""):
        first = text.splitlines()[0]
        self.used.add(first)
        if first in NOT_CODE or re.match(r"(worldc|sh) ", first):
            return
        if first in BODIES:
            self.world(where, "part body\n" + re.sub(r"^(?=.)", "  ", text, flags=re.M), BODIES[first])
            return
        if first in STATEMENTS:
            context, before = STATEMENTS[first]
            body = re.sub(r"(?<=\S) {3,}\S.*", "", text).replace("{ ... }", "{ }")
            self.world(where, f"fn snippet() {{\n{before}{body}}}\n", context)
            return
        context = CONTEXT.get(first, "")
        if isinstance(context, dict):
            context = {name: table if content is None else content for name, content in context.items()}
        version = "world version 1\n"
        keep = version if text.startswith(version) else ""
        self.world(where, text.removeprefix(version), context, keep)

    def document(self, name):
        text = (self.root / name).read_text(encoding="utf-8")
        quotes = name == "README.md"  # whose fences are looked at by quoted()
        parts = [part for block in blocks(text) + ([] if quotes else fenced(text)) for part in apart(block)]
        for part, following in zip(parts, [*parts[1:], ""]):
            self.block(name, part, following)

    def library(self):
        for path in sorted((self.root / "stdlib").glob("*/*.world")):
            for line in path.read_text(encoding="utf-8").splitlines():
                comment = re.match(r"\s*///?(.*)", line)
                for said in re.findall(r"`([^`]+)`", comment.group(1) if comment else ""):
                    if not re.match(DECLARES, said) and not re.fullmatch(r"[\w.]+\(.*\)", said):
                        continue
                    self.used.add(said)
                    if said in SAID_OF:
                        self.world(path.name, f"fn snippet({SAID_OF[said]}) {{ let said = {said} }}\n", "")
                    elif said not in SAID_NOT_CODE:
                        self.world(path.name, said + "\n" if re.match(DECLARES, said) else f"field snippet = {said}\n", SAID.get(said, ""))

    def contents(self):
        """REFERENCE's contents list every chapter, and its links lead there."""
        text = (self.root / "lang/REFERENCE.md").read_text(encoding="utf-8")
        chapters = re.findall(r"^## (\d+)\. (.*)$", text, re.M)
        wanted = [(n, title, f"{n}-" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")) for n, title in chapters]
        listed = re.findall(r"^(\d+)\. \[(.*?)\]\(#(.*?)\)", text, re.M)
        if listed != wanted or [int(n) for n, _ in chapters] != [*range(1, len(chapters) + 1)]:
            self.failures += 1
            print(f"lang/REFERENCE.md: its chapters are {chapters}, its contents {listed}")

    def unused(self):
        for row in {*CONTEXT, *BODIES, *STATEMENTS, *NOT_CODE, *SAID, *SAID_OF, *SAID_NOT_CODE} - self.used:
            self.failures += 1
            print(f"no document shows this any more: {row}")

    def quoted(self):
        """README's fences: worlds are parts of the examples, C is C."""
        fences = re.findall(r"```(\w*)\n(.*?)```", (self.root / "README.md").read_text(encoding="utf-8"), re.S)
        examples = [path.read_text(encoding="utf-8") for path in (self.root / "examples").glob("*.world")]
        for language, text in fences:
            self.count += 1
            pieces = [piece.strip("\n") for piece in re.split(r"^(?=(?:fn|check|field|part) )", text, flags=re.M)]
            if language == "" and not any(all(piece in example for piece in pieces) for example in examples):
                self.failures += 1
                print(f"README.md: no example holds\n{text}")
        c = "\n".join(text for language, text in fences if language == "c")
        includes = "\n".join(re.findall(r"^#include.*$", c, re.M))
        body = re.sub(r"^#include.*$", "", c, flags=re.M)
        with tempfile.TemporaryDirectory() as made:  # island.h is what the compiler makes it
            subprocess.run([self.worldc, "compile", self.root / "examples/island.world", "-q", "-o", f"{made}/island.o", "--header", f"{made}/island.h"],
                           check=True)
            done = subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", f"-I{self.root}/runtime/include", f"-I{made}", "-"],
                                  input=f"{includes}\nvoid snippet(void);\nvoid snippet(void) {{\n{body}\n}}\n", text=True, capture_output=True)
        if done.returncode:
            self.failures += 1
            print("README.md:", done.stderr)


def main():
    check = Check(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
    for name in ("lang/REFERENCE.md", "lang/MANUAL.md", "lang/COOKBOOK.md", "README.md"):
        check.document(name)
    check.contents()
    check.quoted()
    check.library()
    check.unused()
    print(f"{check.count} snippets, {check.failures} failures")
    return 1 if check.failures else 0


sys.exit(main())
