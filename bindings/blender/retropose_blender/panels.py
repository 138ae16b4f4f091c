"""The panels in the sidebar of the 3D view and in the properties, and the preferences."""

import os

import bpy
from bpy.props import StringProperty

from . import operators, scene

# Bits of a node's flags and what they mean (facts/formats.md C.4).
FLAGS = (
    (0, "Interior"),
    (2, "Influences bounds"),
    (4, "Stops at children"),
    (5, "Cockpit"),
    (6, "No shadow"),
    (8, "No central update"),
    (9, "Fatal when depleted"),
    (10, "Inherits life"),
    (11, "Looks for central"),
)
ICONS = {"ERROR": "CANCEL", "WARNING": "ERROR", "CANONICAL": "INFO", "INFO": "INFO"}
MOST_FINDINGS = 50


LIBRARY = StringProperty(
    name="Library",
    description="libretropose.so.1 or retropose-1.dll; empty is the one of the add-on",
    subtype="FILE_PATH",
)


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    library: LIBRARY
    textures: operators.TEXTURES

    def draw(self, context):
        self.layout.prop(self, "library")
        self.layout.prop(self, "textures")


def draw_node(layout, node) -> None:
    layout.label(text="Node %d" % node[scene.NODE], icon="EMPTY_AXIS")
    layout.prop(node, "name", text="Name")
    if scene.LABEL in node:
        layout.prop(node, '["%s"]' % scene.LABEL, text="Socket")
    if scene.FLAGS in node:
        layout.prop(node, '["%s"]' % scene.FLAGS, text="Flags")
        column = layout.column(align=True)
        for bit, name in FLAGS:
            change = column.operator(
                "retropose.toggle_flag", text=name, depress=bool(node[scene.FLAGS] >> bit & 1)
            )
            change.bit = bit


def draw_materials(layout, shown) -> None:
    """The batches of a mesh, by what they are drawn with."""
    for place in shown.material_slots:
        material = place.material
        if material is None or scene.LOOK[0] not in material:
            continue
        box = layout.box()
        box.label(text=material.name, icon="MATERIAL")
        for name in scene.LOOK:
            box.prop(material, '["%s"]' % name, text=name.partition("_")[2].capitalize())
        if "retropose_wear" in material:
            box.label(text="Material %s" % material["retropose_wear"])


def draw_findings(layout, context) -> None:
    found = context.window_manager.retropose_findings
    width = context.region.width / context.preferences.system.ui_scale
    for finding in list(found)[:MOST_FINDINGS]:
        row = layout.row()
        operators.draw_text(row, width, finding.text, ICONS.get(finding.severity, "INFO"))
        if finding.node >= 0:
            select = row.operator("retropose.select_node", text="", icon="RESTRICT_SELECT_OFF")
            select.node = finding.node
    if len(found) > MOST_FINDINGS:
        layout.label(text="and %d more" % (len(found) - MOST_FINDINGS))


class ModelPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_retropose"
    bl_label = "Parkan Model"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Parkan"

    def draw(self, context):
        layout = self.layout
        collection = scene.model_of(context)
        if collection is None:
            layout.operator("import_scene.retropose", icon="IMPORT")
            return
        layout.label(text=collection.name, icon="OUTLINER_COLLECTION")
        layout.label(text=os.path.basename(str(collection.get(scene.SOURCE, ""))))
        layout.operator("retropose.write", icon="FILE_TICK")
        layout.operator("export_scene.retropose", icon="EXPORT")
        node = operators.active_node(context)
        if node is not None:
            draw_node(layout.box(), node)
        layout.operator("retropose.check", icon="VIEWZOOM")
        draw_findings(layout, context)


class NodePanel(bpy.types.Panel):
    bl_idname = "OBJECT_PT_retropose"
    bl_label = "Parkan Node"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"

    @classmethod
    def poll(cls, context):
        return operators.active_node(context) is not None

    def draw(self, context):
        draw_node(self.layout, operators.active_node(context))
        if context.object.type == "MESH":
            draw_materials(self.layout, context.object)


CLASSES = (Preferences, ModelPanel, NodePanel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
