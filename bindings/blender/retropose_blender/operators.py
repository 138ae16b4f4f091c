"""What the user can do: open a model, write it back, check it."""

import os
import textwrap
from typing import List, Sequence

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import changes as comparing
from . import engine, scene, write
from .build import Builder
from .textures import Textures
from .view import View

FRAMES_PER_SECOND = 20  # of the game's controllers (facts/formats.md D.5)
MODEL_TYPE = 0x4853454D  # "MESH", the type of models in libraries

FORMS = (
    (scene.OBJECTS, "Objects", "A node is an empty, with its meshes under it"),
    (scene.ARMATURE, "Armature", "A node is a bone, on which its meshes hang"),
)
RATES = (
    ("EMPTY", "In an empty file", "Set 20 frames a second where nothing is animated yet"),
    ("ALWAYS", "Always", "Set 20 frames a second, and the model's frames"),
    ("NEVER", "Never", "Leave the scene's rate; keys stay on their frames all the same"),
)

# The operators' properties. They have names here, because checkers of Python take a text within an
# annotation for the name of a type.
FORM = EnumProperty(name="Nodes as", items=FORMS, default=scene.OBJECTS)
RATE = EnumProperty(name="Frame rate", items=RATES, default="EMPTY")
READINGS = StringProperty(
    name="Readings",
    description="How open points of the format are read, such as drawn; empty asks the model",
)
TEXTURES = StringProperty(
    name="Textures",
    description="A folder of images that are called as the model's materials are, or with the game's "
    "Material.lib and Textures.lib; these are also looked for beside the model",
    subtype="DIR_PATH",
)
MEMBER = StringProperty(
    name="Member", description="The model in the library; it may stand in the path behind ::"
)
OPENED_FILES = StringProperty(default="*.msh;*.rlb;*.lib", options={"HIDDEN"})
WRITTEN_FILES = StringProperty(default="*.msh", options={"HIDDEN"})
HIDDEN_PATH = StringProperty(options={"HIDDEN"})
REFUSE = BoolProperty(
    name="Refuse losses",
    description="Write nothing if something in the scene has no place in a model",
)
PLACE = StringProperty(
    name="Into", description="FILE or FILE::MEMBER; empty is where it was opened"
)
OVERWRITE = BoolProperty(
    name="Even if it changed",
    description="Write although the model in the file is not the one that was opened",
)
TEXT, NODE, BIT = StringProperty(), IntProperty(default=-1), IntProperty(min=0, max=15)

DIALOG_WIDTH = 600  # in pixels at a scale of the interface of 1
CHARACTER_WIDTH = 7  # of the same, a little more than letters of the interface take on the average
ICON_AND_MARGINS = 40

# What an operation may fail with for reasons that the user can do something about.
Failure = (engine.Error, OSError, ValueError)


def draw_text(layout, width: float, text: str, icon: str) -> None:
    """A sentence, in as many labels as it takes: Blender cuts one that is wider than its place."""
    characters = max(int((width - ICON_AND_MARGINS) / CHARACTER_WIDTH), 16)
    column = layout.column(align=True)
    column.scale_y = 0.75  # as one text, and not as labels of their own
    for number, line in enumerate(textwrap.wrap(text, characters)):
        column.label(text=line, icon="BLANK1" if number else icon)


# ---- opening -------------------------------------------------------------------------------------


def is_model(member, data: bytes) -> bool:
    named = member.name.lower().endswith(".msh") or member.type == MODEL_TYPE
    return named and data[:4] == b"NRes"


def members_with_models(archive) -> List[str]:
    """The names by which the models of a library can be opened."""
    names: List[str] = []
    for member in archive.members:
        if is_model(member, archive.read(member)):
            first = archive.find(member.name)
            unique = first is not None and first.index == member.index
            plain = member.name and not member.name.startswith("#")
            names.append(member.name if unique and plain else "#%d" % member.index)
    return names


class Choose(Exception):
    """The library has several models, and none was named."""

    def __init__(self, names: List[str]) -> None:
        super().__init__(
            "the library has %d models; name one of them: %s%s"
            % (len(names), ", ".join(names[:8]), ", ..." if len(names) > 8 else "")
        )
        self.names = names


