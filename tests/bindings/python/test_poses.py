"""Poses: the bits of the same models posed in C, of the vectors, of clips and of mesh objects."""
import json
import os
import struct
import subprocess

import retropose
from retropose import Archive, Arithmetic, Build, MeshObject, Model, Readings, Space, Status
from retropose import fastproc, library
from shared import Case, main, scratch

POSES = os.environ["RETROPOSE_POSES"]
CORPUS = retropose.Corpus()


def bits(values):
    """Numbers, or an array of them, as the hexadecimal digits of binary32."""
    if not isinstance(values, (list, tuple)):
        values = bytes(values)
        return b"".join(values[at:at + 4][::-1] for at in range(0, len(values), 4)).hex()
    return struct.pack(">%df" % len(values), *values).hex()


def floats(text):
    text = text.replace(" ", "")
    return struct.unpack(">%df" % (len(text) // 8), bytes.fromhex(text))


def number(text):
    return floats(text)[0]


class Native(Case):
    def compare(self, name, image, readings):
        path = scratch() / name
        path.write_bytes(image)
        printed = json.loads(subprocess.run(
            [POSES, str(path), readings], check=True, stdout=subprocess.PIPE).stdout)
        archive, compared = Archive.open(path), 0
        for model in printed["models"]:
            posed = (Model.open(path, readings) if name.endswith(".msh")
                     else Model.from_archive(archive, model["index"], readings))
            self.assertEqual((posed.node_count, posed.frame_count),
                             (model["nodes"], model["frames"]))
            moments = [(number(pose["a"]), number(pose["b"]), number(pose["weight"]))
                       for pose in model["poses"]]
            wanted = [(pose["model_space"], pose["local"]) for pose in model["poses"]]
            got = [posed.pose(a) if b < 0 else posed.pose(a, b, weight)
                   for a, b, weight in moments]
            self.assertEqual([(bits(pose.model), bits(pose.local)) for pose in got], wanted,
                             model["name"])
            together = ("".join(m for m, _ in wanted), "".join(loc for _, loc in wanted))
            for many in (posed.poses(moments), posed.clip().poses(moments)):
                self.assertEqual((bits(many.model), bits(many.local)), together, model["name"])
            compared += sum(len(m) + len(loc) for m, loc in wanted) // 128
        return len(printed["models"]), compared

    def test_the_corpus_poses_as_in_c(self):
        models = matrices = 0
        for readings in ("", "drawn"):
            for name in CORPUS.libraries:
                count, compared = self.compare(name, CORPUS.library(name), readings)
                models, matrices = models + count, matrices + compared
        print(f"{models} models, {matrices} matrices compared, 0 different")
        self.assertGreater(models, 860)

    def test_a_bare_model_poses_as_in_c(self):
        count, compared = self.compare("hero.msh", CORPUS.model("R_H_02.msh"), "key-order=wxyz")
        self.assertEqual((count, compared), (1, 100))


class Vectors(Case):
    @classmethod
    def setUpClass(cls):
        made = scratch() / "vectors"
        subprocess.run([os.environ["RETROPOSE_COMMAND"], "gen", "vectors", "-q", made], check=True)
        cls.vectors = json.loads((made / "x87.json").read_text())

    def test_mathematics(self):
        counts = {}
        for case in self.vectors["slerp"]:
            got = fastproc.interpolate(floats(case["q0"]), floats(case["q1"]), number(case["t"]))
            self.assertEqual(bits(got), case["out"].replace(" ", ""), case)
        counts["slerp"] = len(self.vectors["slerp"])
        cases = self.vectors["slerp"]
        many = fastproc.interpolate_many(
            [floats(case["q0"]) for case in cases], [floats(case["q1"]) for case in cases],
            [number(case["t"]) for case in cases])
        self.assertEqual(bits(many), "".join(case["out"].replace(" ", "") for case in cases))
        for case in self.vectors["sine_cosine"]:
            got = fastproc.sine_cosine(number(case["angle"]))
            self.assertEqual(bits(got), case["sine"] + case["cosine"], case)
        counts["sine_cosine"] = len(self.vectors["sine_cosine"])
        for case in self.vectors["matrix"]:
            got = fastproc.pose_product(floats(case["before"]), floats(case["matrix"]))
            self.assertEqual(bits(got), case["product"].replace(" ", ""), case)
        counts["product"] = len(self.vectors["matrix"])
        print(", ".join(f"{name} {count} compared, 0 different" for name, count in counts.items()))

    def test_samples_blends_and_poses(self):
        models = [self.model(skeleton) for skeleton in self.vectors["skeletons"]]
        counts = {"sample": 0, "blend": 0, "pose": 0}
        for case in self.vectors["sample"]:
            model, node = models[case["skeleton"]], case["node"]
            quaternion, position = sample(model, node, number(case["t"]))
            self.assertEqual(bits(quaternion), case["quaternion"].replace(" ", ""), case)
            self.assertEqual(bits(position), case["position"].replace(" ", ""), case)
            counts["sample"] += 1
        for case in self.vectors["blend"]:
            model, node = models[case["skeleton"]], case["node"]
            got = model.pose(number(case["t_a"]), number(case["t_b"]), number(case["weight"]))
            local = bits(got.local)[128 * node:128 * (node + 1)]
            self.assertEqual(local, case["matrix"].replace(" ", ""), case)
            counts["blend"] += 1
        for case in self.vectors["pose"]:
            got = models[case["skeleton"]].pose(number(case["t"]), zero_root=bool(case["zero_root"]))
            self.assertEqual(bits(got.model), case["matrices"].replace(" ", ""), case)
            counts["pose"] += 1
        print(", ".join(f"{name} {count} compared, 0 different" for name, count in counts.items()))

    def model(self, skeleton):
        """A model with the streams of a skeleton of the vectors."""
        nodes = b"".join(
            struct.pack("<4H", 0, parent, start, fallback) + b"\xff" * 30
            for parent, start, fallback in zip(
                skeleton["parents"], skeleton["map_starts"], skeleton["fallbacks"]))
        positions, times = floats(skeleton["key_positions"]), floats(skeleton["key_times"])
        rotations = skeleton["key_rotations"]
        keys = b"".join(
            struct.pack("<4f4h", *positions[3 * i:3 * i + 3], times[i], *rotations[4 * i:4 * i + 4])
            for i in range(len(times)))
        words = skeleton["frame_map"]
        frame_map = struct.pack("<%dH" % len(words), *words)
        archive = Archive.new()
        for kind, data, attributes in (
                (1, nodes, (len(nodes) // 38, 0, 38)), (2, bytes(140), (0, 0, 68)),
                (3, b"", (0, 0, 12)), (6, b"", (0, 0, 2)), (13, b"", (0, 0, 20)),
                (8, keys, (len(times), 0, 4)),
                (19, frame_map, (len(words), skeleton["frame_count"], 2))):
            archive.add("vectors", data, kind, attributes)
        return Model.open(archive.to_bytes())


def sample(model, node, time):
    """RpPose_Sample, which the package wraps as poses only."""
    import ctypes
    quaternion, position = (ctypes.c_float * 4)(), (ctypes.c_float * 3)()
    library.call("RpPose_Sample", model._skeleton(), None, node, time, quaternion, position, None)
    return tuple(quaternion), tuple(position)


class Shapes(Case):
    def test_arrays_have_their_shapes(self):
        model = Model.open(CORPUS.model("R_H_02.msh"))
        pose = model.pose(1.5)
        self.assertEqual(tuple(pose.model.shape), (10, 4, 4))
        self.assertEqual(tuple(model.poses([(0, -1, 0)] * 3).local.shape), (3, 10, 4, 4))
        self.assertEqual(tuple(model.poses([]).local.shape)[:1], (0,))
        self.assertEqual(pose.model.itemsize, 4)
        self.assertEqual(pose.model[4, 3, 3], 1.0)

    def test_readings_and_arithmetic_choose_the_bits(self):
        image = CORPUS.model("R_H_02.msh")
        model = Model.open(image)
        usual = bits(model.pose(1.5).model)
        other = bits(model.pose(1.5, readings="key-order=wxyz").model)
        self.assertNotEqual(usual, other)
        self.assertEqual(other, bits(Model.open(image, {"key-order": "wxyz"}).pose(1.5).model))
        wide = bits(model.pose(1.5, arithmetic=Arithmetic(control_word=0x037F)).model)
        self.assertNotEqual(usual, wide)
        sse = Arithmetic("dot4-sse=" + Readings()["dot4-sse"], Build.SSE)
        self.assertEqual(bits(model.clip(arithmetic=sse).pose(1.5).model),
                         bits(model.pose(1.5, arithmetic=sse).model))
        self.refused(Status.INVALID, model.pose, 1, readings="drawn", arithmetic=sse)
        self.refused(Status.INVALID, model.pose, float("nan"))
        self.refused(Status.INVALID, model.pose, 1, weight=0.5)
        self.refused(Status.INVALID, Arithmetic, control_word=0x10000)

    def test_clips_outlive_their_model(self):
        model = Model.open(CORPUS.model("R_H_02.msh"))
        clip, wanted = model.clip(), bits(model.pose(2.5).model)
        model.set_animation(reversed_animation(model))
        self.assertNotEqual(bits(model.pose(2.5).model), wanted)
        self.assertEqual(bits(clip.pose(2.5).model), wanted)
        del model
        self.assertEqual(bits(clip.pose(2.5).model), wanted)
        self.assertGreater(clip.bytes, 0)

    def test_objects_pose_as_models_do(self):
        model = Model.open(CORPUS.model("R_H_02.msh"))
        mesh = MeshObject(model)
        mesh.set_frames(3, 3, 9, 9)
        mesh.set_phase(0.0, 0.375)
        mesh.pose()
        self.assertEqual(bits(mesh.matrices(Space.MODEL)),
                         bits(model.pose(3, 9, 0.375, zero_root=True).model))
        self.assertEqual(bits(mesh.matrix(4, Space.LOCAL)),
                         bits(mesh.matrices(Space.LOCAL))[128 * 4:128 * 5])


def reversed_animation(model):
    animation = model.animation()
    animation.reverse()
    return animation


class Objects(Case):
    def setUp(self):
        self.model = Model.open(CORPUS.model("R_H_02.msh"))

    def test_parts_come_and_go(self):
        mesh = MeshObject(self.model)
        count = mesh.piece_count
        mesh.attach(self.model, 3, 4, material=7)
        self.assertEqual(mesh.piece_count, 2 * count - 1)
        first = mesh.first_piece(3)
        self.assertEqual((mesh.piece(first).part, mesh.piece(first).node), (3, 1))
        self.assertEqual((mesh.piece(first).parent, mesh.piece(first).material), (4, 7))
        mesh.attach(self.model, 4, first)
        self.refused(Status.INVALID, mesh.attach, self.model, 3, 0)
        self.refused(Status.INVALID, mesh.detach, 0)
        self.refused(Status.NOT_FOUND, mesh.detach, 9)
        mesh.detach(3)
        self.assertEqual(mesh.piece_count, count)
        self.assertIsNone(mesh.first_piece(4))
        mesh.pose()
        mesh.close()
        with self.assertRaises(ValueError):
            mesh.pose()

    def test_hits_are_those_of_the_command(self):
        """README.md shows this hit: retropose object query ... segment 0,-5,1,0,5,1"""
        mesh = MeshObject(Model.open(CORPUS.model("R_H_02.msh")))
        plain = mesh.segment((0, -5, 1), (0, 5, 1))
        prepared = MeshObject(self.model, prepare_queries=True).segment((0, -5, 1), (0, 5, 1))
        self.assertEqual(plain, prepared)
        self.assertEqual((plain.piece, plain.batch, plain.triangle), (7, 89, 1693))
        self.assertEqual(plain.batch_triangle, 8)
        self.assertIsNone(mesh.segment((50, -5, 1), (50, 5, 1)))
        mesh.change_flags(plain.piece, MeshObject.HIDDEN)
        self.assertNotEqual(mesh.segment((0, -5, 1), (0, 5, 1)), plain)
        self.refused(Status.INVALID, mesh.segment, (0, 0), (1, 1, 1))
        self.refused(Status.INVALID, mesh.matrix, 10)
        self.refused(Status.INVALID, mesh.set_stage, 0, 3)

    def test_what_is_drawn_is_batches_of_the_model(self):
        mesh = MeshObject(self.model)
        known = {(batch.first_index, batch.index_count, batch.base_vertex)
                 for batch in self.model.batches}
        drawn = mesh.draw(0)
        self.assertTrue(drawn)
        self.assertLessEqual({(batch.first_index, batch.index_count, batch.base_vertex)
                              for batch in drawn}, known)
        self.assertEqual(mesh.draw(9), [])
        mesh.change_flags(drawn[0].piece, MeshObject.HIDDEN)
        self.assertEqual([batch for batch in drawn if batch.piece != drawn[0].piece], mesh.draw(0))

    def test_bounds_follow_the_placement(self):
        mesh = MeshObject(self.model)
        low, moved = mesh.box(3)[0], [1, 0, 0, 10, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        mesh.set_placement(moved)
        mesh.pose()
        self.assertAlmostEqual(mesh.box(3)[0][0], low[0] + 10, 4)
        self.assertEqual(len(mesh.bounds().corners), 8)
        self.assertGreater(mesh.sphere(3)[3], 0)
        self.assertEqual(len(mesh.capsule(3, Space.MODEL, True)), 7)
        mesh.set_scale((2, 2, 2))
        self.assertFalse(mesh.is_inside((1000, 0, 0)))
        self.assertIsNone(mesh.push_out((1000, 0, 0), 1))


if __name__ == "__main__":
    main()
