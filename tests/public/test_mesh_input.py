#!/usr/bin/env python3
"""What plants and shapes are told wrongly: every number of every record of a plant and of every function that makes a mesh, as it
should never be. And what shapes are told rightly: each is closed, its triangles facing out, or known to be open.

    test_mesh_input.py WORLDC STDLIB

The fields and parameters are read from the library's text, so a new one is tried too. Each answer is a mesh of a finite size, or an
error that names the field (of a list, what is wrong in it); what is no number is always one.
"""
import json
import re
import subprocess
import sys
import tempfile
import pathlib

# package, record, and what of it is made into a mesh; {} stands for its arguments
RECORDS = [
    ("weberpenn", "tree", "tree({}).grow().bark"),
    ("weberpenn", "level", "tree(levels: 2, levelParams: [level(branches: 3), level({})]).grow().bark"),
    ("weberpenn", "level", "tree(levels: 2, levelParams: [level({}), level()]).grow().bark"),
    ("weberpenn", "barkStyle", "tree(levels: 2).grow(barkStyle({})).bark"),
    ("weberpenn", "leafage", "saplings.grow().foliage(broadLeaf(1, detail: 3).with({})).mesh"),
    ("noiserock", "RockParams", "RockParams({}).rock()"),
    ("leafrosette", "hosta", "hosta({}).rosette()"),
    ("leafrosette", "fern", "fern({}).rosette()"),
    ("leafrosette", "flowers", "flowers({}).rosette()"),
    ("morphogen", "colonization", "colonization({}).grow(inCrown((0, 0, 0), 1 m, 1 m, 60), [(0, 0, 0)]).tubes(1 cm)"),
    *(("undergrowth", name, name + "({}).grown()") for name in ("mushroom", "tuft", "reed", "fallenLog", "stump", "cactus")),
]
# and functions: what they are called with besides
CALLS = [
    ("weberpenn", name, "saplings.grow().foliage(%s({})).mesh" % name) for name in
    ("mapleFoliage", "broadLeaf", "needles", "fronds", "spruceFoliage", "firFoliage")
] + [
    ("weberpenn", name, "%s({}).grow(barkStyle(maxLevel: 1, subdivide: 1, fatSides: 3, midSides: 3)).bark" % name) for name in
    ("spruceTree", "firTree", "palm", "cypress", "shrub", "deadTree")
]
GIVEN = {"seed": "seed: 1", "height": "height: 3 m"}
NAN = "sqrt(-1.0 * three)"
BAD = {
    "int": ["-1", "0", "1000000", "4611686018427387904"],
    "number": ["-1", "0", "1e300", "-1e300", NAN],
    "meters": ["-1 m", "0 m", "1e300 m", NAN + " * 1 m"],
    "angle": ["-1e300 deg", "1e300 deg", NAN + " * 1 deg"],
    "List[number]": ["[]", "[1]", f"[{NAN}, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]", "[-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"],
    "List[level]": ["[]"],
    "color": [f"({NAN}, 0, 0)", "(-1, 0, 0)"],
    "offset": ["(0, 0, 0)", "(-1, 1, 1)", "(1e300, 1, 1)", f"({NAN} * 1 m, 1, 1)"],
    "direction": ["(0, 0, 0)", f"({NAN}, 1, 1)", "(1e300, 0, 0)"],
    "List[(meters, meters)]": ["[]", "[(0 m, 0 m)]", "[(0 m, 0 m), (0 m, 0 m), (0 m, 0 m)]", "[(0 m, 0 m), (1 m, 0 m), (2 m, 0 m)]",
                               f"[(0 m, 0 m), (1 m, 0 m), ({NAN} * 1 m, 1 m)]", "[(0 m, 0 m), (1e300 m, 0 m), (1 m, 1 m)]"],
    "List[offset]": ["[]", "[(0, 0, 0)]", "[(0, 0, 0), (0, 0, 0)]", f"[(0, 0, 0), ({NAN} * 1 m, 1, 1)]", "[(0, 0, 0), (1, 0, 0), (0, 0, 0)]"],
    "List[List[offset]]": ["[]", "[[], []]", "[[(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 0)]]"],
    "List[List[(meters, meters)]]": ["[[]]", "[[(9 m, 9 m), (9.1 m, 9 m), (9 m, 9.1 m)]]"],
    "List[int]": ["[-1]", "[99]", "[0, 0, 0]"],
    "List[opening]": ["[opening(x: -1 m)]", "[opening(x: 9 m)]", "[opening(x: 0.1 m), opening(x: 0.2 m)]", f"[opening(x: {NAN} * 1 m)]",
                      "[opening(x: 0.5 m, width: 0 m)]", "[opening(x: 0.5 m, height: 1e300 m)]"],
    "spine": ["spine.through(points: [(0, 0, 0), (0, 1, 0)])"],
    "List[mesh]": ["[]"],
    "mesh": ["merge([])"],
}
# What the other parameters of a shape are.
GOOD = {
    "int": "5", "number": "0.5", "meters": "1 m", "angle": "30 deg", "offset": "(1, 1, 1)", "direction": "(1, 1, 1)", "color": "(1, 1, 1)",
    "fraction": "0.5", "seed": "1", "List[(meters, meters)]": "[(0 m, 0 m), (1 m, 0 m), (1 m, 1 m)]",
    "List[offset]": "[(0, 0, 0), (0, 2, 0), (0, 4, 1)]", "List[number]": "[1.0, 1.0, 1.0]", "List[int]": "[0, 1, 2]", "spine": "road",
    "List[List[offset]]": "[[(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 0), (0, 1, 1), (1, 1, 0)]]", "mesh": "box((1, 1, 1))",
    "List[mesh]": "[box((1, 1, 1))]",
}
# ... but for these
FOR = {("lathe", "profile"): "[(0 m, 0 m), (1 m, 0 m), (0 m, 1 m)]", ("bevelledBox", "bevel"): "0.1 m", ("flattened", "height"): "-0.2 m"}
OPEN = {"limb", "blades", "surface"}
BAD["fraction"] = BAD["metersOrNumber"] = BAD["number"]


