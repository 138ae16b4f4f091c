"""Makes Blender's objects of a View. It changes no number: what Blender stores are the very floats
of the model, so that an export can tell what was edited."""

from __future__ import annotations

import array
from typing import Callable, Dict, Optional, Sequence

import bpy
from mathutils import Matrix

from . import scene
from .textures import Found, Textures, printable
from .view import Look, Surface, View, floats

LINEAR = 1  # the number of the interpolation in RNA
TWO_SIDED = 2  # a flag of batches (facts/formats.md C.6)


class Builder:
    def __init__(self, context, view: View, name: str) -> None:
        self.context = context
        self.view = view
        self.name = name
        self.wear: Sequence[str] = ()  # names of materials, by row
        self.textures: Optional[Textures] = None
        self.materials: Dict[Look, bpy.types.Material] = {}
        self.meshes: Dict[int, bpy.types.Mesh] = {}
        self.collection = bpy.data.collections.new(name)

    # ---- materials -------------------------------------------------------------------------------

    def row(self, look: Look) -> int:
        by_byte = self.view.model.readings["material"] == "byte4"
        return look.row if by_byte else look.material

    def material(self, look: Look):
        if look not in self.materials:
            row = self.row(look)
            named = printable(self.wear[row]) if row < len(self.wear) else ""
            material = bpy.data.materials.new(named or "row %d" % row)
            for name, value in zip(scene.LOOK, look):
                material[name] = value
            if named:
                material["retropose_wear"] = named
            material.use_backface_culling = not look.flags & TWO_SIDED
            hue = (row * 0.381966) % 1.0
            material.diffuse_color = tuple(
                0.35 + 0.5 * abs((hue * 3 + shift) % 2 - 1) for shift in (0, 0.67, 1.33)
            ) + (1.0,)
            found = self.textures.find(self.wear[row]) if named and self.textures else None
            if found is not None:
                use_image(material, found)
            self.materials[look] = material
        return self.materials[look]

    # ---- meshes ----------------------------------------------------------------------------------

    def mesh(self, slot: int, node: int):
        if slot not in self.meshes:
            surface = self.view.surface(slot)
            mesh = bpy.data.meshes.new("slot %d %s" % (slot, self.view.nodes[node].name))
            mesh[scene.SLOT] = slot
            fill(mesh, self.view, surface)
            for look in surface.looks:
                mesh.materials.append(self.material(look))
            mesh.polygons.foreach_set("material_index", surface.look_of_face)
            mesh.update()
            self.meshes[slot] = mesh
        return self.meshes[slot]

    def place_meshes(self, holders: Dict[int, scene.Holder]) -> None:
        """Puts a mesh object under each node for each cell in which it shows something."""
        for number, cell in enumerate(self.view.cells()):
            group = bpy.data.collections.new("%s %s" % (self.name, self.view.cell_name(cell)))
            self.collection.children.link(group)
            group[scene.CELL] = cell
            # One cell at a time is what the game shows.
            group.hide_viewport = group.hide_render = number > 0
            for node, record in enumerate(self.view.nodes):
                slot = self.view.slot(node, cell)
                if slot is None:
                    continue
                title = "%s %s" % (record.name or "node %d" % node, self.view.cell_name(cell))
                shown = bpy.data.objects.new(title, self.mesh(slot, node))
                shown[scene.NODE] = node
                shown[scene.CELL] = cell
                shown.lock_location = shown.lock_rotation = shown.lock_scale = (True,) * 3
                group.objects.link(shown)
                holder = holders[node]
                shown.parent = holder.owner
                if holder.bone is not None:
                    shown.parent_type = "BONE"
                    shown.parent_bone = holder.bone.name
                    shown.matrix_parent_inverse = inverse_of(holder)

    # ---- nodes -----------------------------------------------------------------------------------

    def mark_node(self, properties, node: int) -> None:
        record = self.view.nodes[node]
        properties[scene.NODE] = node
        properties[scene.NAME] = properties.name
        properties[scene.FLAGS] = record.flags
        properties[scene.LABEL] = printable(record.label)

    def node_name(self, node: int) -> str:
        return printable(self.view.nodes[node].name) or "node %d" % node

    def as_objects(self) -> None:
        made: Dict[int, object] = {}
        for node in range(len(self.view.nodes)):
            empty = bpy.data.objects.new(self.node_name(node), None)
            empty.empty_display_size = 0.25
            empty.empty_display_type = "ARROWS" if self.view.nodes[node].label else "PLAIN_AXES"
            self.collection.objects.link(empty)
            self.mark_node(empty, node)
            parent = self.view.parent(node)
            if parent is not None:
                empty.parent = made[parent]
            made[node] = empty
            self.pose(empty, node)
            track = self.view.track(node)
            if len(track) > 1:
                action = bpy.data.actions.new("%s %s" % (self.name, empty.name))
                add_curves(use_action(empty, action), "", empty.name, track)
        self.place_meshes({node: scene.Holder(empty) for node, empty in made.items()})

    def as_armature(self) -> None:
        """Every bone lies at its parent's origin while it rests, so that a bone's pose is its
        node's placement, number by number."""
        data = bpy.data.armatures.new(self.name)
        owner = bpy.data.objects.new(self.name, data)
        self.collection.objects.link(owner)
        # Edit mode, in which alone bones are made, needs the object to be in the scene.
        self.context.view_layer.objects.active = owner
        bpy.ops.object.mode_set(mode="EDIT")
        names = []
        for node in range(len(self.view.nodes)):
            bone = data.edit_bones.new(self.node_name(node))
            bone.head, bone.tail, bone.roll = (0, 0, 0), (0, 0.25, 0), 0
            parent = self.view.parent(node)
            if parent is not None:
                bone.parent = data.edit_bones[names[parent]]
            names.append(bone.name)
        bpy.ops.object.mode_set(mode="OBJECT")
        curves = None
        for node, name in enumerate(names):
            self.mark_node(data.bones[name], node)
            self.pose(owner.pose.bones[name], node)
            track = self.view.track(node)
            if len(track) > 1:
                curves = curves or use_action(owner, bpy.data.actions.new(self.name))
                prefix = scene.Holder(owner, data.bones[name]).prefix
                add_curves(curves, prefix, name, track)
        self.place_meshes(
            {node: scene.Holder(owner, data.bones[name]) for node, name in enumerate(names)}
        )

    def pose(self, target, node: int) -> None:
        _, location, rotation = self.view.track(node)[0]
        target.rotation_mode = "QUATERNION"
        target.location = location
        target.rotation_quaternion = rotation


