#!/usr/bin/env python3
"""A world as glTF: every part and every placed thing is there, by name and where `worldc list` says it is.

    test_gltf.py WORLDC               the files read back here
    test_gltf.py WORLDC FOLDER        the files held against the rules of glTF by npm's gltf-validator, which is fetched into
                                      FOLDER when it is not there; without node or npm's help the test is skipped
"""
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
SKIP = 77
WORLD = '''
field seed: seed = 3
part land, at: (10 m, 2 m, 0 m), edge: sea(wade: 1 m)
  field ground: heightGrid = heightGrid(cell: 4 m, points: 17, height: p => 1 m + 0.1 * p.x)
  fn height(here: point) meters { ground.heightAt(here) }
  fn gradient(here: point) direction { ground.gradientAt(here) }
  fn slope(here: point) number { length(gradient(here)) }
  fn normal(here: point) direction { ground.normalAt(here) }
  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }
part lamp
  part pole: shapes.cone(radius: 0.1 m, height: 2 m, sides: 5)
  part head: shapes.sphere(radius: 0.2 m, sides: 6).colored((2, 0.5, 0)), at: (0, 2, 0), scale: 0.5
part stone: shapes.sphere(radius: 0.3 m, sides: 5)
part way, at: (0, 0, -3), turn: 130 deg
  part first: lamp, at: (1, 0, 0), turn: 100 deg
  part row["a \\"b\\".c"]: lamp, at: (2, 0, 0), scale: 2
part pool: shapes.box(size: (3, 0.1, 3)), material: shaded(water), tint: (0.5, 1, 1)
part leaf: shapes.box(size: (1, 1, 1)).twoSided()
part blue: lamp, at: (0, 9, 0), tint: (0, 0.5, 2)
part unseen: shapes.box(size: (1, 1, 1)), hidden: true
part land.wood
  field layout = scatter(over: land, rules: [lamps, stones])
  field lamps = rule(candidates: [(3, 0, 4), (-6, 0, 5)], test: 0.5 m, place: lamp(size: 1.5, turn: 40 deg, sink: 0.1))
  field stones = rule(draws: perSpot, candidates: jitteredGrid(cell: 8 m, x: -24 m ..< 24 m, z: -24 m ..< 24 m),
      test: 0.5 m, place: stone(size: 0.5 + uniform(0, 1)))
'''

TREE = '''
use weberpenn
part tree: spruceTree(3, 2 m), at: (3, 0, 0), tint: (1, 0.5, 1)
  foliage(self, spruceFoliage(3, cardScale: 0.4))
'''


LOOKS = '''
field gold: material = material(color: (1, 0.5, 0.25), roughness: 0.25, metal: 1)
part ingot: shapes.box(size: (1 m, 1 m, 1 m)), material: gold, tint: (0.5, 1, 1)
part ember: shapes.box(size: (1 m, 2 m, 1 m)), material: material(emission: color(4, 2, 1), roughness: if at.x > 0 m { 0 } else { 1 })
part coal: shapes.box(size: (1 m, 3 m, 1 m)), material: material(emission: color(0.5, 0, 0))
part stripes: shapes.box(size: (1 m, 4 m, 1 m)), material: material(color: color(1, 1, 1) * fract(at.y / 1 m))
'''


def export(worldc, world, out, *options):
    subprocess.run([worldc, "export", "-q", world, "-o", out, *options], check=True)


def read_binary(path):
    data = path.read_bytes()
    magic, version, length, text, kind = struct.unpack("<IIIII", data[:20])
    assert (magic, version, length, kind) == (0x46546C67, 2, len(data), 0x4E4F534A), "the head"
    size, kind = struct.unpack("<II", data[20 + text:28 + text])
    assert (kind, size) == (0x004E4942, len(data) - 28 - text), "the numbers' head"
    return json.loads(data[20:20 + text]), data[28 + text:]


def turned(node, point):
    """Where a point of a node lies in what holds it."""
    assert "matrix" not in node, "a frame's matrix is a turn"
    _, y, _, w = node.get("rotation", (0, 0, 0, 1))
    assert abs(y * y + w * w - 1) < 1e-9
    s, (px, py, pz) = node.get("scale", (1, 1, 1))[0], point
    sine, cosine = 2 * y * w, w * w - y * y
    at = node.get("translation", (0, 0, 0))
    return (at[0] + s * (cosine * px + sine * pz), at[1] + s * py, at[2] + s * (cosine * pz - sine * px))


