"""The C interface for ctypes, read from the list of the public interface, include/abi/1.0.txt.

A wheel and the add-on for Blender have the list beside this file. No number of the interface is
typed in by hand: structs, prototypes and constants are what Clang has read in the headers
(tests/include/abi/list). What ctypes cannot express makes the import fail, unless UNEXPRESSED names it.

Parameters are pointers to their structs; handles, and pointers to numbers or to bytes, are c_void_p."""

from __future__ import annotations

import ctypes as c
import os
import re
from typing import Any, Dict, List, Tuple

LIST = "1.0.txt"
UNEXPRESSED = {  # functions, and what there is instead
    "RpBuffer_Print": "Python's own formatting",
    "RpLight_DirectionalCosine": "RpLight_DirectionalCosineSt0",
    "RpLight_Highlight": "RpLight_HighlightSt0",
    "RpScalar_ReciprocalSquareRoot": "RpScalar_ReciprocalSquareRootSt0",
    "RpVector_Normalise": "RpVector_NormaliseSt0",
}
NUMBERS: Dict[str, Any] = {
    "_Bool": c.c_bool,
    "char": c.c_char,
    "double": c.c_double,
    "float": c.c_float,
    "int": c.c_int,
    "int8_t": c.c_int8,
    "int16_t": c.c_int16,
    "int32_t": c.c_int32,
    "int64_t": c.c_int64,
    "size_t": c.c_size_t,
    "uint8_t": c.c_uint8,
    "uint16_t": c.c_uint16,
    "uint32_t": c.c_uint32,
    "uint64_t": c.c_uint64,
    "void": None,
}
LIMITS = {"UINT64_MAX": 2**64 - 1, "UINT32_MAX": 2**32 - 1, "UINT16_MAX": 2**16 - 1}

STRUCTS: Dict[str, Any] = {}  # by name
FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {}  # what each returns, and its parameters

_types: Dict[str, str] = {}
_members: Dict[str, List[Tuple[str, str]]] = {}  # (type, name) of each struct's


def _split(parameters: str) -> List[str]:
    """The parameters of a function, whose own types may have commas in parentheses."""
    parts = re.findall(r"(?:\([^()]*\)|[^,()])+", parameters)
    return [] if parts == ["void"] else [part.strip() for part in parts]


def _callback(text: str) -> Any:
    """A type such as "void (*)(void *, const RpFinding *)"."""
    parts = re.fullmatch(r"(.*?) ?\((?:\*\)\()?(.*)\)", text)
    assert parts, text
    return c.CFUNCTYPE(_value(parts[1], c.c_void_p), *map(_parameter, _split(parts[2])))


def _value(text: str, pointer: Any = None) -> Any:
    """A type that is passed, returned or stored by value. `pointer` stands for all pointers."""
    text = re.sub(r"^(const|struct) ", "", text)
    if "(*)(" in text:
        return _callback(text)
    array = re.fullmatch(r"([\w ]+?)((?:\[\d+\])+)", text)
    if array:
        item = _value(array[1])
        for count in reversed(re.findall(r"\d+", array[2])):
            item = item * int(count)
        return item
    if text in NUMBERS:
        return NUMBERS[text]
    if text.endswith("*") or "(*)" in text:
        return pointer or _parameter(text)
    if text in STRUCTS:
        return STRUCTS[text]
    kind = _types.get(text)
    if kind is None:
        raise ImportError("the C interface has a type that ctypes cannot express: " + text)
    return c.c_int if kind.startswith("enum ") else _callback(kind)


def _parameter(text: str) -> Any:
    text = re.sub(r"^const ", "", text)
    if text == "char *":
        return c.c_char_p
    pointer = re.fullmatch(r"(\w+) \*", text)
    if pointer and pointer[1] in STRUCTS:
        return c.POINTER(STRUCTS[pointer[1]])
    if pointer and "(" in _types.get(pointer[1], ""):
        return _callback(_types[pointer[1]])
    if text.endswith("*") or "(*)[" in text or text.endswith("*const *"):
        return c.c_void_p
    return _value(text)


def _member(struct: str, text: str, name: str) -> Any:
    """A text with a length need not end in a NUL, so that it stays an address."""
    if re.fullmatch(r"(const )?char \*", text):
        names = {other for _, other in _members[struct]}
        return c.c_void_p if {name + "_length", "length"} & names else c.c_char_p
    return _value(text)


def _lay_out(struct: str) -> None:
    """Gives a struct its members, after those structs that are members of it."""
    if hasattr(STRUCTS[struct], "_fields_"):
        return
    for text, _ in _members[struct]:
        inner = re.sub(r"^(const |struct )+|(\[\d+\])+$", "", text)
        if inner in STRUCTS:
            _lay_out(inner)
    STRUCTS[struct]._fields_ = [
        (name, _member(struct, text, name)) for text, name in _members[struct]
    ]


def _prototype(text: str) -> Tuple[Any, Tuple[Any, ...]]:
    parts = re.fullmatch(r"(.*?) ?\((.*)\)", text)
    assert parts, text
    parameters = _split(parts[2])
    returned = _value(parts[1], c.c_void_p)
    if parts[1] == "const char *" and not (
        parameters and re.fullmatch(r"(uint32_t|size_t) \*", parameters[-1])
    ):
        returned = c.c_char_p  # one without a length ends in a NUL
    return returned, tuple(map(_parameter, parameters))


def _constant(text: str) -> Any:
    text = text.strip("()")
    if text in LIMITS:
        return LIMITS[text]
    if text.startswith('"'):
        return text.strip('"')
    if re.fullmatch(r"0x[\da-fA-F.]+p[-+]?\d+f?", text):
        return float.fromhex(text.rstrip("f"))
    return float(text) if "." in text else int(text.rstrip("u"), 0)


def _read(text: str) -> None:
    functions: Dict[str, str] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        name, _, value = rest.partition(" = ")
        if kind == "function":
            functions[name] = value
        elif kind == "type":
            _types[name] = value
        elif kind in ("number", "macro"):
            globals()[name] = _constant(value)
        elif kind == "struct":
            struct, member = name.split(": ", 1)
            members = _members.setdefault(struct, [])
            if member not in ("size", "alignment"):
                stated, _, own = member.rpartition(" ")
                members.append((stated, own))
    for struct in _members:
        STRUCTS[struct] = globals()[struct] = type(struct, (c.Structure,), {})
    for struct in _members:
        _lay_out(struct)
    for name, value in functions.items():
        if name not in UNEXPRESSED:
            FUNCTIONS[name] = _prototype(value)


def _find() -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.join(here, "..", "..", "..", "include", "abi")
    for folder in here, checkout:
        path = os.path.join(folder, LIST)
        if os.path.exists(path):
            return path
    raise ImportError(
        "the package has no list of the C interface, %s: make it with bindings/python/build" % LIST
    )


def __getattr__(name: str) -> Any:  # says to type checkers that there is more than they see
    raise AttributeError("the C interface has no " + name)


with open(_find(), encoding="ascii") as _file:
    _read(_file.read())
