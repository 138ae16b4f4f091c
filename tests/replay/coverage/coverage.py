"""What replay --coverage says of the stand-in: coverage.py RETROPOSE WINDOWS_BUILD TRACES

The numbers of some functions follow from the stand-in's source and must hold. The machine's two ways
to execute, runs with one job and with two, through memory and through files, and as shards must all
find the same. 77 (skipped) without a build for Windows.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

retropose, windows, traces = (os.path.abspath(path) for path in sys.argv[1:4])
if not os.path.exists(f"{windows}/standin/Ngi32.dll") or not os.path.exists(f"{windows}/replacement/Ngi32.dll"):
    print(f"no DLLs in {windows}: build the windows preset first")
    sys.exit(77)
CALLS = ["--scenario", "slots:3000", "--scenario", "poses:1500"]


def run(*words, code=0):
    environment = dict(os.environ, RETROPOSE_HOME=windows)
    done = subprocess.run([retropose, *words], capture_output=True, text=True, env=environment)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout if code == 0 else done.stderr


def replay(*words, engine="machine"):
    return run("replay", "-q", "--engine", engine, "--coverage", *words)


def image_size_at(module):
    """Where the header of a DLL states the size of its image."""
    return struct.unpack_from("<I", module, 0x3C)[0] + 24 + 56


def coverage(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["coverage"]


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    text = whole = replay(*CALLS, "--json", "machine.json", "--html", "machine.html")
    found = coverage("machine.json")
    assert [side["side"] for side in found] == ["a", "b"], found
    a = {function["key"]: function for function in found[0]["functions"]}

    # Functions of the stand-in whose every block and side the scenarios reach: of slot 17 the six
    # blocks and two branches, of slot 45 six blocks and three branches.
    for key, blocks, sides in (("ngi32.slot4", 1, 0), ("ngi32.slot17", 6, 4), ("ngi32.slot45", 6, 6)):
        one = a[key]
        assert (one["blocks"], one["blocks_reached"]) == (blocks, blocks), one
        assert (one["sides"], one["sides_reached"]) == (sides, sides), one
        assert re.search(rf"^{re.escape(key)} .* {blocks} of {blocks} +{sides} of {sides} ", text, re.M), text
    for side in found:
        left = [gap for gap in side["blocks_not_reached"] if "excluded" not in gap]
        assert side["blocks_reached"] + len(left) == side["blocks"], side["side"]
        assert f"{side['side']}: the calls of {len(side['functions'])} functions reached " in text, text
        assert side["blocks_reached"] <= side["blocks"] and side["sides_reached"] <= side["sides"]
        for excluded in side["excluded"]:
            gaps = [gap for gap in side["blocks_not_reached"] if gap.get("excluded") == excluded["name"]]
            assert excluded["blocks"] == len(gaps) and excluded["reason"], excluded
            assert f"{side['side']}: excluded: {excluded['name']} ({excluded['reason']}): " in text, text
    # The symbols of both pairs say what is excluded: of the stand-in labels, and of our DLLs sources.
    calls = ["--all-scenarios", "--calls", "100000"]
    replay(*calls, "--json", "all.json")
    a_all, b_all = coverage("all.json")
    assert sum(row["blocks"] for row in a_all["excluded"]) == 4, a_all["excluded"]
    assert sum(row["sides"] for row in a_all["excluded"]) == 6, a_all["excluded"]
    names = {row["name"] for row in b_all["excluded"]}
    assert {"the log", "modes of the library's callers", "bounds of a model's streams"} <= names, names

    # Under every other choice of each reading our DLLs compute what the library does, and run code that no
    # default reaches.
    calls = ["--original", "native", "--scenario", "slots@generic:40000", "--scenario", "poses@generic:20000"]
    replay(*calls, "--json", "default.json")
    text = replay(*calls, "--each-reading", "--json", "each.json")
    assert "\n60000 calls compared, 0 different" in text, text
    default, each = coverage("default.json")[0], coverage("each.json")[0]
    assert default["side"] == each["side"] == "b" and default["blocks"] >= each["blocks"] > 0, (default, each)
    assert each["blocks_reached"] > default["blocks_reached"] + 50, (default["blocks_reached"], each["blocks_reached"])

    # A block that no call reached is on the page, as instructions.
    with open("machine.html", encoding="utf-8") as file:
        page = file.read()
    assert "Coverage of side a" in page and "Coverage of side b" in page
    gap = next(gap for gap in found[1]["blocks_not_reached"] if "excluded" not in gap)
    assert f"{gap['module']}+{gap['address']} in {gap['function']}" in page, gap
    assert re.search(r"<pre>[0-9A-F]{8}  [a-z][^<]*\n[0-9A-F]{8}  [a-z]", page)

    # In our own DLLs, the symbols say from which function and source it is.
    places = [gap.get("place", "") for gap in found[1]["blocks_not_reached"] if "excluded" not in gap]
    assert sum(bool(re.fullmatch(r"\w+ in \w+\.c", place)) for place in places) > len(places) / 2, places
    assert all(f": {place}</p>" in page for place in places[:20] if place), places[:20]

    # One call takes one side of each of the two branches that it comes to, and leaves a block out.
    text = replay("--scenario", "slots:200", "--select", "ngi32.slot17:0-7", "--json", "one.json")
    assert "\n1 calls compared, 0 different" in text, text
    one = coverage("one.json")[0]
    assert [one[name] for name in ("blocks", "blocks_reached", "sides", "sides_reached")] == [6, 5, 4, 2], one
    assert len(one["sides_not_reached"]) == 2, one

    # All ways to run the same calls find the same.
    replay(*CALLS, "--json", "interpreter.json", engine="interpreter")
    replay(*CALLS, "--json", "jobs.json", "--jobs", "2")
    replay(*CALLS, "--json", "files.json", "--keep", "--work", ".")
    for number in (1, 2, 3):
        replay(*CALLS, "--json", f"shard{number}.json", "--shard", f"{number}/3")
    merged = run("merge", "shard1.json", "shard2.json", "shard3.json", "--json", "merged.json", "--html", "merged.html")
    for name in ("interpreter", "jobs", "files", "merged"):
        assert coverage(f"{name}.json") == found, f"{name} finds something else"
    lines = [line for line in whole.splitlines() if " of " in line and line.startswith(("ngi32", "animesh"))]
    assert all(line in merged for line in lines), merged
    with open("merged.html", encoding="utf-8") as file:
        assert re.search(r"<pre>[0-9A-F]{8}  [a-z]", file.read())

    # The stand-in with the other order of a key's components is another file, and has its own columns, also
    # where only one of the shards calls it.
    replay(f"{traces}/poses-wxyz.rptrace", "--select", "0-99", "--json", "wxyz.json")
    assert [side["side"] for side in coverage("wxyz.json")] == ["a wxyz", "b"]
    both = [f"{traces}/slots.rptrace", f"{traces}/poses-wxyz.rptrace"]
    replay(*both, "--json", "both.json")
    for number in (1, 2):
        replay(*both, "--json", f"both{number}.json", "--shard", f"{number}/2")
    run("merge", "both1.json", "both2.json", "--json", "merged.json")
    assert [side["side"] for side in coverage("both.json")] == ["a", "a wxyz", "b"]
    assert coverage("merged.json") == coverage("both.json")

    # A shard without what its calls reached is refused, and named.
    with open("both2.json", encoding="utf-8") as file:
        shard = json.load(file)
    assert [bool(side["functions"]) for side in shard["coverage"]] == [False, True, True], shard["coverage"]
    del shard["coverage"]
    with open("both2.json", "w", encoding="utf-8") as file:
        json.dump(shard, file)
    words = run("merge", "both1.json", "both2.json", code=2)
    assert "both2.json" in words and "what the calls reached, as other shards have it" in words, words

    # Nothing else says which code runs.
    words = run("replay", "--engine", "wine", "--coverage", *CALLS, code=2)
    assert "--coverage needs --engine machine: the engine wine" in words, words
    native = ["--original", "native", "--replacement", "native"]
    words = run("replay", "--engine", "machine", "--coverage", *native, *CALLS, code=2)
    assert "--coverage is of pairs of DLLs" in words, words

    # A damaged header is refused before anything of that size is made.
    shutil.copytree(f"{windows}/standin", "damaged")
    for size in (0x10000001, 0xFFFFFFFF):
        with open(f"{windows}/standin/AniMesh.dll", "rb") as file:
            module = bytearray(file.read())
        struct.pack_into("<I", module, image_size_at(module), size)
        with open("damaged/AniMesh.dll", "wb") as file:
            file.write(module)
        words = run("replay", "--engine", "machine", "--coverage", "--original", "damaged", *CALLS, code=2)
        assert "the image is too large for coverage" in words and f"found {size} bytes" in words, words
        assert "AniMesh.dll" in words and "at most 268435456 bytes" in words, words

    # The host takes a file for its marks only if all of them, and the list of functions, are in it.
    pair = [f"{windows}/standin/{name}.dll" for name in ("Ngi32", "AniMesh")]
    images = []
    for path in pair:
        with open(path, "rb") as file:
            module = file.read()
        images.append(struct.unpack_from("<I", module, image_size_at(module))[0])
    functions = 4096
    whole = 12 + functions * 12 + sum(images)
    for count, length, complaint in ((0, whole, None), (functions, whole, None),
                                     (functions + 1, whole, "the file for the marks has too many functions"),
                                     (0, whole - 1, "this is no file for the marks"),
                                     (0, whole + 1, "this is no file for the marks"),
                                     (0, 12, "this is no file for the marks")):
        with open("reached", "wb") as file:
            file.write(struct.pack("<III", *images, count).ljust(length, b"\0"))
        done = subprocess.run([os.path.join(os.path.dirname(retropose), "retropose-host"), "--ngi32", pair[0],
                               "--animesh", pair[1], "--input", f"{traces}/poses-wxyz.rptrace", "--last", "3",
                               "--output", "out.rptrace", "--reached", "reached"], capture_output=True, text=True)
        assert done.returncode == (2 if complaint else 0), (count, length, done)
        assert not complaint or complaint in done.stderr, done
print("coverage: every way to run the calls finds the same")
