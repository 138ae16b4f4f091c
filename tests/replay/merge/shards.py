#!/usr/bin/env python3
"""Cuts replays into shards and merges them: shards.py RETROPOSE FAULTY_TRACE TRACES WORK

Every report of the merged shards must be the one of the run as a whole, byte for byte, whatever the calls do:
differ, more often than is kept in detail, in a function that another shard finds equal; be known; differ as
processors may; be unsupported. Shards that do not make one run are refused, and what is wrong is named.
"""

import json
import os
import shutil
import subprocess
import sys

RETROPOSE, FAULTY, TRACES, WORK = (os.path.abspath(path) for path in sys.argv[1:])
REPORTS = ("json", "html", "junit")
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


def run(*arguments):
    done = subprocess.run([RETROPOSE, *arguments], capture_output=True, text=True, cwd=WORK)
    return done.returncode, done.stdout, done.stderr


def replay(*arguments):
    return run("replay", "-q", *arguments)


def shards(count, arguments, name="shard"):
    files = []
    for number in range(1, count + 1):
        files.append(f"{name}-{number}.json")
        code, out, errors = replay(*arguments, "--shard", f"{number}/{count}", "--json", files[-1])
        check(code == 0 and not errors, "shard", number, "exit code", code, errors)
        check("no longer different" not in out.lower(), "shard", number, "cannot know that", out)
        check(out.splitlines()[-1].startswith(f"shard {number} of {count}: "), "shard", number, out)
    return files


def outputs(name):
    return [word for report in REPORTS for word in ("--" + report, f"{name}.{report}")]


def read(name):
    with open(os.path.join(WORK, name), "rb") as file:
        return file.read()


def same_as_whole(count, arguments):
    whole = replay(*arguments, *outputs("whole"))
    files = shards(count, arguments)
    sizes = [json.loads(read(name)) for name in files]
    check(sum(bool(size["functions"]) for size in sizes) > 1, "only one shard has calls", arguments)
    merged = run("merge", "-q", *reversed(files), *outputs("merged"))
    check(merged == whole, arguments, "exit codes", whole[0], merged[0], merged[2])
    for report in REPORTS:
        check(read(f"whole.{report}") == read(f"merged.{report}"), arguments, "another", report)
    return json.loads(read("whole.json")), files


def refused(words, *arguments):
    code, out, errors = run("merge", *arguments)
    check(code == 2 and not out and all(word in errors for word in words), arguments, words, code, out, errors)


def spoil(trace, name, *faults):
    subprocess.run([FAULTY, os.path.join(TRACES, trace), os.path.join(WORK, name), *faults], check=True)


def change(name, new, **members):
    document = json.loads(read(name))
    document.update(members)
    with open(os.path.join(WORK, new), "w") as file:
        json.dump(document, file)


def equal_shards():
    made = ["--original", "native", "--replacement", "native", "--all-scenarios", "--calls", "40000"]
    same_as_whole(3, [*made, "--allow-partial"])
    report, files = same_as_whole(8, made)
    check(report["totals"]["compared"] > 30000 and report["totals"]["unsupported"] > 0, report["totals"])
    check(run("merge", "-q", *files)[0] == 4, "calls that were not compared count")
    code, _, errors = run("merge", "-q", *files, "--allow-partial", "--json", "allowed.json")
    check(code == 0 and not errors and json.loads(read("allowed.json"))["exit_code"] == 0, "--allow-partial", code, errors)
    return made, files


def two_processors(files):
    """Shards on several processors are one run, whose report names each once, even where a name is the beginning of
    another; the calls of each are told apart."""
    of = json.loads(read(files[7]))
    processor = "GenuineIntel family 6 model 8 stepping 3"
    conditions = [{**condition, "processor_b": processor, "other_processor": True} for condition in of["conditions"]]
    change(files[7], "other.json", processor=processor, conditions=conditions)
    run("merge", "-q", *files[:-1], "other.json", "--json", "merged.json")
    report, whole = json.loads(read("merged.json")), json.loads(read("whole.json"))
    check(report["processor"] == f"{whole['processor']}; {processor}", report["processor"])
    calls = {condition["processor_b"]: condition["calls"] for condition in report["conditions"]}
    check(calls[processor] == sum(condition["calls"] for condition in conditions) > 0, calls)
    check(sum(calls.values()) == sum(condition["calls"] for condition in whole["conditions"]), calls)
    change(files[6], "longer.json", processor=processor + "1")
    run("merge", "-q", *files[:6], "longer.json", "other.json", "--json", "merged.json")
    report = json.loads(read("merged.json"))
    check(report["processor"] == f"{whole['processor']}; {processor}1; {processor}", report["processor"])


def slices_of_a_scenario():
    made = ["--original", "native", "--replacement", "native", "--scenario", "slots:600000", "--first", "123456"]
    same_as_whole(2, made)


