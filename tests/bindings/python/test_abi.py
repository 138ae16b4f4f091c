"""The package's structs, prototypes and constants are those of include/abi/1.0.txt, on four systems."""
import ctypes
import re
import shutil
import subprocess
import sys

from retropose import _abi, library
import retropose
from shared import Case, ROOT, main, scratch

ABI = ROOT / "include" / "abi" / "1.0.txt"
SYSTEMS = ("Linux x86-64", "Linux i686", "Windows x86-64", "Windows i686")


def stated():
    """{struct: {member: bytes on each of the four systems}}; "=size" and "=alignment" are its own."""
    structs = {}
    for line in ABI.read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r"struct (\w+): (.* |)(\w+) = ([\d ]+)", line)
        if match:
            numbers = match[4].split()
            structs.setdefault(match[1], {})[match[3] if match[2] else "=" + match[3]] = (
                numbers * 4 if len(numbers) == 1 else numbers)
    return structs


class Layout:
    """Sizes and alignments as the four systems' compilers have them."""

    def __init__(self, system):
        self.pointer = 8 if "x86-64" in system else 4
        self.eight = 4 if system == "Linux i686" else 8  # alignment of 64-bit numbers in structs

    def measure(self, kind):
        """(bytes, alignment)"""
        if isinstance(kind, type) and issubclass(kind, ctypes.Array):
            size, alignment = self.measure(kind._type_)
            return size * kind._length_, alignment
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
            return self.lay_out(kind)[1:]
        if kind in (ctypes.c_void_p, ctypes.c_char_p) or not issubclass(kind, ctypes._SimpleCData):
            return self.pointer, self.pointer
        size = ctypes.sizeof(kind)
        return size, min(size, self.eight)

    def lay_out(self, struct):
        offsets, end, most = {}, 0, 1
        for name, kind in struct._fields_:
            size, alignment = self.measure(kind)
            if kind is ctypes.c_uint64 and ("uint64_t", struct.__name__, name) not in WIDE:
                size = alignment = self.pointer  # c_size_t is the same type as c_uint64 here
            end += -end % alignment
            offsets[name] = end
            end, most = end + size, max(most, alignment)
        return offsets, end + -end % most, most


# members of 64 bits on every system: ctypes has one type for them and for size_t
WIDE = set()
for line in ABI.read_text(encoding="utf-8").splitlines():
    wide = re.fullmatch(r"struct (\w+): uint64_t (\w+) = .*", line)
    if wide:
        WIDE.add(("uint64_t", wide[1], wide[2]))


class Abi(Case):
    def test_what_cannot_be_expressed_is_refused(self):
        """A type that ctypes lacks, one that is not in the list, and no list at all."""
        here = ROOT / "bindings/python/retropose/_abi.py"
        for added, said in (("function RpNew = long double (float)", "long double"),
                            ("function RpNew = void (const char *, ...)", "..."),
                            ("struct RpNew: long double x = 0", "long double"),
                            (None, "bindings/python/build")):
            copy = scratch() / "copied"
            copy.mkdir()
            (copy / here.name).write_text(here.read_text(encoding="utf-8"), encoding="utf-8")
            if added:
                (copy / ABI.name).write_text(ABI.read_text(encoding="utf-8") + added + "\n")
            done = subprocess.run([sys.executable, "-B", here.name], cwd=copy, text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stdout.splitlines()[-1])
            shutil.rmtree(copy)

    def test_what_is_left_out_is_in_the_list(self):
        functions = re.findall(r"^function (\w+) ", ABI.read_text(encoding="utf-8"), re.M)
        self.assertEqual(set(functions), set(_abi.FUNCTIONS) | set(_abi.UNEXPRESSED))
        self.assertFalse(set(_abi.FUNCTIONS) & set(_abi.UNEXPRESSED))
        for instead in _abi.UNEXPRESSED.values():
            self.assertTrue(instead in _abi.FUNCTIONS or " " in instead, instead)

    def test_layouts_of_this_machine(self):
        column = (0 if ctypes.sizeof(ctypes.c_void_p) == 8 else 1) + 2 * (sys.platform == "win32")
        count = 0
        for struct in _abi.STRUCTS.values():
            numbers = STATED[struct.__name__]
            self.assertEqual(ctypes.sizeof(struct), int(numbers["=size"][column]), struct)
            self.assertEqual(ctypes.alignment(struct), int(numbers["=alignment"][column]), struct)
            for name, _ in struct._fields_:
                self.assertEqual(getattr(struct, name).offset, int(numbers[name][column]),
                                 (struct, name))
                count += 1
        print(f"{len(_abi.STRUCTS)} structs, {count} members")

    def test_layouts_of_all_systems(self):
        if ctypes.sizeof(ctypes.c_size_t) != 8 or ctypes.c_size_t is not ctypes.c_uint64:
            self.skipTest("size_t and uint64_t are different types here")
        for column, system in enumerate(SYSTEMS):
            layout = Layout(system)
            for struct in _abi.STRUCTS.values():
                numbers = STATED[struct.__name__]
                offsets, size, alignment = layout.lay_out(struct)
                self.assertEqual(size, int(numbers["=size"][column]), (system, struct))
                self.assertEqual(alignment, int(numbers["=alignment"][column]), (system, struct))
                for name, offset in offsets.items():
                    self.assertEqual(offset, int(numbers[name][column]), (system, struct, name))

    def test_every_struct_and_number_is_there(self):
        self.assertEqual(set(_abi.STRUCTS), set(STATED))
        count = 0
        for line in ABI.read_text(encoding="utf-8").splitlines():
            number = re.fullmatch(r"number (RP_\w+) = (-?\d+)", line)
            if number:
                self.assertEqual(getattr(_abi, number[1]), int(number[2]), line)
                count += 1
        self.assertGreater(count, 200)
        self.assertEqual(_abi.RP_NOWHERE, 2**64 - 1)
        self.assertEqual(_abi.RP_AC_EPSILON, float.fromhex("0x1.a36e2ep-13"))
        print(f"{count} numbers")

    def test_enumerations_are_complete(self):
        families = {
            "RP_TRACE_": retropose.Outcome, "RP_SEVERITY_": retropose.Severity,
            "RP_ESTIMATES_": retropose.Estimates, "RP_GLTF_ROOT_": retropose.RootMotion,
            "RP_BUILD_": retropose.Build,
        }
        for prefix, family in families.items():
            names = {name[len(prefix):] for name in vars(_abi) if name.startswith(prefix)}
            self.assertEqual(names - {"COUNT"}, set(family.__members__), prefix)
        self.assertEqual({int(status) for status in retropose.Status}, set(range(9)))

    def test_functions_exist(self):
        """A function of the header that is `static inline` is not in the library."""
        missing = []
        for name in _abi.FUNCTIONS:
            try:
                library.function(name)
            except retropose.RetroposeError:
                missing.append(name)
        self.assertEqual(missing, ["RpMsh_Count"])
        print(f"{len(_abi.FUNCTIONS)} functions")


STATED = stated()

if __name__ == "__main__":
    main()
