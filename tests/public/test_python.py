#!/usr/bin/env python3
"""examples/embed/python as its user has it: the same numbers as the command line's, arrays that are no copies, errors with their place.

    test_python.py WORLDC LIBRARY SOURCE_ROOT
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

worldc, library, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
os.environ["WORLD_LIBRARY"] = library
sys.path.insert(0, str(root / "examples/embed/python"))
import numpy  # noqa: E402
from world import World, WorldError  # noqa: E402


def said(*words):
    return subprocess.run([worldc, *words], capture_output=True, text=True, check=True).stdout.strip()


def refused(action, *parts):
    try:
        action()
    except WorldError as error:
        assert all(part in str(error) for part in parts), str(error)
        return
    raise AssertionError(f"nothing was said of {parts}")


grove = str(root / "examples/grove.world")
with World(grove) as world:
    assert world.ask("land.height((3, 0, 4))") == said("ask", grove, "land.height((3, 0, 4))")
    assert f"{world.hash():016x}" == said("hash", grove)
    assert json.loads(world.json("[1, 2]")) == [1, 2]

    height = world.function("land.height", "fn(point) meters")
    places = [[3, 0, 4], [-20.5, 7, 60]]
    heights = height(places)
    assert heights.shape == (2,)
    for place, found in zip(places, heights):
        assert f"{found:.17g}".startswith(world.ask(f"land.height(({place[0]}, 0, {place[2]})) / 1 m")[:12])
    assert world.function("land.normal")(places).shape == (2, 3)
    assert height(numpy.empty((0, 3))).shape == (0,)

    # A map is what `worldc map` writes, to the last bit of its floats.
    for question, shape in (("land.slope", (5, 8)), ("land.height(here) + 1 m", (5, 8)), ("land.normal", (5, 8, 3))):
        found = world.map(question, (-40, -30, 60, 20), (8, 5))
        file = os.path.join(tempfile.mkdtemp(), "a.f32")
        said("map", grove, question, "-o", file, "--over=-40,-30,60,20", "--size", "8x5")
        assert found.shape == shape and numpy.array_equal(found.astype(numpy.float32), numpy.fromfile(file, numpy.float32).reshape(shape))
    refused(lambda: world.map("nothing(here)", (0, 0, 1, 1), 2), "nothing")

    grid = world.grid("land.ground")
    assert grid.heights.shape == (513, 513) and grid.heights.dtype == numpy.float32 and grid.cell == 1
    assert not grid.heights.flags.writeable and not grid.heights.flags.owndata
    assert grid.heights.ctypes.data == world.grid("land.ground").heights.ctypes.data
    column, row = 300, 200
    assert abs(height([[grid.x0 + column, 0, grid.z0 + row]])[0] - grid.heights[row, column]) < 1e-9

    table = world.table("wood.layout")
    count = int(world.ask("wood.layout.length()"))
    assert count > 100 and len(table["id"]) == count and table["at"].shape == (count, 3) and table["size"].shape == (count,)
    assert len(set(table["id"])) == count and f"({table['at'][0][0]:.6g}"[:6] in world.ask("wood.layout[0].at")
    assert world.stats()["placed"].sum() == count

    refused(lambda: world.ask("land.heigth((0, 0, 0))"), "E0", "height")
    refused(lambda: world.function("land.height", "fn(point) number"), "meters")
    refused(lambda: world.grid("land"), "'land'")
    before = height(places)
    world.set("seed", 8)
    assert (height(places) == before).all()  # no ground of its depends on the seed
    assert world.hash() != int(said("hash", grove), 16)
try:
    world.ask("1")
    raise AssertionError("a closed world answered")
except ValueError:
    pass

refused(lambda: World(text="field x = 1 m + 1"), "<text>:1:", "E0302")
refused(lambda: World("none.world"), "none.world")

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "a.world"
    path.write_text("fn twice(x: number) number { 2 * x }")
    with World(path) as world:
        twice = world.function("twice")
        assert list(twice([1, 2])) == [2, 4]
        path.write_text("fn twice(x: number) number { 3 * x }")
        world.reload()
        assert list(twice([1, 2])) == [3, 6]  # found anew
        refused(lambda: world.function("text"), "E0")
print("python: fine")
