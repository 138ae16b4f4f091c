"""Makes the wheel of the package `retropose` (PEP 427, PEP 517), with nothing but Python.

The same inputs give the same bytes. With a library inside, the wheel is for one system and its name
says which; without one, it is for all, and finds the library where the system has it."""
import base64
import hashlib
import os
import re
import struct
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INTERFACE = ROOT / "include" / "abi" / "1.0.txt"  # which _abi.py reads
STAMP = (2001, 1, 1, 0, 0, 0)  # of every file; wheels do not say when they were made
SUMMARY = "Archives, models and poses of the game Parkan: Iron Strategy, bit for bit"


def version():
    stated = re.search(r"^project\(retropose VERSION ([\d.]+)",
                       (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)
    if not stated:
        raise SystemExit("CMakeLists.txt states no version")
    return stated[1]


def metadata():
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: retropose\nVersion: {version()}\nSummary: {SUMMARY}\n"
            "License: MIT\nRequires-Python: >=3.9\nProvides-Extra: arrays\n"
            'Requires-Dist: numpy ; extra == "arrays"\n'
            f"Description-Content-Type: text/markdown\n\n{readme}")


def tag_of(library):
    """(name in the package, platform tag) of a shared library, by its first bytes."""
    data = Path(library).read_bytes()
    if data[:4] == b"\x7fELF":
        machine = struct.unpack_from("<H", data, 18)[0]
        names = {62: "linux_x86_64", 3: "linux_i686", 183: "linux_aarch64"}
        if machine in names:
            return "libretropose.so.1", names[machine]
    if data[:2] == b"MZ" and len(data) > 64:
        at = struct.unpack_from("<I", data, 60)[0]
        names = {0x8664: "win_amd64", 0x014C: "win32"}
        machine = struct.unpack_from("<H", data, at + 4)[0] if at + 6 <= len(data) else 0
        if data[at:at + 4] == b"PE\0\0" and machine in names:
            return "retropose-1.dll", names[machine]
    raise SystemExit(f"{library} is no shared library for a system that is known here")


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_wheel(directory, library=None):
    """Writes the wheel into a folder, and returns its name."""
    files = {}
    for path in sorted((HERE / "retropose").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"retropose/{path.name}"] = path.read_bytes()
    files[f"retropose/{INTERFACE.name}"] = INTERFACE.read_bytes()
    platform = "any"
    if library:
        name, platform = tag_of(library)
        files[f"retropose/{name}"] = Path(library).read_bytes()
    info = f"retropose-{version()}.dist-info"
    tag = f"py3-none-{platform}"
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    pure = "false" if library else "true"
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: retropose\nRoot-Is-Purelib: {pure}\n"
                              f"Tag: {tag}\n").encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"retropose-{version()}-{tag}.whl"
    os.makedirs(directory, exist_ok=True)
    with zipfile.ZipFile(Path(directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, STAMP)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


# ---- PEP 517 ---------------------------------------------------------------------------------------

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """RETROPOSE_LIBRARY names the library that goes into the wheel."""
    del config_settings, metadata_directory
    return write_wheel(wheel_directory, os.environ.get("RETROPOSE_LIBRARY"))


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("there is no source distribution of the package alone: "
                     "it is made in a checkout of the project")
