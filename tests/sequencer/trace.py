#!/usr/bin/env python3
"""A second engine for the functions ac.* of a trace: evaluates every call with reference.py and
compares the outcome in the trace: states, events and results bit for bit, offsets as reference.py
compares them.

    trace.py TRACE
"""
import pathlib
import struct
import sys

import reference

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scenario"))
from trace_file import RETURNED, UNSUPPORTED, calls  # noqa: E402

EVENT_WORDS = 240


class Resources:
    def __init__(self, image):
        self.animations, self.tables = {}, {0: None}
        for i in range(struct.unpack_from("<I", image)[0]):
            key, offset, size = struct.unpack_from("<3I", image, 4 + 12 * i)
            body = image[offset : offset + size]
            if key >> 24 == 9:
                self.tables[key] = reference.MotionTable(body)
            else:
                self.animations[key] = reference.Animation(body)


def state_of(words, resources):
    count = 23 + 5 * words[1] + 2 * sum(words[20:23])
    return reference.State.from_words(list(words[:count]), resources.animations)


def same_state(state, words):
    own = state.to_words()
    return own == list(words[: len(own)]) and not any(words[len(own) :])


def event_words(state):
    """AnimDone's animation is not the reference's to know."""
    for event in state.events:
        yield None if event == "DONE" else (event[0], event[1], event[2], event[3] & 0xFFFFFFFF)


def same_events(state, count, words):
    expected = list(event_words(state))
    found = [words[i : i + 4] for i in range(0, EVENT_WORDS, 4)]
    if count != len(expected):
        return False
    for own, other in zip(expected, found):
        if own is None and other[1:] != (0, 0xFFFFFFFF, 0):
            return False
        if own is not None and own != other:
            return False
    return not any(word for event in found[len(expected) :] for word in event)


def update(words, outputs, resources):
    quantum = struct.unpack("<d", struct.pack("<2I", *words[2:4]))[0]
    room = words[4]
    state = state_of(words[5 : 5 + room], resources)
    offset = reference.Frame([reference.bits_f32(word) for word in words[5 + room : 12 + room]])
    state.update(quantum, offset)
    frame = ["%08x" % word for word in outputs[1 + room : 8 + room]]
    return (
        same_state(state, outputs[1 : 1 + room])
        and same_events(state, outputs[0], outputs[8 + room :])
        and reference.Comparison.compare_offset(offset, frame) is None
    )


def perform(words, outputs, resources):
    table, command, motion, speed, room = words[2:7]
    state = state_of(words[7 : 7 + room], resources)
    result = state.perform(resources.tables[table], command, motion, reference.bits_f32(speed))
    return result == outputs[0] and same_state(state, outputs[1 : 1 + room])


def check(key, inputs, outcome, outputs, resources):
    """Whether this engine says the same; a call that it refuses is unsupported."""
    engine = update if key == "ac.update" else perform
    words = struct.unpack(f"<{len(inputs) // 4}I", inputs)
    answers = struct.unpack(f"<{len(outputs) // 4}I", outputs)
    try:
        if outcome == RETURNED:
            return engine(words, answers, resources)
        engine(words, [0] * (len(inputs) // 4 + EVENT_WORDS), resources)
    except reference.Limit:
        return outcome == UNSUPPORTED
    return False


def compare(path):
    with open(path, "rb") as stream:
        data = stream.read()
    bundles, counts, differing = {}, {}, 0
    for key, inputs, outcome, outputs, memories in calls(data):
        number = struct.unpack_from("<I", inputs)[0]
        if number not in bundles:
            bundles[number] = Resources(memories[number])
        name = f"{key} {'returned' if outcome == RETURNED else 'refused'}"
        counts[name] = counts.get(name, 0) + 1
        if not check(key, inputs, outcome, outputs, bundles[number]):
            differing += 1
            if differing <= 3:
                print(f"{name} differs: {inputs.hex()}")
    print(f"{path}: {sum(counts.values())} calls, {differing} differ: {counts}")
    return not differing and len(counts) >= 3


if __name__ == "__main__":
    sys.exit(0 if compare(sys.argv[1]) else 1)
