"""Edits in Blender change what they say and nothing else; what a model cannot hold is named."""

import math
import os
import random
import shutil
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
import common  # noqa: E402
from mathutils import Euler, Matrix  # noqa: E402

addon = common.install()
from retropose_blender import scene, write  # noqa: E402

HERO = "parts.rlb::R_H_02.msh"  # 10 nodes over 124 frames
TURRET = "turrets.rlb::e_tur_0_20.msh"  # a turn of 90 degrees a frame, over 5 frames
HOSTILE_FILES = 120


class Edits(unittest.TestCase):
    def setUp(self):
        common.clear()
        self.new = os.path.join(common.WORK, "new.msh")
        if os.path.exists(self.new):
            os.unlink(self.new)

    def open(self, place=HERO, **options):
        self.place = os.path.join(common.LIBRARIES, place)
        self.collection = common.open_model(self.place, **options)
        return self.collection

    def export(self, **options):
        """Writes the model, and returns the lines of `msh diff` with what was opened."""
        outcome = bpy.ops.export_scene.retropose(filepath=self.new, check_existing=False, **options)
        self.assertEqual(outcome, {"FINISHED"})
        return common.differences(self.place, self.new)

    def losses(self):
        return write.result(self.collection).changes.losses

    # ---- one edit each ---------------------------------------------------------------------------

    def test_a_name_changes_the_name(self):
        self.open()
        common.node("B_Up").name = "Body"
        self.assertEqual(
            self.export(),
            [
                "node B_Up: node 1 -> -",
                "node Body: - -> node 1",
                'Res9 names[1]: "B_Up" -> "Body"',
            ],
        )

    def test_a_name_that_blender_had_to_number_is_no_edit(self):
        self.open()
        self.open()
        self.assertIn("B_Up.001", bpy.data.objects)
        self.assertFalse(write.result(self.collection).changes)
        common.node("B_Up.001").name = "B_Up.007"  # as where another file is appended
        self.assertFalse(write.result(self.collection).changes)

    def test_flags_and_label_change_alone(self):
        self.open()
        bpy.context.view_layer.objects.active = common.node("LL_Up")
        self.assertEqual(bpy.ops.retropose.toggle_flag(bit=6), {"FINISHED"})
        common.node("LL_Md")[scene.LABEL] = "central_1l"
        lines = self.export()
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("flags", lines[0])
        self.assertIn("central_1l", lines[1])

    def test_a_vertex_changes_what_follows_from_it(self):
        self.open()
        mesh = common.node("B_Up lod0 group0").data
        mesh.vertices[3].co.x += 0.125
        lines = self.export()
        streams = {line.split()[0] for line in lines}
        positions = [line for line in lines if line.startswith("Res3 ")]
        self.assertEqual(len(positions), 1, lines)
        self.assertLessEqual(streams, {"Res2", "Res3", "Res7"}, lines)
        retropose = addon.operators.engine.load()
        old, new = retropose.Model.open(self.place), retropose.Model.open(self.new)
        changed = {a.index for a, b in zip(old.slots, new.slots) if a != b}
        self.assertLessEqual(changed, {mesh[scene.SLOT]})

    def test_bounds_that_somebody_chose_stay_where_nothing_moved(self):
        retropose = addon.operators.engine.load()
        model = retropose.Model.open(os.path.join(common.LIBRARIES, HERO))
        bounds = bytearray(model.stream(2))
        for slot in range(1, len(model.slots)):
            struct.pack_into("<f", bounds, 140 + 68 * slot + 44, 1000.0)  # the sphere's radius
        model.set_stream(2, bytes(bounds))
        self.place = os.path.join(common.WORK, "chosen.msh")
        model.save(self.place)
        self.collection = common.open_model(self.place)
        mesh = common.node("B_Up lod0 group0").data
        self.assertEqual(mesh[scene.SLOT], 0)
        mesh.vertices[3].co.x += 0.125
        self.export()
        new = retropose.Model.open(self.new)
        self.assertEqual(new.slots[1:], retropose.Model.open(self.place).slots[1:])

    def test_texture_coordinates_change_alone(self):
        self.open()
        mesh = common.node("B_Up lod0 group0").data
        corners = [loop.index for loop in mesh.loops if loop.vertex_index == 5]
        for corner in corners:
            mesh.uv_layers["UVMap"].data[corner].uv.x += 0.25
        lines = self.export()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("Res5 "), lines)

    def test_a_material_changes_its_batches(self):
        self.open()
        material = common.node("B_Up lod0 group0").data.materials[0]
        material["retropose_material"] = 77
        lines = self.export()
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^Res13 batches\[\d+\]\.material: \d+ -> 77$")

    def test_another_parent_changes_the_parent(self):
        self.open()
        common.node("LA_Md").parent = common.node("B_Up")
        lines = self.export()
        self.assertEqual(len([line for line in lines if line.startswith("Res1 ")]), 1, lines)
        self.assertIn("parent", lines[0])

    def test_a_mesh_object_that_is_gone_leaves_its_cell_empty(self):
        self.open()
        bpy.data.objects.remove(common.node("B_Up lod0 group4"))
        lines = self.export()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("Res1 nodes[1]", lines[0])

    # ---- keys ------------------------------------------------------------------------------------

    def key(self, name, channel, index, frame, change):
        """Changes one key of a node, and returns its number in the curve."""
        curve = common.curve(common.node(name), channel, index)
        for number, point in enumerate(curve.keyframe_points):
            if point.co[0] == frame:
                point.co[1] += change
                curve.update()
                return number
        raise AssertionError("no key of %s at frame %d" % (name, frame))

    def changed_keys(self, lines):
        """The fields of the one key that differs; nothing else may, but for what it poses."""
        keys = [line for line in lines if not line.startswith("pose of ")]
        for line in keys:
            self.assertRegex(line, r"^Res8 keys\[\d+\]\.")
        self.assertEqual(len({line.partition("]")[0] for line in keys}), 1, lines)
        return {line.partition("].")[2].partition(":")[0] for line in keys}

    def test_a_key_changes_that_key_at_a_rate_of_24(self):
        self.open(TURRET)
        self.assertEqual(bpy.context.scene.render.fps, 24)
        moving = [o for o in bpy.data.objects if o.animation_data and o.animation_data.action]
        self.key(moving[0].name, "location", 2, 3, 0.5)
        lines = self.export()
        self.assertEqual(self.changed_keys(lines), {"position[2]"}, lines)

    def test_a_turned_key_changes_only_its_rotation(self):
        for form in (scene.OBJECTS, scene.ARMATURE):
            with self.subTest(form=form):
                common.clear()
                self.open(form=form)
                if form == scene.OBJECTS:
                    owner, path = common.node("LL_Up"), ""
                else:
                    owner, path = common.node("R_H_02"), 'pose.bones["LL_Up"].'
                new = Euler((0.3, 0.2, 0.1)).to_quaternion()
                for index in range(4):
                    curve = common.curve(owner, path + "rotation_quaternion", index)
                    curve.keyframe_points[4].co[1] = new[index]
                lines = self.export()
                self.assertLessEqual(
                    self.changed_keys(lines), {"rotation[%d]" % part for part in range(4)}, lines
                )

    def test_a_new_key_between_two_keeps_the_others(self):
        self.open()
        empty = common.node("B_Up")
        frames = [p.co[0] for p in common.curve(empty, "location", 0).keyframe_points]
        gap = next(a for a, b in zip(frames, frames[1:]) if b - a > 1) + 1
        empty.location = (5, 6, 7)
        empty.keyframe_insert("location", frame=gap)
        self.export()
        common.command("msh", "check", self.new)
        text = common.command("msh", "dump", self.new, "-")
        self.assertIn('"position": [5, 6, 7], "time": %d' % gap, text)

    def key_between(self, time):
        """Sets a key of a hundred between two frames, and returns the keys of its node by frame."""
        self.open()
        curve = common.curve(common.node("RL_Md"), "location", 2)
        curve.keyframe_points.insert(time, 100).interpolation = "LINEAR"
        self.export()
        model = addon.operators.engine.load().Model.open(self.new)
        number = common.node("RL_Md")[scene.NODE]
        return {key.time: key.position[2] for key in model.animation().track(number)}

    def test_a_key_between_two_frames_moves_to_the_nearest(self):
        for time, frame in ((7.4, 7), (7.6, 8)):
            common.clear()
            keys = self.key_between(time)
            self.assertEqual([at for at, value in keys.items() if value == 100], [frame])
            (loss,) = self.losses()
            self.assertIn("they move to the nearest frame", loss)

    def test_a_key_whose_nearest_frame_has_one_is_named(self):
        keys = self.key_between(6.4)
        self.assertNotIn(100, keys.values())
        self.assertEqual(common.differences(self.place, self.new), [])
        (loss,) = self.losses()
        self.assertIn("at frame 6.4: frame 6 has one already", loss)

    def test_a_bent_curve_becomes_a_key_a_frame(self):
        self.open()
        curve = common.curve(common.node("B_Up"), "location", 1)
        points = curve.keyframe_points
        number = next(n for n in range(len(points)) if points[n + 1].co[0] - points[n].co[0] > 1)
        points[number].interpolation = "CONSTANT"
        start, end = int(points[number].co[0]), int(points[number + 1].co[0])
        held = points[number].co[1]
        self.export()
        model = addon.operators.engine.load().Model.open(self.new)
        keys = {key.time: key for key in model.animation().track(1)}
        for frame in range(start, end):
            self.assertEqual(keys[frame].position[1], held)
        self.assertEqual(keys[end].position[1], points[number + 1].co[1])

    def test_euler_angles_and_a_parents_offset_are_read(self):
        self.open(TURRET)
        still = next(
            holder.owner
            for holder in scene.holders(self.collection)
            if not holder.owner.animation_data and holder.owner.parent
        )
        node = still[scene.NODE]
        still.rotation_mode, still.rotation_euler = "XYZ", (0.5, 0, 0)
        still.matrix_parent_inverse = Matrix.Translation((1, 0, 0))
        where = still.location.x
        self.export()
        model = addon.operators.engine.load().Model.open(self.new)
        (key,) = model.animation().track(node)
        self.assertAlmostEqual(key.position[0], where + 1, 5)
        turn = model.quaternion(key.rotation)
        self.assertAlmostEqual(turn[1], math.sin(0.25), 3)

    def test_a_longer_animation_has_more_frames(self):
        self.open(TURRET)
        moving = next(o for o in bpy.data.objects if o.animation_data and o.animation_data.action)
        for curve in scene.curves_of(moving.animation_data):
            curve.keyframe_points.insert(9, curve.keyframe_points[0].co[1]).interpolation = "LINEAR"
        self.export()
        self.assertIn("over 10 frames", common.command("msh", "info", self.new))
        common.command("msh", "check", self.new)

    def test_a_still_node_that_is_moved_has_one_key_still(self):
        self.open(TURRET)
        still = next(
            holder.owner
            for holder in scene.holders(self.collection)
            if not holder.owner.animation_data and holder.owner.parent
        )
        still.location.x += 1
        lines = self.export()
        self.assertEqual(len([line for line in lines if line.startswith("Res8 ")]), 1, lines)

    # ---- the .blend ------------------------------------------------------------------------------

    def test_a_saved_and_loaded_file_still_has_the_very_models(self):
        for rate in ("NEVER", "ALWAYS"):
            common.clear()
            places = [HERO, TURRET, "turrets.rlb::#3", "fortif.rlb::#0", "static.rlb::#0"]
            for number, place in enumerate(places):
                self.open(place, rate=rate, form=(scene.OBJECTS, scene.ARMATURE)[number % 2])
            self.assertEqual(bpy.context.scene.render.fps, 24 if rate == "NEVER" else 20)
            blend = os.path.join(common.WORK, "saved.blend")
            bpy.ops.wm.save_as_mainfile(filepath=blend)
            bpy.ops.wm.open_mainfile(filepath=blend)
            found = scene.models()
            self.assertEqual(len(found), len(places))
            for collection in found:
                result = write.result(collection)
                self.assertEqual(result.changes.texts() + result.changes.losses, [])
                self.assertEqual(result.data, scene.kept_model(collection))

    def test_edit_mode_without_an_edit_changes_nothing(self):
        self.open()
        for shown in list(scene.shown_objects(self.collection)):
            if not shown.visible_get():
                continue
            bpy.context.view_layer.objects.active = shown
            bpy.ops.object.mode_set(mode="EDIT")
            bpy.ops.object.mode_set(mode="OBJECT")
        self.assertFalse(write.result(self.collection).changes)
        self.assertEqual(self.export(), [])

    # ---- triangles -------------------------------------------------------------------------------

    def test_a_reshaped_mesh_leaves_the_others_as_they_are(self):
        self.open()
        shown = common.node("B_Up lod0 group0")
        slot = shown.data[scene.SLOT]
        before = len(shown.data.polygons)
        bpy.context.view_layer.objects.active = shown
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.mesh.subdivide(number_cuts=1)
        bpy.ops.object.mode_set(mode="OBJECT")
        self.export()
        common.command("msh", "check", self.new)
        retropose = addon.operators.engine.load()
        old = retropose.Model.open(scene.kept_model(self.collection))
        new = retropose.Model.open(self.new)
        self.assertEqual(len(old.slots), len(new.slots))
        self.assertEqual(old.keys, new.keys)
        self.assertEqual(old.nodes, new.nodes)
        for a, b in zip(old.slots, new.slots):
            count = 4 * before if a.index == slot else a.triangle_count
            self.assertEqual(b.triangle_count, count)
            if a.index != slot:
                self.assertEqual(self.drawn(old, a), self.drawn(new, b), a.index)
                self.assertEqual((a.low, a.high, a.sphere), (b.low, b.high, b.sphere))

    @staticmethod
    def drawn(model, slot):
        """What a slot's triangles look like, wherever its vertices are in the model."""
        positions = bytes(model.positions().tobytes())
        uv = bytes(model.uv(0).tobytes())
        normals = bytes(model.normals().tobytes())
        found = []
        for batch in range(slot.first_batch, slot.first_batch + slot.batch_count):
            record = model.batches[batch]
            corners = memoryview(model.corners(batch).tobytes()).cast("I")
            found.append((record.flags, record.material, record.row, record.lightmap))
            for v in corners:
                found.append(
                    (
                        positions[12 * v : 12 * v + 12],
                        normals[4 * v : 4 * v + 4],
                        uv[4 * v : 4 * v + 4],
                    )
                )
        return found

    # ---- losses ----------------------------------------------------------------------------------

    def test_losses_are_named_and_refused_on_request(self):
        self.open()
        common.node("B_Up").scale.x = 2
        common.node("LL_Up lod0 group0").modifiers.new("Mirror", "MIRROR")
        common.node("LL_Md lod0 group0").location.x = 1
        extra = bpy.data.objects.new("extra", None)
        self.collection.objects.link(extra)
        bpy.data.objects.remove(common.node("LA_Md"))
        losses = self.losses()
        for word in ("scale of B_Up", "modifiers", "moved instead of its node", "extra", "LA_Md"):
            self.assertTrue(any(word in loss for loss in losses), (word, losses))
        with self.assertRaisesRegex(RuntimeError, "nothing is written"):
            bpy.ops.export_scene.retropose(filepath=self.new, check_existing=False, refuse=True)
        self.assertFalse(os.path.exists(self.new))
        self.assertEqual(self.export(), [])

    def name_one_loss(self, form, edit, words):
        """Checks that an edit which a model cannot hold is named and changes nothing."""
        with self.subTest(words):
            common.clear()
            self.open(form=form)
            edit()
            found = write.result(self.collection)
            self.assertEqual(len(found.changes.losses), 1, found.changes.losses)
            self.assertIn(words, found.changes.losses[0])
            self.assertEqual(found.changes.texts(), [])
            self.assertEqual(found.data, scene.kept_model(self.collection))

    def add(self, data, parent=None):
        """A new object, in the model's collection or under one of its nodes."""
        new = bpy.data.objects.new("new", data)
        home = bpy.context.scene.collection if parent else self.collection
        home.objects.link(new)
        new.parent = parent
        return new

    def test_new_objects_are_named(self):
        def below():
            holder = self.add(None, common.node("LL_Md"))
            holder[scene.NODE] = 0  # a part of another model, which is that model's
            self.add(bpy.data.meshes.new("new"), holder)

        for edit in (
            lambda: self.add(bpy.data.curves.new("new", "CURVE")),
            lambda: self.add(bpy.data.lights.new("new", "POINT")),
            lambda: self.add(bpy.data.cameras.new("new")),
            lambda: self.add(bpy.data.armatures.new("new")),
            lambda: self.add(bpy.data.meshes.new("new"), common.node("B_Up")),
            lambda: self.add(None, common.node("B_Up lod0 group0")),
            below,
        ):
            self.name_one_loss(scene.OBJECTS, edit, "is no node of the model")

    def test_what_is_done_to_a_mesh_object_is_named(self):
        shown = "B_Up lod0 group0"

        def turn_normals():
            mesh = common.node(shown).data
            mesh.normals_split_custom_set_from_vertices([(0, 0, 1)] * len(mesh.vertices))

        for form in (scene.OBJECTS, scene.ARMATURE):
            for edit, words in (
                (lambda: common.node(shown).keyframe_insert("location", frame=3), "animation of"),
                (lambda: common.node(shown).constraints.new("LIMIT_SCALE"), "constraints of"),
                (lambda: common.node(shown).vertex_groups.new(name="new"), "vertex groups of"),
                (lambda: common.node(shown).data.uv_layers.new(name="new"), "the UV map new of"),
                (lambda: common.node(shown).data.vertex_colors.new(name="new"), "vertex colours"),
                (turn_normals, "custom normals of"),
                (lambda: setattr(common.node(shown), "parent", None), "does not hang on B_Up"),
            ):
                self.name_one_loss(form, edit, words)
        self.name_one_loss(
            scene.OBJECTS,
            lambda: setattr(common.node(shown), "parent", common.node("Base")),
            "does not hang on B_Up",
        )
        self.name_one_loss(
            scene.ARMATURE,
            lambda: setattr(common.node(shown), "parent_bone", "Base"),
            "does not hang on B_Up",
        )

    def test_normals_around_a_moved_vertex_are_no_edit_of_normals(self):
        self.open()
        mesh = common.node("B_Up lod0 group0").data
        mesh.vertices[3].co.x += 0.125
        self.assertEqual(self.losses(), [])
        mesh.normals_split_custom_set_from_vertices([(0, 0, 1)] * len(mesh.vertices))
        (loss,) = self.losses()
        self.assertIn("custom normals", loss)

    def test_muted_curves_are_named(self):
        def mute():
            common.curve(common.node("RL_Md"), "location", 2).mute = True

        def mute_group():
            common.curve(common.node("RL_Md"), "location", 2).group.mute = True

        for edit in (mute, mute_group):
            self.name_one_loss(scene.OBJECTS, edit, "F-curves of RL_Md are muted")
        self.name_one_loss(
            scene.OBJECTS,
            lambda: common.node("RL_Md").keyframe_insert("hide_viewport", frame=3),
            "the animation of hide_viewport of RL_Md",
        )

    def test_what_is_done_to_an_armature_as_a_whole_is_named(self):
        def bone():
            bpy.context.view_layer.objects.active = common.node("R_H_02")
            bpy.ops.object.mode_set(mode="EDIT")
            new = common.node("R_H_02").data.edit_bones.new("new")
            new.tail = (0, 1, 0)
            bpy.ops.object.mode_set(mode="OBJECT")

        for edit, words in (
            (bone, "the bone new is no node"),
            (lambda: setattr(common.node("R_H_02"), "location", (5, 0, 0)), "moved as a whole"),
            (lambda: setattr(common.node("R_H_02"), "parent", self.hook()), "moved as a whole"),
            (lambda: common.node("R_H_02").constraints.new("LIMIT_SCALE"), "constraints of"),
            (
                lambda: common.node("R_H_02").keyframe_insert("location", frame=5),
                "the animation of location of R_H_02",
            ),
            (lambda: self.add(None), "new is no node of the model"),
        ):
            self.name_one_loss(scene.ARMATURE, edit, words)

    @staticmethod
    def hook():
        """An object outside of the model."""
        new = bpy.data.objects.new("hook", None)
        bpy.context.scene.collection.objects.link(new)
        return new

    def test_both_dialogs_list_what_is_written_and_what_is_lost(self):
        class Dialog:
            """Stands for an operator, its layout and the window manager, and notes the texts."""

            place = filepath = ""
            filename_ext = ".msh"

            def __init__(self, kind):
                self.texts, self.properties, self.shown = [], [], 0
                self.prepare = lambda context: kind.prepare(self, context)
                self.draw_prepared = lambda width: kind.draw_prepared(self, width)
                self.layout = self.window_manager = self
                self.object, self.collection = bpy.context.object, bpy.context.collection
                self.blend_data, self.view_layer = bpy.data, bpy.context.view_layer
                self.region = self.preferences = self.system = self
                self.width, self.ui_scale = 300, 1

            def fileselect_add(self, operator):
                self.shown += 1

            def invoke_props_dialog(self, operator, width):
                self.shown += 1

            def column(self, align):
                return self

            def prop(self, owner, name):
                self.properties.append(name)

            def label(self, text, icon="NONE"):
                self.texts.append(text)

        self.open()
        common.node("B_Up").name = "Body"
        common.node("LL_Up").scale.x = 2
        for kind in (addon.operators.WriteBack, addon.operators.ExportModel):
            dialog = Dialog(kind)
            kind.invoke(dialog, dialog, None)
            self.assertEqual(dialog.shown, 1)
            kind.draw(dialog, dialog)
            text = " ".join(dialog.texts)
            self.assertIn("name of B_Up: Body", text)
            self.assertIn("the scale of LL_Up", text)
            self.assertIn("refuse", dialog.properties)

    def test_a_name_that_does_not_fit_is_a_loss(self):
        self.open()
        common.node("B_Up").name = "名"
        self.assertTrue(any("does not fit" in loss for loss in self.losses()))
        self.assertEqual(self.export(), [])

    # ---- archives --------------------------------------------------------------------------------

    def test_a_library_gets_the_edit_and_keeps_its_other_members(self):
        copy = os.path.join(common.WORK, "copy.rlb")
        shutil.copyfile(os.path.join(common.LIBRARIES, "parts.rlb"), copy)
        self.collection = common.open_model(copy + "::r_h_02.MSH")
        self.assertEqual(bpy.ops.retropose.write(), {"FINISHED"})
        self.assertEqual(
            common.read(copy), common.read(os.path.join(common.LIBRARIES, "parts.rlb"))
        )
        common.node("B_Up").name = "Body"
        self.assertEqual(bpy.ops.retropose.write(), {"FINISHED"})
        lines = common.command(
            "nres", "diff", os.path.join(common.LIBRARIES, "parts.rlb"), copy, code=None
        ).splitlines()
        self.assertTrue(any("R_H_02" in line for line in lines), lines)
        self.assertFalse([line for line in lines if ".msh" in line and "R_H_02" not in line])

    def written_names(self, copy):
        """The names of the first two nodes in the file after another *Write Back*."""
        self.assertEqual(bpy.ops.retropose.write(), {"FINISHED"})
        model = addon.operators.engine.load().Model.open(copy + "::R_H_02.msh")
        return [node.name for node in model.nodes[:2]]

    def test_a_model_can_be_written_again_and_again(self):
        copy = os.path.join(common.WORK, "again.rlb")
        shutil.copyfile(os.path.join(common.LIBRARIES, "parts.rlb"), copy)
        common.open_model(copy + "::R_H_02.msh")
        common.node("B_Up").name = "Body"
        self.assertEqual(self.written_names(copy), ["Base", "Body"])
        common.node("Base").name = "Root"
        self.assertEqual(self.written_names(copy), ["Root", "Body"])
        # Undo takes the scene back to before the writing, but not the file.
        bpy.ops.ed.undo_push(message="before")
        common.node("Root").name = "Ground"
        bpy.ops.ed.undo_push(message="renamed")
        self.assertEqual(self.written_names(copy), ["Ground", "Body"])
        bpy.ops.ed.undo()
        self.assertEqual(self.written_names(copy), ["Root", "Body"])
        # A .blend that was saved and loaded knows what it wrote.
        blend = os.path.join(common.WORK, "again.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        scene._written.clear()  # as in another session
        bpy.ops.wm.open_mainfile(filepath=blend)
        common.node("Root").name, common.node("Body").name = "Base", "B_Up"
        self.assertEqual(self.written_names(copy), ["Base", "B_Up"])
        self.assertEqual(
            common.read(copy), common.read(os.path.join(common.LIBRARIES, "parts.rlb"))
        )

    def test_an_edit_by_others_is_not_undone_without_being_asked_for(self):
        copy = os.path.join(common.WORK, "others.rlb")
        shutil.copyfile(os.path.join(common.LIBRARIES, "parts.rlb"), copy)
        common.open_model(copy + "::R_H_02.msh")
        common.node("B_Up").name = "Body"
        self.assertEqual(bpy.ops.retropose.write(), {"FINISHED"})
        common.command("msh", "edit", copy + "::R_H_02.msh", "--rename-node", "#2=Thigh")
        theirs = common.read(copy)
        with self.assertRaisesRegex(RuntimeError, "not the one that was opened"):
            bpy.ops.retropose.write()
        self.assertEqual(common.read(copy), theirs)
        self.assertEqual(bpy.ops.retropose.write(overwrite=True), {"FINISHED"})
        self.assertNotEqual(common.read(copy), theirs)

    def test_only_a_model_is_replaced_by_a_model(self):
        library = os.path.join(common.WORK, "whole.rlb")
        shutil.copyfile(os.path.join(common.LIBRARIES, "parts.rlb"), library)
        outer = os.path.join(common.WORK, "outer.rlb")
        with addon.operators.engine.load().Archive.new() as archive:
            archive.add("inner.rlb", common.read(library))
            archive.add("note.txt", b"a note")
            archive.save(outer)
        text = os.path.join(common.WORK, "note.txt")
        with open(text, "w") as file:
            file.write("a note\n")
        self.open()
        common.node("B_Up").name = "Body"
        for place, problem in (
            (library, "this is a library; name the member as FILE::MEMBER"),
            (outer + "::inner.rlb", "this is a library; name the member as FILE::MEMBER"),
            (outer + "::note.txt", "this is no model"),
            (text, "this is no model"),
        ):
            path = place.partition("::")[0]
            before = common.read(path)
            for overwrite in (False, True):
                with self.assertRaisesRegex(RuntimeError, problem):
                    bpy.ops.retropose.write(place=place, overwrite=overwrite)
            with self.assertRaisesRegex(RuntimeError, problem):
                bpy.ops.export_scene.retropose(filepath=place, check_existing=False)
            self.assertEqual(common.read(path), before, place)
        place = outer + "::inner.rlb::R_H_02.msh"
        self.assertEqual(bpy.ops.retropose.write(place=place), {"FINISHED"})
        self.assertIn("Body", common.command("msh", "dump", place, "-"))
        self.assertTrue(self.export())
        common.node("Body").name = "B_Up"
        self.assertEqual(self.export(), [])  # into the model that is there by now

    def test_materials_are_called_as_the_wear_file_says(self):
        folder = os.path.join(common.WORK, "wear")
        os.makedirs(folder, exist_ok=True)
        model = os.path.join(folder, "hero.msh")
        common.command("msh", "extract", os.path.join(common.LIBRARIES, HERO), model)
        with open(os.path.join(folder, "hero.wea"), "w") as file:
            file.write("40\n" + "".join("%d STEEL%d\n" % (row, row) for row in range(40)))
        image = bpy.data.images.new("x", 2, 2)
        image.filepath_raw, image.file_format = os.path.join(folder, "steel3.png"), "PNG"
        image.save()
        self.collection = common.open_model(model, textures=folder)
        named = [m for m in bpy.data.materials if m.name.startswith("STEEL")]
        self.assertTrue(named)
        self.assertEqual(
            {m["retropose_wear"] for m in named if common.has_image(m)}, {"STEEL3"}
        )
        self.assertFalse(write.result(self.collection).changes)

    def test_findings_lead_to_their_nodes(self):
        self.open()
        self.assertEqual(bpy.ops.retropose.check(), {"FINISHED"})
        self.assertTrue(len(bpy.context.window_manager.retropose_findings))
        self.assertEqual(bpy.ops.retropose.select_node(node=2), {"FINISHED"})
        self.assertEqual(bpy.context.view_layer.objects.active.name, "LL_Up")

    # ---- hostile files ---------------------------------------------------------------------------

    def test_a_library_of_many_models_asks_for_one(self):
        with self.assertRaisesRegex(RuntimeError, "name one of them"):
            bpy.ops.import_scene.retropose(filepath=os.path.join(common.LIBRARIES, "parts.rlb"))

    def test_damaged_files_give_a_message_or_come_back_as_they_are(self):
        random_numbers = random.Random(18)
        path = os.path.join(common.WORK, "damaged.msh")
        common.command("msh", "extract", os.path.join(common.LIBRARIES, TURRET), path)
        model = common.read(path)
        refused = opened = 0
        for number in range(HOSTILE_FILES):
            data = bytearray(model)
            if number % 3 == 0:
                del data[random_numbers.randrange(len(data)) :]
            else:
                for _ in range(1 + number % 7):
                    data[random_numbers.randrange(len(data))] = random_numbers.randrange(256)
            with open(path, "wb") as file:
                file.write(data)
            common.clear()
            try:
                collection = common.open_model(path, form=(scene.OBJECTS, scene.ARMATURE)[number % 2])
            except RuntimeError as error:
                self.assertNotIn("Traceback", str(error))
                refused += 1
                continue
            opened += 1
            result = write.result(collection)
            self.assertEqual(result.changes.texts(), [], number)
            self.assertEqual(result.data, bytes(data))
        print("counted damaged: %d refused, %d opened" % (refused, opened))
        self.assertGreater(refused, 20)
        self.assertGreater(opened, 20)

    def test_the_add_on_can_be_switched_off_and_on(self):
        bpy.ops.preferences.addon_disable(module="retropose_blender")
        self.assertFalse(hasattr(bpy.types, "IMPORT_SCENE_OT_retropose"))
        bpy.ops.preferences.addon_enable(module="retropose_blender")
        self.open()


common.main(Edits)
