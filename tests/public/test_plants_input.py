#!/usr/bin/env python3
"""What plants are told wrongly: every number of every record of a plant, as it should never be.

    test_plants_input.py WORLDC STDLIB

The records' fields are read from the library's text, so a new one is tried too. Each answer is a mesh of a finite size, or an error
that names the field; what is no number is always one.
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
}
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


def main():
    worldc, stdlib = sys.argv[1], pathlib.Path(sys.argv[2])
    asked = list(questions(stdlib))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        world = pathlib.Path(folder, "plants.world")
        world.write_text("world version 1\nuse weberpenn\nuse noiserock\nuse leafrosette\nuse undergrowth\nfield three: number = 3\n"
                         "field saplings: tree = tree(levels: 2, leafSites: 2)\n")
        texts = [question for _, question in asked]
        done = subprocess.run([worldc, "ask", "-q", "--json", "--exec", "interp", "--time-limit", "20", "--memory", "500M", world, *texts],
                              capture_output=True, text=True, timeout=110)
    answers = {a["expr"]: a["value"] for a in json.loads(done.stdout)}
    errors = dict(reversed(e) for e in re.findall(r"^<ask>:1:\d+: error: (.*)\n    1 \| (.*)$", done.stderr, re.M))
    for field, question in asked:
        said = errors.get(question, "")
        named = said.endswith("[E0512]") and re.search(rf"\b{field}\b[^:]*:", said.split("out of its range:")[-1])
        finite = question in answers and NAN not in question
        if not (named or finite):
            failures += 1
            print(question, "->", said or answers.get(question))
    print(f"{len(asked)} tried, {failures} wrong")
    return 1 if failures or len(asked) < 300 else 0


sys.exit(main())
