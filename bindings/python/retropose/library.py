"""Finding and loading libretropose, and what all calls of it have in common."""

from __future__ import annotations

import ctypes
import os
import secrets
import sys
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _abi
from .errors import Finding, RetroposeError, Severity, Status

numpy: Any
try:
    import numpy
except ImportError:  # arrays are memoryviews then
    numpy = None

NAMES = ("retropose-1.dll",) if sys.platform == "win32" else ("libretropose.so.1",)
MAJOR = 1
ENCODING = "cp1251"  # of the game's names

_state: Dict[str, Any] = {}  # "path" and "functions" of the library, once it is loaded


# ---- loading -----------------------------------------------------------------------------------


def _candidates(path: Union[str, "os.PathLike[str]", None]) -> Iterable[Tuple[str, str]]:
    """Where the library may be, and what says so. The first that says so counts."""
    if path is not None:
        yield os.fspath(path), "the argument"
        return
    named = os.environ.get("RETROPOSE_LIBRARY")
    if named:
        yield named, "RETROPOSE_LIBRARY"
        return
    here = os.path.dirname(os.path.abspath(__file__))
    for name in NAMES:
        beside = os.path.join(here, name)
        if os.path.exists(beside):
            yield beside, "the package"
            return
    for name in NAMES:
        yield name, "the system"


def load(path: Union[str, "os.PathLike[str]", None] = None) -> None:
    """Loads the C library. It need not be called: the first use of anything does. The library is
    taken from `path`; else from the environment's RETROPOSE_LIBRARY; else from this package's own
    folder, where a wheel has it; else from where the system finds libretropose.so.1
    (retropose-1.dll). RetroposeError says where it was looked for, or that it is not version 1.
    Once a library is loaded, another path is refused."""
    if _state:
        if path is not None and os.fspath(path) != _state["path"]:
            raise RetroposeError(
                Status.INVALID,
                "another library is loaded already",
                expected=_state["path"],
                found=os.fspath(path),
            )
        return
    tried = []
    for candidate, by in _candidates(path):
        try:
            functions = ctypes.CDLL(candidate)
        except OSError as problem:
            tried.append("%s (%s: %s)" % (candidate, by, problem))
            continue
        _check_version(functions, candidate)
        _state.update(path=candidate, functions=functions)
        return
    raise RetroposeError(
        Status.NOT_FOUND,
        "libretropose is not there; name it with RETROPOSE_LIBRARY, or install a wheel that has it",
        expected=" or ".join(NAMES),
        found="; ".join(tried),
    )


