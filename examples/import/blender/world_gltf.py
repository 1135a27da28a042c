"""A world's glTF as plain Python reads it: what stands where, under which id, and the numbers of its meshes. No Blender is needed.

    world = read("island.glb")                      # or .gltf, with its .bin beside it
    for thing in world.things:                      # what scatters placed; world.parts are the parts of the text that draw something
        thing.id, thing.design, thing.path, thing.place, thing.meshes
    world.mesh(thing.meshes[0])                     # positions, normals, colors, triangles

Places are glTF's: meters, x east, y up, z south. `blender(p)` is the same place as Blender counts: x east, y north, z up.
"""
import json
import math
import pathlib
import struct
import urllib.parse
from typing import NamedTuple

MAGIC, TEXT, NUMBERS = 0x46546C67, 0x4E4F534A, 0x004E4942
LETTERS = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class WorldFileError(Exception):
    """The file is no glTF, or not whole."""


class Place(NamedTuple):
    at: tuple        # meters
    rotation: tuple  # a quaternion, x y z w
    scale: float


class Drawn(NamedTuple):
    """A mesh where it stands."""
    mesh: int
    place: Place


class Thing(NamedTuple):
    id: str      # of a thing; of a part its path
    path: str    # the field that placed it, or the part
    design: str
    drawn: tuple  # of Drawn: one, or several of a design with parts

    @property
    def place(self):
        return self.drawn[0].place

    @property
    def meshes(self):
        return [drawn.mesh for drawn in self.drawn]


class Mesh(NamedTuple):
    positions: list
    normals: list
    colors: list     # linear, or empty
    triangles: list  # of three indices each
    material: dict   # glTF's own


def _place_of(matrix):
    """A turn and one scale, of a matrix column by column."""
    x, y, z, at = (matrix[i:i + 3] for i in (0, 4, 8, 12))
    scale = math.sqrt(sum(c * c for c in x))
    (a, b, c), (d, e, f), (g, h, i) = ([v / scale for v in axis] for axis in (x, y, z))
    # Of the four, the longest is worked out by a root, the others by it.
    longest = max(a + e + i, a - e - i, e - a - i, i - a - e)
    half = 0.5 * math.sqrt(1 + longest)
    part = 0.25 / half
    if longest == a + e + i:
        turn = ((f - h) * part, (g - c) * part, (b - d) * part, half)
    elif longest == a - e - i:
        turn = (half, (d + b) * part, (g + c) * part, (f - h) * part)
    elif longest == e - a - i:
        turn = ((d + b) * part, half, (h + f) * part, (g - c) * part)
    else:
        turn = ((g + c) * part, (h + f) * part, half, (b - d) * part)
    return Place(tuple(at), turn, scale)


class WorldFile:
    def __init__(self, text, numbers):
        self.text, self.numbers = text, numbers
        self.name = text["scenes"][0].get("name", "world")
        self.parts, self.things = [], []
        for root in text["scenes"][0]["nodes"]:
            self._walk(text["nodes"][root])

    def _walk(self, node):
        extras = node.get("extras", {})
        if "id" in extras:
            self.things.append(Thing(extras["id"], extras["path"], extras["design"], tuple(self._drawn(node))))
            return
        if "mesh" in node:
            path = extras.get("path", node["name"])
            self.parts.append(Thing(path, path, extras.get("design", ""), (self._drawn_here(node),)))
        for child in node.get("children", []):
            self._walk(self.text["nodes"][child])

    def _drawn_here(self, node):
        if "matrix" in node:  # of what leans
            return Drawn(node["mesh"], _place_of(node["matrix"]))
        place = Place(tuple(node.get("translation", (0, 0, 0))), tuple(node.get("rotation", (0, 0, 0, 1))), node.get("scale", (1, 1, 1))[0])
        return Drawn(node["mesh"], place)

    def _drawn(self, node):
        """Only what is drawn has a place, and that is in the world: nothing above it moves it."""
        if "mesh" in node:
            yield self._drawn_here(node)
        for child in node.get("children", []):
            yield from self._drawn(self.text["nodes"][child])

    def _numbers(self, accessor):
        accessor = self.text["accessors"][accessor]
        view = self.text["bufferViews"][accessor["bufferView"]]
        letter, size = LETTERS[accessor["componentType"]]
        width, count = WIDTHS[accessor["type"]], accessor["count"]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", width * size)
        try:
            rows = [struct.unpack_from(f"<{width}{letter}", self.numbers, start + i * stride) for i in range(count)]
        except struct.error as problem:
            raise WorldFileError("the file is not whole: numbers are missing") from problem
        return [row[0] for row in rows] if width == 1 else rows

    def mesh(self, index):
        """Its primitives as one; a world's meshes have one."""
        positions, normals, colors, triangles = [], [], [], []
        primitives = self.text["meshes"][index]["primitives"]
        for primitive in primitives:
            first, attributes = len(positions), primitive["attributes"]
            positions += self._numbers(attributes["POSITION"])
            normals += self._numbers(attributes["NORMAL"])
            if "COLOR_0" in attributes:
                colors += self._numbers(attributes["COLOR_0"])
            corners = [first + i for i in self._numbers(primitive["indices"])]
            triangles += list(zip(corners[::3], corners[1::3], corners[2::3]))
        materials = self.text.get("materials", [])
        return Mesh(positions, normals, colors, triangles, materials[primitives[0]["material"]] if "material" in primitives[0] else {})


def _binary(data):
    """The text and the numbers of a .glb."""
    if len(data) < 20 or struct.unpack_from("<I", data)[0] != MAGIC:
        raise WorldFileError("this is no .glb")
    version, length, size, kind = struct.unpack_from("<IIII", data, 4)
    if version != 2 or length != len(data) or kind != TEXT or 20 + size > length:
        raise WorldFileError("the file is not whole, or of another version of glTF")
    numbers = b""
    if 28 + size <= length:
        count, kind = struct.unpack_from("<II", data, 20 + size)
        if kind != NUMBERS or 28 + size + count > length:
            raise WorldFileError("the file is not whole: numbers are missing")
        numbers = data[28 + size:28 + size + count]
    return data[20:20 + size], numbers


def read(path):
    path = pathlib.Path(path)
    data, numbers = path.read_bytes(), None
    if path.suffix == ".glb":
        data, numbers = _binary(data)
    try:
        text = json.loads(data)
        if numbers is None:
            numbers = path.with_name(urllib.parse.unquote(text["buffers"][0]["uri"])).read_bytes()
        return WorldFile(text, numbers)
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        raise WorldFileError(f"'{path.name}' is no glTF of a world: {problem}") from problem


def blender(p):
    """A place, or a way, as Blender counts: z is up and y goes north."""
    return (p[0], -p[2], p[1])


def blender_rotation(q):
    """The same of a quaternion x y z w, as Blender writes it: w x y z."""
    return (q[3], q[0], -q[2], q[1])
