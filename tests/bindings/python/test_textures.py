"""Textures and materials: what the C library gives, and what it refuses."""
import contextlib
import io
import os
import re
import struct

from retropose import (Archive, Material, MaterialMatch, Method, Page, Status, Texture, TextureFormat,
                       Wear)
from shared import Case, ROOT, main, scratch

MAT0, TEXM = 0x3054414D, 0x6D786554


def image(width, height, levels, number, data):
    return b"Texm" + struct.pack("<7I", width, height, levels, 0, 0, 0, number) + data


def record(*textures, tracks=()):
    """A MAT0 of version 6, whose tracks each have one key with this phase."""
    phases = b"".join(
        bytes(range(1, 17)) + struct.pack("<Bb16s", 17, page, name) for name, page in textures
    )
    keys = b"".join(struct.pack("<IH3H", 0, 1, phase, 0, 0) for phase in tracks)
    return struct.pack("<HH10x", len(textures), len(tracks)) + phases + keys


class Images(Case):
    def test_pixels_of_each_format(self):
        colours = b"".join(bytes((index, 2, 3, 4)) for index in range(256))
        for number, data, pixel in (
            (0, colours + b"\x07", (3, 2, 7, 255)),
            (88, b"\x10\x40", (16, 16, 16, 64)),
            (556, b"\x25\xB3", (0xB5, 0x63, 0x96, 255)),
            (565, b"\x25\xB3", (0xB5, 0x65, 0x29, 255)),
            (888, b"\x10\x20\x30\x40", (48, 32, 16, 255)),
            (4444, b"\x2E\x71", (0x11, 0x22, 0xEE, 0x77)),
            (8888, b"\x10\x20\x30\x40", (48, 32, 16, 64)),
        ):
            texture = Texture.open(image(1, 1, 1, number, data))
            self.assertEqual(texture.format, number)
            self.assertEqual(tuple(texture.rgba()), pixel, number)
            self.assertEqual(texture.format.has_alpha, number in (88, 4444, 8888))

    def test_levels_and_pages(self):
        data = bytes(2 * 8) + b"\x01\xFF\x02\xFF" + b"\x03\xFF"
        pages = b"Page" + struct.pack("<I4h", 1, 1, 2, 3, -4)
        texture = Texture.open(image(4, 2, 3, 88, data + pages))
        self.assertEqual((texture.width, texture.height), (4, 2))
        self.assertEqual(texture.format, TextureFormat.A8L8)
        self.assertEqual(texture.levels, [(4, 2), (2, 1), (1, 1)])
        self.assertEqual(texture.rgba(0), bytes(32))
        self.assertEqual(texture.rgba(1), b"\x01\x01\x01\xFF\x02\x02\x02\xFF")
        self.assertEqual(texture.rgba(2), b"\x03\x03\x03\xFF")
        self.assertEqual(texture.pages, (Page(x=1, y=3, width=2, height=-4),))
        self.assertEqual(repr(texture), "<texture of 4 x 2, A8L8>")
        self.refused(Status.INVALID, texture.rgba, 3)
        self.refused(Status.INVALID, texture.rgba, -1)

    def test_from_a_file_and_from_an_archive(self):
        data = image(1, 1, 1, 565, b"\0\0")
        path = scratch() / "a.texm"
        path.write_bytes(data)
        self.assertEqual(Texture.open(path).rgba(), b"\0\0\0\xFF")
        archive = Archive.new()
        archive.add("A.0", data, TEXM)
        archive.add("CUT.0", data[:-1], TEXM)
        self.assertEqual(Texture.from_archive(archive, "a.0").rgba(), b"\0\0\0\xFF")
        error = self.refused(Status.TRUNCATED, Texture.from_archive, archive, "CUT.0")
        self.assertEqual((error.where, error.found), ("archive::CUT.0", "33"))
        path.write_bytes(b"Text")
        error = self.refused(Status.CORRUPT, Texture.open, path)
        self.assertEqual(error.where, str(path))
        self.refused(Status.NOT_FOUND, Texture.from_archive, archive, "nobody")
        self.refused(Status.UNSUPPORTED, Texture.open, image(1, 1, 1, 2, b"\0"))
        with self.assertRaises(TypeError):
            Texture()

    def test_the_lines_of_the_page_find_a_texture(self):
        """docs/formats/texm.md, with archives as a game has them."""
        page = (ROOT / "docs/formats/texm.md").read_text(encoding="utf-8")
        materials, textures, printed, before = Archive.new(), Archive.new(), io.StringIO(), os.getcwd()
        materials.add("STEEL3", record((b"STEEL.0", -1)), MAT0, (0, 6, 0))
        textures.add("STEEL.0", image(2, 1, 1, 565, bytes(4)), TEXM)
        os.chdir(scratch())
        try:
            materials.save("Material.lib")
            textures.save("Textures.lib")
            with contextlib.redirect_stdout(printed):
                exec(re.search(r"```python\n(.*?)```", page, re.S)[1], {})
        finally:
            os.chdir(before)
        self.assertEqual(printed.getvalue(), "2 1 R5G6B5 8\n")

    def test_what_is_cut_is_refused(self):
        data = image(2, 2, 2, 4444, bytes(10)) + b"Page" + struct.pack("<I4h", 1, 0, 1, 0, 1)
        Texture.open(data)
        whole = {len(data), len(data) - 16}  # without the pages it is an image, too
        for size in range(len(data)):
            if size not in whole:
                with self.subTest(size=size):
                    with self.assertRaises(Exception) as caught:
                        Texture.open(data[:size])
                    self.assertIn(caught.exception.status, (Status.TRUNCATED, Status.CORRUPT))


