"""The importer in a real Blender, which the test of the build has only as plain objects; its own command:

    worldc export examples/grove.world -o grove.glb && blender -b --factory-startup --python-exit-code 1 --python tests/public/in_blender.py -- grove.glb
"""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples/import/blender"))
import import_world  # noqa: E402
import world_gltf  # noqa: E402

path = pathlib.Path(sys.argv[-1])
read = world_gltf.read(path)
import_world.Import(path).run()
made = [o for o in bpy.data.objects if "world_id" in o]
things = {o["world_id"]: o for o in made if o["world_piece"] == 0}
assert len(made) == sum(len(t.drawn) for t in [*read.parts, *read.things])
for thing in read.things:
    at = things[thing.id].location
    assert all(abs(a - b) < 1e-4 for a, b in zip(at, world_gltf.blender(thing.place.at))), thing
for thing in made:
    mesh, look = thing.data, thing.data.materials[0]
    base = next(node for node in look.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs["Base Color"]
    assert base.is_linked and "Color" in mesh.color_attributes and not mesh.validate()
moved = things[read.things[0].id]
moved["keep_place"], moved.location.x = True, 1000
import_world.Import(path).run()
assert moved.location.x == 1000 and len(made) == len([o for o in bpy.data.objects if "world_id" in o])
print(f"{len(made)} objects of {len({o.data.name for o in made})} meshes stand in Blender {bpy.app.version_string}")