def _check_version(functions: Any, path: str) -> None:
    try:
        number = functions.RpVersion_Number
    except AttributeError:
        raise RetroposeError(
            Status.UNSUPPORTED,
            "this library is no libretropose",
            where=path,
            expected="a function RpVersion_Number",
            found="none",
        ) from None
    number.restype = ctypes.c_uint32
    major, rest = divmod(number(), 1000000)
    if major != MAJOR:
        raise RetroposeError(
            Status.UNSUPPORTED,
            "this library has another major version than the package",
            where=path,
            expected="version %d.x" % MAJOR,
            found="version %d.%d.%d" % (major, rest // 1000, rest % 1000),
        )


def library_path() -> str:
    """The library in use, as it was given to the system's loader."""
    load()
    return str(_state["path"])


def version() -> str:
    """The version of the library in use, such as "1.0.0"."""
    return text(function("RpVersion_String")())


# ---- calls -------------------------------------------------------------------------------------


def function(name: str) -> Any:
    """A function of the library with its prototype."""
    found = _state.get(name)
    if found is None:
        load()
        result, parameters = _abi.FUNCTIONS[name]
        try:
            found = getattr(_state["functions"], name)
        except AttributeError:
            raise RetroposeError(
                Status.UNSUPPORTED,
                "the library is older than the package",
                where=str(_state["path"]),
                expected="a function " + name,
                found="version " + version(),
            ) from None
        found.restype, found.argtypes = result, parameters
        _state[name] = found
    return found


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that cannot fail."""
    return function(name)(*arguments)


def attempt(name: str, *arguments: Any) -> None:
    """Calls a function that returns an RpStatus and takes an RpError last."""
    error = _abi.RpError()
    status = function(name)(*arguments, error)
    if status:
        raise failure(status, error)


def failure(status: int, error: Any) -> RetroposeError:
    return RetroposeError(
        Status(status),
        text(error.what) or call("RpStatus_Name", status).decode(),
        text(error.where),
        text(error.expected),
        text(error.found),
        None if error.offset == _abi.RP_NOWHERE else error.offset,
    )


def text(stored: Optional[bytes]) -> str:
    """A text of the library's, which is UTF-8 unless it quotes a damaged file."""
    return (stored or b"").decode("utf-8", "replace")


def decode(name: bytes) -> str:
    """A name of a file, which the game reads as Windows-1251. Other bytes survive."""
    return name.decode(ENCODING, "surrogateescape")


def encode(name: str, what: str = "the name") -> bytes:
    """The bytes of a name."""
    try:
        stored = name.encode(ENCODING, "surrogateescape")
    except UnicodeEncodeError:
        raise RetroposeError(
            Status.INVALID,
            what + " has letters that Windows-1251 lacks",
            expected="letters of Windows-1251",
            found=ascii(name),
        ) from None
    if b"\0" in stored:
        raise RetroposeError(Status.INVALID, what + " has a NUL", found=ascii(name))
    return stored


# ---- memory ------------------------------------------------------------------------------------


class Buffer:
    """An RpBuffer, freed when the block ends."""

    def __enter__(self) -> "Buffer":
        self.raw = _abi.RpBuffer()
        call("RpBuffer_Init", self.raw, None)
        return self

    def __exit__(self, *_: object) -> None:
        call("RpBuffer_Free", self.raw)

    def take(self) -> bytes:
        return ctypes.string_at(self.raw.bytes, self.raw.size) if self.raw.size else b""


def finding(found: Any) -> Finding:
    def index(value: int) -> Optional[int]:
        return None if value == _abi.RP_NO_INDEX else int(value)

    return Finding(
        text(found.rule),
        Severity(found.severity),
        text(found.what),
        text(found.expected),
        text(found.found),
        None if found.offset == _abi.RP_NOWHERE else found.offset,
        index(found.entry),
        index(found.stream),
        index(found.node),
        index(found.element),
    )


class Sink:
    """Collects findings. It has to live as long as the call that it is handed to."""

    def __init__(self) -> None:
        self.findings: List[Finding] = []

        def take(_: object, found: Any) -> None:
            self.findings.append(finding(found.contents))

        self.raw = _abi.RpFindingSink()
        self._take = type(self.raw.take)(take)
        self.raw.take = self._take


def checked(sink: Sink, name: str, *arguments: Any) -> List[Finding]:
    """Calls a checker, whose result RP_CORRUPT only says that one of the findings is an error."""
    try:
        attempt(name, *arguments)
    except RetroposeError as error:
        if error.status != Status.CORRUPT or not any(
            found.severity == Severity.ERROR for found in sink.findings
        ):
            raise
    return sink.findings


# ---- arrays ------------------------------------------------------------------------------------

def several(values: Any) -> Any:
    """A tuple of as many values as a C array has, which its type does not tell."""
    return tuple(values)


Array = Any  # a NumPy array where NumPy is installed, else a memoryview


def room(size: int) -> Any:
    """Memory of so many bytes to be filled in, as a ctypes array."""
    return (ctypes.c_char * max(size, 1)).from_buffer(bytearray(max(size, 1)))


def array(memory: Any, format: str, shape: Sequence[int]) -> Array:
    """Memory as an array of a shape. `format` is that of the struct module: f, b, B, h, H, I."""
    count = 1
    for length in shape:
        count *= length
    view = memoryview(memory).cast("B")[: count * ctypes.sizeof(_ctype(format))]
    if numpy is not None:
        return numpy.frombuffer(view, dtype=format, count=count).reshape(tuple(shape))
    if count == 0:
        return view.cast(format)
    return view.cast(format, list(shape))


def _ctype(format: str) -> Any:
    kinds = {"f": ctypes.c_float, "b": ctypes.c_int8, "B": ctypes.c_uint8, "h": ctypes.c_int16}
    kinds.update({"H": ctypes.c_uint16, "I": ctypes.c_uint32, "d": ctypes.c_double})
    return kinds[format]


def _flat(values: Any, found: List[Any]) -> None:
    if isinstance(values, memoryview):
        values = values.tolist()
    elif hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        for value in values:
            _flat(value, found)
    elif isinstance(values, (int, float)):
        found.append(values)
    else:
        for value in values:
            _flat(value, found)


def numbers(values: Any, format: str, count: Optional[int], what: str) -> Any:
    """A ctypes array of numbers, out of nested sequences or an array of any shape."""
    kind = _ctype(format)
    try:
        view = memoryview(values)
        if view.format.lstrip("<=@") != format or not view.c_contiguous:
            raise TypeError
        size, stored = view.nbytes // view.itemsize, view.tobytes()
    except TypeError:
        flat: List[Any] = []
        _flat(values, flat)
        size, stored = len(flat), None
    if count is not None and size != count:
        raise RetroposeError(
            Status.INVALID,
            what + " has another number of elements",
            expected=str(count),
            found=str(size),
        )
    if stored is not None:
        return (kind * size).from_buffer_copy(stored) if size else (kind * 1)()
    if format not in "fd":
        span = 8 * ctypes.sizeof(kind)
        low, high = (-(1 << span - 1), (1 << span - 1) - 1) if format in "bh" else (0, (1 << span) - 1)
        for value in flat:
            if value != int(value) or not low <= value <= high:
                raise RetroposeError(
                    Status.INVALID,
                    what + " has a number out of range",
                    expected="%d to %d" % (low, high),
                    found=str(value),
                )
        flat = [int(value) for value in flat]
    return (kind * max(size, 1))(*flat)


def whole(value: int, what: str, high: int = 0xFFFFFFFF, low: int = 0) -> int:
    """A whole number within a range: ctypes would cut it silently."""
    if not isinstance(value, int):
        raise TypeError("%s is a whole number, not %s" % (what, type(value).__name__))
    if not low <= value <= high:
        raise RetroposeError(
            Status.INVALID,
            what + " is out of range",
            expected="%d to %d" % (low, high),
            found=str(value),
        )
    return int(value)


def read_file(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """A whole file, at most 256 MiB, as RpFile_Read has it, but by Python's own paths."""
    name = os.fspath(path)
    most = 256 << 20
    try:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError as problem:
        raise RetroposeError(
            Status.NOT_FOUND, "cannot open the file", name, found=str(problem.strerror)
        ) from None
    except (OSError, ValueError) as problem:
        raise RetroposeError(
            Status.IO, "cannot read the file", name, found=str(problem)
        ) from None
    if len(data) > most:
        raise RetroposeError(
            Status.UNSUPPORTED, "the file is too large", name, "at most 256 MiB", "more"
        )
    return data


def write_file(path: Union[str, "os.PathLike[str]"], data: bytes) -> None:
    """Writes a file beside the one of that name, and then gives it the name: a reader sees the old
    file or the new one, and a disk that is full leaves the old one. The new file belongs to the owner
    of the old one and has its permissions, where the system lets this process give them. A link is
    followed. What is no plain file, such as a device, and what is read-only, is refused."""
    name = os.path.realpath(os.fspath(path))
    temporary = os.path.join(
        os.path.dirname(name), ".retropose-%s~part" % secrets.token_hex(8)
    )
    try:
        old = None
        if os.path.lexists(name):
            if not os.path.isfile(name):
                raise RetroposeError(Status.IO, "this is no plain file", name)
            old = os.stat(name)
            if not old.st_mode & 0o222:
                raise RetroposeError(Status.IO, "this file is read-only", name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        # Nobody may read it before it is known who could read the old one.
        descriptor = os.open(temporary, flags, 0o666 if old is None else 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if old is not None:
                _take_access(name, old, temporary)
            os.replace(temporary, name)
        except BaseException:
            _remove(temporary)
            raise
    except OSError as problem:
        raise RetroposeError(
            Status.IO, "cannot write the file", name, found=str(problem.strerror or problem)
        ) from None


def _take_access(name: str, old: os.stat_result, temporary: str) -> None:
    """Owner, permissions, access list and attributes of the old file. Another group gets what
    everybody gets. Without its access list, the group's permissions would be what the list's
    members had, and they are left out."""
    if hasattr(os, "chown"):
        for owner in old.st_uid, -1:
            try:
                os.chown(temporary, owner, old.st_gid)
                break
            except PermissionError:
                pass  # only root gives files away, and others a group that they are in
    mode, access_list = old.st_mode & 0o777, "system.posix_acl_access"
    if os.stat(temporary).st_gid != old.st_gid:
        mode = mode & ~0o070 | (mode & 0o007) << 3
    attributes: List[str] = []
    if hasattr(os, "listxattr"):
        try:
            attributes = os.listxattr(name)
        except OSError:
            pass  # not every file system has them
    os.chmod(temporary, mode & ~0o070 if access_list in attributes else mode)
    for attribute in attributes:
        if attribute.startswith(("user.", access_list)):
            try:
                os.setxattr(temporary, attribute, os.getxattr(name, attribute))
            except OSError:
                pass


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass


def as_bytes(source: Any) -> bytes:
    """A copy of bytes that nobody can change, because the library keeps pointing into it."""
    return source if isinstance(source, bytes) else bytes(source)



