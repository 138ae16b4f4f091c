#!/usr/bin/env python3
"""Checks `python3 -m retropose.peers capture`: fparkan.py TRACE WORK

The lines have what fparkan's two pages demand (docs/facts/published.md 3.1), no path and no pointer; decimals and bits
are the same numbers; matrix_hash follows from rotation and translation by the arithmetic of tests/replay/vectors, which
shares no code with the library; and a wrong digit in any of these is found. Traces whose header only says that an
original answered are no evidence.
"""

import json
import os
import re
import struct
import subprocess
import sys
import zlib

from retropose.peers import Recording

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../replay/vectors"))
import check  # noqa: E402
import x87  # noqa: E402

ENVELOPE = {
    "schema_version": str,
    "capture_kind": str,
    "game_part": str,
    "mission": str,
    "frame_id": int,
    "tick": int,
    "frame_or_tick": int,
    "module_hashes": dict,
    "module_name": str,
    "module_sha256": str,
    "tool_version": str,
    "notes": list,
}
POSE = {
    "clip_id": str,
    "node_index": int,
    "sample_time": (int, float),
    "numeric_profile": str,
    "translation": list,
    "rotation_quat": list,
    "scale": list,
    "matrix_hash": str,
}
MODULES = {"World3D.dll", "Terrain.dll", "AniMesh.dll", "Effect.dll"}
NGI32 = "bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5"  # docs/facts/animesh.md A.3


def bits_of(number):
    return "%08x" % struct.unpack("<I", struct.pack("<f", number))[0]