class Opened:
    """A model read out of a file: its bytes, its place, and the names of its materials."""

    def __init__(self, text: str, member: str) -> None:
        self.retropose = engine.load()
        self.place = write.Place(text)
        if member:
            self.place.members += member.split("::")
        self.wear: Sequence[str] = ()
        with open(self.place.path, "rb") as file:
            self.data = file.read()
        for name in self.place.members:
            self.enter(name)
        if not self.place.members or not write.is_a_model(self.data):
            self.enter_the_only_one()
        if len(self.place.members) == 0:
            self.read_wear_beside()

    def enter(self, name: str) -> None:
        with self.retropose.Archive.open(self.data) as archive:
            member = write.member_of(archive, name)
            wear = archive.find(os.path.splitext(member.name)[0] + ".wea")
            self.wear = self.retropose.Wear.parse(archive.read(wear)).materials if wear else ()
            self.data = archive.read(member)

    def enter_the_only_one(self) -> None:
        if write.is_a_model(self.data):
            return
        with self.retropose.Archive.open(self.data) as archive:
            names = members_with_models(archive)
        if not names:
            raise ValueError("%s is no model, and has none in it" % self.place)
        if len(names) > 1:
            raise Choose(names)
        self.place.members.append(names[0])
        self.enter(names[0])

    def read_wear_beside(self) -> None:
        path = os.path.splitext(self.place.path)[0] + ".wea"
        if os.path.isfile(path):
            with open(path, "rb") as file:
                self.wear = self.retropose.Wear.parse(file.read()).materials

    @property
    def name(self) -> str:
        last = (self.place.members or [os.path.basename(self.place.path)])[-1]
        return os.path.splitext(last)[0] or "model"


def open_model(context, opened: Opened, form: str, readings: str, textures: str, rate: str):
    """Makes a collection of a model. Returns it, and what of the model is not shown."""
    retropose = opened.retropose
    model = retropose.Model.open(opened.data)
    chosen = retropose.Readings(readings) if readings else model.readings_by_evidence()[0]
    model = retropose.Model.open(opened.data, chosen)
    view = View(model)
    was_empty = not len(bpy.data.actions)
    builder = Builder(context, view, opened.name)
    builder.wear = opened.wear
    given = [textures] if textures and os.path.isdir(textures) else []
    beside = os.path.dirname(os.path.abspath(opened.place.path))
    builder.textures = Textures(given + [beside], images=bool(given))
    collection = builder.collection
    scene.keep_model(collection, opened.data)
    collection[scene.SOURCE] = str(opened.place)
    collection[scene.READINGS] = str(chosen)
    collection[scene.FORM] = form
    context.scene.collection.children.link(collection)
    if form == scene.ARMATURE:
        builder.as_armature()
    else:
        builder.as_objects()
    if rate == "ALWAYS" or rate == "EMPTY" and was_empty:
        context.scene.render.fps = FRAMES_PER_SECOND
        context.scene.render.fps_base = 1.0
        context.scene.frame_start = 0
        context.scene.frame_end = max(0, view.animation.frame_count - 1)
        context.scene.frame_set(0)
    return collection, view.notes + builder.textures.notes()


class OpeningOptions:
    """What both operators that open a model ask."""

    form: FORM
    rate: RATE
    readings: READINGS
    textures: TEXTURES

    def open(self, context, text: str, member: str):
        chosen = engine.preferences()
        textures = self.textures or (chosen.textures if chosen else "")
        opened = Opened(text, member)
        collection, notes = open_model(
            context,
            opened,
            self.form,
            self.readings,
            bpy.path.abspath(textures) if textures else "",
            self.rate,
        )
        for note in notes:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, "opened %s" % collection[scene.SOURCE])
        return {"FINISHED"}


