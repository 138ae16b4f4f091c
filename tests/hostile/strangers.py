#!/usr/bin/env python3
"""What a stranger meets: bytes in files that a terminal would obey, names that are no UTF-8, outputs
that cannot be written, signals, narrow and dumb terminals, and the words of messages.

strangers.py RETROPOSE WRITE_GAME SOURCES
"""
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zlib

RETROPOSE, WRITE_GAME, SOURCES = (os.path.abspath(path) for path in sys.argv[1:4])
EVIL = b"\x1b[2J\x07\x9b\xff\xc2\x9b\xe2\x80\xae"
LIBRARY = "some/libraries/parts.rlb"
NATIVE = ["--original", "native", "--replacement", "native"]


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*words, **options):
    environment = dict(os.environ, **options.pop("env", {}))
    done = subprocess.run([RETROPOSE, *words], stdin=subprocess.DEVNULL, env=environment,
                          stdout=options.pop("stdout", subprocess.PIPE),
                          stderr=options.pop("stderr", subprocess.PIPE), timeout=60, **options)
    return Result(done.returncode, done.stdout, done.stderr)


def check(condition, *words):
    if not condition:
        raise AssertionError(" ".join(str(word) for word in words))


def check_harmless(text, what):
    """No control character but line ends and tabs, UTF-8 throughout, nothing that turns text."""
    try:
        characters = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AssertionError(f"{what}: not UTF-8: {error}: {text[:400]!r}")
    for character in characters:
        code = ord(character)
        bad = ((code < 0x20 and character not in "\n\t") or 0x7F <= code < 0xA0 or
               0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069)
        check(not bad, f"{what}: U+{code:04X} reached the terminal: {text[:400]!r}")


def check_says(text, words, what):
    check(words.encode() in text, f"{what}: {words!r} is not in {text[:600]!r}")


# ---- input that a stranger could send -----------------------------------------------------------

def write_evil_trace(path):
    """A sound trace whose header and notes are hostile."""
    done = run("trim", f"{SOURCES}/traces/poses.rptrace", path, "--select", "0-2")
    check(done.code == 0, done.err)
    with open(path, "rb") as file:
        whole = file.read()
    size, = struct.unpack_from("<I", whole, 12)
    text = whole[20:20 + size] + b"evil=" + EVIL + b"\nprovider=" + EVIL + b"\n"
    head = whole[:12] + struct.pack("<I", len(text))
    # Of what no stored trace has, a chunk of notes, before the others.
    notes = b"calls=3\nevil=" + EVIL + b"\n"
    chunk = b"NOTE" + struct.pack("<IIII", 0, len(notes), len(notes), 0)
    chunk += struct.pack("<I", zlib.crc32(notes, zlib.crc32(chunk))) + notes
    with open(path, "wb") as file:
        file.write(head + struct.pack("<I", zlib.crc32(text, zlib.crc32(head))) + text + chunk +
                   whole[20 + size:])


def write_evil_archive(path):
    os.makedirs("packed", exist_ok=True)
    with open("packed/zzzzzzzzzzzz", "wb") as file:
        file.write(b"hello")
    done = run("nres", "pack", "packed", path, "--type", "MESH")
    check(done.code == 0, done.err)
    with open(path, "rb") as file:
        whole = file.read()
    name = (EVIL + b"\n" + b"z" * 12)[:12]
    check(whole.count(b"zzzzzzzzzzzz") == 1, "one name")
    with open(path, "wb") as file:
        file.write(whole.replace(b"zzzzzzzzzzzz", name))


