"""A world in Blender, by the ids of its things: in Blender's text editor, or

    blender --python import_world.py -- island.glb

Each design is one mesh that all things of it share, each thing an object with the properties "world_id", "world_path" and "world_design", in a
collection named by the field that placed it. Imported again, after the world was changed, an object is found by its id: it gets the new mesh and the
new place and keeps everything else (its materials, modifiers, collections, and whatever else was done to it). One whose id is gone goes into the
collection "not in the world", and nothing is deleted. An object that has the property "keep_place" is not moved.
"""
import hashlib
import json
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import world_gltf  # noqa: E402


def collection(name, under):
    found = bpy.data.collections.get(name)
    if found is None:
        found = bpy.data.collections.new(name)
        under.children.link(found)
    return found


def give(surface, value, *names):
    """To the first of these inputs that this Blender's surface has."""
    for name in names:
        if name in surface.inputs:
            surface.inputs[name].default_value = value
            return


def dress(made, look):
    """Mesh colors times the material's, as glTF has it."""
    base = look.get("pbrMetallicRoughness", {})
    color = base.get("baseColorFactor", [1, 1, 1, 1])
    strength = look.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
    made.diffuse_color = color
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    paint, both = nodes.new("ShaderNodeVertexColor"), nodes.new("ShaderNodeVectorMath")
    paint.layer_name, both.operation = "Color", "MULTIPLY"
    both.inputs[1].default_value = color[:3]
    links.new(paint.outputs["Color"], both.inputs[0])
    links.new(both.outputs["Vector"], surface.inputs["Base Color"])
    give(surface, base.get("metallicFactor", 1), "Metallic")
    give(surface, base.get("roughnessFactor", 1), "Roughness")
    give(surface, color[3], "Alpha")
    if any(look.get("emissiveFactor", ())):
        give(surface, [*look["emissiveFactor"], 1], "Emission Color", "Emission")
        give(surface, strength, "Emission Strength")


def material(look):
    """By the file's name for it, or by what it says; one that is there stays as it was made since."""
    name = look.get("name") or "world " + hashlib.sha1(json.dumps(look, sort_keys=True).encode()).hexdigest()[:8]
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        dress(found, look)
    return found


def fill(data, mesh):
    data.clear_geometry()
    data.from_pydata([world_gltf.blender(p) for p in mesh.positions], [], mesh.triangles)
    layer = data.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
    for point, color in zip(layer.data, mesh.colors or [(1, 1, 1)] * len(mesh.positions)):
        point.color = (*color[:3], 1)
    data.normals_split_custom_set_from_vertices([world_gltf.blender(n) for n in mesh.normals])
    if not data.materials:
        data.materials.append(material(mesh.material))
    data.update()


class Import:
    def __init__(self, path):
        self.world = world_gltf.read(path)
        self.meshes = {}
        self.there = {(o["world_path"], o["world_id"], o["world_piece"]): o for o in bpy.data.objects if "world_id" in o}
        self.seen = set()
        self.root = collection(self.world.name, bpy.context.scene.collection)

    def mesh(self, index, name):
        """Made anew once; objects that share it see the change."""
        if index not in self.meshes:
            data = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
            fill(data, self.world.mesh(index))
            self.meshes[index] = data
        return self.meshes[index]

    def thing(self, thing, into):
        for piece, drawn in enumerate(thing.drawn):
            key = (thing.path, thing.id, piece)
            data = self.mesh(drawn.mesh, f"{self.world.name} {thing.design or thing.id} {piece} {drawn.mesh}")
            made = self.there.get(key)
            if made is None:
                made = bpy.data.objects.new(thing.id, data)
                into.objects.link(made)
                made["world_id"], made["world_path"], made["world_design"], made["world_piece"] = thing.id, thing.path, thing.design, piece
            made.data = data
            self.seen.add(key)
            if "keep_place" not in made:
                made.location = world_gltf.blender(drawn.place.at)
                made.rotation_mode = "QUATERNION"
                made.rotation_quaternion = world_gltf.blender_rotation(drawn.place.rotation)
                made.scale = [drawn.place.scale] * 3

    def run(self):
        for part in self.world.parts:
            self.thing(part, self.root)
        for thing in self.world.things:
            self.thing(thing, collection(thing.path, self.root))
        for key in self.there.keys() - self.seen:
            gone = self.there[key]
            for held in list(gone.users_collection):
                held.objects.unlink(gone)
            collection("not in the world", bpy.context.scene.collection).objects.link(gone)
        return self


if __name__ == "__main__":
    for name in sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []:
        Import(name).run()
