"""Every model of the corpus: opened as objects or as an armature, not changed, written back, the same bytes; in
a scene of 24 frames a second."""

import os
import shutil
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
import common  # noqa: E402

addon = common.install()
from retropose_blender import scene, write  # noqa: E402

FORM = common.PART.upper()


def members():
    """Pairs of a library and the name of a model in it, with #N where a name is not enough."""
    for library in sorted(os.listdir(common.LIBRARIES)):
        path = os.path.join(common.LIBRARIES, library)
        with addon.operators.engine.load().Archive.open(path) as archive:
            for name in addon.operators.members_with_models(archive):
                yield library, name


class Corpus(unittest.TestCase):
    def test_untouched_models_are_written_back_byte_for_byte(self):
        started, models, meshes, keys, refused = time.monotonic(), 0, 0, 0, []
        for library, name in members():
            copy = os.path.join(common.WORK, library)
            if not os.path.exists(copy):
                shutil.copyfile(os.path.join(common.LIBRARIES, library), copy)
            common.clear()
            place = "%s::%s" % (copy, name)
            try:
                collection = common.open_model(place, form=FORM)
            except RuntimeError as error:
                refused.append("%s: %s" % (name, error))
                continue
            self.assertEqual(bpy.context.scene.render.fps, 24)
            found = write.result(collection)
            self.assertEqual(found.changes.texts(), [], place)
            self.assertEqual(found.changes.losses, [], place)
            self.assertEqual(bpy.ops.retropose.write(refuse=True), {"FINISHED"})
            models += 1
            meshes += sum(1 for _ in scene.shown_objects(collection))
            keys += sum(
                len(curve.keyframe_points)
                for owner in bpy.data.objects
                if owner.animation_data
                for curve in scene.curves_of(owner.animation_data)
            )
        for library in os.listdir(common.LIBRARIES):
            copy = os.path.join(common.WORK, library)
            if os.path.exists(copy):
                original = os.path.join(common.LIBRARIES, library)
                self.assertEqual(common.read(copy), common.read(original), library)
                os.unlink(copy)
        # The one model of the old form, whose nodes have 24 bytes, is refused with a reason.
        self.assertEqual(len(refused), 1, refused)
        self.assertIn("nodes", refused[0])
        self.assertGreaterEqual(models, 434)
        print(
            "counted %s: %d models, %d meshes, %d keys of curves; %.0f s"
            % (common.PART, models, meshes, keys, time.monotonic() - started)
        )

    def test_odd_models_come_back_as_they_are_or_are_refused_with_a_reason(self):
        refused = {}
        names = sorted(os.listdir(common.VARIANTS))
        for name in names:
            path = os.path.join(common.VARIANTS, name)
            common.clear()
            try:
                collection = common.open_model(path, form=FORM)
            except RuntimeError as error:
                self.assertNotIn("Traceback", str(error))
                refused[name] = str(error)
                continue
            result = write.result(collection)
            self.assertEqual(result.changes.texts() + result.changes.losses, [], name)
            self.assertEqual(result.data, common.read(path), name)
        print("counted odd models: %d, %d refused" % (len(names), len(refused)))
        self.assertLess(len(refused), 10, refused)


common.main(Corpus)
