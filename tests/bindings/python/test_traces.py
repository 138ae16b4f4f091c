"""Held traces: the library's results are the recorded ones; a sampler of one's own is told apart."""
import math
import struct
import subprocess
import sys
from unittest import mock

import retropose
from retropose import Arithmetic, Build, Estimates, Outcome, Status, Trace, _abi, fastproc, library
from shared import Case, ROOT, Random, main

TRACES = ROOT / "traces"
# function: (what computes it, its inputs, its result)
FUNCTIONS = {
    "ngi32.slot14": (fastproc.quaternion_to_matrix, (("quaternion", 4),), ("matrix", 16)),
    "ngi32.slot17": (fastproc.interpolate, (("q0", 4), ("q1", 4), ("t", 1)), ("result", 4)),
    "ngi32.slot22": (fastproc.interpolate, (("q0", 4), ("q1", 4), ("t", 1)), ("result", 4)),
    "ngi32.slot23": (fastproc.product, (("a", 16), ("b", 16)), ("product", 16)),
    "ngi32.slot28": (fastproc.pose_product, (("a", 16), ("b", 16)), ("product", 16)),
    "ngi32.slot7": (fastproc.rotate, (("matrix", 16), ("vector", 3)), ("result", 3)),
    "ngi32.slot35": (fastproc.rotate_transposed, (("matrix", 16), ("vector", 3)), ("vector", 3)),
    "ngi32.slot26": (fastproc.point_to_frame, (("frame", 16), ("point", 3)), ("result", 3)),
}
# function: (what computes it, the form of its inputs, how many floats it leaves behind ST0)
IN_ST0 = {
    "ngi32.slot11": (fastproc.reciprocal_square_root, "<f", 0),
    "ngi32.slot38": (lambda *v, arithmetic: fastproc.normalise(v, arithmetic), "<3f", 3),
    "ngi32.DirectionalCosine": (
        lambda *v, arithmetic: fastproc.directional_cosine(v[:3], v[3:], arithmetic), "<6f", 0),
    "ngi32.Highlight": (
        lambda *v, arithmetic: fastproc.highlight(v[:3], v[3:6], v[6], v[7:10], v[10], arithmetic),
        "<10fI", 0),
}
BUILDS = {"generic": Build.GENERIC, "fxch": Build.FXCH, "sse": Build.SSE}
# the slots of which a build's address is published (docs/reference/abi.md)
PUBLISHED = {"generic": (7, 14, 17, 22), "fxch": (14, 17, 22, 26), "sse": (14, 17, 22, 23)}
TRANSCENDENTAL = ("ngi32.slot17", "ngi32.slot22")
USUAL_MXCSR = 0x1F80


def builds_of(trace):
    """The build of a trace's calls, by function: that which `slot-build` names, where its address is
    published; else that of the processor class."""
    processor = _abi.RpProcessor(1, 0, 1, 1)
    force = trace.header("force-cpu")
    if force:
        library.call("RpProcessor_FromForceCpu", int(force), processor)
    usual = Build(library.call("RpProcessor_Build", processor))
    builds = dict.fromkeys([*FUNCTIONS, *IN_ST0], usual)
    named = trace.header("slot-build")
    for slot in PUBLISHED.get(named, ()):
        builds["ngi32.slot%d" % slot] = BUILDS[named]
    return builds