def test_a_trace_cannot_talk_to_the_terminal():
    write_evil_trace("evil.trace")
    for words in (["stat"], ["show"], ["show", "--header"], ["show", "--memories"],
                  ["show", "--json"]):
        done = run(*words, "evil.trace")
        check(done.code == 0, words, done)
        check_harmless(done.out + done.err, words)
    check_says(run("show", "--header", "evil.trace").out, "evil=\\x1B[2J\\x07\\x9B\\xFF\\u009B\\u202E",
               "the header")
    check_says(run("stat", "evil.trace").out, "note evil=\\x1B[2J", "the notes")
    done = run("compare", "evil.trace", "evil.trace", "--json", "c.json", "--junit", "c.xml",
               "--color", "always")
    check(b"\x1b[2J" not in done.out, "compare")
    with open("c.json", "rb") as file:
        check_harmless(file.read(), "compare --json")
    with open("c.xml", "rb") as file:
        check_harmless(file.read(), "compare --junit")


def test_a_name_in_an_archive_cannot_either():
    write_evil_archive("evil.lib")
    for words in (["ls"], ["ls", "--nested"], ["info"], ["check"], ["dump"], ["extract"],
                  ["diff", "evil.lib"], ["ls", "--json"], ["check", "--json"]):
        done = run("nres", *words, "evil.lib")
        check_harmless(done.out + done.err, words)
    with open("lines", "wb") as file:
        file.write(run("nres", "ls", "evil.lib").out)
    with open("lines", "rb") as file:
        check(len(file.read().splitlines()) == 2, "a line end in a name makes no line")


def test_a_dump_still_gives_every_byte_back():
    write_evil_archive("evil.lib")
    done = run("nres", "dump", "evil.lib")
    check(done.code == 0, done.err)
    json.loads(done.out.decode("utf-8"))
    with open("evil.json", "wb") as file:
        file.write(done.out)
    check(run("nres", "pack", "evil.json", "again.lib").code == 0, "nres pack of a manifest")
    with open("evil.lib", "rb") as first, open("again.lib", "rb") as second:
        check(first.read() == second.read(), "the archive of a dump differs")


def test_a_file_name_cannot_either():
    name = b"dir\x1b]0;title\x07\xff\n.msh"
    for words in (["stat"], ["show"], ["nres", "ls"], ["nres", "check"], ["rsli", "ls"],
                  ["msh", "info"], ["msh", "check"], ["ani", "info"], ["ac", "info"],
                  ["exports"], ["replay"], ["trim"], ["mode"], ["frobnicate"], ["gen"],
                  ["nres", "ls", "--layout"]):
        done = run(*words, name)
        check(done.code != 0, words)
        check_harmless(done.out + done.err, words)
        lines = [line for line in done.err.splitlines() if b" checked: " not in line]
        check(len(lines) == 1, words, "a name makes a line of its own", done.err)


# ---- JSON ---------------------------------------------------------------------------------------

def test_json_is_utf8_whatever_a_file_is_called():
    run("gen", "corpus", "corpus", "--models", "1", "--libraries", "-q")
    model = b"caf\xe9 \xd0\x96.msh"
    shutil.copy(glob.glob("corpus/models/*.msh")[0], model)
    archive = b"caf\xe9.lib"
    write_evil_archive(archive)
    write_evil_trace(b"caf\xe9.trace")
    library = b"caf\xe9.rsli"
    shutil.copy("corpus/libraries/methods.lib", library)
    for words in (["msh", "ls", "--json", model], ["msh", "info", "--json", model],
                  ["msh", "check", "--json", model], ["msh", "diff", "--json", model, model],
                  ["msh", "convert", "--json", model, b"caf\xe9.glb"],
                  ["msh", "anim", "--json", "--info", model],
                  ["object", "info", "--json", model], ["object", "bounds", "--json", model],
                  ["nres", "ls", "--json", archive], ["nres", "info", "--json", archive],
                  ["nres", "check", "--json", archive],
                  ["nres", "extract", "--json", "--all", archive, "-o", b"out\xe9"],
                  ["rsli", "ls", "--json", library], ["rsli", "info", "--json", library],
                  ["rsli", "check", "--json", library]):
        done = run(*words)
        if done.code == 2 and b"no option" in done.err:
            raise AssertionError(done.err)
        check_harmless(done.out, words)
        json.loads(done.out.decode("utf-8"))
    done = run("msh", "ls", "--json", model)
    check(json.loads(done.out)["models"][0]["model"] == "caf\\xE9 \u0416.msh", done.out)
    done = run("replay", b"caf\xe9.trace", *NATIVE, "--json", "-")
    json.loads(done.out.decode("utf-8"))