class OpenModel(bpy.types.Operator, ImportHelper, OpeningOptions):
    """Open a model of Parkan, or one of a library"""

    bl_idname = "import_scene.retropose"
    bl_label = "Open Parkan Model"
    bl_options = {"UNDO"}

    filename_ext = ".msh"
    filter_glob: OPENED_FILES
    member: MEMBER

    def execute(self, context):
        try:
            return self.open(context, self.filepath, self.member)
        except Choose as choice:
            if bpy.app.background:
                self.report({"ERROR"}, str(choice))
                return {"CANCELLED"}
            bpy.ops.import_scene.retropose_member(
                "INVOKE_DEFAULT",
                filepath="::".join([self.filepath] + ([self.member] if self.member else [])),
                form=self.form,
                rate=self.rate,
                readings=self.readings,
                textures=self.textures,
            )
            return {"CANCELLED"}
        except Failure as error:
            self.report({"ERROR"}, "%s: %s" % (self.filepath, error))
            return {"CANCELLED"}


_members: List[tuple] = []  # Blender needs the texts of a list to live on


def list_members(self, context):
    try:
        Opened(self.filepath, "")
    except Choose as choice:
        _members[:] = [(name, name, "") for name in choice.names]
    except Failure:
        _members[:] = []
    return _members


LISTED_MEMBER = EnumProperty(name="Model", items=list_members)


class OpenMember(bpy.types.Operator, OpeningOptions):
    """Open a model out of a library"""

    bl_idname = "import_scene.retropose_member"
    bl_label = "Open Model of a Library"
    bl_property = "member"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: HIDDEN_PATH
    member: LISTED_MEMBER

    def invoke(self, context, event):
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            return self.open(context, self.filepath, self.member)
        except (Choose,) + Failure as error:
            self.report({"ERROR"}, "%s: %s" % (self.filepath, error))
            return {"CANCELLED"}


# ---- writing -------------------------------------------------------------------------------------


class WritingOptions:
    """What both operators that write a model ask."""

    refuse: REFUSE

    @classmethod
    def poll(cls, context):
        return scene.model_of(context) is not None

    def prepare(self, context) -> bool:
        """Finds what would be written and what would be lost, for the dialog."""
        try:
            leave_edit_mode(context)
            result = write.result(scene.model_of(context))
        except Failure as error:
            self.report({"ERROR"}, str(error))
            return False
        self.lines = result.changes.texts() or ["nothing was edited"]
        self.lost = result.changes.losses + result.notes
        return True

    def draw_prepared(self, width: float) -> None:
        for icon, lines in (("ERROR", self.lost), ("CHECKMARK", self.lines)):
            for line in lines[:12]:
                draw_text(self.layout, width, line, icon)
            if len(lines) > 12:
                self.layout.label(text="and %d more" % (len(lines) - 12))

    def write(self, context, place: write.Place, overwrite: bool):
        collection = scene.model_of(context)
        leave_edit_mode(context)
        result = write.result(collection)
        losses = ["not kept: %s" % text for text in result.changes.losses] + result.notes
        for text in losses:
            self.report({"WARNING"}, text)
        if losses and self.refuse:
            self.report({"ERROR"}, "nothing is written: %s" % "; ".join(losses[:4]))
            return {"CANCELLED"}
        own = str(place) == str(collection[scene.SOURCE])
        known = scene.own_digests(collection) if own and not overwrite else None
        changed = write.put(place, result.data, known)
        if own:
            scene.keep_written(collection, result.data)
        for text in result.changes.texts():
            self.report({"INFO"}, text)
        self.report({"INFO"}, "%s %s" % ("wrote" if changed else "nothing to write to", place))
        return {"FINISHED"}


def leave_edit_mode(context) -> None:
    """What is edited in a mode of its own reaches the mesh when that mode ends."""
    active = context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        mode = active.mode
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.object.mode_set(mode=mode)


class WriteBack(bpy.types.Operator, WritingOptions):
    """Write the model to where it was opened; an unchanged model changes no byte"""

    bl_idname = "retropose.write"
    bl_label = "Write Back"

    place: PLACE
    overwrite: OVERWRITE

    def invoke(self, context, event):
        self.place = self.place or str(scene.model_of(context)[scene.SOURCE])
        if not self.prepare(context):
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=DIALOG_WIDTH)

    def draw(self, context):
        for name in ("place", "refuse", "overwrite"):
            self.layout.prop(self, name)
        self.draw_prepared(DIALOG_WIDTH)

    def execute(self, context):
        try:
            collection = scene.model_of(context)
            place = write.Place(self.place or str(collection[scene.SOURCE]))
            return self.write(context, place, self.overwrite)
        except Failure as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}


