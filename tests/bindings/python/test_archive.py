"""Archives: members, edits, and the bytes that are written."""
import os
import pathlib
import stat
import tempfile
import threading
import unittest

import retropose
from retropose import Archive, Layout, Method, ReadMode, Status
from shared import Case, main, scratch

CORPUS = retropose.Corpus()
LIBRARY = CORPUS.library("parts.rlb")


class NRes(Case):
    def test_members_are_found_without_regard_to_case(self):
        archive = Archive.open(LIBRARY)
        self.assertEqual(archive.kind, "nres")
        self.assertEqual(archive.find("r_h_02.MSH").name, "R_H_02.msh")
        self.assertEqual(archive["r_h_02.MSH"], archive[1])
        self.assertEqual(archive[-1], archive.members[-1])
        self.assertIn("r_h_02.msh", archive)
        self.assertNotIn("r_h_02", archive)
        self.assertIsNone(archive.find("\N{SNOWMAN}"))
        self.assertIsNone(archive.find("R_H_02.msh\0"))
        self.assertEqual(archive.read("R_H_02.msh"), CORPUS.model("R_H_02.msh"))
        with self.assertRaises(KeyError):
            archive["nobody"]
        with self.assertRaises(IndexError):
            archive[len(archive)]
        self.refused(Status.NOT_FOUND, archive.read, "nobody")
        self.refused(Status.INVALID, archive.read, len(archive))

    def test_nothing_changed_gives_the_same_bytes(self):
        for name in CORPUS.libraries:
            image = CORPUS.library(name)
            archive = Archive.open(image)
            for member in archive:
                archive.replace(member, archive.read(member))
                archive.rename(member, member.name)
            self.assertEqual(archive.to_bytes(), image, name)
            self.assertEqual(archive.to_bytes(Layout.CANONICAL), image, name)
            self.assertFalse(archive.changed)
        print(f"{len(CORPUS.libraries)} libraries")

    def test_edits_and_their_undoing(self):
        archive = Archive.open(LIBRARY)
        before = archive.members
        added = archive.add("b\u043e\u0442.bin", b"123", 7, (1, 2, 3), position=2)
        self.assertEqual((added.index, added.name, added.size), (2, "b\u043e\u0442.bin", 3))
        self.assertEqual((added.type, added.attributes), (7, (1, 2, 3)))
        self.assertTrue(archive.changed)
        archive.set_attributes(2, (4, 5, 6), type=8)
        self.assertEqual((archive[2].type, archive[2].attributes), (8, (4, 5, 6)))
        archive.rename(2, "other")
        archive.replace("OTHER", b"123456789")
        self.assertEqual(archive.read("other"), b"123456789")
        archive.move("other", 0)
        self.assertEqual(archive[0].name, "other")
        again = Archive.open(archive.to_bytes(), ReadMode.STRICT)
        self.assertEqual(again.read("other"), b"123456789")
        self.assertEqual([found.rule for found in again.check()], ["N16"])  # the new one lies last
        again = Archive.open(archive.to_bytes(Layout.CANONICAL), ReadMode.STRICT)
        self.assertEqual(again.check(), [])
        archive.remove("other")
        self.assertEqual(archive.members, before)
        self.assertFalse(archive.changed)

    def test_a_member_from_before_an_edit_is_found_again(self):
        archive = Archive.open(LIBRARY)
        last = archive[-1]
        archive.remove(0)
        self.assertEqual(archive.read(last), Archive.open(LIBRARY).read(last.index))

    def test_bad_arguments_change_nothing(self):
        archive = Archive.open(LIBRARY)
        self.refused(Status.INVALID, archive.add, "", b"")
        self.refused(Status.INVALID, archive.add, "x" * 36, b"")
        self.refused(Status.INVALID, archive.add, "\N{SNOWMAN}", b"")
        self.refused(Status.INVALID, archive.add, "x", b"", 2**32)
        self.refused(Status.INVALID, archive.add, "x", b"", position=10**6)
        self.refused(Status.INVALID, archive.add, "x", b"", method=Method.LZSS)
        self.refused(Status.INVALID, archive.rename, 0, "x" * 36)
        self.refused(Status.INVALID, archive.move, 0, 10**6)
        with self.assertRaises(TypeError):
            archive.add("x", b"", "MESH")
        self.assertFalse(archive.changed)
        self.assertEqual(archive.to_bytes(), LIBRARY)

    def test_names_survive_that_are_no_text(self):
        archive = Archive.new()
        archive.add("a", b"1")
        image = bytearray(archive.to_bytes())
        at = len(image) - 64 + 20
        self.assertEqual(image[at:at + 2], b"a\0")
        image[at] = 0x98  # which Windows-1251 lacks
        opened = Archive.open(image)
        self.assertIn(opened[0].name, opened)
        opened.rename(0, "b" + opened[0].name)
        self.assertIn(b"b\x98\0", opened.to_bytes())

    def test_an_archive_from_nothing(self):
        archive = Archive.new("nres")
        for number in range(20):
            archive.add("member %d" % number, bytes(range(number)))
        opened = Archive.open(archive.to_bytes(Layout.CANONICAL), ReadMode.STRICT)
        self.assertEqual([opened.read(n) for n in range(20)], [bytes(range(n)) for n in range(20)])

    def test_closed_archives_say_so(self):
        with Archive.open(LIBRARY) as archive:
            archive.replace(0, b"x")
        for use in (lambda: archive.members, lambda: archive.read(0), archive.to_bytes,
                    lambda: archive.replace(0, b""), lambda: archive.find("x")):
            with self.assertRaises(ValueError):
                use()
        archive.close()


