#!/usr/bin/env python3
"""Reading a trace by docs/formats/trace.md alone, for engines in Python.

    trace_file.py spoil IN OUT     a copy with one bit of the last outcome changed, checksums right
"""
import struct
import sys
import zlib

RETURNED, UNSUPPORTED = 1, 5


def chunks(data):
    """(type, payload, records) of every chunk."""
    assert data[:8] == b"RPTRACE\0"
    at = 20 + struct.unpack_from("<I", data, 12)[0]
    while at < len(data):
        kind, flags, stored, size, records, crc = struct.unpack_from("<4sIIIII", data, at)
        payload = data[at + 24 : at + 24 + stored]
        assert zlib.crc32(payload, zlib.crc32(data[at : at + 20])) == crc
        yield kind, zlib.decompress(payload) if flags & 1 else payload, records
        at += 24 + stored


def padded(size):
    return (size + 3) & ~3


def calls(data):
    """(key, inputs, outcome, outputs, memories) of every call."""
    functions, memories = {}, {}
    for kind, payload, records in chunks(data):
        at = 0
        for _ in range(records):
            if kind == b"FUNC":
                number, key, signature = struct.unpack_from("<HHH", payload, at)
                functions[number] = payload[at + 6 : at + 6 + key].decode()
                at += 6 + key + signature
            elif kind == b"MEM ":
                number, size, relocations = struct.unpack_from("<III", payload, at)
                memories[number] = payload[at + 12 : at + 12 + size]
                at += 12 + padded(size) + 12 * relocations
            elif kind == b"CALL":
                number, outcome = struct.unpack_from("<HB", payload, at)
                ins, outs = struct.unpack_from("<II", payload, at + 24)
                body = payload[at + 32 : at + 32 + ins + outs]
                at += 32 + ins + outs
                yield functions[number], body[:ins], outcome, body[ins:], memories


def spoil(data):
    """The last byte of the last chunk of calls belongs to an outcome."""
    spoilt, at = bytearray(data), 20 + struct.unpack_from("<I", data, 12)[0]
    last = None
    while at < len(data):
        kind, flags, stored = struct.unpack_from("<4sII", data, at)
        if kind == b"CALL":
            assert not flags & 1
            last = at, stored
        at += 24 + stored
    at, stored = last
    spoilt[at + 24 + stored - 1] ^= 1
    payload = spoilt[at + 24 : at + 24 + stored]
    struct.pack_into("<I", spoilt, at + 20, zlib.crc32(payload, zlib.crc32(data[at : at + 20])))
    return spoilt


if __name__ == "__main__":
    with open(sys.argv[2], "rb") as stream:
        spoilt_copy = spoil(stream.read())
    with open(sys.argv[3], "wb") as stream:
        stream.write(spoilt_copy)
