"""Pairs of DLLs from Python: called, run over traces, compared."""
import doctest
import os
import re
import struct
import sys
from pathlib import Path

import retropose
from retropose import Comparison, Outcome, Pair, Status, Trace, fastproc
from shared import Case, ROOT, main, scratch

TRACES = ROOT / "traces"
DLLS = Path(os.environ["RETROPOSE_WINDOWS_BUILD"])
INTERPOLATE = 17  # fastcall: q0, q1, t, result


def open_pair(name, **options):
    return Pair.open(DLLS / name / "Ngi32.dll", DLLS / name / "AniMesh.dll", **options)


class Called(Case):
    def test_a_slot_gives_what_the_library_gives(self):
        with open_pair("standin") as pair:
            self.assertEqual((pair.kind, pair.engine, pair.processor),
                             ("stand-in", "interpreter", "this"))
            self.assertEqual(len(pair.sha256["Ngi32.dll"]), 64)
            memory = pair.allocate(48)
            q0, q1, t = (1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), 0.25
            pair.write(memory, struct.pack("<8f", *q0, *q1))
            t_bits = struct.unpack("<I", struct.pack("<f", t))[0]
            done = pair.call(pair.slot(INTERPOLATE), [t_bits, memory + 32], memory, memory + 16)
            self.assertEqual((done.outcome, done.popped, done.st0, done.reason),
                             (Outcome.RETURNED, 8, None, ""))
            wanted = struct.pack("<4f", *(float(x) for x in fastproc.interpolate(q0, q1, t)))
            self.assertEqual(pair.read(memory + 32, 16), wanted)

    def test_a_call_ends_as_it_ends(self):
        pair = open_pair("standin", engine="translator", most_instructions=5)
        crashed = pair.call(0x1000)
        self.assertEqual((crashed.outcome, crashed.exception, crashed.module, crashed.offset),
                         (Outcome.CRASHED, 0xC0000005, None, 0x1000))
        memory = pair.allocate(48)
        hung = pair.call(pair.slot(INTERPOLATE), [0, memory], memory, memory)
        self.assertEqual(hung.outcome, Outcome.TIMED_OUT)
        self.assertIn("5 instructions", hung.reason)
        self.refused(Status.INVALID, pair.call, 0x1000)
        pair.restore()
        self.assertEqual(pair.allocate(48), memory)
        self.refused(Status.INVALID, pair.read, 0x1000, 4)
        self.assertIsNone(pair.export("ngi32", "noSuchFunction"))
        self.assertIsNotNone(pair.export("ngi32", "niGetProcAddress"))
        pair.close()
        pair.close()
        self.refused(Status.INVALID, pair.slot, 0)

    def test_the_lines_of_the_page_compare_two_pairs(self):
        """docs/use/python.md, in a folder that has what a clone has."""
        page = (ROOT / "docs/use/python.md").read_text(encoding="utf-8")
        session = re.search(r"```pycon\n(.*?)```", page, re.S)[1]
        folder, before = scratch(), os.getcwd()
        (folder / "build").mkdir()
        (folder / "build/windows").symlink_to(DLLS)
        (folder / "traces").symlink_to(TRACES)
        os.chdir(folder)
        try:
            test = doctest.DocTestParser().get_doctest(session, {"retropose": retropose}, "page", None, 0)
            self.assertEqual(doctest.DocTestRunner(verbose=False).run(test), (0, 5))
        finally:
            os.chdir(before)

    def test_what_is_no_pair_is_refused(self):
        animesh = (DLLS / "standin/AniMesh.dll").read_bytes()
        error = self.refused(Status.TRUNCATED, Pair.open, b"MZ", animesh)
        self.assertEqual(error.where, "Ngi32.dll")
        self.refused(Status.INVALID, open_pair, "standin", processor="pentium9")
        self.refused(Status.INVALID, open_pair, "standin", engine="wine")
        self.assertRaises(TypeError, Pair)


class Compared(Case):
    def test_ours_and_the_stand_in_are_the_same(self):
        told = []
        trace = TRACES / "classes-7.rptrace"
        with open_pair("standin") as original, open_pair("replacement") as ours:
            a = original.run(trace)
            b = ours.run(trace.read_bytes(), lambda done, total: told.append((done, total)))
        self.assertGreater(len(told), 3)
        self.assertEqual({total for _, total in told}, {2000})
        comparison = Comparison()
        comparison.add(a, b, "classes-7")
        self.assertEqual((comparison.totals.compared, comparison.totals.different), (2000, 0))
        self.assertEqual({row.standing for row in comparison.functions}, {"equal"})
        report = comparison.report()
        self.assertEqual((report["format"], report["a"]["kind"], report["b"]["kind"]),
                         ("retropose report 1", "stand-in", "replacement"))
        self.assertEqual(Trace.open(b).header("engine"), "interpreter")

    def test_a_difference_is_told(self):
        trace = TRACES / "table.rptrace"
        with open_pair("standin") as original, open_pair("tests/replay/host/rogue") as other:
            comparison = Comparison()
            comparison.add(original.run(trace), other.run(trace), "table")
            self.assertEqual(other.reason("no.function"), "")
        self.assertGreater(comparison.totals.different, 0)
        different = [row for row in comparison.functions if row.difference]
        self.assertEqual(different[0].difference.trace, "table")
        self.assertNotEqual(different[0].difference.a, different[0].difference.b)

    def test_a_run_can_be_stopped(self):
        trace = TRACES / "classes-7.rptrace"

        def fail(done, total):
            raise ZeroDivisionError

        with open_pair("standin") as pair:
            self.refused(Status.INVALID, pair.run, trace, lambda done, total: False)
            self.assertRaises(ZeroDivisionError, pair.run, trace, fail)
            self.refused(Status.CORRUPT, pair.run, b"no trace")


if __name__ == "__main__":
    if not all((DLLS / name / "Ngi32.dll").exists()
               for name in ("standin", "replacement", "tests/replay/host/rogue")):
        print("skipped: build the preset windows first")
        sys.exit(77)
    main()