class ExportModel(bpy.types.Operator, ExportHelper, WritingOptions):
    """Write the model as a file of its own"""

    bl_idname = "export_scene.retropose"
    bl_label = "Export Parkan Model"

    filename_ext = ".msh"
    filter_glob: WRITTEN_FILES

    def invoke(self, context, event):
        if not self.prepare(context):
            return {"CANCELLED"}
        return ExportHelper.invoke(self, context, event)

    def draw(self, context):
        """What the file dialog has beside the files."""
        self.layout.prop(self, "refuse")
        self.draw_prepared(context.region.width / context.preferences.system.ui_scale)

    def execute(self, context):
        try:
            return self.write(context, write.Place(self.filepath), True)
        except Failure as error:
            self.report({"ERROR"}, "%s: %s" % (self.filepath, error))
            return {"CANCELLED"}


# ---- nodes and findings --------------------------------------------------------------------------


class Finding(bpy.types.PropertyGroup):
    text: TEXT
    severity: TEXT
    node: NODE


class CheckModel(bpy.types.Operator):
    """Ask all rules of the model as it would be written"""

    bl_idname = "retropose.check"
    bl_label = "Check"

    @classmethod
    def poll(cls, context):
        return scene.model_of(context) is not None

    def execute(self, context):
        try:
            collection = scene.model_of(context)
            data = write.result(collection).data
            model = engine.load().Model.open(data, str(collection.get(scene.READINGS, "")))
            found = model.check()
        except Failure as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        rows = context.window_manager.retropose_findings
        rows.clear()
        for finding in found:
            row = rows.add()
            row.text = str(finding)
            row.severity = finding.severity.name
            row.node = -1 if finding.node is None else finding.node
        self.report({"INFO"}, comparing.some(len(found), "finding"))
        return {"FINISHED"}


class SelectNode(bpy.types.Operator):
    """Select the node that a finding speaks of"""

    bl_idname = "retropose.select_node"
    bl_label = "Select Node"
    bl_options = {"UNDO"}

    node: NODE

    def execute(self, context):
        collection = scene.model_of(context)
        for holder in scene.holders(collection) if collection else ():
            if holder.properties[scene.NODE] == self.node:
                for other in context.view_layer.objects:
                    other.select_set(other == holder.owner)
                context.view_layer.objects.active = holder.owner
                if holder.bone is not None:
                    holder.owner.data.bones.active = holder.bone
                return {"FINISHED"}
        self.report({"ERROR"}, "the model has no node %d here" % self.node)
        return {"CANCELLED"}


def active_node(context):
    """The object or bone that stands for the node which the user is at, or None."""
    active = context.object
    if active is None:
        return None
    if active.type == "ARMATURE":
        bone = active.data.bones.active
        return bone if bone is not None and scene.NODE in bone else None
    if scene.NODE in active and scene.CELL in active:
        above = active.parent
        if above is not None and above.type == "ARMATURE":
            return above.data.bones.get(active.parent_bone)
        return above if above is not None and scene.NODE in above else None
    return active if scene.NODE in active else None


class ToggleFlag(bpy.types.Operator):
    """Change this flag of the node"""

    bl_idname = "retropose.toggle_flag"
    bl_label = "Change Flag"
    bl_options = {"UNDO"}

    bit: BIT

    @classmethod
    def poll(cls, context):
        return active_node(context) is not None

    def execute(self, context):
        node = active_node(context)
        node[scene.FLAGS] = int(node.get(scene.FLAGS, 0)) ^ (1 << self.bit)
        return {"FINISHED"}


# ---- registration --------------------------------------------------------------------------------


def import_menu(self, context):
    self.layout.operator(OpenModel.bl_idname, text="Parkan model (.msh, .rlb, .lib)")


def export_menu(self, context):
    self.layout.operator(ExportModel.bl_idname, text="Parkan model (.msh)")


CLASSES = (
    OpenModel,
    OpenMember,
    WriteBack,
    ExportModel,
    Finding,
    CheckModel,
    SelectNode,
    ToggleFlag,
)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.WindowManager.retropose_findings = bpy.props.CollectionProperty(type=Finding)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    del bpy.types.WindowManager.retropose_findings
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
