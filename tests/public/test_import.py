#!/usr/bin/env python3
"""Files for other programs stand the same way round: a letter F in heights, splat map, table of things and glTF, as the importers of
examples/import read them, and the numbers that they hand on.

    test_import.py WORLDC SOURCE
"""
import csv
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import types
import zlib

WORLDC, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
IMPORT = SOURCE / "examples/import"
sys.path[:0] = [str(IMPORT), str(IMPORT / "blender")]
import landscape  # noqa: E402
import world_gltf  # noqa: E402

# From above, north up: F's stem is west, its bars point east, the long one is north. A mirror, a turn and a transpose all show.
LETTER = ["........", ".####...", ".#......", ".###....", ".#......", ".#......", "........"]
COLUMNS, ROWS, CELL, WEST, NORTH = 8, 7, 2, -6, -4
ON = {(c, r) for r, line in enumerate(LETTER) for c, mark in enumerate(line) if mark == "#"}
WORLD = f'''
field marks: List[text] = {json.dumps(LETTER)}
field on: List[point] = {json.dumps([[WEST + CELL * c, 0, NORTH + CELL * r] for c, r in sorted(ON)]).replace("[", "(").replace("]", ")").replace("((", "[(", 1)[:-1]}]
fn marked(here: point) number {{ if on.any(p => planDistance(p, here) < 0.5 m) {{ 1 }} else {{ 0 }} }}
part land
  field ground: heightGrid = heightGridOver(cell: {CELL} m, corner: ({WEST}, 0, {NORTH}), columns: {COLUMNS}, rows: {ROWS}, height: p => 1 m + 2 m * marked(p) + 0.01 * p.x)
  fn height(here: point) meters {{ ground.heightAt(here) }}
  fn gradient(here: point) direction {{ ground.gradientAt(here) }}
  fn slope(here: point) number {{ length(gradient(here)) }}
  fn normal(here: point) direction {{ ground.normalAt(here) }}
  fn curvature(here: point, over: meters) number {{ ground.curvatureAt(here, over) }}
part post
  part shaft: shapes.box((20 cm, 2 m, 20 cm)).colored((0.5, 0.25, 0.125))
  part arm: shapes.box((10 cm, 10 cm, 1 m)), at: (0, 1.5, 0.5)
part pin: shapes.cone(radius: 10 cm, height: 1 m, sides: 5)
part letter
  field layout = scatter(over: land, rules: [posts, pins])
  field posts = rule(candidates: on, test: 0.1 m, place: post(size: 1.5, turn: 30 deg, sink: 0.1))
  field pins = rule(candidates: [({WEST + 0.5}, 0, {NORTH + 0.5})], test: 0.1 m, place: pin(turn: 70 deg, up: direction(0.36, 0.8, 0.48)))
'''