class Materials(Case):
    def test_names_of_a_wear(self):
        wear = Wear.parse("2\r\n1 СТАЛЬ\r\n0 GLASS\r\n\r\nLIGHTMAPS\r\n1\r\n0 L\r\n".encode("cp1251"))
        self.assertEqual(wear, Wear(("GLASS", "СТАЛЬ"), ("L",)))
        self.assertEqual(Wear.parse(b""), Wear())
        self.assertEqual(len(Wear.parse(b"65535").materials), 65535)
        self.assertEqual(Wear.parse(bytearray(b"1 0 A" * 10000)).materials[0][:1], "A")

    def test_the_shown_phase(self):
        archive = Archive.new()
        archive.add("A", record((b"ONE.0", -1), (b"1234567890ABCDEF", 3), tracks=(1,)), MAT0, (2, 6, 0))
        material = Material.from_archive(archive, "a")
        self.assertEqual((material.name, material.flags), ("A", 2))
        self.assertEqual([phase.texture for phase in material.phases], ["ONE.0", "1234567890ABCDEF"])
        self.assertIs(material.shown, material.phases[1])
        self.assertEqual((material.phases[0].page, material.shown.page), (None, 3))
        self.assertEqual(material.shown.diffuse, (5, 6, 7, 8))
        self.assertEqual(material.shown.emissive, (13, 14, 15, 16))
        self.assertEqual(material.shown.power, 17)

    def test_an_old_record_has_fewer_fields(self):
        archive = Archive.new()
        archive.add("A", struct.pack("<HH34x", 1, 0), MAT0, (0, 1, 0))
        archive.add("B", struct.pack("<HH", 0, 0), MAT0)
        self.assertEqual(Material.from_archive(archive, 0).shown.texture, "")
        self.assertIsNone(Material.from_archive(archive, 1).shown)
        archive.set_attributes(0, (0, 6, 0))
        error = self.refused(Status.TRUNCATED, Material.from_archive, archive, 0)
        self.assertEqual(error.where, "archive::A")

    def test_what_stands_for_a_name(self):
        archive = Archive.new()
        self.assertIsNone(Material.find(archive, "A"))
        archive.add("FIRST", record((b"1", -1)), MAT0, (0, 6, 0))
        archive.add("A", record((b"A", -1)), MAT0, (0, 6, 0))

        def found(name):
            material = Material.find(archive, name)
            return material.name, material.match

        self.assertEqual(found("a"), ("A", MaterialMatch.NAMED))
        for name in ("B", "", "\N{SNOWMAN}"):
            self.assertEqual(found(name), ("FIRST", MaterialMatch.FIRST))
        archive.add("DEFAULT", record(), MAT0, (0, 6, 0))
        self.assertEqual(found("B"), ("DEFAULT", MaterialMatch.DEFAULT))
        self.assertEqual(Archive.open(archive.to_bytes()).find("DEFAULT").index, 2)
        self.refused(Status.UNSUPPORTED, Material.find, Archive.new("rsli"), "A")
        other = Archive.new("rsli")
        other.add("A", record((b"A", -1)), method=Method.LZSS)
        self.refused(Status.UNSUPPORTED, Material.from_archive, other, "A")


if __name__ == "__main__":
    main()