def sources(*folders):
    """The C files of folders of the project; at least one in each."""
    found = [glob.glob(f"{SOURCES}/{folder}/**/*.c", recursive=True) for folder in folders]
    check(all(found), "no sources", folders)
    return sum(found, [])


# ---- the command itself -------------------------------------------------------------------------

def test_the_version_is_true():
    with open(f"{SOURCES}/tracefile/tracefile.h") as file:
        minors = re.findall(r"#define TRACE_VERSION_MINOR\w* +(\d+)", file.read())
    done = run("--version")
    check_says(done.out, f"writes 1.0 to 1.{max(map(int, minors))}", "--version")


def test_a_full_disk_is_told():
    try:
        os.mknod("full", 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        full = open("full", "wb")
    except OSError:
        return  # nobody but root makes devices
    with full:
        for words in (["--version"], ["--help"], ["nres", "--help"], ["help", "replay"],
                      ["gen", "--list"], ["msh", "check", "--rules"]):
            done = run(*words, stdout=full)
            check(done.code == 2, words, done.code)
            check_says(done.err, "cannot write the standard output", words)


def test_errors_are_in_plain_words():
    for words in (["show", "nowhere"], ["nres", "ls", "nowhere"], ["gen", "poses", "no/where"],
                  ["replay", "nowhere", *NATIVE], ["msh", "info", "nowhere"]):
        done = run(*words)
        check(done.err.endswith(b": No such file or directory\n"), words, done.err)
        check(b"found" not in done.err, words, done.err)


def test_one_is_one():
    run("gen", "poses", "three", "--calls", "3")
    check(run("trim", "three", "one", "--select", "0").err == b"1 call\n", "trim")
    check(run("trim", "three", "two", "--select", "0-1").err == b"2 calls\n", "trim")
    check(run("gen", "corpus", "single", "--models", "1").err.startswith(b"1 file, "), "gen corpus")
    for path in sources("cli", "dll/settings", "game"):
        with open(path) as file:
            text = re.sub(r'"\s+"', "", file.read())
        wrong = re.search(r'%(?:zu|u|llu|" PRIu\d\d ") (?:functions|files|infos)\b(?! that)', text)
        check(not wrong or "of the %u" in wrong.string[wrong.start() - 10:], path, wrong)


def test_jobs_are_checked_before_anything_is_printed():
    done = run("replay", "--scenario", "poses:10", *NATIVE, "--jobs", "0")
    check(done.code == 2 and done.out == b"", done.out)


def test_a_clean_library_is_checked_in_silence():
    run("gen", "corpus", "some", "--models", "1", "--libraries", "-q")
    done = run("msh", "check", LIBRARY)
    check(done.code == 0 and done.out == b"", done.out[:200])
    sums = re.fullmatch(rb"\d+ checked: 0 errors, 0 warnings, 0 canonical, (\d+) infos "
                        rb"\(--least info tells\)\n", done.err)
    check(sums and int(sums[1]) > 20, done.err)
    told = run("msh", "check", "--least", "info", LIBRARY).out
    check(told.count(b"\n") == int(sums[1]), "--least info")
    check(run("msh", "check", "--rule", "M31", LIBRARY).out != b"", "--rule tells what it names")


def test_the_summary_comes_last():
    with open("both", "wb") as both:
        run("msh", "check", "--least", "info", LIBRARY, stdout=both, stderr=both)
    with open("both", "rb") as both:
        lines = both.read().splitlines()
    check(re.match(rb"\d+ checked: ", lines[-1]), lines[-1])
    check(all(b" info: " in line for line in lines[:-1]), "a line is torn")


def test_mode_sums_up_and_suggests():
    os.makedirs("game")
    os.makedirs("ours")
    subprocess.run([WRITE_GAME, "game", "ours"], check=True)
    dry = run("install", "game", "--dlls", "ours", "--dry-run")
    check_says(dry.out, "would rename  ", "install --dry-run")
    check(b"would:" not in dry.out, dry.out)
    check(run("install", "game", "--dlls", "ours").code == 0, "install")
    done = run("mode", "game")
    check(re.search(rb"\n\n\d+ functions: \d+ \w+(, \d+ \w+)*(; \d+ not as asked)?\n$", done.out),
          done.out[-200:])
    check_says(run("mode", "game", "ngi32.slto17=shadow").err, "ngi32.slot17, perhaps", "a key")
    check_says(run("mode", "game", "ngi32.slot17=shdow").err, "shadow, perhaps", "a mode")
    check_says(run("mode", "game", "ngi32.slot17=shadow").out, "\n1 function: ", "one function")


def test_probe_names_the_original_and_not_its_copies():
    done = run("probe", "--original", "game", "--static-only")  # installed by the test before
    check(done.out.startswith(b"game: original"), done.out[:100], done.err)
    done = run("probe", "--original", "game", "--static-only", "--json")
    check(json.loads(done.out)["directory"] == "game", done.out[:200])


# ---- terminals ----------------------------------------------------------------------------------

def on_terminal(words, env):
    """What the command writes to a terminal of its own."""
    leader, follower = pty.openpty()
    child = subprocess.Popen([RETROPOSE, *words], stdin=subprocess.DEVNULL, stdout=follower,
                             stderr=follower, env=dict(os.environ, **env))
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    child.wait()
    return text


def test_a_dumb_terminal_gets_no_escapes():
    words = ["replay", "--scenario", "poses:300000", *NATIVE]
    check(b"\x1b" in on_terminal(words, {"TERM": "xterm"}), "a terminal gets a bar and colours")
    check(b"\x1b" not in on_terminal(words, {"TERM": "dumb"}), "TERM=dumb")


def test_columns_are_obeyed():
    for columns in (60, 80):
        lines = run("help", "replay", env={"COLUMNS": str(columns)}).out.decode().splitlines()
        options = lines[lines.index("options") + 1:]
        check(max(map(len, options)) <= columns, "COLUMNS", columns)
    check(max(map(len, run("help", "replay").out.decode().splitlines())) > 80, "a file is not wrapped")


# ---- long runs ----------------------------------------------------------------------------------

def test_reports_are_opened_first():
    for option in ("--json", "--junit"):
        done = run("replay", "--scenario", "poses:10", *NATIVE, option, "no/where")
        check(done.code == 2 and done.out == b"", option, done.out)
        run("gen", "poses", "calls", "--calls", "3")
        done = run("compare", "calls", "calls", option, "no/where")
        check(done.code == 2 and done.out == b"", option, done.out)
    done = run("calibrate", "--original", "recorded", "calls", "-o", "no/where")
    check_says(done.err, "cannot write the file, at no/where", "calibrate")
    done = run("minimise", "calls", "no/where", *NATIVE)
    check_says(done.err, "cannot write the file, at no/where", "minimise")


def begin_replay(*words, stdout=subprocess.PIPE):
    """Far longer than the test; what is short in it has been compared when this returns."""
    os.makedirs("tmp", exist_ok=True)
    child = subprocess.Popen([RETROPOSE, "replay", "--scenario", "poses:1000", "--scenario",
                              "poses:90000000", *NATIVE, *words],
                             stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                             env=dict(os.environ, TMPDIR=os.path.abspath("tmp")))
    wait_for(lambda: processor_seconds(child.pid) > 1)
    return child


def processor_seconds(pid):
    """The time in which a process computed, which does not depend on what else runs."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


def test_a_signal_leaves_nothing_behind_but_a_report():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        child = begin_replay("--json", "part.json", "--junit", "part.xml")
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
        check(child.returncode == -number, number, child.returncode, err)
        check(os.listdir("tmp") == [], number, os.listdir("tmp"))
        last = out.splitlines()[-1].decode()
        check(last.startswith(f"STOPPED by {number.name}"), last)
        with open("part.json") as file:
            check(json.load(file)["stopped"] == number.name, "the JSON says so")
        with open("part.xml") as file:
            check(f"stopped by {number.name}" in file.read(), "the XML says so")
        check(not glob.glob("*~part") and not glob.glob(".retropose*"), "temporary files")


def test_a_second_signal_does_not_wait():
    child = begin_replay("--json", "second.json")
    child.send_signal(signal.SIGTERM)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    check(child.returncode == -signal.SIGTERM, child.returncode)
    check(os.listdir("tmp") == [], os.listdir("tmp"))
    check(not glob.glob(".retropose*"), "temporary files")


def test_an_ignored_signal_stays_ignored():
    child = subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", RETROPOSE, "replay",
                              "--scenario", "poses:400000", *NATIVE], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    select.select([child.stdout], [], [], 30)
    child.send_signal(signal.SIGHUP)
    out, _ = child.communicate(timeout=60)
    check(child.returncode == 0 and out.endswith(b" calls compared, 0 different\n"), out[-200:])


def test_a_reader_that_goes_away_leaves_nothing_behind():
    """`doctor | head`: the folder for the work is there while its rows are printed."""
    os.makedirs("tmp", exist_ok=True)
    reader, writer = os.pipe()
    os.close(reader)
    child = subprocess.Popen([RETROPOSE, "doctor"], stdin=subprocess.DEVNULL, stdout=writer,
                             stderr=subprocess.DEVNULL,
                             env=dict(os.environ, TMPDIR=os.path.abspath("tmp"),
                                      RETROPOSE_HOME=os.path.abspath("tmp")))
    os.close(writer)
    check(child.wait(timeout=60) == -signal.SIGPIPE, child.returncode)
    check(os.listdir("tmp") == [], os.listdir("tmp"))


# ---- sources ------------------------------------------------------------------------------------

def test_nothing_is_printed_past_the_one_place():
    """Texts out of files reach a stream through Visible_Print or CliFile_Print only."""
    constant = {"cli_main_completion.c", "cli_main_help.c", "progress.c", "main.c"}  # nothing out of files
    for path in sources("cli") + [f"{SOURCES}/replay/compare/report.c",
                                  f"{SOURCES}/replay/compare/describe.c"]:
        if os.path.basename(path) in constant or "/bench/measure/" in path:
            continue
        with open(path) as file:
            for line in file:
                raw = re.search(r"\b(printf|fprintf|vprintf|vfprintf|puts|putchar)\(", line)
                check(not raw, path, line)
    own = ("core/json/json_text.c", "core/json/json_read.c", "formats/gltf/container/gltf_writer.c",
           "formats/corpus/corpus_files.c", "formats/msh/text/assemble.c")
    for path in sources("core", "formats", "siblings", "tracefile", "replay", "dll", "game", "cli", "bindings/viewer"):
        if path.endswith(own):
            continue
        with open(path) as file:
            check("cJSON_Print" not in file.read(), path, "prints JSON past core/json/json_text.h")


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, test in [entry for entry in globals().items() if entry[0].startswith("test_")]:
            begun = time.monotonic()
            try:
                test()
                print(f"ok      {name}  {time.monotonic() - begun:.1f} s")
            except Exception as error:
                failed += 1
                print(f"FAILED  {name}: {type(error).__name__} {error}")
        os.chdir("/")
    sys.exit(1 if failed else 0)


main()
