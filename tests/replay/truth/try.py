#!/usr/bin/env python3
"""try.py RETROPOSE WINDOWS_BUILD WORK: an owner's way, with two variants of the stand-in as games.

The honest game follows other readings than the defaults, and its archives have the numbers that were
published (tests/bindings/python/census), as a census that is handed over says. The liar has one addition turned into a subtraction, and the corpus for archives.
Both are tried, and the honest one is interrupted on the way and goes on. What the bundles say has to be so;
they have to hold nothing of the games; and the library is checked by them without the games.
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/python/census"))
import game as published  # noqa: E402

RETROPOSE, WORK = sys.argv[1], pathlib.Path(sys.argv[3])
BUILD = pathlib.Path(os.environ.get("RETROPOSE_HOME") or sys.argv[2])  # tests/mutants sets it
ENVIRONMENT = dict(os.environ, RETROPOSE_HOME=str(BUILD), RETROPOSE_CONFIG="none", NO_COLOR="1")
CALLS = "150000"
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(map(str, words)))


def run(*words, expect=0):
    done = subprocess.run([RETROPOSE, *map(str, words)], text=True, check=False, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == expect, "retropose", *words, "ended with", done.returncode, "and not", expect,
          done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout, done.stderr


# ---- the games -------------------------------------------------------------------------------------


def file_offset(image, rva):
    at = struct.unpack_from("<I", image, 0x3C)[0]
    count, optional = struct.unpack_from("<H", image, at + 6)[0], struct.unpack_from("<H", image, at + 20)[0]
    for i in range(count):
        size, address, _, raw = struct.unpack_from("<4I", image, at + 24 + optional + 40 * i + 8)
        if address <= rva < address + size:
            return rva - address + raw
    raise ValueError(hex(rva))


def lie(game):
    """One addition of slot 7, as processors of today run it, becomes a subtraction."""
    said, _ = run("probe", "--original", game, "--static-only", "--json", "-q")
    slot = next(slot for slot in json.loads(said)["slots"] if slot["slot"] == 7)
    routine = next(routine for routine in slot["routines"] if routine["build"] == "sse")
    path = game / "Ngi32.dll"
    image = bytearray(path.read_bytes())
    begin = file_offset(image, int(routine["rva"], 16))
    at = image.index(b"\x0f\x58", begin, begin + 200)
    image[at + 1] = 0x5C
    path.write_bytes(image)


def take_pair(folder, pair):
    for dll in "Ngi32.dll", "AniMesh.dll":
        shutil.copy(BUILD / pair / dll, folder / dll)


def make_games():
    honest, liar = WORK / "honest", WORK / "liar"
    published.make(str(honest))
    take_pair(honest, "variants/readings")
    run("gen", "corpus", "-q", WORK / "corpus", "--libraries")
    shutil.copytree(WORK / "corpus/libraries", liar)
    take_pair(liar, "standin")
    lie(liar)
    for folder in honest, liar:
        with open(WORK / f"{folder.name}.census", "w") as report:
            subprocess.run([sys.executable, "-m", "retropose.census", folder, "--json"], stdout=report, check=False)


def sums(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*") if path.is_file()}


# ---- trying ----------------------------------------------------------------------------------------


def words_of(name):
    return ["try", WORK / name, "--keep", WORK / "kept", "--calls", CALLS, "-o", WORK / f"{name}.json",
            "--published", WORK / f"{name}.census"]


def interrupt(name, stage):
    """Ends the command by Ctrl-C when the stage begins."""
    child = subprocess.Popen([RETROPOSE, *map(str, words_of(name))], text=True, env=ENVIRONMENT,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in child.stderr:
        if f"  {stage}: " in line:
            child.send_signal(signal.SIGINT)
            break
    child.communicate()
    check(child.returncode == -signal.SIGINT, "the interrupted run ended with", child.returncode)
    check(not (WORK / f"{name}.json").exists(), "an interrupted run wrote a bundle")


def attempt(name, expect, *more):
    game = WORK / name
    before = sums(game)
    said, noted = run(*words_of(name), *more, "--html", WORK / f"{name}.html", expect=expect)
    check(sums(game) == before, "the game was changed")
    check((WORK / f"{name}.html").read_text().lower().startswith("<!doctype html>"), "there is no page")
    text = (WORK / f"{name}.json").read_text()
    for secret in str(WORK), str(game), name, os.environ.get("HOME", "/root") + "/", str(BUILD):
        check(secret not in text, "the bundle holds", secret)
    for dll in "Ngi32.dll", "AniMesh.dll":
        image = (game / dll).read_bytes()
        for at in range(0, len(image) - 16, 16):
            part = image[at:at + 16]
            if len(set(part)) > 4 and part.hex() in text:
                check(False, "the bundle holds bytes of", dll, "from", at)
    return said, noted, json.loads(text)


def readings_of(path):
    return dict(line.split(" = ") for line in path.read_text().splitlines())


def test_honest():
    interrupt("honest", "calibrate")
    said, noted, bundle = attempt("honest", 0)
    check(noted.count("done before") == 2, "exports and probe were not kept:", noted)
    count = len(bundle["functions"])
    check(f"{count} functions the same, 0 different, 0 could not be called" in said, said)
    check("modified" not in said and "the stand-in played the original" in said, said)
    # The readings are those that the variant was built with.
    truth = readings_of(BUILD / "variants/readings/truth.profile")
    for reading in bundle["readings"]:
        name, choice = reading["name"], reading["choice"]
        check(reading["verdict"] != "decided" or truth[name] == choice, name, "is not", choice)
    check(sum(reading["verdict"] == "decided" for reading in bundle["readings"]) >= 40, "few readings")
    check({row["verdict"] for row in bundle["published"]} <= {"ok", "not checked"}, bundle["published"])
    check(sum(row["verdict"] == "ok" for row in bundle["published"]) >= 35, "few published numbers")
    # Its formulas are ours under its readings, and are told by digests.
    formulas = {row["function"]: row for row in bundle["formulas"]["functions"]}
    check(sum(row["verdict"] == "same expression for every input" for row in formulas.values()) >= 22, formulas)
    check(not any(row["verdict"] == "differs" or "formulas" in row for row in formulas.values()), formulas)
    check(formulas["ngi32.slot14"]["digests"][0] == formulas["ngi32.slot14"]["digests"][1], formulas["ngi32.slot14"])
    check("\n  the same for every input, " in said and "in the generic builds on processor pentium2:" in said, said)
    # A second run asks nothing again.
    _, noted = run(*words_of("honest"))
    check(noted.count("done before") == 6, noted)
    # Without a census the bundle has no published numbers, and what is no report is refused at once.
    bare, text = WORK / "bare.json", WORK / "no-report"
    said, _ = run(*words_of("honest")[:-4], "-o", bare)
    check("files: " not in said and not json.loads(bare.read_text()).get("published"), said)
    text.write_text("no report")
    _, complaint = run(*words_of("honest")[:-1], text, expect=2)
    check("no report" in complaint, complaint)
    # Without the game, the library answers the same.
    said, _ = run("bundle", "check", WORK / "honest.json", expect=4)
    check(" 0 different, " in said, said)
    run("bundle", "check", WORK / "honest.json", "--replacement", BUILD / "replacement")


def test_liar():
    said, _, bundle = attempt("liar", 1, "--engine", "machine", "--with-formulas")
    check("DIFFERENT: RotateVector (ngi32.slot7)" in said, said)
    check(said.count("DIFFERENT: ") == 1, "others than the liar's function are blamed:", said)
    check("; the code parts at Ngi32.dll+" in said and ", ours at Ngi32.dll+" in said, said)
    formulas = {row["function"]: row["formulas"] for row in bundle["formulas"]["functions"]}
    check(any("result.w" in line for line in formulas["ngi32.slot17"]), formulas.get("ngi32.slot17"))
    check("original: modified stand-in" in said, said)
    check("T2" in said.split("files: ")[1], "the archives are believed:", said)
    check([call["function"] for call in bundle["calls"]] == ["ngi32.slot7"], bundle["calls"])
    check([side["side"] for side in bundle["coverage"]] == ["a", "b"], bundle.get("coverage"))
    slot = next(function for function in bundle["coverage"][0]["functions"] if function["key"] == "ngi32.slot17")
    # Three builds with six blocks and two branches each.
    check(slot == {"key": "ngi32.slot17", "blocks": 18, "blocks_reached": 18, "sides": 12, "sides_reached": 12}, slot)
    reached = next(line for line in said.splitlines() if line.startswith("coverage of side a: the calls reached "))
    said, _ = run("bundle", "check", WORK / "liar.json", expect=1)
    check(reached in said.splitlines(), said)
    check("ngi32.slot7: the call that differed differs" in said, said)
    check(any(line.split()[:2] == ["different", "ngi32.slot7"] for line in said.splitlines()), said)
    check(" 1 different, " in said, said)


def test_damage():
    text = (WORK / "liar.json").read_bytes()
    damaged = WORK / "damaged.json"
    for what, bytes_now in (("changed on its way", text.replace(b"ngi32.slot7", b"ngi32.slot4", 1)),
                            ("no whole bundle", text[:len(text) // 2]),
                            ("no whole bundle", b"{}"), ("no whole bundle", b"")):
        damaged.write_bytes(bytes_now)
        for verb in "show", "check":
            _, complaint = run("bundle", verb, damaged, expect=2)
            check(what in complaint, complaint)
    said, _ = run("bundle", "show", WORK / "liar.json")
    check("DIFFERENT: RotateVector" in said and "a differing call of ngi32.slot7" in said, said)


def main():
    if not (BUILD / "standin/Ngi32.dll").exists() or not (BUILD / "variants/readings").exists():
        print(f"no stand-in in {BUILD}: build the windows preset first")
        return 77
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    make_games()
    test_honest()
    test_liar()
    test_damage()
    for failure in failures:
        print(failure)
    return bool(failures)


sys.exit(main())