def run(*words):
    done = subprocess.run([WORLDC, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def png(path):
    """Rows of pixels, each a tuple of channels; filters as libpng writes them."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    step = {0: 1, 2: 3, 6: 4}[color] * depth // 8
    raw, line, rows = zlib.decompress(packed), bytearray(width * step), []
    for r in range(height):
        kind, row = raw[r * (width * step + 1)], bytearray(raw[r * (width * step + 1) + 1:(r + 1) * (width * step + 1)])
        for i, value in enumerate(row):
            left, up, corner = row[i - step] if i >= step else 0, line[i], line[i - step] if i >= step else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda v: abs(guess - v))
            row[i] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        line = row
        letter = ">H" if depth == 16 else ">B"
        values = [struct.unpack_from(letter, row, k)[0] for k in range(0, len(row), depth // 8)]
        channels = step * 8 // depth
        rows.append([tuple(values[c * channels:(c + 1) * channels]) for c in range(width)])
    return rows


def sidecar(path):
    return json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))


def letter(rows, marked):
    return {(c, r) for r, row in enumerate(rows) for c, value in enumerate(row) if marked(value)}


def lies(said):
    assert (said["columns"], said["rows"], said["cell"], said["west"], said["north"]) == (COLUMNS, ROWS, CELL, WEST, NORTH), said


def height(c, r):
    return 1 + 2 * ((c, r) in ON) + 0.01 * (WEST + CELL * c)


def check_heights(world, folder):
    for ending, read in (("r32", "<f"), ("r16", "<H"), ("png", None)):
        path = folder / f"h.{ending}"
        run("export", "-q", world, "-o", path)
        said = sidecar(path)
        lies(said)
        if read:
            flat = [v for v, in struct.iter_unpack(read, path.read_bytes())]
            rows = [flat[r * COLUMNS:(r + 1) * COLUMNS] for r in range(ROWS)]
        else:
            rows = [[v for v, in row] for row in png(path)]
        meters = [[said.get("valueLow", 0) + v * said.get("valueStep", 1) for v in row] for row in rows]
        assert letter(meters, lambda v: v > 2) == ON, ending
        assert all(math.isclose(meters[r][c], height(c, r), abs_tol=5e-5) for r in range(ROWS) for c in range(COLUMNS)), ending
        if "valueStep" in said:  # Unreal: south is y, up is z, centimeters
            place = landscape.unreal(said)
            for c, r in ((0, 0), (1, 1), (7, 6)):
                at = landscape.unreal_point(place, c, r, rows[r][c])
                assert all(math.isclose(a, 100 * b, abs_tol=5e-3) for a, b in zip(at, (WEST + CELL * c, NORTH + CELL * r, height(c, r)))), at


def check_splat(world, folder):
    path = folder / "splat.png"
    run("map", world, "color(marked(here), 0.5, 1 - marked(here))", "--weights", "-o", path)
    lies(sidecar(path))
    assert letter(png(path), lambda v: v == (255, 128, 0)) == ON and letter(png(path), lambda v: v == (0, 128, 255)) == {(c, r) for c in range(COLUMNS) for r in range(ROWS)} - ON
    run("map", world, "marked(here)", "--weights", "-o", path, "--over=-6,-4,8,8", "--size", "15x13")
    said = sidecar(path)
    assert (said["columns"], said["rows"], said["cell"], said["west"], said["north"]) == (15, 13, 1, WEST, NORTH)
    assert letter(png(path), lambda v: v == (255, 255, 255)) == {(2 * c, 2 * r) for c, r in ON}


def cell_of(x, z):
    return round((x - WEST) / CELL), round((z - NORTH) / CELL)


def rotated(q, v):
    """v turned by the quaternion x y z w."""
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def leant(row, v):
    """v as examples/import/godot/world_import.gd places it: turned about y, then along the shortest arc from y to up."""
    s, c = math.sin(row["turn"]), math.cos(row["turn"])
    v = (c * v[0] + s * v[2], v[1], c * v[2] - s * v[0])
    up = (row["up.x"], row["up.y"], row["up.z"])
    q = (up[2], 0, -up[0], 1 + up[1])  # cross(y, up), 1 + dot(y, up)
    long = math.sqrt(sum(k * k for k in q))
    return rotated([k / long for k in q], v)


def check_things(world, folder):
    rows = list(csv.DictReader(run("list", world, "letter.layout", "--csv").splitlines()))
    rows = [{k: v if k in ("id", "rule", "kind") else float(v) for k, v in row.items()} for row in rows]
    posts = [row for row in rows if row["kind"] == "post"]
    assert {cell_of(row["x"], row["z"]) for row in posts} == ON and len(posts) == len(ON)
    assert all(math.isclose(row["y"], height(*cell_of(row["x"], row["z"])), abs_tol=1e-5) for row in posts)

    run("export", "-q", world, "-o", folder / "world.glb")
    run("export", "-q", world, "-o", folder / "world.gltf")
    read = world_gltf.read(folder / "world.glb")
    assert read.things == world_gltf.read(folder / "world.gltf").things
    assert [thing.id for thing in read.things] == [row["id"] for row in rows]
    for thing, row in zip(read.things, rows):
        assert (thing.path, thing.design) == ("letter.layout", row["kind"])
        up = (row["up.x"], row["up.y"], row["up.z"])
        foot = [row[k] - row["sink"] * row["size"] * u for k, u in zip("xyz", up)]
        assert all(math.isclose(a, b, abs_tol=1e-5) for a, b in zip(thing.place.at, foot)), (thing, row)
        assert math.isclose(thing.place.scale, row["size"], rel_tol=1e-6)
        for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            assert all(math.isclose(a, b, abs_tol=1e-5) for a, b in zip(rotated(thing.place.rotation, axis), leant(row, axis))), (thing, row)
    post = next(thing for thing in read.things if thing.design == "post")
    assert len(post.drawn) == 2 and len({m for thing in read.things for m in thing.meshes}) == 3
    # The arm points where the turn says: 30 degrees counterclockwise from south, seen from above, is toward the east.
    arm = post.drawn[1].place.at
    assert arm[0] > post.place.at[0] + 0.3 and arm[2] > post.place.at[2] + 0.5
    land = read.mesh(next(part for part in read.parts if part.id == "land").meshes[0])
    assert {cell_of(x, z) for x, y, z in land.positions if y > 2} == ON and len(land.positions) == COLUMNS * ROWS
    wide, up = (min(t) >= 0 and max(t) < len(land.positions) for t in zip(*land.triangles)), land.normals
    assert all(wide) and all(n[1] > 0 for n in up)
    shaft = read.mesh(post.meshes[0])
    assert all(tuple(c[:3]) == (0.5, 0.25, 0.125) for c in shaft.colors) or shaft.material["pbrMetallicRoughness"]["baseColorFactor"][:3] == [0.5, 0.25, 0.125]
    return read


# -- Blender: what import_world.py calls of it, as plain objects --

class Named(dict):
    """bpy.data.objects and the like: by name, made by new."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def new(self, name, *more):
        made = self.make(name, *more)
        self[name if name not in self else f"{name}.{len(self)}"] = made
        return made

    def __iter__(self):
        return iter(self.values())


class Thing(dict):
    def __init__(self, name, data=None):
        super().__init__()
        self.name, self.data, self.users_collection = name, data, []


class Collection:
    def __init__(self, name):
        self.name, self.held, self.under = name, [], []
        self.children = types.SimpleNamespace(link=self.under.append)
        self.objects = types.SimpleNamespace(link=self.link, unlink=self.unlink)

    def link(self, thing):
        self.held.append(thing)
        thing.users_collection.append(self)

    def unlink(self, thing):
        self.held.remove(thing)
        thing.users_collection.remove(self)


class Mesh:
    def __init__(self, name):
        self.name, self.materials, self.points = name, [], []
        self.layers, self.color_attributes = {}, types.SimpleNamespace(new=self.layer)

    def layer(self, name, *_):
        self.layers[name] = [types.SimpleNamespace(color=None) for _ in self.points]
        return types.SimpleNamespace(data=self.layers[name])

    def clear_geometry(self):
        self.points = []

    def from_pydata(self, points, edges, faces):
        self.points, self.faces = points, faces

    def normals_split_custom_set_from_vertices(self, normals):
        assert len(normals) == len(self.points)

    def update(self):
        pass


class Inputs(dict):
    """A node's, by name or number; some have their name only in some Blenders."""

    def __init__(self, *names):
        super().__init__({name: types.SimpleNamespace(default_value=None) for name in names})


class Node:
    def __init__(self, kind):
        self.type, self.outputs = kind, {"Color": (self, "Color"), "Vector": (self, "Vector")}
        self.inputs = Inputs("Base Color", "Metallic", "Roughness", "Alpha", "Emission", "Emission Strength") if kind == "BSDF_PRINCIPLED" else Inputs(0, 1)


class Material:
    def __init__(self, name):
        surface, self.name, self.made, self.links = Node("BSDF_PRINCIPLED"), name, [], []
        self.made.append(surface)
        nodes = type("Nodes", (), {"new": lambda _, kind: self.new(kind), "__iter__": lambda _: iter(self.made)})()
        self.node_tree = types.SimpleNamespace(nodes=nodes, links=types.SimpleNamespace(new=lambda a, b: self.links.append((a, b))))

    def new(self, kind):
        self.made.append(Node(kind))
        return self.made[-1]


def check_blender(world, folder, read):
    scene = Collection("Scene")
    data = types.SimpleNamespace(objects=Named(Thing), meshes=Named(Mesh), collections=Named(Collection), materials=Named(Material))
    sys.modules["bpy"] = types.SimpleNamespace(data=data, context=types.SimpleNamespace(scene=types.SimpleNamespace(collection=scene)))
    import import_world  # pylint: disable=import-outside-toplevel

    import_world.Import(folder / "world.glb").run()
    by_id = {(o["world_id"], o["world_piece"]): o for o in data.objects}
    assert len(by_id) == len(list(data.objects)) == sum(len(t.drawn) for t in read.things) + len(read.parts)
    posts = [o for (name, piece), o in by_id.items() if name.startswith("posts/") and piece == 0]
    assert len({id(o.data) for o in posts}) == 1, "copies share a mesh"
    # What is seen: the mesh's own colors times the material's.
    surface, paint, both = posts[0].data.materials[0].made
    assert posts[0].data.materials[0].links == [(paint.outputs["Color"], both.inputs[0]), (both.outputs["Vector"], surface.inputs["Base Color"])]
    mine, factor = posts[0].data.layers["Color"][0].color, both.inputs[1].default_value
    assert paint.layer_name == "Color" and all(math.isclose(a * b, c, abs_tol=1e-6) for a, b, c in zip(mine, factor, (0.5, 0.25, 0.125)))
    assert surface.inputs["Metallic"].default_value == 0 and surface.inputs["Alpha"].default_value == 1
    # Blender: x east, y north, z up.
    assert {cell_of(o.location[0], -o.location[1]) for o in posts} == ON and all(o.location[2] > 2 for o in posts)
    land = by_id["land", 0].data
    assert {cell_of(x, -y) for x, y, z in land.points if z > 2} == ON
    assert {c.name for c in data.collections} == {"f", "letter.layout"}

    # A world that has one post less and one turned: the others keep what was done to them.
    first, kept, gone = (by_id[f"posts/{k}", 0] for k in (0, 1, len(ON) - 1))
    first["mine"], kept["keep_place"], there = "a modifier", True, kept.location
    less = world.read_text(encoding="utf-8").replace("candidates: on,", f"candidates: on.slice(0, {len(ON) - 1}),").replace("turn: 30 deg, sink: 0.1", "turn: 31 deg, sink: 0.2")
    world.write_text(less, encoding="utf-8")
    run("export", "-q", world, "-o", folder / "world.glb")
    count, before = len(list(data.objects)), first.location
    import_world.Import(folder / "world.glb").run()
    assert len(list(data.objects)) == count and first["mine"] == "a modifier"
    assert first.location != before and kept.location == there
    assert [c.name for c in gone.users_collection] == ["not in the world"]
    assert [c.name for c in first.users_collection] == ["letter.layout"]


def check_damage(folder):
    """Every beginning of a .glb is an error, and none is a fault."""
    whole = (folder / "world.glb").read_bytes()
    cut = folder / "cut.glb"
    for length in [*range(0, 64), *range(64, len(whole), 97)]:
        cut.write_bytes(whole[:length])
        try:
            world_gltf.read(cut)
        except world_gltf.WorldFileError:
            continue
        raise AssertionError(f"{length} bytes of {len(whole)} were taken for a world")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        world = folder / "f.world"
        world.write_text(WORLD, encoding="utf-8")
        check_heights(world, folder)
        check_splat(world, folder)
        read = check_things(world, folder)
        check_damage(folder)
        check_blender(world, folder, read)
    print("the letter stands everywhere the same way")


main()
