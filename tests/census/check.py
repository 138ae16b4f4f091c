#!/usr/bin/env python3
"""Checks `retropose corpus check` on the synthetic corpus: check.py RETROPOSE WORK

Models that are read as they were written have the numbers that the corpus was made to have. Read in any other way
(another order of components, other slot words), the rows that judge that reading differ, and the exit code says so.
"""

import json
import os
import shutil
import subprocess
import sys

# What the corpus was not made to have yet (docs/proof/census.md).
OTHER = {
    "NRes archives, and their entries",
    "level 0 inside its box: posed, with cockpits, unposed",
    "levels 1, 2, 3 and 4 inside the box",
    "median distance of the boxes: conjugate, plain",
    "boxes that level 0 gives exactly, and all levels",
    "sort table of system.rlb",
}
POSED = "the same of animated models, posed"
LEVELS = "slots by level"
DRAWN = "triangles drawn at levels 0 to 4"
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


def census(retropose, folder, *more):
    run = subprocess.run([retropose, "corpus", "check", "--json", folder, *more], capture_output=True, text=True)
    check(run.returncode in (0, 1), "exit code", run.returncode, run.stderr)
    document = json.loads(run.stdout)
    rows = {row["what"]: row for row in document["rows"]}
    differs = {what for what, row in rows.items() if row["verdict"] == "DIFFERS"}
    check((run.returncode == 1) == bool(differs), "exit code", run.returncode, differs)
    return document, rows, differs


def main():
    retropose, work = sys.argv[1:]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    corpus, libraries = work + "/corpus", work + "/corpus/libraries"
    subprocess.run([retropose, "gen", "corpus", "-q", corpus, "--readings", "drawn", "--libraries"], check=True)
    document, rows, differs = census(retropose, libraries)
    check(document["part"] == 1 and len(rows) == len(document["rows"]), "rows", len(rows))
    check(differs == OTHER, "differs", differs ^ OTHER)
    check(rows[POSED]["found"] == "157", rows[POSED])
    check(all(row["source"] for row in document["rows"] if row["id"] != "-"), "a row without a source")

    # The same files by other readings: each is told by the rows that it is about.
    _, rows, differs = census(retropose, libraries, "--readings", "drawn,key-order=xyzw")
    check(POSED in differs, "key-order=xyzw goes unnoticed", rows[POSED])
    _, rows, differs = census(retropose, libraries, "--readings", "drawn,slot-words=lod-group")
    check(LEVELS in differs, "slot-words=lod-group goes unnoticed", rows[LEVELS])
    # The runtime has one way to look a slot up, so files with other slot words draw something else.
    words = "key-order=wxyz,material=byte4"
    subprocess.run([retropose, "gen", "corpus", "-q", work + "/lod", "--readings", words, "--libraries"], check=True)
    _, rows, differs = census(retropose, work + "/lod/libraries")
    check(DRAWN in differs and POSED not in differs, "files with other slot words go unnoticed", rows[DRAWN])

    # One model less, one damaged, and a folder of nothing.
    subprocess.run([retropose, "nres", "edit", "-q", libraries + "/guns.rlb", "--remove", "g_can_0_27.msh"], check=True)
    with open(libraries + "/parts.rlb", "r+b") as file:
        file.seek(16)
        file.write(b"XXXX")  # the magic of its first model
    _, rows, differs = census(retropose, libraries)
    found = rows["archives and models that cannot be opened"]
    check(found["found"] == "1" and found["verdict"] == "DIFFERS", found)
    check(rows["models, and animated ones"]["found"].startswith("433 / "), rows["models, and animated ones"])
    os.makedirs(work + "/empty/within")
    run = subprocess.run([retropose, "corpus", "check", work + "/empty"], capture_output=True, text=True)
    check(run.returncode == 2 and "has no files" in run.stderr, run.stderr)
    os.symlink("..", work + "/empty/within/again")  # a circle
    with open(work + "/empty/text.txt", "w") as file:
        file.write("no archive")
    _, rows, differs = census(retropose, work + "/empty")
    check(not differs and all(row["verdict"] == "not checked" for row in rows.values()), differs)

    for failure in failures:
        print("failed:", failure[:300], file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
