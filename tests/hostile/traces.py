#!/usr/bin/env python3
"""Traces that a stranger could send: files that they would make or cut, addresses that they would have called.

    traces.py native RETROPOSE WORK                 what needs no DLL
    traces.py pair RETROPOSE WORK WINDOWS_BUILD     the same in a host process, through Wine;
                                                    77 (skipped) without a build for Windows
    traces.py write WORK                            only leaves the traces there

The bytes follow docs/formats/trace.md, the signatures docs/reference/abi.md.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RETURNED, UNSUPPORTED, NOT_CALLED = 1, 5, 6
CONTROL, MXCSR = 0x007F, 0x1F80
EIP = 0x05050505

# ---- the format -----------------------------------------------------------------------------------


def chunk(kind, payload, records):
    head = struct.pack("<4sIIII", kind, 0, len(payload), len(payload), records)
    return head + struct.pack("<I", zlib.crc32(head + payload)) + payload


def pad(data):
    return data + bytes(-len(data) % 4)


def text(value):
    data = value.encode() + b"\0"
    return struct.pack("<I", len(data)) + pad(data)


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def memory(number, data, relocations=()):
    """relocations: (offset, target memory, target offset)."""
    record = struct.pack("<III", number, len(data), len(relocations)) + pad(data)
    return chunk(b"MEM ", record + b"".join(words(*link) for link in relocations), 1)


def trace(calls, memories=()):
    """calls: (key, inputs)."""
    keys = list(dict.fromkeys(key for key, _ in calls))
    head = struct.pack("<8sHHI", b"RPTRACE\0", 1, 0, 0)
    data = head + struct.pack("<I", zlib.crc32(head)) + b"".join(memories)
    for number, key in enumerate(keys):
        name, signature = key.encode(), signatures[key].encode()
        data += chunk(b"FUNC", struct.pack("<HHH", number, len(name), len(signature)) + name + signature, 1)
    for sequence, (key, inputs) in enumerate(calls):
        record = struct.pack("<HBBQHHIIII", keys.index(key), 0, 0, sequence, CONTROL, CONTROL,
                             MXCSR, MXCSR, len(inputs), 0)
        data += chunk(b"CALL", record + inputs, 1)
    return data + chunk(b"END ", struct.pack("<QII", len(calls), len(memories), 0), 0)


def outcomes(path):
    data = path.read_bytes()
    found, at = [], 20 + struct.unpack_from("<I", data, 12)[0]
    while at < len(data):
        kind, flags, stored, _, records = struct.unpack_from("<4sIIII", data, at)
        place = at + 24
        for _ in range(records if kind == b"CALL" else 0):
            found.append(data[place + 2])
            place += 32 + sum(struct.unpack_from("<II", data, place + 24))
        assert not (kind == b"CALL" and flags & 1)
        at += 24 + stored
    return struct.unpack_from("<H", data, 10)[0], found


# ---- the functions --------------------------------------------------------------------------------

signatures, refused = {}, []


def read_abi():
    page = (ROOT / "docs/reference/abi.md").read_text()
    row = re.compile(r"^\| `([\w.]+)` \|.*\| (\w+) <sub>\w+</sub> \| (\w+) \(([^)]*)\) <sub>", re.M)
    for key, convention, returns, params in row.findall(page):
        signatures[key] = f"{convention} {returns} ({params})"
    start = page.index("## Not called for a trace")
    names = re.findall(r"`((?:ngi32|animesh)\.[\w.]+)`", page[start : page.index("\n## ", start + 3)])
    refused.extend(key for key in names if key in signatures)


def empty(param):
    """The inputs of one parameter, as harmless as they can be; None where this script knows none."""
    *kind, _ = param.split()
    if kind in (["any"], ["u32"], ["i32"], ["f32"]):
        return words(0)
    if kind == ["in", "cstr"]:
        return text("no-such-folder/x")
    array = re.fullmatch(r"(in|out) \w32\[(\d+)\]", " ".join(kind))
    return bytes(4 * int(array[2]) if array[1] == "in" else 0) if array else None


def inputs_of(key, opaque=0):
    """Every `any` is `opaque`."""
    params = signatures[key].split("(", 1)[1][:-1]
    parts = [param.strip() for param in params.split(",")] if params else []
    data = [words(opaque) if part.startswith("any ") else empty(part) for part in parts]
    return None if None in data else b"".join(data)


# ---- the attacks ----------------------------------------------------------------------------------


def create(path):
    """Creates an archive; one that is there loses its directory."""
    return trace([("ngi32.niCreateResFile", text(path))])


def forged_object():
    """An agent of pointers alone: whatever field is taken for its children, the first child's methods are
    all at EIP. Nobody knows where the host puts it, so each call's `self` tries another address."""
    def pointers(number, size):
        return memory(number, bytes(size), [(at, number + 1, 0) for at in range(0, size, 4)])

    memories = [pointers(1, 0x8000), pointers(2, 0x400), pointers(3, 0x100), memory(4, words(EIP) * 64)]
    calls = [("animesh.PlaceObject", words(address) + bytes(64))
             for address in range(0x00A00000, 0x01800000, 0x7000)]
    return trace(calls, memories)


