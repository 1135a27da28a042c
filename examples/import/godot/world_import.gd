## A world's files in Godot 4, for what an imported .glb does not hold: ground to collide with, and things as MultiMeshes.
##
##     worldc export island.world -o heights.r32
##     worldc list island.world island.vegetation.layout --csv > things.csv
##
##     add_child(WorldImport.ground("res://heights.r32"))
##     add_child(WorldImport.things("res://things.csv", {"pine": pine_mesh, "rock": rock_mesh}))
##
## Of Godot 4.3 and later. Godot counts as worlds do: meters, x east, y up, z south, a turn counterclockwise seen from above. Nothing is mirrored and nothing is scaled.
class_name WorldImport
extends RefCounted


## What the file beside the heights says; empty when it cannot be read.
static func sidecar(path: String) -> Dictionary:
	var said: Variant = JSON.parse_string(FileAccess.get_file_as_string(path + ".json"))
	if not said is Dictionary:
		push_error("%s.json cannot be read: %s" % [path, error_string(FileAccess.get_open_error())])
		return {}
	return said


## The heights of a .r32, row by row from the north, as a HeightMapShape3D has them; empty when they are not all there.
static func heights(path: String, said: Dictionary) -> PackedFloat32Array:
	var found := FileAccess.get_file_as_bytes(path).to_float32_array()
	if found.size() != int(said["columns"]) * int(said["rows"]):
		push_error("%s has %d heights, and its .json says %d x %d" % [path, found.size(), said["columns"], said["rows"]])
		return PackedFloat32Array()
	return found


## The ground as a body that stands where the world has it. A HeightMapShape3D has its samples a meter apart about its middle, so the shape is
## scaled by the cell, its heights by one over it.
static func ground(path: String) -> StaticBody3D:
	var body := StaticBody3D.new()
	var said := sidecar(path)
	if said.is_empty():
		return body
	var cell: float = said["cell"]
	var data := heights(path, said)
	if data.is_empty():
		return body
	for i in data.size():
		data[i] /= cell
	var shape := HeightMapShape3D.new()
	shape.map_width = int(said["columns"])
	shape.map_depth = int(said["rows"])
	shape.map_data = data
	var collision := CollisionShape3D.new()
	collision.shape = shape
	collision.scale = Vector3.ONE * cell
	collision.position = Vector3(said["west"] + cell * (said["columns"] - 1) / 2.0, 0, said["north"] + cell * (said["rows"] - 1) / 2.0)
	body.add_child(collision)
	return body


## Where a thing of a row stands: turned about its own up, then leant with it, and sunk by a share of its size.
static func place(row: Dictionary) -> Transform3D:
	var size := float(row["size"])
	var up := Vector3(float(row["up.x"]), float(row["up.y"]), float(row["up.z"]))
	var basis := Basis(Quaternion(Vector3.UP, up)) * Basis(Vector3.UP, float(row["turn"]))
	var at := Vector3(float(row["x"]), float(row["y"]), float(row["z"]))
	return Transform3D(basis.scaled(Vector3.ONE * size), at - up * (float(row["sink"]) * size))


## A MultiMeshInstance3D for each kind that `meshes` has; its meta "ids" are the ids of its copies, in their order.
static func things(path: String, meshes: Dictionary) -> Node3D:
	var root := Node3D.new()
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		push_error("%s cannot be read: %s" % [path, error_string(FileAccess.get_open_error())])
		return root
	var names := file.get_csv_line()
	var places := {}
	var ids := {}
	while not file.eof_reached():
		var cells := file.get_csv_line()
		if cells.size() != names.size():
			continue
		var row := {}
		for i in names.size():
			row[names[i]] = cells[i]
		places.get_or_add(row["kind"], []).append(place(row))
		ids.get_or_add(row["kind"], []).append(row["id"])
	for kind in places:
		if meshes.has(kind):
			root.add_child(copies(kind, meshes[kind], places[kind], PackedStringArray(ids[kind])))
	return root


static func copies(kind: String, mesh: Mesh, places: Array, ids: PackedStringArray) -> MultiMeshInstance3D:
	var many := MultiMesh.new()
	many.transform_format = MultiMesh.TRANSFORM_3D
	many.mesh = mesh
	many.instance_count = places.size()
	for i in places.size():
		many.set_instance_transform(i, places[i])
	var node := MultiMeshInstance3D.new()
	node.name = kind
	node.multimesh = many
	node.set_meta("ids", ids)
	return node
