"""What replay and minimise say of the instruction at which two pairs part: parting.py RETROPOSE WINDOWS_BUILD WORK

One instruction of the stand-in is changed, and the changed pair is compared with the pair as it was. The reports
have to name that instruction, on both sides, with its operands and its result. 77 (skipped) without a build for
Windows.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys

retropose, windows, work = (os.path.abspath(path) for path in sys.argv[1:4])
if not os.path.exists(f"{windows}/standin/Ngi32.dll") or not os.path.exists(f"{windows}/replacement/Ngi32.dll"):
    print(f"no DLLs in {windows}: build the windows preset first")
    sys.exit(77)
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
os.chdir(work)


def run(*words, code=0):
    environment = dict(os.environ, RETROPOSE_HOME=windows)
    done = subprocess.run([retropose, *words], capture_output=True, text=True, env=environment)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def place_in_file(module, address):
    """Where the bytes at an address of the image lie in the file."""
    header = struct.unpack_from("<I", module, 0x3C)[0]
    count, optional = struct.unpack_from("<H", module, header + 6)[0], struct.unpack_from("<H", module, header + 20)[0]
    for number in range(count):
        size, first, stored, place = struct.unpack_from("<IIII", module, header + 24 + optional + 40 * number + 8)
        if first <= address < first + max(size, stored):
            return place + address - first
    raise AssertionError(f"{address:X} is in no section")


def plant(folder, address, old, new):
    """A copy of the stand-in, in which the bytes at an address are others."""
    shutil.copytree(f"{windows}/standin", folder)
    with open(f"{folder}/Ngi32.dll", "r+b") as file:
        module = file.read()
        place = place_in_file(module, address)
        assert module[place:place + len(old)] == old, module[place:place + len(old)].hex()
        file.seek(place)
        file.write(new)


def instructions(function, pattern, *setup):
    """The addresses of a function's instructions of the stand-in that match."""
    lines = run("lift", "stand-in", function, "--asm", *setup).splitlines()
    found = [re.match(rf" +Ngi32\.dll\+([0-9A-F]+) +{pattern}", line) for line in lines]
    found = [int(match[1], 16) for match in found if match]
    assert found, "\n".join(lines)
    return sorted(set(found))


def differences(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)["differences"]


# The first sum of slot 38's dot product becomes a difference.
PAIR = ["--original", "changed", "--replacement", f"{windows}/standin", "--engine", "machine:pentium2"]
CALLS = ["--scenario", "slots@generic:2000", "--select", "ngi32.slot38"]
address = instructions("ngi32.slot38", r"faddp st")[0]
plant("changed", address, b"\xDE\xC1", b"\xDE\xE9")
text = run("replay", "-q", *PAIR, *CALLS, "--json", "whole.json", "--html", "whole.html", code=1)
found = re.search(rf"""  the first instruction that computes something else, on processor pentium2
    a  Ngi32\.dll\+0*{address:X}: fsubp .*
       (.+) - (.+)
       = [0-9A-F]{{20}}, of ([0-9A-F]{{20}}), ([0-9A-F]{{20}}), rounded to 24 bits, to nearest
    b  Ngi32\.dll\+0*{address:X}: faddp .*
       (.+) \+ (.+)
       = [0-9A-F]{{20}}, of ([0-9A-F]{{20}}), ([0-9A-F]{{20}}), rounded to 24 bits, to nearest
""", text)
assert found, text
# Both compute it of the same numbers.
assert sorted(found.group(1, 2)) == sorted(found.group(5, 6)), found.groups()
assert sorted(found.group(3, 4)) == sorted(found.group(7, 8)), found.groups()
one = differences("whole.json")[0]["parting"]
assert not one["branch"] and one["a"]["operands"] == ", ".join(found.group(3, 4)), one
assert one["b"]["where"] == one["a"]["where"] and one["a"]["value"] != one["b"]["value"], one
with open("whole.html", encoding="utf-8") as file:
    assert "the first instruction that computes something else, on processor pentium2" in file.read()

# Any number of jobs, and shards, say the same.
run("replay", "-q", *PAIR, *CALLS, "--json", "jobs.json", "--jobs", "2", code=1)
for number in (1, 2):
    run("replay", "-q", *PAIR, *CALLS, "--json", f"shard{number}.json", "--shard", f"{number}/2")
run("merge", "-q", "shard1.json", "shard2.json", "--json", "merged.json", code=1)
for name in ("jobs", "merged"):
    assert differences(f"{name}.json")[0]["parting"] == one, name

# The smallest trace ends with it, too.
run("gen", "slots", "calls.trace", "--calls", "2000", "--slot-build", "generic")
text = run("minimise", "calls.trace", "small.trace", *PAIR, "--select", "ngi32.slot38")
assert "calls -> 1" in text, text
assert f"\nthe first instruction that computes something else, on processor pentium2\n  a  Ngi32.dll+{address:05X}: fsubp " in text, text

# A branch that goes the other way for numbers that both sides have.
address = instructions("ngi32.slot17", "test ah, 0x45")[0]
plant("turned", address, b"\xF6\xC4\x45", b"\xF6\xC4\x40")
PAIR[1] = "turned"
text = run("replay", "-q", *PAIR, "--scenario", "slots@generic:2000", "--select", "ngi32.slot17", code=1)
assert re.search(rf"""  the first branch that goes another way, on processor pentium2
    a  Ngi32\.dll\+0*{address + 3:X}: jnz .*
       .+ < or > 0
       of [0-9A-F]{{20}}, 0{{20}}
    b  Ngi32\.dll\+0*{address + 3:X}: jnz .*
       .+ not < 0
       of [0-9A-F]{{20}}, 0{{20}}
""", text), text

# A routine that only a processor with SSE takes.
address = instructions("ngi32.slot38", "addss", "--processor", "pentium3", "--build", "class")[0]
plant("sse", address, b"\xF3\x0F\x58", b"\xF3\x0F\x5C")
PAIR[1], PAIR[5] = "sse", "machine:pentium3"
text = run("replay", "-q", *PAIR, "--scenario", "slots:2000", "--select", "ngi32.slot38", code=1)
assert re.search(rf"""something else, on processor pentium3
    a  Ngi32\.dll\+0*{address:X}: subss .*
       .+ - .+
       = [0-9A-F]{{8}}, of [0-9A-F]{{8}}, [0-9A-F]{{8}}, rounded to 32 bits, to nearest
    b  Ngi32\.dll\+0*{address:X}: addss """, text), text

# A side without instructions says so.
text = run("replay", "-q", "--original", "changed", "--replacement", "native", "--engine", "machine:pentium2",
           *CALLS, code=1)
assert "  which instruction: not known, because b is `native`, which has no instructions to follow" in text, text
print("parting: the changed instruction is named")