def fields_of(text, record):
    body = re.search(rf"^(?:extern )?record {record}\n((?:  .*\n|\n)+)", text, re.M).group(1)
    return re.findall(r"^  (\w+): ([\w\[\]]+)", body, re.M)


def parameters_of(text, function):
    said = re.search(rf"^fn {function}\((.*?)\) \w+ \{{", text, re.M | re.S).group(1)
    return re.findall(r"(\w+): ([\w\[\]]+)", said)


def questions(stdlib):
    for package, name, made in RECORDS + CALLS:
        text = "".join(path.read_text() for path in sorted((stdlib / package).glob("*.world")))
        call = (package, name, made) in CALLS
        for field, kind in parameters_of(text, name) if call else fields_of(text, name):
            for value in BAD.get(kind, []):
                given = [f"{field}: {value}"]
                if call:
                    given += [GIVEN[p] for p, _ in parameters_of(text, name) if p in GIVEN and p != field]
                yield field, f"{made.format(', '.join(given))}.size()"


def split(arguments):
    """At commas that stand in no brackets."""
    parts, depth = [""], 0
    for c in arguments:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def shapes(stdlib):
    """(name, [(parameter, type, default or None)]) of every function that makes a mesh."""
    text = (stdlib / "shapes" / "shapes.world").read_text()
    for name, arguments in re.findall(r"^(?:extern )?fn (\w+)\((.*)\) mesh(?: \{.*)?$", text, re.M):
        if name not in ("ribbon", "tubesOf", "copiesOf"):  # of curves, and of what plants are put together of
            yield name, [re.fullmatch(r"(\w+): (.*?)( = .*)?", argument).groups() for argument in split(arguments)]


def call_of(name, given):
    of = given.pop("self", None)
    call = f"{'' if of else 'shapes.'}{name}({', '.join(f'{n}: {v}' for n, v in given.items())})"
    return f"({of}).{call}" if of else call


def shape_questions(stdlib):
    for name, parameters in shapes(stdlib):
        for field, kind, _ in parameters:
            for value in ["[]", f"[{NAN}, 1, 1]", "[1]"] if kind == "List[number]" else BAD.get(kind, []):
                given = {n: value if n == field else FOR.get((name, n), GOOD[k]) for n, k, default in parameters if n == field or not default}
                named = r"\w+" if kind.startswith("List") or name in ("colored", "bevelledBox") else field
                yield named, call_of(name, given) + ".size()"


def sound_questions(stdlib):
    """What is open encloses nothing that could be asked."""
    for name, parameters in shapes(stdlib):
        call = call_of(name, {n: FOR.get((name, n), GOOD[k]) for n, k, default in parameters if not default})
        yield name, f"{call}.isClosed() && {call}.volume() > 0 m^3"


def main():
    worldc, stdlib = sys.argv[1], pathlib.Path(sys.argv[2])
    asked = list(questions(stdlib)) + list(shape_questions(stdlib))
    sound = list(sound_questions(stdlib))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        world = pathlib.Path(folder, "plants.world")
        world.write_text("world version 1\nuse weberpenn\nuse noiserock\nuse leafrosette\nuse undergrowth\nuse morphogen\nfield three: number = 3\n"
                         "use shapes\nfield saplings: tree = tree(levels: 2, leafSites: 2)\n"
                         "field road: spine = spine.through(points: [(0, 0, 0), (10, 0, 0)])\n")
        texts = [question for _, question in asked]
        done = subprocess.run([worldc, "ask", "-q", "--json", "--exec", "interp", "--time-limit", "20", "--memory", "500M", world, *texts,
                               *(question for _, question in sound)],
                              capture_output=True, text=True, timeout=280)
    answers = {a["expr"]: a["value"] for a in json.loads(done.stdout)}
    errors = dict(reversed(e) for e in re.findall(r"^<ask>:1:\d+: error: (.*)\n    1 \| (.*)$", done.stderr, re.M))
    for field, question in asked:
        said = errors.get(question, "")
        named = said.endswith("[E0512]") and re.search(rf"\b{field}\b", said.split("out of its range:")[-1])
        finite = question in answers and NAN not in question
        if not (named or finite):
            failures += 1
            print(question, "->", said or answers.get(question))
    for name, question in sound:
        if answers.get(question) != (name not in OPEN):
            failures += 1
            print(question, "->", answers.get(question))
    print(f"{len(asked)} tried, {failures} wrong")
    return 1 if failures or len(asked) < 1000 else 0


sys.exit(main())
