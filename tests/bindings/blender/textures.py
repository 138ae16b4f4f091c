"""The game's own textures in Blender: found, decoded, the right way up, and no edit of the model."""

import os
import shutil
import struct
import sys
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
import common  # noqa: E402

addon = common.install()
from retropose_blender import engine, textures, write  # noqa: E402
from retropose_blender.lib import retropose  # noqa: E402

MAT0, TEXM, WEAR = 0x3054414D, 0x6D786554, 0x52414557
HERO = "R_H_02.msh"
LIT, SEE_THROUGH = 2, 4

# Two rows of three pixels, from the top: red, green, blue; white, black, and a grey that is half there.
PIXELS = ((255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)), (
    (255, 255, 255, 255),
    (0, 0, 0, 0),
    (16, 32, 48, 128),
)


def image(rows=PIXELS, pages=()):
    """A Texm of format 8888, whose pixels are blue, green, red, alpha."""
    data = b"".join(bytes((b, g, r, a)) for row in rows for r, g, b, a in row)
    header = struct.pack("<7I", len(rows[0]), len(rows), 1, 0, 0, 0, 8888)
    tail = b"Page" + struct.pack("<I", len(pages)) if pages else b""
    return b"Texm" + header + data + tail + b"".join(struct.pack("<4h", *page) for page in pages)


def material(texture, page=-1):
    """A MAT0 of version 6 with one phase."""
    return struct.pack("<HH10x16xBb16s", 1, 0, 0, page, texture)


def png(path, rows):
    """Writes an image file, by the rules of PNG alone."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    lines = b"".join(b"\0" + bytes(sum(row, ())) for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def bytes_of(shown):
    """The pixels of Blender's image as bytes, its lowest row first."""
    return [round(255 * value) for value in shown.pixels[:]]