def close(a, b):
    return all(math.isclose(x, y, abs_tol=1e-4) for x, y in zip(a, b))


def listed(worldc, world, *path):
    done = subprocess.run([worldc, "list", world, *path, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def check_parts(nodes, parts):
    drawn = {"way.first.pole", "way.first.head", 'way.row["a "b".c"].pole', 'way.row["a "b".c"].head', "pool", "leaf",
             "blue.pole", "blue.head"}
    for part in parts:
        found = [n for n in nodes if n.get("extras", {}).get("path") == part["path"] and "id" not in n["extras"] and "mesh" in n]
        assert len(found) == (part["path"] in drawn), part
        for node in found:
            assert node["name"] == part["path"] and "mesh" in node
            assert close(turned(node, (0, 0, 0)), (part["x"], part["y"], part["z"])), (node, part)
            ahead = turned({"rotation": (0, math.sin(part["turn"] / 2), 0, math.cos(part["turn"] / 2)),
                            "scale": [part["scale"]] * 3, "translation": (part["x"], part["y"], part["z"])}, (0, 0, 1))
            assert close(turned(node, (0, 0, 1)), ahead), (node, part)
    assert drawn <= {p["path"] for p in parts}


def check_tree(gltf):
    """Every node has one parent or is a root; what stands in a part is under it, and moves with it: nothing above it does."""
    nodes, roots = gltf["nodes"], gltf["scenes"][0]["nodes"]
    parents = {}
    for i, node in enumerate(nodes):
        for child in node.get("children", []):
            assert child not in parents
            parents[child] = i
    coarser = [i for node in nodes for i in node.get("extensions", {}).get("MSFT_lod", {}).get("ids", [])]
    assert sorted([*parents, *roots, *coarser]) == list(range(len(nodes)))
    by_name = {node["name"]: i for i, node in enumerate(nodes) if node.get("extras", {}).get("path") == node["name"]}
    for under, over in (("way.first.pole", "way.first"), ("way.first", "way"), ('way.row["a "b".c"].head', 'way.row["a "b".c"]'),
                        ('way.row["a "b".c"]', "way"), ("blue.pole", "blue")):
        assert parents[by_name[under]] == by_name[over], (under, over)
        assert not {"mesh", "translation", "rotation", "scale", "matrix"} & nodes[by_name[over]].keys()
    assert by_name["way"] in roots and by_name["pool"] in roots


def check_things(gltf, things, at):
    nodes = gltf["nodes"]
    layout = next(n for n in nodes if n["name"] == "land.wood.layout")
    placed = [nodes[i] for i in layout["children"]]
    assert [n["extras"]["id"] for n in placed] == [t["id"] for t in things] == [n["name"] for n in placed]
    assert len(things) > 10
    stones = set()
    for node, thing in zip(placed, things):
        assert node["extras"] == {"id": thing["id"], "path": "land.wood.layout", "design": thing["kind"]}
        foot = (thing["x"] + at[0], thing["y"] - thing["sink"] * thing["size"] + at[1], thing["z"] + at[2])
        if thing["kind"] == "stone":
            stones.add(node["mesh"])
            assert close(turned(node, (0, 0, 0)), foot) and math.isclose(node.get("scale", [1])[0], thing["size"], rel_tol=1e-6)
        else:
            pole, head = (nodes[i] for i in node["children"])
            assert close(turned(pole, (0, 0, 0)), foot)
            assert close(turned(head, (0, 0, 0)), (foot[0], foot[1] + 2 * thing["size"], foot[2]))
            assert math.isclose(head["scale"][0], thing["size"] / 2, rel_tol=1e-6)
    assert len(stones) == 1, "copies share their mesh"


def check_numbers(gltf, numbers):
    """Every accessor lies in the buffer, and says its own bounds; colors and indices are in theirs."""
    assert gltf["buffers"][0]["byteLength"] == len(numbers)
    for mesh in gltf["meshes"]:
        for primitive in mesh["primitives"]:
            read = {}
            for name, index in [*primitive["attributes"].items(), ("indices", primitive["indices"])]:
                accessor = gltf["accessors"][index]
                view = gltf["bufferViews"][accessor["bufferView"]]
                wide, letter = {"VEC3": (3, "f"), "VEC2": (2, "f"), "SCALAR": (1, "I")}[accessor["type"]]
                assert view["byteLength"] == accessor["count"] * wide * 4
                assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(numbers)
                read[name] = struct.unpack_from(f"<{accessor['count'] * wide}{letter}", numbers, view["byteOffset"])
            position = gltf["accessors"][primitive["attributes"]["POSITION"]]
            for axis in range(3):
                assert position["min"][axis] == min(read["POSITION"][axis::3])
                assert position["max"][axis] == max(read["POSITION"][axis::3])
            assert max(read["indices"]) < position["count"]
            assert all(0 <= c <= 1 for c in read.get("COLOR_0", ()))
            assert len(read["NORMAL"]) == len(read["POSITION"])
            normals = list(zip(*[iter(read["NORMAL"])] * 3))
            assert all(math.isclose(math.hypot(*normal), 1, abs_tol=1e-5) for normal in normals)
            yield mesh, read["POSITION"]


def check_land(gltf, shapes):
    """Row by row from the northwest, in the land's frame; the sea about its middle, at its own height 0."""
    land, sea = ([at for mesh, at in shapes if mesh is gltf["meshes"][gltf["nodes"][i]["mesh"]]][0] for i in (0, 1))
    heights = [(4.0 * i - 32, 1 + 0.1 * (4 * i - 32), 4.0 * j - 32) for j in range(17) for i in range(17)]
    assert len(land) == 3 * len(heights) and close(land, [number for at in heights for number in at])
    assert set(sea[1::3]) == {2.0} and (min(sea[::3]) + max(sea[::3]), min(sea[2::3]) + max(sea[2::3])) == (20, 0)


def material_of(gltf, name):
    node = next(n for n in gltf["nodes"] if n["name"] == name)
    return gltf["materials"][gltf["meshes"][node["mesh"]]["primitives"][0]["material"]]


def check_world(worldc, folder):
    world = pathlib.Path(folder, "a world.world")
    world.write_text(WORLD, encoding="utf-8")
    export(worldc, world, world.with_suffix(".glb"))
    export(worldc, world, world.with_suffix(".gltf"))
    gltf, numbers = read_binary(world.with_suffix(".glb"))
    apart = json.loads(world.with_suffix(".gltf").read_text(encoding="utf-8"))
    assert apart["buffers"][0].pop("uri") == "a%20world.bin" and apart == gltf
    assert world.with_suffix(".bin").read_bytes() == numbers
    piped = subprocess.run([worldc, "export", "-q", world, "-o", "-"], check=True, capture_output=True).stdout
    assert piped == world.with_suffix(".glb").read_bytes()
    assert gltf["scenes"][0]["name"] == "a world"
    names = [node["name"] for node in gltf["nodes"]]
    assert names[:2] == ["land", "sea"] and gltf["nodes"][0]["translation"] == [10, 2, 0]
    assert not any("unseen" in name for name in names)
    check_parts(gltf["nodes"], listed(worldc, world))
    check_tree(gltf)
    check_things(gltf, listed(worldc, world, "land.wood.layout"), (10, 2, 0))
    check_land(gltf, list(check_numbers(gltf, numbers)))
    water = material_of(gltf, "pool")
    assert water["alphaMode"] == "BLEND" and water["pbrMetallicRoughness"]["baseColorFactor"][:3] == [0.5, 1, 1]
    for part, tint in (("way.first", [1, 1, 1]), ("blue", [0, 0.5, 1])):
        for name in (part + ".pole", part + ".head"):
            assert material_of(gltf, name)["pbrMetallicRoughness"].get("baseColorFactor", [1, 1, 1])[:3] == tint, name
    assert [n for n in ("leaf", "way.first.head", "land") if material_of(gltf, n).get("doubleSided")] == ["leaf"]


def check_levels(worldc, folder):
    """Bark and leaves each name nodes of no scene that have fewer triangles; the last of the leaves is a picture on cards."""
    world = pathlib.Path(folder, "tree.world")
    world.write_text(TREE, encoding="utf-8")
    export(worldc, world, world.with_suffix(".glb"))
    gltf, numbers = read_binary(world.with_suffix(".glb"))
    list(check_numbers(gltf, numbers))
    nodes, meshes = gltf["nodes"], gltf["meshes"]
    shown = set(gltf["scenes"][0]["nodes"]).union(*(node.get("children", ()) for node in nodes))
    assert gltf["extensionsUsed"] == ["MSFT_lod"]
    primitives = []
    for node in [nodes[i] for i in shown if "mesh" in nodes[i]]:
        ids = node["extensions"]["MSFT_lod"]["ids"]
        covers = node["extras"]["MSFT_screencoverage"]
        assert len(covers) == len(ids) + 1 and covers == sorted(covers, reverse=True) and covers[-1] == 0
        assert not shown & set(ids) and all(nodes[i]["translation"] == node["translation"] == [3, 0, 0] for i in ids)
        chain = [meshes[n["mesh"]]["primitives"][0] for n in [node] + [nodes[i] for i in ids]]
        counts = [gltf["accessors"][p["indices"]]["count"] for p in chain]
        assert counts == sorted(set(counts), reverse=True)
        primitives.append(chain)
    bark, leaves = primitives
    assert all("TEXCOORD_0" in p["attributes"] for p in bark) and "TEXCOORD_0" not in leaves[0]["attributes"]
    look = gltf["materials"][leaves[-1]["material"]]
    assert look["alphaMode"] == "MASK" and look["doubleSided"] and look["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0.5, 1, 1]
    image = gltf["images"][gltf["textures"][look["pbrMetallicRoughness"]["baseColorTexture"]["index"]]["source"]]
    view = gltf["bufferViews"][image["bufferView"]]
    assert image["mimeType"] == "image/png" and numbers[view["byteOffset"]:][:8] == b"\x89PNG\r\n\x1a\n"
    assert view["byteOffset"] + view["byteLength"] <= len(numbers) < view["byteOffset"] + view["byteLength"] + 4


def floats(gltf, numbers, index):
    accessor = gltf["accessors"][index]
    wide = {"VEC3": 3, "VEC4": 4}[accessor["type"]]
    view = gltf["bufferViews"][accessor["bufferView"]]
    assert view["byteLength"] == accessor["count"] * wide * 4
    return list(zip(*[iter(struct.unpack_from(f"<{accessor['count'] * wide}f", numbers, view["byteOffset"]))] * wide))


def standing(place, turn, size):
    """One row for one way to stand: a quaternion and its opposite are one turn."""
    sign = math.copysign(1, turn[3])
    return tuple(round(number, 3) for number in (*place, *(sign * part for part in turn), *size))


def check_instances(worldc, folder):
    """Copies of a mesh as one node stand where the nodes of a file of things do, in their tints."""
    world = pathlib.Path(folder, "crowd.world")
    world.write_text(WORLD, encoding="utf-8")
    export(worldc, world, world.with_suffix(".glb"))
    gltf, _ = read_binary(world.with_suffix(".glb"))
    coarser = {i for node in gltf["nodes"] for i in node.get("extensions", {}).get("MSFT_lod", {}).get("ids", [])}
    single = sorted(standing(node.get("translation", (0, 0, 0)), node.get("rotation", (0, 0, 0, 1)), node.get("scale", (1, 1, 1)))
                    for i, node in enumerate(gltf["nodes"]) if i > 1 and i not in coarser and "mesh" in node)
    export(worldc, world, world.with_suffix(".glb"), "--instances")
    gltf, numbers = read_binary(world.with_suffix(".glb"))
    assert gltf["extensionsRequired"] == ["EXT_mesh_gpu_instancing"] and [n["name"] for n in gltf["nodes"][:2]] == ["land", "sea"]
    crowds = [gltf["nodes"][i] for i in gltf["scenes"][0]["nodes"][2:]]
    assert len(crowds) == len({node["mesh"] for node in crowds}) < len(single)
    together, blue = [], 0
    for node in crowds:
        lists = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
        places, turns, sizes, tints = (floats(gltf, numbers, lists[name]) for name in ("TRANSLATION", "ROTATION", "SCALE", "_COLOR_0"))
        together += map(standing, places, turns, sizes)
        blue += sum(tint == (0, 0.5, 2) for tint in tints)
    assert blue == 2, "the blue lamp's pole and head"
    assert len(together) == len(single) and all(math.dist(a, b) < 0.003 for a, b in zip(sorted(together), single))
    tree = pathlib.Path(folder, "trees.world")
    tree.write_text(TREE, encoding="utf-8")
    export(worldc, tree, tree.with_suffix(".glb"), "--instances")
    gltf, _ = read_binary(tree.with_suffix(".glb"))
    for node in [gltf["nodes"][i] for i in gltf["scenes"][0]["nodes"]]:
        coarser = [gltf["nodes"][i] for i in node["extensions"]["MSFT_lod"]["ids"]]
        assert coarser and all(level["extensions"]["EXT_mesh_gpu_instancing"] == node["extensions"]["EXT_mesh_gpu_instancing"] for level in coarser)


def check_looks(worldc, folder):
    """What a material's formulas say everywhere alike is glTF's; what they say of a place leaves the vertices' colors."""
    world = pathlib.Path(folder, "looks.world")
    world.write_text(LOOKS, encoding="utf-8")
    export(worldc, world, world.with_suffix(".glb"))
    gltf, numbers = read_binary(world.with_suffix(".glb"))
    list(check_numbers(gltf, numbers))
    ingot, ember, coal, stripes = (material_of(gltf, name) for name in ("ingot", "ember", "coal", "stripes"))
    assert ingot["pbrMetallicRoughness"] == {"baseColorFactor": [0.5, 0.5, 0.25, 1], "metallicFactor": 1, "roughnessFactor": 0.25}
    assert ember["emissiveFactor"] == [1, 0.5, 0.25] and ember["extensions"] == {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}
    assert coal["emissiveFactor"] == [0.5, 0, 0] and "extensions" not in coal
    assert gltf["extensionsUsed"] == ["KHR_materials_emissive_strength"]
    for plain in (ember, coal, stripes):
        assert plain["pbrMetallicRoughness"] == {"baseColorFactor": [1, 1, 1, 1], "metallicFactor": 0, "roughnessFactor": 0.9}
    colored = [name for name in ("ingot", "ember", "coal", "stripes")
               if "COLOR_0" in gltf["meshes"][next(n["mesh"] for n in gltf["nodes"] if n["name"] == name)]["primitives"][0]["attributes"]]
    assert colored == ["ember", "coal", "stripes"]


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIP)


def fetch_validator(folder):
    """node's word for a folder in which gltf-validator is installed."""
    if not shutil.which("node") or not shutil.which("npm"):
        skip("node and npm are not here")
    if not pathlib.Path(folder, "node_modules", "gltf-validator").exists():
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, VALIDATOR],
                              capture_output=True, text=True, timeout=120)
        if done.returncode:
            skip("npm does not give gltf-validator here")
    return folder