class RsLi(Case):
    def test_every_method_there_and_back(self):
        archive = Archive.open(CORPUS.rsli())
        self.assertEqual(archive.kind, "rsli")
        self.assertEqual({member.method for member in archive}, set(Method))
        data = bytes(range(256)) * 9
        for member in archive:
            self.assertEqual(len(archive.read(member)), member.size)
            archive.replace(member, archive.read(member))
        self.assertEqual(archive.to_bytes(), CORPUS.rsli())
        for method in Method:
            archive.replace(1, data, method)
            self.assertEqual(archive.read(1), data)
            self.assertEqual((archive[1].method, archive[1].size), (method, len(data)))
            again = Archive.open(archive.to_bytes(), ReadMode.STRICT)
            self.assertEqual(again.read(1), data)
        archive.add("new", b"abc", method=Method.DEFLATE)
        self.assertEqual(archive.read("NEW"), b"abc")
        self.refused(Status.INVALID, archive.add, "x", b"", 3)
        self.refused(Status.UNSUPPORTED, archive.set_attributes, 0, (1, 2, 3))
        self.assertEqual([found for found in archive.check() if found.severity == 0], [])
        archive.remove("new")
        archive.rename(0, "first")
        self.assertEqual(archive[0].name, "FIRST")


class Files(Case):
    def test_saving_replaces_the_whole_file(self):
        folder = scratch()
        path = folder / "library.rlb"
        path.write_bytes(LIBRARY)
        path.chmod(0o640)
        archive = Archive.open(path)
        archive.save()
        self.assertEqual(path.read_bytes(), LIBRARY)
        archive.replace(0, b"other")
        self.assertEqual(path.read_bytes(), LIBRARY)
        archive.save()
        self.assertEqual(Archive.open(path).read(0), b"other")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        link = folder / "link.rlb"
        link.symlink_to(path)
        archive.replace(0, b"third")
        archive.save(link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(Archive.open(path).read(0), b"third")
        self.assertEqual(sorted(os.listdir(folder)), ["library.rlb", "link.rlb"])

    def test_what_is_read_only_is_not_saved_over(self):
        path = scratch() / "library.rlb"
        path.write_bytes(LIBRARY)
        path.chmod(0o444)
        archive = Archive.open(path)
        archive.replace(0, b"other")
        self.refused(Status.IO, archive.save)
        self.assertEqual(path.read_bytes(), LIBRARY)

    def test_saving_keeps_owner_and_attributes(self):
        path = scratch() / "library.rlb"
        path.write_bytes(LIBRARY)
        path.chmod(0o600)
        if os.geteuid() == 0:
            os.chown(path, 12345, 12346)
        try:
            os.setxattr(path, "user.note", b"kept")
        except OSError:
            pass  # not every file system has attributes
        before = path.stat()
        noted = "user.note" in os.listxattr(path)
        archive = Archive.open(path)
        archive.replace(0, b"other")
        archive.save()
        after = path.stat()
        self.assertEqual((after.st_uid, after.st_gid, after.st_mode),
                         (before.st_uid, before.st_gid, before.st_mode))
        self.assertEqual("user.note" in os.listxattr(path), noted)

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "takes another user")
    def test_another_group_gets_nothing_of_what_the_file_s_group_had(self):
        with tempfile.TemporaryDirectory() as folder:  # that another user reaches
            path = pathlib.Path(folder) / "library.rlb"
            path.write_bytes(LIBRARY)
            os.chown(folder, 12345, 12347)
            os.chown(path, 12345, 12346)
            path.chmod(0o664)
            archive = Archive.open(path)
            archive.replace(0, b"other")
            groups = os.getgroups()
            try:
                os.setgroups([])
                os.setegid(12347)
                os.seteuid(12345)
                archive.save()
            finally:
                os.seteuid(0)
                os.setegid(0)
                os.setgroups(groups)
            facts = path.stat()
            self.assertEqual((facts.st_uid, facts.st_gid, facts.st_mode & 0o777), (12345, 12347, 0o644))

    def test_readers_see_one_whole_file_or_the_other(self):
        path = scratch() / "library.rlb"
        path.write_bytes(LIBRARY)
        archive = Archive.open(path)
        archive.replace(0, b"x" * 2_000_000)
        both, seen, stop = {LIBRARY, archive.to_bytes()}, set(), threading.Event()

        def read():
            while not stop.is_set():
                seen.add(path.read_bytes())

        reader = threading.Thread(target=read)
        reader.start()
        for _ in range(20):
            archive.save()
            path2 = Archive.open(LIBRARY)
            path2.save(path)
        stop.set()
        reader.join()
        self.assertLessEqual(seen, both)

    def test_what_cannot_be_written_stays(self):
        folder = scratch()
        archive = Archive.open(LIBRARY)
        self.refused(Status.INVALID, archive.save)
        self.refused(Status.IO, archive.save, folder)
        self.refused(Status.IO, archive.save, folder / "none" / "x")
        self.refused(Status.IO, archive.save, os.devnull)
        self.assertEqual(os.listdir(folder), [])

    def test_files_that_are_none(self):
        error = self.refused(Status.NOT_FOUND, Archive.open, "/nowhere/at/all")
        self.assertIn("/nowhere/at/all", str(error))
        self.refused(Status.IO, Archive.open, scratch())
        path = scratch() / "x"
        path.write_bytes(b"NRes")
        error = self.refused(Status.TRUNCATED, Archive.open, path)
        self.assertIn(str(path), str(error))


if __name__ == "__main__":
    main()
