"""What the tests in Blender share: the add-on installed from its zip, an empty file, the command."""

import os
import subprocess
import sys
import unittest

import bpy

WORK, RETROPOSE, ROOT, PART = sys.argv[sys.argv.index("--") + 1 :]
LIBRARIES = os.path.join(WORK, "corpus", "libraries")
VARIANTS = os.path.join(WORK, "corpus", "variants")


def install():
    """Installs the zip as a user does, and returns the add-on's module."""
    bpy.ops.preferences.addon_install(filepath=os.path.join(WORK, "retropose_blender.zip"))
    bpy.ops.preferences.addon_enable(module="retropose_blender")
    return sys.modules["retropose_blender"]


def clear():
    """An empty file at Blender's own 24 frames a second."""
    everything = []
    for kind in ("objects", "meshes", "armatures", "actions", "materials", "collections"):
        everything.extend(getattr(bpy.data, kind))
    bpy.data.batch_remove(everything)
    bpy.context.scene.render.fps = 24


def open_model(path, **options):
    """Opens a model by the operator, and returns its collection."""
    before = set(bpy.data.collections.keys())
    options.setdefault("rate", "NEVER")
    assert bpy.ops.import_scene.retropose(filepath=path, **options) == {"FINISHED"}
    made = [c for c in bpy.data.collections if "retropose_model" in c and c.name not in before]
    assert len(made) == 1, made
    return made[0]


def node(name):
    """The object of a node."""
    return bpy.data.objects[name]


def curve(owner, path, index):
    """The F-curve of an object's action."""
    found = sys.modules["retropose_blender.scene"].curves_of(owner.animation_data)
    return next(c for c in found if c.data_path == path and c.array_index == index)


def has_image(material):
    """Whether a material shows an image. (Since Blender 5 every material has a tree of nodes.)"""
    tree = material.node_tree
    return tree is not None and any(node.type == "TEX_IMAGE" for node in tree.nodes)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def command(*arguments, code=0):
    """What the command `retropose` prints."""
    result = subprocess.run(
        [RETROPOSE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert code is None or result.returncode == code, result.stdout
    return result.stdout


def differences(a, b):
    """The lines of `msh diff`, without its summary."""
    lines = command("msh", "diff", a, b, code=None).splitlines()
    return [line for line in lines if not line.startswith("poses ") and " difference" not in line]


def main(case):
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(case)
    )
    sys.stdout.flush()
    if not result.wasSuccessful() or not result.testsRun:
        sys.exit(3)
