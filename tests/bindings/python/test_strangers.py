"""Files of strangers: whatever is damaged is an error or is read in part, and never a crash; and memory
stays as it is however many files are opened."""
import gc
import json

import retropose
from retropose import Archive, MeshObject, Model, ReadMode, RetroposeError, Trace
from shared import Case, Random, ROOT, main

CORPUS = retropose.Corpus()
HERO = CORPUS.model("R_H_02.msh")
FILES, OPENS = 120, 10000


def use_model(model):
    for use in (
        lambda: model.nodes, lambda: model.slots, lambda: model.batches, lambda: model.triangles,
        lambda: model.keys, lambda: model.probes, lambda: model.header, model.positions,
        model.normals, model.uv, lambda: model.uv(1), model.indices, lambda: model.corners(0),
        model.check, model.describe, model.dump, lambda: model.pose(1.5, 3.25, 0.5),
        lambda: model.clip().pose(0.5), lambda: MeshObject(model).segment((0, -5, 1), (0, 5, 1)),
        model.export_glb, model.export_obj, model.animation, model.readings_by_evidence,
        lambda: model.rename(0, "x"), lambda: model.set_label(0, "x"), model.update_bounds,
        lambda: model.set_position(0, (1, 2, 3)), lambda: model.set_key(0, model.keys[0]),
        model.to_bytes, lambda: model.diff(Model.open(HERO)),
    ):
        try:
            use()
        except (RetroposeError, IndexError):
            pass


def use_archive(archive):
    for member in archive:
        try:
            archive.read(member)
        except RetroposeError:
            pass
    for use in (archive.check, lambda: archive.add("x", b"1"), lambda: archive.remove(0),
                lambda: archive.replace(0, b"2"), archive.to_bytes):
        try:
            use()
        except RetroposeError:
            pass


def damaged(data, random, kind):
    """A few bytes changed, or words of the front half set to extremes, or the end cut off."""
    made = bytearray(data)
    if kind == 0:
        return bytes(made[:random.below(len(made))])
    for _ in range(1 + random.below(12)):
        at = random.below(len(made) - 4)
        if kind == 1:
            made[at] = random.below(256)
        else:
            word = (0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFF, len(data))[random.below(6)]
            made[at:at + 4] = word.to_bytes(4, "little")
    return bytes(made)


class Damage(Case):
    def try_all(self, name, data, opener, user, seed):
        random, opened, refused = Random(seed), 0, 0
        for number in range(FILES):
            try:
                thing = opener(damaged(data, random, number % 3))
            except RetroposeError as error:
                self.assertTrue(str(error))
                refused += 1
                continue
            opened += 1
            refused += bool(user(thing))
        print(f"{name}: {opened} opened, {refused} refused")
        self.assertGreater(refused + name.endswith("TOLERANT"), 0)
        self.assertGreater(opened, 0)

    def test_models(self):
        small = min(CORPUS.models, key=lambda model: (model.nodes < 3, model.triangles))
        for name in (small.name, "R_H_02.msh"):
            self.try_all(name, CORPUS.model(name), Model.open, use_model, 11)

    def test_directories(self):
        """Damage where it hurts: the directory, at the end of the file."""
        data = HERO

        def opener(tail):
            return Model.open(data[:-1400] + tail.ljust(1400, b"\xff")[:1400])

        self.try_all("directory", data[-1400:], opener, use_model, 12)

    def test_archives(self):
        library = Archive.new()
        for number in range(12):
            library.add("m%d" % number, bytes(range(number * 7)), number)
        for mode in ReadMode:
            self.try_all(f"NRes {mode.name}", library.to_bytes(),
                         lambda data: Archive.open(data, mode), use_archive, 13)
            self.try_all(f"RsLi {mode.name}", CORPUS.rsli(),
                         lambda data: Archive.open(data, mode), use_archive, 14)

    def test_gltf(self):
        glb = Model.open(CORPUS.model(3)).export_glb()
        self.try_all("GLB", glb, Model.import_glb, lambda made: made.model.check(), 15)

    def test_dumps(self):
        text = Model.open(CORPUS.model(3)).dump()
        self.assertTrue(json.loads(text))
        self.try_all("dump", text.encode(),
                     lambda data: Model.assemble(data.decode("utf-8", "surrogateescape")),
                     use_model, 16)

    def test_traces(self):
        data = (ROOT / "traces/builds-fxch.rptrace").read_bytes()

        def walk(trace):
            """Whether damage behind the header was noticed."""
            try:
                for call in trace:
                    call.function, call.inputs, call.outputs
            except RetroposeError as error:
                return str(error)
            return ""

        self.try_all("trace", data, Trace.open, walk, 17)


def resident():
    """Bytes of memory that the process has; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return None


class Memory(Case):
    def test_it_does_not_grow(self):
        if resident() is None:
            self.skipTest("this system does not say how much memory a process has")
        image, small = CORPUS.model(0), Archive.new()
        for number in range(4):
            small.add("m%d" % number, b"x" * 1000, number)
        stored, trace = small.to_bytes(), (ROOT / "traces/builds-fxch.rptrace").read_bytes()

        def once(number):
            archive = Archive.open(stored)
            archive.replace(0, b"y" * 5000)
            archive.to_bytes()
            model = Model.open(image)
            model.rename(0, "x")
            model.pose(0)
            if number % 20 == 0:
                hero = Model.open(HERO)
                mesh = MeshObject(hero)
                mesh.attach(hero, 1, 0)
                hero.clip()
                hero.animation().reverse()
                model.check()
                Trace.open(trace)
                try:
                    Archive.open(b"nothing")
                except RetroposeError:
                    pass

        for number in range(1000):
            once(number)
        gc.collect()
        before = resident()
        for number in range(OPENS):
            once(number)
        gc.collect()
        grown = resident() - before
        print(f"{OPENS} opens: {grown} bytes more")
        self.assertLess(grown, 4 << 20)


if __name__ == "__main__":
    main()