def state(pieces, patches=()):
    """PoseWalk over a mesh whose pieces are at an address of the trace's choice."""
    mesh = bytearray(0x240 + 0x130)
    struct.pack_into("<II", mesh, 0x1A8, pieces, 1)
    data = words(1, 0, len(patches), 0) + b"".join(words(*patch) for patch in patches)
    return trace([("animesh.PoseWalk", data)], [memory(1, bytes(mesh))])


def opaque_traces():
    traces = {"object": forged_object(), "pieces": state(0x05050000),
              "patch": state(0, [(0x1A8, 0x05050000)])}
    for key in signatures:
        if "any " in signatures[key].split("(", 1)[1] and inputs_of(key) is not None:
            traces[key] = trace([(key, inputs_of(key, EIP))])
    return traces


# ---- the checks -----------------------------------------------------------------------------------


class Checks:
    kept = None  # what the original side of the last replay answered

    def __init__(self, retropose, work):
        self.retropose, self.work, self.failures = retropose, pathlib.Path(work), []
        self.work.mkdir(parents=True, exist_ok=True)

    def expect(self, holds, what):
        if not holds:
            self.failures.append(what)
            print("FAILED:", what)

    def run(self, *words_):
        return subprocess.run([self.retropose, *map(str, words_)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)

    def write(self, name, data):
        path = self.work / f"{name}.rptrace"
        path.write_bytes(data)
        return path

    def replay(self, path, *options):
        """The outcomes on both sides."""
        work = self.work / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        done = self.run("replay", path, "--keep", "--work", work, "--quiet", *options)
        made = next(work.iterdir(), work)  # a new folder each time
        results = [made / f"000000-{side}.trace" for side in "ab"]
        self.kept = results[0]
        for result in results:
            if not result.exists():
                self.expect(False, f"{path.name} is not run: {done.stderr.strip()}")
                return []
        version, found = outcomes(results[0])
        self.expect(version == 2, f"a result of {path.name} is of format 1.{version}")
        self.expect(outcomes(results[1]) == (version, found), f"two outcomes of {path.name}")
        return found


def check_opaque(checks):
    """The reader refuses what no trace may hold, whoever asks."""
    traces = opaque_traces()
    checks.expect(len(traces) > 40, "the page of the ABI names few functions")
    for name, data in traces.items():
        done = checks.run("stat", checks.write("opaque", data))
        checks.expect(done.returncode == 2 and ("opaque" in done.stderr or "of a state" in done.stderr),
                      f"{name} is read: {done.returncode} {done.stderr.strip()}")


def check_native(checks):
    native = ["--original", "native", "--replacement", "native"]
    known = [key for key in refused if inputs_of(key) is not None]
    checks.expect(len(known) > 60, f"only {len(known)} functions to refuse")
    path = checks.write("refused", trace([(key, inputs_of(key)) for key in known]))
    checks.expect(checks.replay(path, *native) == [NOT_CALLED] * len(known),
                  "a function that needs trust is called")
    checks.expect(checks.replay(path, *native, "--trust") == [UNSUPPORTED] * len(known),
                  "trust does not call what needs it")
    allowed = checks.write("allowed", trace([("ngi32.niGetProcAddress", words(7)),
                                             ("ngi32.niOutputDebugString", text("x"))]))
    checks.expect(checks.replay(allowed, *native) == [RETURNED, UNSUPPORTED],
                  "what needs no trust is not called")
    shown = checks.run("show", checks.kept).stdout
    checks.expect("entry 7" in shown, f"show does not say which entry: {shown}")
    signatures["ngi32.niGetProcAddress"] = "stdcall any (u32 index)"
    older = checks.write("older", trace([("ngi32.niGetProcAddress", words(7))]))
    checks.expect(checks.replay(older, *native) == [RETURNED], "a trace of format 1.1 is not read")
    shown = checks.run("show", checks.kept).stdout
    checks.expect("any" in shown, f"an opaque result is something else: {shown}")
    done = checks.run("minimise", path, checks.work / "small", *native, "--trust")
    checks.expect("nothing to minimise" in done.stderr, f"minimise: {done.stderr.strip()}")


def archive():
    entry = struct.pack("<4s4I", b"DATA", 0, 0, 4, 0).ljust(56, b"\0") + struct.pack("<II", 16, 0)
    return b"NRes" + struct.pack("<III", 0x100, 1, 16 + 4 + 64) + b"data" + entry


def check_pair(checks, build):
    pair = ["--original", build / "replacement", "--replacement", build / "replacement"]
    made, kept = checks.work / "made.lib", checks.work / "kept.lib"
    made.unlink(missing_ok=True)
    kept.write_bytes(archive())
    for target in (made, kept):
        path = checks.write("create", create("Z:" + str(target.resolve()).replace("/", "\\")))
        checks.expect(checks.replay(path, *pair) == [NOT_CALLED], f"niCreateResFile runs over {target.name}")
    checks.expect(not made.exists(), "a trace makes a file")
    checks.expect(kept.read_bytes() == archive(), "a trace cuts an archive")
    path = checks.write("create", create("Z:" + str(made.resolve()).replace("/", "\\")))
    # In a machine no call reaches the files of this system, whatever it is trusted with.
    machine = "engine: machine" in checks.run("replay", path, *pair).stdout
    checks.expect(checks.replay(path, *pair, "--trust") == [RETURNED], "niCreateResFile does not run with --trust")
    checks.expect(made.exists() != machine, "with --trust a machine makes a file" if machine else
                  "with --trust the file is not made, so this test proves nothing")
    table = ROOT / "traces/table.rptrace"
    done = checks.run("replay", table, "--original", "recorded", *pair[2:], "--quiet")
    checks.expect(done.returncode == 0 and "68 calls compared, 0 different" in done.stdout,
                  f"niGetProcAddress gives other entries: {done.stdout[-300:]}{done.stderr}")


def main():
    what, arguments = sys.argv[1], sys.argv[2:]
    read_abi()
    if what == "write":
        checks = Checks(None, arguments[0])
        checks.write("create", create("Z:\\tmp\\made.lib"))
        for name, data in opaque_traces().items():
            checks.write(f"opaque-{name}", data)
        return 0
    if what == "pair" and not (pathlib.Path(arguments[2]) / "replacement/Ngi32.dll").exists():
        print("skipped: no build for Windows")
        return 77
    checks = Checks(*arguments[:2])
    if what == "pair":
        check_pair(checks, pathlib.Path(arguments[2]))
    else:
        check_opaque(checks)
        check_native(checks)
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
