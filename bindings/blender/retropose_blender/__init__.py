"""Models of the game Parkan: Iron Strategy in Blender, and back, without a lost bit.

docs/use/blender.md tells what the add-on does. The modules: `view` computes what is shown of a
model, `build` makes Blender's objects of it, `changes` finds what was edited, `write` and `reshape`
carry that out, `operators` and `panels` are what the user sees.
"""

bl_info = {
    "name": "Retropose: models of Parkan",
    "author": "Retropose",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, 3D view > Sidebar > Parkan",
    "description": "Opens .msh models and .rlb libraries, and writes edits back",
    "category": "Import-Export",
}

from . import operators, panels

MODULES = (operators, panels)


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
