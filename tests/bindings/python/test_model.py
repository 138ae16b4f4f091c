"""Models: what is read, edited and made, and the round trips that give the same bytes."""
import retropose
from retropose import Archive, Key, Model, Readings, Severity, Status, StreamType, Transform
from shared import Case, main, scratch

CORPUS = retropose.Corpus()
HERO = CORPUS.model("R_H_02.msh")


def flat(array):
    return bytes(array)


class Reading(Case):
    def setUp(self):
        self.model = Model.open(HERO)

    def test_what_a_model_has(self):
        model, info = self.model, CORPUS.models[0]
        self.assertEqual((model.node_count, model.frame_count), (10, 124))
        self.assertEqual([node.label for node in model.sockets], ["e_bnt_03"])
        self.assertEqual(model.nodes[4].parent, 3)
        self.assertIsNone(model.nodes[0].parent)
        self.assertEqual(model.find_node("B_Up"), 1)
        self.assertEqual(model.find_node("#3"), 3)
        self.refused(Status.NOT_FOUND, model.find_node, "nobody")
        counts = {stream.type: stream.count for stream in model.streams}
        self.assertEqual(counts[StreamType.KEYS], len(model.keys))
        self.assertEqual(counts[StreamType.TRIANGLES], len(model.triangles))
        self.assertEqual(counts[StreamType.SLOTS], len(model.slots))
        self.assertEqual(counts[StreamType.BATCHES], len(model.batches))
        self.assertEqual(tuple(model.positions().shape), (counts[StreamType.POSITIONS], 3))
        self.assertEqual(tuple(model.normals().shape), (counts[StreamType.NORMALS], 4))
        self.assertEqual(len(model.indices()), counts[StreamType.INDICES])
        self.assertEqual(flat(model.positions()), model.stream(StreamType.POSITIONS))
        self.assertEqual(len(model.header.corners), 8)
        self.assertEqual(model.describe()["frames"], 124)
        self.assertEqual(len(Model.open(CORPUS.model(0)).batches), info.batches)

    def test_tracks_are_the_keys(self):
        tracks = self.model.animation(exact=True)
        for node in range(self.model.node_count):
            first, last = self.model.track(node)
            self.assertEqual(tracks.track(node), self.model.keys[first:last + 1])
        self.assertEqual(self.model.key_at(4, 0), self.model.track(4)[0])

    def test_rotations_there_and_back(self):
        for readings in ("", "key-order=wxyz", "rotation=plain"):
            model = Model.open(HERO, readings)
            for key in model.keys[:50]:
                self.assertEqual(model.rotation(model.quaternion(key.rotation)), key.rotation)

    def test_the_corners_of_a_batch(self):
        batch = self.model.batches[3]
        corners = self.model.corners(3)
        self.assertEqual(tuple(corners.shape), (batch.index_count // 3, 3))
        self.refused(Status.NOT_FOUND, self.model.corners, 10**6)

    def test_findings(self):
        broken = [model.name for model in CORPUS.models
                  if any(found.severity == Severity.ERROR
                         for found in Model.open(CORPUS.model(model.index)).check())]
        self.assertEqual(broken, [])
        self.model.set_stream(StreamType.KEYS, bytes(24 * len(self.model.keys)))
        self.assertIn(Severity.ERROR, {found.severity for found in self.model.check()})

    def test_readings(self):
        self.assertEqual(Readings("drawn")["key-order"], "wxyz")
        self.assertEqual(Readings({"uv": "unsigned"}), Readings("uv=unsigned"))
        self.assertEqual(Readings(str(Readings("drawn"))), Readings("drawn"))
        self.assertEqual(str(Readings()), "")
        self.refused(Status.INVALID, Readings, "key-order=none")
        self.refused(Status.INVALID, Readings, "nothing=none")
        chosen, why = self.model.readings_by_evidence()
        self.assertEqual(chosen, Readings())
        self.assertIn("certain", {found.certainty for found in why})
        self.assertTrue(self.model.box_evidence().usable)

    def test_what_is_no_model(self):
        self.refused(Status.UNSUPPORTED, Model.open, CORPUS.library("parts.rlb"))
        self.refused(Status.UNSUPPORTED, Model.open, CORPUS.rsli())
        self.refused(Status.UNSUPPORTED, Model.open, Archive.new().to_bytes())
        path = scratch() / "parts.rlb"
        path.write_bytes(CORPUS.library("parts.rlb"))
        self.assertEqual(Model.open(f"{path}::r_h_02.MSH").name, "R_H_02.msh")
        self.refused(Status.NOT_FOUND, Model.open, f"{path}::nobody")


class RoundTrips(Case):
    def test_the_corpus_there_and_back(self):
        count = 0
        for info in CORPUS.models[::7]:
            image = CORPUS.model(info.index)
            model = Model.open(image)
            self.assertEqual(Model.assemble(model.dump()).to_bytes(), image, info.name)
            if info.nodes:
                made = Model.import_glb(model.export_glb())
                self.assertEqual(made.model.to_bytes(), image, info.name)
                model.set_animation(model.animation())
                model.set_positions(model.positions())
                model.set_normals(model.normals())
                model.set_uv(model.uv())
                for node in model.nodes:
                    model.rename(node.index, node.name)
                    model.set_flags(node.index, node.flags)
                    model.set_parent(node.index, node.parent)
            self.assertEqual(model.to_bytes(), image, info.name)
            self.assertFalse(model.changed)
            count += 1
        print(f"{count} models")

    def test_an_edited_model_goes_back_into_its_archive(self):
        library = CORPUS.library("parts.rlb")
        archive = Archive.open(library)
        model = Model.from_archive(archive, "r_h_02.msh")
        model.store()
        self.assertFalse(archive.changed)
        model.rename(4, "turret")
        model.store()
        again = Archive.open(archive.to_bytes())
        for member in Archive.open(library):
            same = again.read(member.name) == Archive.open(library).read(member)
            self.assertEqual(same, member.name != "R_H_02.msh", member.name)
        model.rename(4, Model.open(HERO).nodes[4].name)
        model.store()
        self.assertEqual(archive.to_bytes(), library)
        self.refused(Status.INVALID, Model.open(HERO).store)

    def test_gltf_with_files_beside_it(self):
        import json
        folder, model = scratch(), Model.open(HERO)
        text = model.export_glb(str(folder / "hero.gltf"), text=True)
        document = json.loads(text)
        import base64
        data = document["buffers"][0]["uri"].partition(",")[2]
        (folder / "hero.bin").write_bytes(base64.b64decode(data))
        for uri, fits in (("hero.bin", True), ("../hero.bin", False), ("/etc/hostname", False),
                          ("none.bin", False)):
            document["buffers"][0]["uri"] = uri
            (folder / "hero.gltf").write_text(json.dumps(document))
            if fits:
                made = Model.import_glb(folder / "hero.gltf").model
                self.assertEqual(made.to_bytes(), HERO)
            else:
                with self.assertRaises(retropose.RetroposeError) as caught:
                    Model.import_glb(folder / "hero.gltf")
                self.assertIn(uri.rpartition("/")[2], str(caught.exception))

    def test_notes_name_what_is_lost(self):
        import json
        model = Model.open(HERO)
        document = json.loads(model.export_glb(text=True))
        for node in document["nodes"]:
            node.get("extras", {}).get("retropose", {}).pop("label", None)
        notes = Model.import_glb(json.dumps(document).encode()).notes
        self.assertIn("1 of 1, e_bnt_03", [note.found for note in notes if note.rule == "G46"])
        text, materials = model.export_obj(materials="x.mtl")
        self.assertIn("mtllib x.mtl", text)
        self.assertIn("newmtl", materials)


class Edits(Case):
    def setUp(self):
        self.model = Model.open(HERO)

    def places(self):
        return {difference.place for difference in Model.open(HERO).diff(self.model, 1000).found}

    def test_an_edit_changes_one_thing(self):
        self.model.rename(4, "\u0431\u0430\u0448\u043d\u044f")
        self.assertEqual(self.model.nodes[4].name, "\u0431\u0430\u0448\u043d\u044f")
        self.model.set_label(4, "hook")
        self.model.set_flags(4, 7)
        self.model.set_slot(4, 14, 2)
        node = self.model.nodes[4]
        self.assertEqual((node.label, node.flags, node.slots[14]), ("hook", 7, 2))
        self.model.set_material(0, 9)
        self.assertEqual(self.model.batches[0].material, 9)
        self.model.set_parent(4, 1)
        self.assertEqual(self.model.nodes[4].parent, 1)
        self.refused(Status.INVALID, self.model.set_parent, 4, 5)
        error = self.refused(Status.INVALID, self.model.set_flags, 4, 0x11170)
        self.assertEqual((error.expected, error.found), ("at most 0xFFFF", "0x11170"))
        error = self.refused(Status.INVALID, self.model.rename, -1, "x")
        self.assertEqual(error.expected, "0 to %d" % (len(self.model.nodes) - 1))
        self.refused(Status.INVALID, self.model.drop_stream, StreamType.NODES)

    def test_keys_and_vertices_move(self):
        index, key = 1, self.model.keys[1]
        moved = Key((1.0, 2.0, 3.0), key.time, (0, 0, 0, 32767))
        self.model.set_key(index, moved)
        self.assertEqual(self.model.keys[index], moved)
        self.refused(Status.INVALID, self.model.set_key, index, Key((0, 0, 0), 99.0, (0, 0, 0, 1)))
        self.refused(Status.INVALID, self.model.set_key, index,
                     Key((0, 0, 0), key.time, (0, 0, 0, 40000)))
        self.model.set_position(0, (9.0, 9.0, 9.0))
        self.assertEqual(self.model.positions().tolist()[0], [9.0, 9.0, 9.0])
        self.refused(Status.NOT_FOUND, self.model.set_position, 10**6, (0, 0, 0))
        self.refused(Status.INVALID, self.model.set_positions, [(0, 0, 0)])
        slot = max(self.model.slots, key=lambda slot: slot.high[0])
        self.assertEqual(slot.high, (9.0, 9.0, 9.0))
        self.assertEqual([f for f in self.model.check() if f.severity == Severity.ERROR], [])

    def test_animations(self):
        animation = self.model.animation()
        copy = animation.copy()
        self.assertEqual(animation, copy)
        animation.set_track(4, [Key((0, 0, 0), 0.0, (0, 0, 0, 32767)),
                                Key((4, 0, 0), 150.0, (0, 0, 0, 32767))])
        self.assertNotEqual(animation, copy)
        self.assertEqual(animation.frame_count, 151)
        self.assertEqual(animation.sample(4, 75.0)[1][0], 2.0)
        self.model.set_animation(animation)
        self.assertEqual(self.model.frame_count, 151)
        self.assertEqual(self.model.animation(exact=True), animation)
        animation.retime_to(76)
        animation.clear_track(4, 75)
        self.assertEqual(len(animation.track(4)), 1)
        animation.append(copy, list(range(10)))
        self.assertEqual(animation.frame_count, 76 + 124)
        animation.range(0, 75)
        animation.simplify(0.01, 0.1)
        animation.reverse()
        animation.resample(5)
        animation.frame_count = 90
        self.assertEqual(animation.frame_count, 90)
        with self.assertRaises(retropose.RetroposeError):
            animation.frame_count = 3
        self.refused(Status.INVALID, animation.track, 10)
        self.refused(Status.INVALID, animation.append, copy, [0])
        self.assertEqual(self.model.match_nodes(Model.open(HERO)), list(range(10)))

    def test_transforms(self):
        turned = Model.open(HERO)
        turned.transform_all(Transform.turn((0, 0, 1), 90))
        self.assertNotEqual(turned.keys, self.model.keys)
        self.model.transform_all(Transform(scale=(2, 2, 2)))
        before = Model.open(HERO).header.corners[0][0]
        self.assertAlmostEqual(self.model.header.corners[0][0], 2 * before, 2)
        self.refused(Status.INVALID, self.model.transform_all, Transform(scale=(1, 2, 3)))

    def test_a_model_from_nothing(self):
        model = Model.make(
            nodes=[retropose.NodeDescription("root", keys=[Key((0, 0, 0), 0.0, (0, 0, 0, 32767))],
                                             slots={0: 0}, flags=1),
                   retropose.NodeDescription("arm", 0, [Key((0, 0, 1), 0.0, (0, 0, 0, 32767)),
                                                        Key((0, 0, 2), 4.0, (0, 0, 0, 32767))],
                                             label="hook")],
            slots=[retropose.SlotDescription(0, 1)],
            batches=[retropose.BatchDescription([0, 1, 2], material=3)],
            positions=[(0, 0, 0), (1, 0, 0), (0, 1, 0)], normals=[(0, 0, 127, 0)] * 3,
            uv0=[(0, 0)] * 3, name="made")
        self.assertEqual([f for f in model.check() if f.severity <= Severity.WARNING], [])
        self.assertEqual((model.node_count, model.frame_count), (2, 5))
        self.assertEqual(model.nodes[1].label, "hook")
        self.assertEqual(float(model.pose(2).model[1, 2, 3]), 1.5)
        self.assertEqual(model.triangles[0].normal, (0, 0, 32767))


if __name__ == "__main__":
    main()