class Recorded(Case):
    def compare_st0(self, path, call, arithmetic):
        compute, form, floats = IN_ST0[call.function]
        with mock.patch.object(fastproc, "_number", bytes):
            got = compute(*struct.unpack(form, call.inputs), arithmetic=arithmetic)
        vector, st0 = got if floats else ((), got)
        self.assertEqual(st0, call.outputs[:10], (path.name, call))
        wanted = struct.unpack_from("<%df" % floats, call.outputs, 12)
        self.assertTrue(
            all(retropose.ulps_between(a, b) == 0 for a, b in zip(vector, wanted)), (path.name, call))

    def test_the_library_gives_the_recorded_bits(self):
        total = {}
        for path in sorted(TRACES.glob("*.rptrace")):
            trace = Trace.open(path)
            builds = builds_of(trace)
            maker = Estimates.AMD if "AMD" in trace.header("processor") else Estimates.INTEL
            for call in trace:
                if call.function not in builds or call.outcome != Outcome.RETURNED:
                    continue
                build = builds[call.function]
                if build == Build.SSE and call.mxcsr & 0xFFC0 != USUAL_MXCSR:
                    continue  # another rounding, or denormals that are zero: SSE code of a thread
                if call.function in TRANSCENDENTAL and call.control_word & 0x0F00:
                    continue  # which only the maker of the processor knows, but for 24 bits
                arithmetic = Arithmetic(build=build, control_word=call.control_word, estimates=maker)
                total[call.function] = total.get(call.function, 0) + 1
                if call.function in IN_ST0:
                    self.compare_st0(path, call, arithmetic)
                    continue
                compute, inputs, result = FUNCTIONS[call.function]
                arguments = [call.input(name, count) for name, count in inputs]
                arguments = [a[0] if len(a) == 1 else a for a in arguments]
                got = compute(*arguments, arithmetic=arithmetic)
                wanted = call.result(*result)
                self.assertTrue(
                    all(retropose.ulps_between(a, b) == 0 for a, b in zip(got, wanted)),
                    (path.name, call, got, wanted))
        print(f"{sum(total.values())} calls compared, 0 different: {total}")
        self.assertEqual(set(total), {*FUNCTIONS, *IN_ST0})
        self.assertGreater(min(total.values()), 500)

    def test_numbers_in_st0_become_floats(self):
        for significand, head, number in (
            (1 << 63, 0x3FFE, 0.5), (9 << 60, 0xC002, -9.0), (0, 0, 0.0), (0, 0x8000, -0.0),
            (1 << 63, 0x3FFF - 1074, 5e-324), (1 << 63, 0x7FFF, math.inf), (3 << 62, 0xFFFF, math.nan),
            ((1 << 64) - 1, 0xBFFF, -2.0),  # of the 64 bits the nearest 53
            (1 << 63, 0x3FFF + 1024, math.inf), (1 << 63, 0x8001, -0.0),  # beyond the reach
        ):
            self.assertEqual(repr(fastproc._number(struct.pack("<QH", significand, head))), repr(number))

    def test_what_a_trace_says_of_itself(self):
        trace = Trace.open(TRACES / "slots.rptrace")
        self.assertEqual(trace.header("provider"), "stand-in")
        self.assertIsNone(trace.header("nothing"))
        calls = list(trace)
        self.assertEqual(len(calls), 20000)
        self.assertEqual([call.sequence for call in calls], list(range(20000)))
        self.assertEqual(len(list(trace)), 20000)
        call = next(call for call in calls if call.function == "ngi32.slot17")
        self.assertEqual(len(call.inputs), 36)
        self.assertEqual(len(call.outputs), 16)
        with self.assertRaises(KeyError):
            call.input("q0", 3)
        with self.assertRaises(KeyError):
            call.result("q0", 4)
        self.assertEqual(call.control_word, 0x7F)

    def test_cut_traces_give_their_whole_calls(self):
        data = (TRACES / "slots.rptrace").read_bytes()
        seen = 0
        with self.assertRaises(retropose.RetroposeError) as caught:
            for _ in Trace.open(data[:len(data) // 2]):
                seen += 1
        self.assertEqual(caught.exception.status, Status.TRUNCATED)
        self.assertGreater(seen, 1000)
        self.refused(Status.CORRUPT, Trace.open, b"no trace" * 9)

    def test_damaged_traces_are_refused(self):
        data, random, ends = (TRACES / "slots.rptrace").read_bytes()[:60000], Random(5), set()
        for _ in range(60):
            damaged = bytearray(data)
            for _ in range(4):
                damaged[random.below(len(damaged))] = random.below(256)
            try:
                for _ in Trace.open(damaged):
                    pass
                ends.add("whole")
            except retropose.RetroposeError as error:
                ends.add(error.status)
        self.assertIn(Status.CORRUPT, ends)


class Sampler(Case):
    @staticmethod
    def example(*traces):
        """Runs bindings/python/examples/check_sampler.py."""
        return subprocess.run(
            [sys.executable, "-B", str(ROOT / "bindings/python/examples/check_sampler.py"),
             *(str(TRACES / trace) for trace in traces)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_the_example_prints_the_lines_of_the_page(self):
        """docs/use/python.md shows what the example prints."""
        ended = self.example("slots.rptrace", "poses.rptrace")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        page = (ROOT / "docs/use/python.md").read_text(encoding="utf-8")
        lines = [line for line in ended.stdout.splitlines() if "calls have the same bits" in line]
        self.assertEqual(len(lines), 2, ended.stdout)
        for line in lines:
            self.assertIn(line, page)
        self.assertIn("of 32,768 calls", lines[1])

    def test_a_trace_without_such_a_call_is_no_success(self):
        ended = self.example("mesh.rptrace")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("the trace has no such call", ended.stderr)
        error = self.refused(Status.NOT_FOUND, retropose.check_sampler,
                             TRACES / "slots.rptrace", "animesh.SampleNode", fastproc.sample)
        self.assertIn("animesh.SampleNode", error.expected)
        self.refused(Status.NOT_FOUND, retropose.check_sampler, TRACES / "slots.rptrace",
                     "ngi32.slot17", fastproc.interpolate, accept=lambda call: False)

    def test_the_librarys_samples_are_the_recorded_ones(self):
        """All calls of SampleNode: each pose of the corpus's models in every way once."""
        report = retropose.check_sampler(
            TRACES / "poses.rptrace", "animesh.SampleNode",
            lambda skeleton, t: fastproc.sample(skeleton, t, Arithmetic(build=Build.SSE)))
        self.assertEqual((report.calls, report.same, report.differ), (32768, 32768, 0))

    def test_a_wrong_sample_is_found(self):
        def wrong(skeleton, t):
            quaternion, (x, y, z) = fastproc.sample(skeleton, t, Arithmetic(build=Build.SSE))
            return quaternion, (x, y, z + 1)

        report = retropose.check_sampler(
            TRACES / "poses.rptrace", "animesh.SampleNode", wrong,
            accept=lambda call: call.sequence < 10)
        self.assertEqual((report.calls, report.same, report.farther), (10, 0, 10))
        self.assertEqual((len(report.got), len(report.wanted)), (7, 7))

    def test_only_the_call_that_was_read_last_has_its_skeleton(self):
        calls = iter(Trace.open(TRACES / "poses.rptrace"))
        first = next(calls)
        skeleton = first.skeleton()
        self.assertEqual(len(skeleton.nodes) // 38 > skeleton.node, True)
        self.assertEqual(fastproc.sample(skeleton, *first.input("t", 1),
                                         Arithmetic(build=Build.SSE))[0],
                         first.result("quaternion", 4))
        next(calls)
        error = self.refused(Status.INVALID, first.skeleton)
        self.assertEqual(error.what, "the trace is at another call")
        self.assertIsNone(next(iter(Trace.open(TRACES / "slots.rptrace"))).skeleton())

    def test_a_sampler_of_the_library_has_no_difference(self):
        report = retropose.check_sampler(
            TRACES / "slots.rptrace", "ngi32.slot17",
            lambda a, b, t: fastproc.interpolate(a, b, t, Arithmetic(build=Build.SSE)))
        self.assertEqual((report.same, report.differ, report.first), (report.calls, 0, None))
        self.assertEqual(report.farthest, 0)
        self.assertIn("1,539 of 1,539 calls have the same bits", str(report))

    def test_a_sampler_that_is_wrong_once_is_found(self):
        seen = []

        def wrong(a, b, t):
            seen.append(t)
            got = list(fastproc.interpolate(a, b, t, Arithmetic(build=Build.SSE)))
            if len(seen) == 500:
                got[2] = math.nan
            if len(seen) == 600:
                raise ZeroDivisionError
            return got

        report = retropose.check_sampler(TRACES / "slots.rptrace", "ngi32.slot17", wrong)
        self.assertEqual((report.same, report.near, report.farther), (report.calls - 2, 0, 2))
        self.assertIsNone(report.farthest)
        self.assertTrue(math.isnan(report.got[2]))
        self.assertIn("first difference in call %d" % report.first.sequence, str(report))

    def test_other_functions_have_to_be_named(self):
        path = TRACES / "slots.rptrace"
        error = self.refused(Status.INVALID, retropose.check_sampler, path, "ngi32.slot35", None)
        self.assertIn("ngi32.slot17", error.expected)
        report = retropose.check_sampler(
            path, "ngi32.slot35",
            lambda m, v: fastproc.rotate_transposed(m, v, Arithmetic(build=Build.SSE)),
            inputs=(("matrix", 16), ("vector", 3)), result=("vector", 3))
        self.assertEqual(report.same, report.calls)
        self.refused(Status.INVALID, retropose.check_sampler, path, "ngi32.slot17",
                     lambda a, b, t: [0.0])

    def test_distances(self):
        ulps = retropose.ulps_between
        self.assertEqual(ulps(1.0, 1.0), 0)
        self.assertEqual(ulps(1.0, 1.0 + 2**-23), 1)
        self.assertEqual(ulps(-1.0, -1.0 - 2**-22), 2)
        self.assertEqual(ulps(0.0, -0.0), 1)
        self.assertEqual(ulps(2**-149, -2**-149), 2)
        self.assertEqual(ulps(1.0, math.nan), None)
        self.assertEqual(ulps(math.nan, math.nan), 0)
        self.assertEqual(ulps(1e300, math.inf), 0)


if __name__ == "__main__":
    main()