def different_shards():
    spoil("slots.rptrace", "slots.rptrace", "ngi32.slot17:3:1", "ngi32.slot23:50:7")
    spoil("poses.rptrace", "poses.rptrace", "animesh.SampleNode:40:2")
    spoil("words.rptrace", "words.rptrace", "ngi32.slot17:5:3", "animesh.SampleNode:2:5")
    with open(os.path.join(WORK, "known"), "w") as file:
        file.write("ngi32.slot23 | * | a planted one\nngi32.slot22 | * | none differs\n")
    traces = ["slots.rptrace", "poses.rptrace", "words.rptrace"]
    traces += [os.path.join(TRACES, name) for name in ("slots.rptrace", "models.rptrace", "edges.rptrace")]
    made = ["--original", "recorded", "--replacement", "native", *traces]
    report, _ = same_as_whole(5, made)
    found = {f["key"]: f for f in report["functions"] if f["different"]}
    check({"ngi32.slot17", "ngi32.slot23", "animesh.SampleNode"} <= set(found), "no such differences", set(found))
    check(len(found["ngi32.slot17"]["origins"]) > 2, "slot 17 has calls in one trace only")
    check(sum("followed" in d for d in report["differences"]) == 1, "the first difference is not followed")
    same_as_whole(6, [*made, "--max-differences", "3"])
    same_as_whole(5, [*made, "--max-differences", "5000"])
    report, _ = same_as_whole(4, [*made, "--known", "known"])
    check([known["stale"] for known in report["known"]] == [False, True], report["known"])
    check(report["known"][0]["matched"] > 0, report["known"])
    same_as_whole(5, [*made, "--select", "ngi32.*:0-9000"])


def refusals(made, files):
    refused(["shards are missing", "3, 6 of 8"], *files[:2], *files[3:5], *files[6:])
    refused(["a shard occurs twice", "4/8"], *files, files[3])
    refused(["shards of two numbers"], *files[:2], *shards(2, made, "half")[1:])
    others = {"seed": ["--seed", "2"], "readings": ["--readings", "key-order=wxyz"], "select": ["--select", "ngi32.*"],
              "input 1": ["--first", "5"], "max-differences": ["--max-differences", "7"]}
    for name, options in others.items():
        code, _, errors = replay(*made, *options, "--shard", "8/8", "--json", "other.json")
        check(code == 0, name, code, errors)
        refused(["shards of different runs", name], *files[:-1], "other.json")
    run_of = json.loads(read(files[0]))["run"]
    for name in ("program", "original", "replacement"):
        change(files[7], "other.json", run={**run_of, name: "another"})
        refused(["shards of different runs", name, "another"], *files[:-1], "other.json")
    change(files[7], "other.json", stopped="SIGTERM")
    refused(["this shard was stopped", "SIGTERM", "other.json"], *files[:-1], "other.json")
    change(files[7], "other.json", format="retropose proof 1")
    refused(["a result of another kind"], *files[:-1], "other.json")
    change(files[7], "other.json", done=[7, 8])
    refused(["a shard occurs twice", "7/8"], *files[:-1], "other.json")
    change(files[7], "other.json", functions=[{"key": "ngi32.none"}])
    refused(["functions[0]"], *files[:-1], "other.json")
    refused(["nothing.json"], "nothing.json", *files[:-1])
    for options in (["--shard", "1/2"], ["--shard", "1/2", "--json", "x", "--html", "y"],
                    ["--shard", "3/2", "--json", "x"], ["--shard", "1/2", "--json", "x", "--fail-fast"]):
        code, out, errors = replay(*made, *options)
        check(code == 2 and not out, options, code, out, errors)
    check(replay("--original", "native", "--replacement", "native", "missing.rptrace", "--shard", "1/2", "--json", "x")[0]
          == 2, "a trace that is missing in the first shard")


def example_of_the_page():
    """The first example of docs/use/shards.md does what the page says of it."""
    page = os.path.join(os.path.dirname(TRACES), "docs/use/shards.md")
    with open(page, encoding="utf-8") as file:
        block = file.read().split("```")[1]
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    check(len(commands) == 2, commands)
    path = os.path.dirname(RETROPOSE) + os.pathsep + os.environ["PATH"]
    folder = os.path.join(WORK, "page")
    os.mkdir(folder)
    for command in commands:
        # --bundled finds the traces by itself only in a build two folders below the source.
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=folder,
                              env={**os.environ, "PATH": path,
                                   "RETROPOSE_HOME": os.path.dirname(TRACES)})
        check(done.returncode == 0, command, "exit code", done.returncode, done.stderr)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    made, files = equal_shards()
    two_processors(files)
    refusals(made, files)
    slices_of_a_scenario()
    different_shards()
    example_of_the_page()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