class Textures(unittest.TestCase):
    def setUp(self):
        common.clear()
        bpy.data.batch_remove(list(bpy.data.images))
        engine.load()
        self.game = os.path.join(common.WORK, "game")
        shutil.rmtree(self.game, ignore_errors=True)
        os.makedirs(self.game)
        source = retropose.Archive.open(os.path.join(common.LIBRARIES, "parts.rlb"))
        self.rows = {batch.row for batch in retropose.Model.from_archive(source, HERO).batches}
        self.model = source.read(HERO)
        self.library("parts.rlb", (HERO, self.model, 0x4853454D, 0), ("R_H_02.wea", self.wear(), WEAR, 0))

    def wear(self, name="STEEL"):
        rows = max(self.rows) + 1
        return ("%d\r\n" % rows + "".join("%d %s\r\n" % (row, name) for row in range(rows))).encode()

    def library(self, name, *members):
        archive = retropose.Archive.new()
        for member, data, kind, flags in members:
            archive.add(member, data, kind, (flags, 6, 0))
        archive.save(os.path.join(self.game, name))

    def the_game(self, texm=None, flags=LIT, record=None):
        """Libraries of one material and one texture. Their names have another case than usual."""
        self.library("MATERIAL.LIB", ("Steel", record or material(b"s.0"), MAT0, flags))
        self.library("textures.lib", ("S.0", texm or image(), TEXM, 0))

    def open(self, **options):
        """Opens the model, and returns its materials and what was not found."""
        self.path = os.path.join(self.game, "parts.rlb")
        before = common.read(self.path)
        notes = []
        plain = textures.Textures.notes
        textures.Textures.notes = lambda this: notes.extend(plain(this)) or plain(this)
        try:
            self.collection = common.open_model(self.path + "::" + HERO, **options)
        finally:
            textures.Textures.notes = plain
        # Whatever was found, nothing of it is an edit.
        result = write.result(self.collection)
        self.assertEqual(result.changes.texts(), [])
        self.assertEqual(result.data, self.model)
        self.assertEqual(bpy.ops.retropose.write(), {"FINISHED"})
        self.assertEqual(common.read(self.path), before)
        return [m for m in bpy.data.materials if "retropose_material" in m], notes

    def shown(self, material):
        """The image that gives a material its colour."""
        links = material.node_tree.links
        (link,) = [link for link in links if link.to_socket.name == "Base Color"]
        return link.from_node

    # ---- what is found ---------------------------------------------------------------------------

    def test_the_game_s_own_texture_is_shown(self):
        self.the_game()
        materials, notes = self.open()
        self.assertTrue(materials)
        self.assertEqual(notes, [])
        self.assertEqual(len(bpy.data.images), 1)  # which all materials share
        shown = bpy.data.images["S.0"]
        for found in materials:
            self.assertEqual(self.shown(found).image, shown)
            self.assertEqual(found["retropose_wear"], "STEEL")
            self.assertFalse(self.shown(found).outputs["Alpha"].links)
        self.assertEqual(tuple(shown.size), (3, 2))
        self.assertIsNotNone(shown.packed_file)
        self.assertEqual(bytes_of(shown), list(sum(PIXELS[1] + PIXELS[0], ())))

    def test_it_stands_as_an_image_file_does(self):
        self.the_game()
        self.open()
        path = os.path.join(common.WORK, "steel.png")
        png(path, PIXELS)
        file = bpy.data.images.load(path)
        file.alpha_mode = "CHANNEL_PACKED"
        self.assertEqual(bytes_of(bpy.data.images["S.0"]), bytes_of(file))

    def test_the_blend_file_holds_it(self):
        self.the_game()
        self.open()
        shutil.rmtree(self.game)
        blend = os.path.join(common.WORK, "textured.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        bpy.ops.wm.open_mainfile(filepath=blend)
        shown = bpy.data.images["S.0"]
        self.assertEqual(bytes_of(shown), list(sum(PIXELS[1] + PIXELS[0], ())))
        self.assertFalse(write.result(bpy.data.collections["R_H_02"]).changes)

    def test_a_texture_is_decoded_once(self):
        self.the_game()
        self.open()
        common.clear()
        self.open()
        self.assertEqual(len(bpy.data.images), 1)
        common.clear()
        self.the_game(image(PIXELS[::-1]))
        self.open()
        self.assertEqual(len(bpy.data.images), 2)

    def test_a_material_that_is_drawn_over_others_has_alpha(self):
        self.the_game(flags=SEE_THROUGH)
        materials, notes = self.open()
        self.assertEqual(notes, [])
        for found in materials:
            (link,) = self.shown(found).outputs["Alpha"].links
            self.assertEqual(link.to_socket.name, "Alpha")
            self.assertEqual(found.blend_method, "HASHED")

    def test_a_page_is_a_part_of_the_texture(self):
        square = [[(row, column, 0, 255) for column in range(8)] for row in range(4)]
        self.the_game(image(square, [(0, 1, 0, 1), (2, 4, 1, 1)]), record=material(b"S.0", 1))
        materials, notes = self.open()
        self.assertEqual(notes, [])
        (link,) = self.shown(materials[0]).inputs["Vector"].links
        # x 2 to 6 of 8, and rows 1 to 2 of 4 from the top, which are 2 to 3 from the bottom
        self.assertEqual(tuple(link.from_node.inputs["Location"].default_value), (0.25, 0.5, 0))
        self.assertEqual(tuple(link.from_node.inputs["Scale"].default_value), (0.5, 0.25, 1))
        (link,) = link.from_node.inputs["Vector"].links
        self.assertEqual(link.from_socket.name, "UV")

    def test_an_image_file_goes_before(self):
        self.the_game()
        folder = os.path.join(common.WORK, "images")
        os.makedirs(folder, exist_ok=True)
        png(os.path.join(folder, "steel.png"), PIXELS)
        materials, notes = self.open(textures=folder)
        self.assertEqual(notes, [])
        self.assertEqual({self.shown(found).image.name for found in materials}, {"steel.png"})

    def test_the_folder_of_textures_may_have_the_libraries(self):
        self.the_game()
        folder = os.path.join(common.WORK, "libraries")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name in ("MATERIAL.LIB", "textures.lib"):
            shutil.move(os.path.join(self.game, name), folder)
        materials, notes = self.open(textures=folder)
        self.assertEqual(notes, [])
        self.assertEqual({self.shown(found).image.name for found in materials}, {"S.0"})

    # ---- what is not found -----------------------------------------------------------------------

    def untextured(self, *words):
        """Opens the model, which has to come without textures, and with one note of these words."""
        materials, notes = self.open()
        self.assertFalse([found.name for found in materials if common.has_image(found)])
        self.assertEqual(len(notes), 1 if words else 0, notes)
        for word in words:
            self.assertIn(word, notes[0])

    def test_what_is_missing_is_told_once(self):
        self.untextured("Material.lib is not in", self.game)
        self.the_game()
        os.remove(os.path.join(self.game, "textures.lib"))
        common.clear()
        self.untextured("Textures.lib is not in", self.game)
        self.the_game(record=material(b"T.0"))
        common.clear()
        self.untextured("not in Textures.lib: T.0")
        self.library("MATERIAL.LIB")
        common.clear()
        self.untextured("not in Material.lib, nothing stands for it: STEEL")

    def test_another_material_may_stand_for_a_missing_one(self):
        self.the_game()
        self.library("MATERIAL.LIB", ("OTHER", material(b"S.0"), MAT0, LIT))
        materials, notes = self.open()
        self.assertEqual(notes, ["not in Material.lib, OTHER stands for it: STEEL"])
        self.assertEqual({self.shown(found).image.name for found in materials}, {"S.0"})

    def test_no_name_means_no_texture(self):
        self.the_game(record=material(b""))
        self.untextured()
        self.the_game(record=struct.pack("<HH10x", 0, 0))
        common.clear()
        self.untextured()

    def test_damaged_files_are_told_of(self):
        self.the_game(image()[:-1])
        self.untextured("STEEL has no texture", "end early", "S.0")
        self.the_game(record=material(b"S.0") + b"\0")
        common.clear()
        self.untextured("STEEL has no texture", "bytes follow", "Steel")
        self.the_game()
        with open(os.path.join(self.game, "textures.lib"), "wb") as file:
            file.write(b"NRes")
        common.clear()
        self.untextured("textures.lib")

    def test_a_page_that_is_not_there_is_told_of(self):
        self.the_game(image(pages=[(0, 1, 0, 1)]), record=material(b"S.0", 1))
        materials, notes = self.open()
        self.assertEqual(notes, ["S.0 has no page 1: STEEL"])
        self.assertFalse(self.shown(materials[0]).inputs["Vector"].links)

    def test_textures_without_end_are_not_shown(self):
        most, textures.MOST_PIXELS = textures.MOST_PIXELS, 5
        try:
            self.the_game()
            self.untextured("more than 5 in all", "S.0")
        finally:
            textures.MOST_PIXELS = most

    def test_a_model_without_names_asks_for_nothing(self):
        self.library("parts.rlb", (HERO, self.model, 0x4853454D, 0))
        self.untextured()


common.main(Textures)