VALIDATE = '''
const validator = require("gltf-validator"), fs = require("fs"), path = require("path");
const file = process.argv[1];
validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {externalResourceFunction: uri =>
  Promise.resolve(new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))))})
  .then(report => console.log(JSON.stringify(report.issues)));
'''


def validate(worldc, folder, validator):
    world = pathlib.Path(folder, "a world.world")
    world.write_text(WORLD, encoding="utf-8")
    tree = pathlib.Path(folder, "tree.world")
    tree.write_text(TREE, encoding="utf-8")
    looks = pathlib.Path(folder, "looks.world")
    looks.write_text(LOOKS, encoding="utf-8")
    examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
    failures = 0
    for source, ending in ((world, ".glb"), (world, ".gltf"), (tree, ".glb"), (tree, ".gltf"), (looks, ".glb"), (examples / "floating.world", ".glb"), (examples / "town.world", ".glb")):
        out = pathlib.Path(folder, source.stem + ending)
        export(worldc, source, out)
        done = subprocess.run(["node", "-e", VALIDATE, out], cwd=validator, check=True, capture_output=True, text=True)
        issues = json.loads(done.stdout)
        wrong = [m for m in issues["messages"] if m["severity"] < 2]  # errors and warnings
        failures += bool(wrong)
        print(f"{out.name}: {issues['numErrors']} errors, {issues['numWarnings']} warnings", *wrong[:5], sep="\n  ")
    return failures


def main():
    worldc = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 2:
            return 1 if validate(worldc, folder, fetch_validator(sys.argv[2])) else 0
        check_world(worldc, folder)
        check_levels(worldc, folder)
        check_instances(worldc, folder)
        check_looks(worldc, folder)
    return 0


sys.exit(main())