def fnv(words):
    digest = 0xCBF29CE484222325
    for word in words:
        for byte in struct.pack("<I", word):
            digest = (digest ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return "%016x" % digest


def faults(capture):
    """What is wrong with one line."""
    wrong = [name for name, kind in {**ENVELOPE, **POSE}.items() if not isinstance(capture.get(name), kind)]
    if wrong:
        return ["missing or of the wrong kind: " + ", ".join(wrong)]
    if (capture["schema_version"], capture["capture_kind"]) != ("fparkan-stage4-capture-v1", "animation-pose"):
        wrong.append("another schema")
    if capture["game_part"] not in ("part1", "part2"):
        wrong.append("no part")
    hashes = capture["module_hashes"]
    for name, hashed in hashes.items():
        if not re.fullmatch("[0-9a-f]{64}", hashed):
            wrong.append("%s has no SHA-256" % name)
    if not set(hashes) <= MODULES | {"Ngi32.dll"}:
        wrong.append("modules of other names")
    if capture["module_name"] != "AniMesh.dll" or capture["module_sha256"] != hashes.get("AniMesh.dll"):
        wrong.append("another module")
    if not capture["frame_id"] == capture["tick"] == capture["frame_or_tick"]:
        wrong.append("several frames")
    if not capture["notes"] or not all(isinstance(note, str) for note in capture["notes"]):
        wrong.append("notes that are no texts")
    if capture["evidence"] == "capture" and not (MODULES <= set(hashes) and hashes["Ngi32.dll"] == NGI32):
        wrong.append("evidence without module_hashes of the game")
    if capture["evidence"] not in ("capture", "informational"):
        wrong.append("neither evidence nor informational")
    if re.search(r"(^|[ \"])(/|[A-Za-z]:\\)|0x[0-9a-f]{6}", json.dumps(capture)):
        wrong.append("a path or a pointer")
    for decimals, bits in (("translation", "translation_bits"), ("rotation_quat", "rotation_bits")):
        if [bits_of(number) for number in capture[decimals]] != capture[bits]:
            wrong.append("%s is not %s" % (decimals, bits))
    x, y, z, w = (x87.load(int(word, 16)) for word in capture["rotation_bits"])
    place = [x87.load(int(word, 16)) for word in capture["translation_bits"]]
    matrix = check.matrix([w, x, y, z], place)
    if fnv(x87.store(number) for number in matrix) != capture["matrix_hash"]:
        wrong.append("matrix_hash does not follow")
    return wrong


def export(trace, output, *more):
    command = [sys.executable, "-m", "retropose.peers", "capture", "--part", "part1", trace, "-o", output, *more]
    return subprocess.run(command, capture_output=True, text=True)


def digit(word):
    return word[:-1] + ("0" if word[-1] != "0" else "1")


def planted(capture):
    """Copies of a line with one mistake each."""
    for name in ("matrix_hash", "clip_id"):
        yield name, {**capture, name: digit(capture[name])}
    for name in ("translation_bits", "rotation_bits"):
        yield name, {**capture, name: [digit(capture[name][0]), *capture[name][1:]]}
    yield "a part", {**capture, "game_part": "part3"}
    yield "evidence", {**capture, "evidence": "capture"}
    yield "a path", {**capture, "notes": ["/home/somebody/game"]}
    yield "a note", {**capture, "notes": " ".join(capture["notes"])}
    yield "another module", {**capture, "module_sha256": digit(capture["module_sha256"])}
    hashes = capture["module_hashes"]
    yield "names without .dll", {**capture, "module_hashes": {name[:-4]: hashes[name] for name in hashes}}
    for left_out in ("tick", "frame_or_tick", "module_name"):
        yield "a field", {name: value for name, value in capture.items() if name != left_out}


def pretending(trace, output, **said):
    """Writes a copy of a trace whose header says something else, with a checksum that is right."""
    with open(trace, "rb") as file:
        data = file.read()
    size = struct.unpack_from("<I", data, 12)[0]
    lines = dict(line.split("=", 1) for line in data[20 : 20 + size].decode().splitlines())
    lines.update({name.replace("_", "."): value for name, value in said.items()})
    text = "".join("%s=%s\n" % line for line in lines.items()).encode()
    head = data[:12] + struct.pack("<I", len(text))
    with open(output, "wb") as file:
        file.write(head + struct.pack("<I", zlib.crc32(head + text)) + text + data[20 + size :])
    return output


def first_capture(trace, output, *more):
    run = export(trace, output, "--calls", "0-1", *more)
    if run.returncode:
        return {"notes": [run.stderr]}
    with open(output) as file:
        return json.loads(file.readline())


def check_reasons():
    """When a capture is evidence. No trace of ours can be, since nothing here has a published sum."""
    some = "0123456789abcdef" * 4
    modules = {
        "World3D.dll": "17e4a3089b2583a8cf2356c9db0390b1aba138356a09130d79b4e7e4791da61e",
        "Terrain.dll": "6d3e68f0e15b297f6c184af3113baf1f31e19c3326c18f0150dec659242ed667",
        "Effect.dll": some,
    }
    game = Recording("original", "", NGI32, some, modules)
    gog = {**modules, "Terrain.dll": "af87d1b2e728a0be73c52be3b44cc196ab46da7799f25a15d40f8c9b0b425ead"}
    for why, recording in (
        ("", game),
        ("", game._replace(modules=gog)),
        ("no original answered", game._replace(provider="stand-in")),
        ("Ngi32.dll is not the published build", game._replace(ngi32=some)),
        ("the trace has no SHA-256 of AniMesh.dll", game._replace(animesh="")),
        ("not all modules were hashed", game._replace(modules={"World3D.dll": modules["World3D.dll"]})),
        ("World3D.dll is not the published build", game._replace(modules={**modules, "World3D.dll": some})),
        ("Terrain.dll is not a published build", game._replace(modules={**modules, "Terrain.dll": some})),
    ):
        if recording.why_informational != why:
            yield "%s, and not %s" % (recording.why_informational, why)


def check_evidence(trace, output, work, game):
    """What is no evidence says so, and why, whatever the header and the folder say."""
    claimed = os.path.join(work, "claimed.rptrace")
    for why, said in (
        ("no original answered", {}),
        ("Ngi32.dll is not the published build", {"provider": "original"}),
        ("World3D.dll is not the published build", {"provider": "original", "ngi32_sha256": NGI32}),
    ):
        capture = first_capture(pretending(trace, claimed, **said), output, "--game", game)
        found = capture.get("evidence"), capture["notes"][-1]
        if found != ("informational", "informational, because " + why) or faults(capture):
            yield "%s: %s" % (why, capture)
        if not MODULES <= set(capture.get("module_hashes", ())):
            yield "with a game: %s" % capture
    os.remove(claimed)
    for mission in ("/home/somebody/data.tma", "C:\\GAME\\data.tma", "c:data.tma", "\\\\host\\data.tma"):
        run = export(trace, output, "--mission", mission)
        if run.returncode != 2 or "--mission" not in run.stderr:
            yield "the mission %s: %d, %s" % (mission, run.returncode, run.stderr)
    mission = "MISSIONS/CAMPAIGN/CAMPAIGN.00/Mission.01/data.tma"
    capture = first_capture(trace, output, "--mission", mission)
    if capture.get("mission") != mission or faults(capture):
        yield "a mission: %s" % capture


def main():
    trace, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    output = os.path.join(work, "captures.jsonl")
    failures = list(check_reasons())
    run = export(trace, output, "--calls", "0-1999")
    if run.returncode:
        print(run.stderr)
        return 1
    with open(output) as file:
        captures = [json.loads(line) for line in file]
    for capture in captures:
        failures += ["frame %s: %s" % (capture.get("frame_id"), fault) for fault in faults(capture)]
    clips = {capture["clip_id"] for capture in captures}
    if len(captures) < 1900 or len(clips) < 2:  # some of the 2000 calls have infinities
        failures.append("%d captures of %d clips" % (len(captures), len(clips)))
    for what, capture in planted(captures[0]):
        if not faults(capture) and what != "clip_id":  # which names contents that a line does not have
            failures.append("not found: %s" % what)

    # With the game's folder the other modules are hashed.
    game = os.path.join(work, "game")
    os.makedirs(game, exist_ok=True)
    for name in ("world3d.dll", "Terrain.dll", "EFFECT.DLL"):
        with open(os.path.join(game, name), "wb") as file:
            file.write(name.encode())
    failures += check_evidence(trace, output, work, game)
    os.remove(os.path.join(game, "Terrain.dll"))
    run = export(trace, output, "--game", game)
    if run.returncode != 2 or "Terrain.dll" not in run.stderr:
        failures.append("without Terrain.dll: %d, %s" % (run.returncode, run.stderr))
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print("%d captures of %d clips, %d failures" % (len(captures), len(clips), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