def inverse_of(holder: scene.Holder) -> Matrix:
    """What lets a mesh object lie where its node is: Blender hangs children on a bone's tail."""
    length = 0.0 if holder.bone is None else holder.bone.length
    return Matrix.Translation((0, -length, 0))


def fill(mesh, view: View, surface: Surface) -> None:
    co = surface.co
    mesh.from_pydata(list(zip(co[0::3], co[1::3], co[2::3])), [], surface.faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(surface.faces))
    for name, values in zip(view.uv_names(), surface.uv):
        layer = mesh.uv_layers.new(name=name)
        if len(values):
            layer.data.foreach_set("uv", values)
    mesh.attributes.new(scene.VERTEX, "INT", "POINT").data.foreach_set("value", surface.vertices)
    mesh.attributes.new(scene.TRIANGLE, "INT", "FACE").data.foreach_set("value", surface.triangles)
    # Since Blender 4.1 custom normals need no switch.
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth = True
    if len(view.normals) == 4 * view.vertex_count:
        raw = view.normals
        mesh.normals_split_custom_set_from_vertices(
            [
                tuple(max(-1.0, raw[4 * vertex + axis] / 127) for axis in range(3))
                for vertex in surface.vertices
            ]
        )


def use_image(material, found: Found) -> None:
    material.use_nodes = True
    tree = material.node_tree
    shader = next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = found.image
    if found.part is not None:
        left, bottom, width, height = found.part
        mapping = tree.nodes.new("ShaderNodeMapping")
        mapping.inputs["Location"].default_value = (left, bottom, 0)
        mapping.inputs["Scale"].default_value = (width, height, 1)
        tree.links.new(
            tree.nodes.new("ShaderNodeTexCoord").outputs["UV"], mapping.inputs["Vector"]
        )
        tree.links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
    if shader is not None:
        tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
        if found.see_through:
            tree.links.new(texture.outputs["Alpha"], shader.inputs["Alpha"])
            material.blend_method = "HASHED"


def use_action(owner, action) -> "Callable[[str, int, str], bpy.types.FCurve]":
    """Gives an object a new action. Returns what makes a curve in it, of a path, an index and the
    name of a group."""
    data = owner.animation_data_create()
    data.action = action
    if not hasattr(action, "slots"):  # Blender before 4.4
        return lambda path, index, group: action.fcurves.new(
            path, index=index, action_group=group
        )
    data.action_slot = action.slots.new("OBJECT", owner.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    curves = strip.channelbag(data.action_slot, ensure=True).fcurves
    return lambda path, index, group: curves.new(path, index=index, group_name=group)


def add_curves(new_curve, prefix: str, group: str, track) -> None:
    """One key a key of the model, at the frame of its time."""
    for channel, part, count in (("location", 1, 3), ("rotation_quaternion", 2, 4)):
        for index in range(count):
            curve = new_curve(prefix + channel, index, group)
            points = curve.keyframe_points
            points.add(len(track))
            points.foreach_set("co", curve_numbers(track, part, index))
            points.foreach_set("interpolation", [LINEAR] * len(track))
            curve.update()


def curve_numbers(track, part: int, index: int) -> "array.array[float]":
    """Frame and value of each key of one channel."""
    numbers = floats(())
    for key in track:
        numbers.append(key[0])
        numbers.append(key[part][index])
    return numbers
