#!/usr/bin/env python3
"""A second model of the sequencer, written from facts/ac-sequencer.md A to C alone, and compared
with what print_ac_runs prints after each step.

    reference.py PRINT_AC_RUNS [SEED RUNS]

To be imported as well: State.from_words(words, library) takes a saved state (docs/reference/sequencer.md has
the words' order), State.to_words() gives one, and between them are update(), tick(), perform(),
start() and the rest. `library` maps ids to Animation(image); a table is MotionTable(image).

Cursor, list, queue, rates and physics are the same bit for bit. Offset frames agree to 1e-5 of the
way gone: turning a vector by a quaternion has no one order of roundings, and the facts name none.
"""
import ctypes
import math
import struct
import subprocess
import sys

EPS = struct.unpack("<f", struct.pack("<f", 0.0002))[0]
NONE32 = 0xFFFFFFFF
(BOUNDARY, DONE_BY_HEAD, CYCLE_TAIL, UNSIGNED_LOW, FROZEN_CYCLE, REMODIFY_HEAD, ONE_REDUNDANT,
 TYPE4) = (1 << bit for bit in range(8))  # fmt: skip
STYLE, SUBSTATE, MODIFIER, ACTION = 1 << 31, 1 << 30, 1 << 29, 1 << 28
READY = 0x41000003
OK, NO_TABLE, REFUSED = 0, 7, 67
MOST_STEPS, MOST_NODES = 100000, 256
MOST_MODIFIERS, MOST_ACTIONS, MOST_PENDING, MOST_DEPTH = 16, 32, 64, 32


class Limit(Exception):
    """The library refuses; the state is as it was."""


def f32(value):
    return ctypes.c_float(value).value


def bits_f32(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def word_f32(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def f32_divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return f32(a / b)


def signed(word):
    return word - (1 << 32) if word >> 31 else word


# ---- resources: facts/ac-sequencer.md A ----------------------------------------------------------


class Reader:
    def __init__(self, image):
        self.image, self.at = image, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.image, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def one(self, form):
        return self.take(form)[0]

    def align(self):
        self.at = (self.at + 3) & ~3


HOOK_WORDS = {0: 0, 1: 1, 2: 1, 3: 7, 4: 0, 6: 1, 7: 4, 8: 3, 9: 4, 10: 3, 11: 4, 12: 2, 13: 10,
              14: 1, 15: 1, 16: 1, 17: 0, 18: 1, 19: 2, 20: 3, 21: 4, 22: 3, 23: 2, 24: 3, 25: 1,
              26: 10}  # fmt: skip


class Animation:
    def __init__(self, image):
        reader = Reader(image)
        self.id, self.flags, self.parts, self.frames = reader.take("4I")
        self.positions = [reader.take("7f") for _ in range(self.frames)] if self.flags & 1 else None
        self.hooks = []  # of each frame: (place in the animation, type, direction)
        place = 0
        for _ in range(self.frames):
            reader.take("%df" % (7 * self.parts))
            frame = []
            for _ in range(reader.one("I")):
                kind, direction = reader.take("Ii")
                self.skip(reader, kind)
                frame.append((place, kind, direction))
                place += 1
            self.hooks.append(frame)

    @staticmethod
    def skip(reader, kind):
        if kind == 5:
            reader.take("B")
            if reader.one("H") & 0x8000:
                reader.take("H")
            reader.align()
        else:
            reader.take("%dI" % HOOK_WORDS[kind])


class MotionData:
    def __init__(self, reader):
        self.key, count, self.bitfield, flags, _ = reader.take("I4B")
        self.refs = [reader.take("Iiif") for _ in range(count)]
        self.velocity = reader.take("3f") if flags & 1 else (0.0,) * 3
        self.omega = reader.take("3f") if flags & 2 else (0.0,) * 3


def first_of_each(pairs):
    found = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def key_of(style, motion):
    return (style << 16) & NONE32 | motion & 0xFFFFFF


class MotionTable:
    def __init__(self, image):
        reader = Reader(image)
        self.id, self.default_style = reader.take("2I")
        self.styles = first_of_each(reader.take("2I") for _ in range(reader.one("I")))
        self.cycles = self.data(reader)
        self.modifiers = self.data(reader)
        self.links = first_of_each(
            (reader.one("I"), self.data(reader)) for _ in range(reader.one("I"))
        )

    @staticmethod
    def data(reader):
        records = [MotionData(reader) for _ in range(reader.one("I"))]
        return first_of_each((record.key, record) for record in records)

    def default(self, style):
        return self.styles.get(style, 0)

    def get_link(self, style, substate, substate_speed, motion, speed):  # C.2
        out = self.links.get(key_of(style, substate), {})
        if speed < 0 or substate_speed < 0:
            back = self.links.get(key_of(style, motion), {}).get(substate)
            if back:
                return back
            return out.get(self.default(style)) if self.default(style) else None
        return out.get(motion) or self.links.get(key_of(style, 0), {}).get(motion)


# ---- frames: facts/ac-sequencer.md B.10 ----------------------------------------------------------


def times(a, b):
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + bw * ax + ay * bz - az * by,
        aw * by + bw * ay + az * bx - ax * bz,
        aw * bz + bw * az + ax * by - ay * bx,
    )


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def turn(q, v):
    return times(times(q, (0.0, *v)), conjugate(q))[1:]


class Frame:
    """origin, q; how far the origin has gone in all, and by how many radians it was turned."""

    def __init__(self, values=(0, 0, 0, 1, 0, 0, 0)):
        self.origin, self.q, self.way, self.turned = list(values[:3]), tuple(values[3:]), 0.0, 0.0

    def values(self):
        return [*self.origin, *self.q]

    def move(self, by):
        self.origin = [f32(a + b) for a, b in zip(self.origin, by)]
        self.way += sum(abs(b) for b in by)

    def set_rotation(self, q):
        square = sum(c * c for c in q)
        if square > 0 and math.isfinite(square):
            self.q = tuple(f32(c / math.sqrt(square)) for c in q)

    def combine(self, by):
        self.move(turn(self.q, by[:3]))
        self.set_rotation(times(self.q, by[3:]))

    def subtract(self, by):
        self.set_rotation(times(self.q, conjugate(by[3:])))
        self.move([-c for c in turn(self.q, by[:3])])

    def rotate(self, omega):
        angle = math.sqrt(sum(c * c for c in omega))
        if angle < EPS:
            return
        self.turned += angle
        sine = math.sin(angle / 2) / angle
        self.set_rotation(times(self.q, (math.cos(angle / 2), *(c * sine for c in omega))))


# ---- the sequence: facts/ac-sequencer.md B -------------------------------------------------------


class Node:
    def __init__(self, animation, rate, stored, low, high):
        self.animation, self.rate, self.stored = animation, rate, stored
        self.low, self.high = low, high

    def bound(self, quirks):  # B.1
        frames = self.animation.frames
        if self.high < 0:
            self.high = frames - 1
        if not quirks & UNSIGNED_LOW:
            self.low = max(self.low, 0)
        if self.low & NONE32 >= frames:
            self.low = frames - 1
        if self.high & NONE32 >= frames:
            self.high = frames - 1
        if self.low > self.high:
            self.high = self.low

    def start(self):
        return float(self.low) if self.rate >= 0 else (self.high + 1) - EPS

    def end(self):
        return (self.high + 1) - EPS if self.rate >= 0 else float(self.low)


class State:
    """A sequence and, around it, an object with a motion table."""

    def __init__(self, library, capacity=MOST_NODES):
        self.library, self.capacity = library, capacity
        self.nodes, self.first_cyclic, self.current, self.frame_number = [], None, None, 0.0
        self.velocity, self.omega = (0.0,) * 3, (0.0,) * 3
        self.placement, self.placement_frame = 0, 0
        self.quirks, self.has_hooks = 0xFF, 1
        self.style, self.substate, self.speed, self.counter = 0, 0, 1.0, 0
        self.modifiers, self.actions, self.pending = [], [], []
        self.events, self.ended, self.depth = [], [], 0

    # -- saved states

    @classmethod
    def from_words(cls, words, library, capacity=MOST_NODES):
        state = cls(library, capacity)
        if words[0] != 1:
            raise ValueError("another version")
        count, first, current = words[1:4]
        state.frame_number = struct.unpack("<d", struct.pack("<2I", *words[4:6]))[0]
        state.velocity = tuple(map(bits_f32, words[6:9]))
        state.omega = tuple(map(bits_f32, words[9:12]))
        state.placement, state.placement_frame, state.quirks, state.has_hooks = words[12:16]
        state.style, state.substate = words[16:18]
        state.speed, state.counter = bits_f32(words[18]), signed(words[19])
        lists, at = words[20:23], 23
        for _ in range(count):
            animation, rate, stored, low, high = words[at : at + 5]
            at += 5
            state.nodes.append(
                Node(library[animation], bits_f32(rate), bits_f32(stored), signed(low), signed(high))
            )
        state.first_cyclic = state.nodes[first] if first != NONE32 else None
        state.current = state.nodes[current] if current != NONE32 else None
        for count, target in zip(lists, (state.modifiers, state.actions, state.pending)):
            for _ in range(count):
                second = words[at + 1] if target is state.pending else bits_f32(words[at + 1])
                target.append([words[at], second])
                at += 2
        if at != len(words):
            raise ValueError("words are left")
        return state

    def to_words(self):
        place = {None: NONE32, **{node: i for i, node in enumerate(self.nodes)}}
        words = [1, len(self.nodes), place[self.first_cyclic], place[self.current]]
        words += struct.unpack("<2I", struct.pack("<d", self.frame_number))
        words += map(word_f32, self.velocity + self.omega)
        words += [self.placement, self.placement_frame, self.quirks, self.has_hooks]
        words += [self.style, self.substate, word_f32(self.speed), self.counter & NONE32]
        words += map(len, (self.modifiers, self.actions, self.pending))
        for node in self.nodes:
            words += [node.animation.id, word_f32(node.rate), word_f32(node.stored)]
            words += [node.low & NONE32, node.high & NONE32]
        for motion, speed in self.modifiers + self.actions:
            words += [motion, word_f32(speed)]
        for entry in self.pending:
            words += entry
        return words

    def neighbour(self, node, step):
        at = self.nodes.index(node) + step
        return self.nodes[at] if 0 <= at < len(self.nodes) else None

    def go_to(self, node):
        self.current, self.frame_number = node, node.start()

    # -- list surgery: B.3, B.8

    def append(self, ref):
        """False: there is no such animation (D-4)."""
        animation, low, high, rate = ref
        if not animation or animation not in self.library:
            return False
        if not math.isfinite(rate):
            raise Limit("rate")
        if len(self.nodes) == self.capacity:
            raise Limit("nodes")
        node = Node(self.library[animation], rate, rate, low, high)
        node.bound(self.quirks)
        self.nodes.append(node)
        self.first_cyclic = node
        if not self.current:
            self.go_to(self.nodes[0])
        return True

    def apricot(self):
        while self.nodes[0] not in (self.current, self.first_cyclic):
            del self.nodes[0]

    def remove_cyclic(self):
        while self.first_cyclic:
            node = self.first_cyclic
            if node is self.current:
                before = self.neighbour(node, -1)
                self.current, self.frame_number = before, before.end() if before else 0.0
            self.first_cyclic = self.neighbour(node, 1)
            self.nodes.remove(node)
        self.first_cyclic = self.nodes[-1] if self.nodes else None

    def remove_links(self, count=None):
        while self.first_cyclic and count != 0:
            link = self.neighbour(self.first_cyclic, -1)
            if not link:
                return
            if link is self.current:
                self.go_to(self.first_cyclic)
            self.nodes.remove(link)
            count = count and count - 1

    def clear_animations(self):
        self.nodes, self.first_cyclic, self.current, self.frame_number = [], None, None, 0.0

    def clear_physics(self):
        self.velocity = self.omega = (0.0,) * 3

    def clear(self):
        self.clear_animations()
        self.clear_physics()
        self.placement = self.placement_frame = 0

    def cyclic(self):
        if not self.first_cyclic:
            return []
        return self.nodes[self.nodes.index(self.first_cyclic) :]

    def multiply(self, factor):
        if not factor >= 0 or math.isinf(factor):
            raise Limit("factor")
        for node in self.cyclic():
            node.rate = f32(node.rate * factor)

    def set_physics(self, velocity, omega):
        self.velocity, self.omega = tuple(velocity), tuple(omega)

    def add_physics(self, velocity, omega, sign=1):
        self.velocity = tuple(f32(a + sign * b) for a, b in zip(self.velocity, velocity))
        self.omega = tuple(f32(a + sign * b) for a, b in zip(self.omega, omega))

    # -- update: B.4 to B.7, B.9

    def apply_physics(self, offset, quantum, sign):
        time = abs(quantum) if sign >= 0 else -abs(quantum)
        offset.move([c * time for c in self.velocity])
        offset.rotate([f32(c * time) for c in self.omega])

    def contribute(self, offset, node, frame, subtract, quantum):
        if not offset:
            return
        if node.animation.positions and 0 <= frame < node.animation.frames:
            (offset.subtract if subtract else offset.combine)(node.animation.positions[frame])
        if abs(node.rate) > EPS:
            self.apply_physics(offset, 1 / node.rate, quantum)

    def execute_hooks(self, node, frame, direction):
        if not self.has_hooks or not 0 <= frame < node.animation.frames:
            return
        for place, kind, wanted in node.animation.hooks[frame]:
            if kind == 4 and self.quirks & TYPE4:
                continue
            if wanted in (0, direction):
                self.events.append((node.animation.id, frame, place, direction))

    def step(self):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Limit("steps")

    def update(self, quantum, offset):
        """What happens is appended to `events`: (animation, frame, hook, direction) or "DONE"."""
        if not math.isfinite(quantum):
            raise Limit("quantum")
        self.steps = 0
        if not self.nodes:
            if offset:
                self.apply_physics(offset, quantum, quantum)
            return
        left = quantum
        while left is not None:
            self.step()
            left = self.update_internal(left, offset)
        self.apricot()

    def update_internal(self, quantum, offset):
        """What is left of the time, None when the update is over."""
        node = self.current
        rate = node.rate
        step, last = rate * quantum, math.floor(self.frame_number)
        if not (step > 0 or step < 0):
            if offset and abs(quantum) > EPS:
                self.apply_physics(offset, quantum, quantum)
            return None
        number, left, done = self.frame_number + step, 0.0, False
        direction = 1 if step > 0 else -1
        if direction > 0 and number >= node.high + 1:
            over, number, done = max(number - node.high - 1, 0.0), float(node.high), True
        elif direction < 0 and number < node.low:
            over, number, done = min(number - node.low, 0.0), float(node.low), True
        if done and abs(rate) > EPS:
            left = over / rate
        self.frame_number = number
        goal = math.floor(number)
        if done and not self.quirks & BOUNDARY:
            goal += direction
        for frame in range(last, goal, direction):
            self.step()
            self.contribute(offset, node, frame, direction < 0, quantum)
            self.execute_hooks(node, frame, direction)
        if not done:
            return None
        self.report_end()
        self.advance(quantum, offset)
        return left

    def report_end(self):
        if self.quirks & DONE_BY_HEAD:
            done = self.nodes[0] is not self.first_cyclic
        else:
            done = self.current not in self.cyclic()
        if done and self.has_hooks:
            self.events.append("DONE")

    def advance(self, quantum, offset):  # B.6
        boundary, node = self.quirks & BOUNDARY, self.current
        if boundary and (node.rate < 0) == (quantum >= 0):
            self.contribute(offset, node, math.floor(self.frame_number), True, quantum)
        if quantum >= 0:
            self.current = self.neighbour(node, 1) or self.first_cyclic
            self.frame_number = self.current.start()
            enters = self.current.rate > 0
        else:
            self.current = self.neighbour(node, -1) or self.nodes[-1]
            self.frame_number = self.current.end()
            enters = self.current.rate < 0
        if boundary and enters:
            self.contribute(offset, self.current, math.floor(self.frame_number), False, quantum)

    # -- motion: C.4 to C.9

    def add_modifier(self, motion, speed):
        if motion == self.substate or any(entry[0] == motion for entry in self.modifiers):
            return False
        self.push_modifier(motion, speed)
        return True

    def push_modifier(self, motion, speed):
        if len(self.modifiers) == MOST_MODIFIERS:
            raise Limit("modifiers")
        self.modifiers.insert(0, [motion, speed])

    def add_motion(self, data, speed, cycle=False):
        if not data:
            return
        self.set_physics([f32(c * speed) for c in data.velocity], [f32(c * speed) for c in data.omega])
        before = len(self.nodes)
        for animation, low, high, rate in data.refs:
            self.append((animation, low, high, f32(rate * speed)))
        if cycle and not self.quirks & CYCLE_TAIL and len(self.nodes) > before:
            self.first_cyclic = self.nodes[before]

    def change_motion(self, data, speed, sign):
        if data:
            self.add_physics([f32(c * speed) for c in data.velocity],
                             [f32(c * speed) for c in data.omega], sign)  # fmt: skip

    def change_cycle_speed(self, old, new):
        if abs(old) > EPS:
            self.multiply(f32_divide(new, old))
        elif abs(new) < EPS:
            self.multiply(0.0)
        elif not self.quirks & FROZEN_CYCLE:
            for node in self.cyclic():
                node.rate = f32(node.stored * new)

    def restart(self):
        self.clear_physics()
        self.remove_cyclic()

    def re_modify(self, table):  # C.7
        if self.quirks & REMODIFY_HEAD:
            for _ in range(len(self.modifiers)):
                if self.modifiers:
                    self.get_sequence(table, *self.modifiers.pop(0))
        else:
            listed, self.modifiers = self.modifiers, []
            for motion, speed in reversed(listed):
                self.get_sequence(table, motion, speed)

    def get_sequence(self, table, motion, speed, stop_modifiers=False):
        """num_animations, or None when it fails."""
        if not self.style or not self.substate:
            return None
        if not stop_modifiers and motion == table.default(self.style) and self.substate & MODIFIER:
            return 0
        if self.depth == MOST_DEPTH:
            raise Limit("depth")
        self.depth += 1
        try:
            for bit, branch in ((STYLE, self.take_style), (SUBSTATE, self.take_substate),
                                (ACTION, self.take_action), (MODIFIER, self.take_modifier)):  # fmt: skip
                if motion & bit:
                    count = branch(table, motion, speed)
                    if count is not None:
                        return count & NONE32
        finally:
            self.depth -= 1
        return None

    def take_style(self, table, motion, speed):
        style, sub, mod, d = self.style, self.substate, self.speed, table.default(self.style)
        if style == motion:
            return 0
        pre = table.get_link(style, sub, mod, d, speed) if sub != d else None
        d2 = table.default(motion)
        cycle = table.cycles.get(key_of(motion, d2)) if d2 else None
        if not cycle:
            return None
        if cycle.bitfield & 1:
            self.modifiers = []
        first, second = table.get_link(style, d, mod, motion, speed), None
        if not first:
            main = table.default_style
            first = table.get_link(style, d, 1, main, 1)
            second = table.get_link(main, table.default(main), 1, motion, 1)
        self.restart()
        for data in (pre, first, second):
            self.add_motion(data, speed)
        self.add_motion(cycle, speed, True)
        self.substate, self.style, self.speed = d2, motion, speed
        self.re_modify(table)
        return count_of(pre) + count_of(first) + count_of(second) + count_of(cycle) - 1

    def take_substate(self, table, motion, speed):
        style, sub, mod, d = self.style, self.substate, self.speed, table.default(self.style)
        cycle = table.cycles.get(key_of(style, motion))
        cycle = cycle or table.cycles.get(key_of(table.default_style, motion))
        if not cycle or (cycle.bitfield & 2 and motion != sub and d != sub):
            return None
        same_sign = (speed < 0) == (mod < 0)
        if motion == sub and same_sign and self.nodes:
            self.change_cycle_speed(mod, speed)
            self.change_motion(cycle, mod, -1)
            self.change_motion(cycle, speed, 1)
            self.speed = speed
            return 0
        if cycle.bitfield & 1:
            self.modifiers = []
        first, second = table.get_link(style, sub, mod, motion, speed), None
        if not first or not same_sign:
            first = table.get_link(style, sub, mod, d, 1)
            second = table.get_link(style, d, 1, motion, speed)
        self.restart()
        if second:
            self.add_motion(first, mod)
            self.add_motion(second, speed)
        else:
            self.add_motion(first, -speed if mod < 0 < speed else speed)
        self.add_motion(cycle, speed, True)
        if sub != motion and sub & MODIFIER and d != motion:
            self.push_modifier(sub, mod)
        self.speed, self.substate = speed, motion
        self.re_modify(table)
        return count_of(first) + count_of(second) + count_of(cycle) - 1

    def take_action(self, table, motion, speed):
        style, sub, mod, d = self.style, self.substate, self.speed, table.default(self.style)
        cycle = table.cycles.get(key_of(style, sub))
        if not cycle:
            return None
        out = back = None
        link = table.get_link(style, sub, mod, motion, speed)
        if not link:
            out, link = table.get_link(style, sub, mod, d, 1), table.get_link(style, d, 1, motion, speed)
            if not out or not link:
                return None
            back = table.get_link(style, d, 1, sub, mod)
        if len(self.actions) == MOST_ACTIONS:
            raise Limit("actions")
        self.actions.append([motion, speed])
        self.restart()
        self.add_motion(out, 1.0)
        self.add_motion(link, speed)
        self.add_motion(back, 1.0)
        self.add_motion(cycle, mod, True)
        self.re_modify(table)
        return count_of(out) + count_of(link) + count_of(back)

    def modifier_data(self, table, motion):
        data = table.modifiers.get(key_of(self.style, motion))
        return data or table.modifiers.get(motion & 0xFFFFFF)

    def take_modifier(self, table, motion, speed):
        cycle = table.cycles.get(key_of(self.style, self.substate))
        data = self.modifier_data(table, motion)
        if not cycle or cycle.bitfield & 1 or not data:
            return None
        if not self.add_modifier(motion, speed):
            self.stop(table, motion)
            if not self.add_modifier(motion, speed):
                return None
        self.change_motion(data, speed, 1)
        return 0

    def stop(self, table, motion):  # C.8
        if motion & SUBSTATE and motion == self.substate:
            return self.get_sequence(table, table.default(self.style), 1.0, True) or 0
        if motion & MODIFIER:
            for entry in self.modifiers:
                if entry[0] == motion:
                    data = self.modifier_data(table, motion)
                    if not data:
                        return None
                    self.change_motion(data, entry[1], -1)
                    self.modifiers.remove(entry)
                    return 0
        return None

    def stop_completely(self, table):
        for _ in range(100):  # retail may go round here for ever
            if not self.modifiers:
                break
            if self.stop(table, self.modifiers[0][0]) is None:
                raise Limit("a modifier that cannot be stopped")
        else:
            raise Limit("modifiers that come back")
        return self.stop(table, self.substate) or 0

    # -- the queue: C.10

    def enqueue(self, motion, animations):
        if len(self.pending) == MOST_PENDING:
            raise Limit("pending")
        self.pending.append([motion, animations])
        for last in range(len(self.pending) - 1, -1, -1):
            if self.pending[last][1] == 0:
                continue
            if self.truncate_behind_match(last) or self.quirks & ONE_REDUNDANT:
                return

    def truncate_behind_match(self, last):
        motion = self.pending[last][0]
        cycle = motion & SUBSTATE and not motion & MODIFIER
        if not cycle and not motion & STYLE:
            return False
        barrier = 0xB0000000 if cycle else 0x70000000
        for match in range(last - 1, -1, -1):
            other, count = self.pending[match]
            if other == motion and (count or not cycle):
                self.remove_links(sum(entry[1] for entry in self.pending[match + 1 :]) & NONE32)
                for entry in self.pending[match + 1 :]:
                    entry[1] = 0
                return True
            if count and other & barrier:
                return False
        return False

    def pop(self, success):
        motion = self.pending.pop(0)[0]
        if motion & ACTION:
            del self.actions[:1]
        self.ended.append((motion, success))

    def animation_done(self, success):
        if not self.pending:
            return
        self.counter += 1
        while self.pending and self.pending[0][1] <= self.counter & NONE32:
            self.counter = signed((self.counter - self.pending[0][1]) & NONE32)
            self.pop(success)
        if not self.pending:
            self.counter = 0

    def check_completed(self):
        while self.pending and self.pending[0][1] == 0:
            self.pop(True)

    def exit_world(self):
        while self.pending:  # as many ends as the first entry waits for
            self.counter = signed((self.pending[0][1] - 1) & NONE32)
            self.animation_done(False)

    def enter_world(self):
        self.remove_links()
        self.exit_world()

    def start(self, table):
        """False: the table has no default state."""
        substate = table.default(table.default_style)
        cycle = table.cycles.get(key_of(table.default_style, substate)) if substate else None
        if substate:
            self.modifiers, self.actions = [], []
        if not cycle:
            self.enqueue(READY, 0)
            return False
        self.style, self.substate, self.speed = table.default_style, substate, 1.0
        self.clear_physics()
        self.clear_animations()
        self.add_motion(cycle, 1.0, True)
        self.enqueue(READY, (count_of(cycle) - 1) & NONE32)
        return True

    def perform(self, table, command, motion, speed):
        """OK, NO_TABLE or REFUSED."""
        if not table:
            return NO_TABLE
        if command == 5:
            self.enqueue(READY, self.stop_completely(table))
        else:
            count = self.get_sequence(table, motion, speed) if command == 2 else self.stop(table, motion)
            if count is None:
                self.check_completed()
                return REFUSED
            self.enqueue(motion if command == 2 else READY, count)
        self.check_completed()
        return OK

    def tick(self, quantum, offset):
        before = len(self.events)
        self.update(quantum, offset)
        for _ in range(self.events[before:].count("DONE")):
            self.animation_done(True)
        self.check_completed()


def count_of(data):
    return len(data.refs) if data else 0


# ---- comparison ----------------------------------------------------------------------------------


def hex_words(text):
    return [int(word, 16) for word in text.split()]


def hex_f64(text):
    return struct.unpack(">d", bytes.fromhex(text))[0]


def floats(words):
    return [bits_f32(int(word, 16)) for word in words]


class Comparison:
    def __init__(self):
        self.library, self.table, self.state, self.steps, self.limits = {}, None, None, 0, 0
        self.kinds, self.quirks = {}, set()

    def line(self, line):
        """What differs, or None."""
        kind, _, rest = line.rstrip("\n").partition(" ")
        if kind == "RUN":
            self.library, self.table, self.state = {}, None, None
        elif kind == "ANIMATION":
            animation = Animation(bytes.fromhex(rest))
            self.library[animation.id] = animation
        elif kind == "TABLE":
            self.table = MotionTable(bytes.fromhex(rest))
        elif kind == "STATE":
            capacity, words = rest.split("|")
            self.state = State.from_words(hex_words(words), self.library, int(capacity))
            self.quirks.add(self.state.quirks)
            if self.state.to_words() != hex_words(words):
                return "the state's words"
        else:
            return self.one_step([field.split() for field in line.split("|")])
        return None

    def one_step(self, fields):
        op, (status, result), offset_words, events, ended, words = fields
        self.steps += 1
        self.kinds[op[0]] = self.kinds.get(op[0], 0) + 1
        state, before = self.state, self.state.to_words()
        state.events, state.ended, state.depth = [], [], 0
        limited, found, offset = False, "0", None
        try:
            found, offset = self.apply(state, op)
        except Limit:
            limited = True
            self.limits += 1
        if limited != (status != "0"):
            return f"status {status}, a limit here: {limited}"
        if limited:
            self.state = State.from_words(before, self.library, state.capacity)
            return None if before == hex_words(" ".join(words)) else "a limit changed the object"
        if str(found) != result:
            return f"result {result}, here {found}"
        if self.names(state.events) != events:
            return f"events {events}, here {self.names(state.events)}"
        if [f"{m:08x}:{int(s)}" for m, s in state.ended] != ended:
            return f"ended {ended}, here {state.ended}"
        if state.to_words() != hex_words(" ".join(words)):
            return f"words {words}, here {['%08x' % w for w in state.to_words()]}"
        return self.compare_offset(offset, offset_words)

    @staticmethod
    def names(events):
        return ["DONE" if e == "DONE" else f"{e[0]:08x}:{e[1]}:{e[2]}:{e[3]}" for e in events]

    @staticmethod
    def compare_offset(offset, words):
        if not offset:
            return None
        lengths = 1 + offset.way + max(abs(c) for c in offset.origin)
        allowed = (1e-5 + 2.0**-21 * offset.turned) * lengths  # of an angle 24 bits are kept
        for found, expected in zip(floats(words), offset.values()):
            if not abs(found - expected) <= allowed:
                return f"offset {floats(words)}, here {offset.values()} (allowed {allowed})"
        return None

    def apply(self, state, op):
        """(result, offset)."""
        name, words = op[0], op[1:]
        if name in ("update", "tick"):
            offset = Frame(floats(words[1:])) if len(words) > 1 else None
            getattr(state, name)(hex_f64(words[0]), offset)
            return 0, offset
        if name == "append":
            numbers = [int(word, 16) for word in words]
            done = state.append((numbers[0], signed(numbers[1]), signed(numbers[2]), bits_f32(numbers[3])))
            return int(not done), None
        if name in ("set", "combine", "subtract"):
            values = floats(words)
            if name == "set":
                state.set_physics(values[:3], values[3:])
            else:
                state.add_physics(values[:3], values[3:], 1 if name == "combine" else -1)
            return 0, None
        if name == "multiply":
            state.multiply(floats(words)[0])
        elif name == "links":
            state.remove_links(int(words[0], 16))
        elif name == "placement":
            state.placement, state.placement_frame = (int(word, 16) for word in words)
        elif name == "hooks":
            state.has_hooks = int(words[0], 16)
        elif name == "done":
            state.animation_done(bool(int(words[0], 16)))
        elif name == "start":
            return int(not state.start(self.table)), None
        elif name == "perform":
            kind, motion = int(words[0], 16), int(words[1], 16)
            return state.perform(self.table, kind, motion, floats(words[2:])[0]), None
        elif name == "get":
            count = state.get_sequence(
                self.table, int(words[0], 16), floats(words[1:])[0], words[2] != "0"
            )
            return -1 if count is None else count, None
        elif name == "stop":
            count = state.stop(self.table, int(words[0], 16))
            return -1 if count is None else count, None
        else:
            plain = {"cyclic": state.remove_cyclic, "all-links": state.remove_links,
                     "clear-animations": state.clear_animations, "clear": state.clear,
                     "clear-physics": state.clear_physics, "enter": state.enter_world,
                     "exit": state.exit_world, "completed": state.check_completed}  # fmt: skip
            plain[name]()
        return 0, None


def main(words):
    comparison = Comparison()
    printed = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for number, line in enumerate(printed.stdout, 1):
        difference = comparison.line(line)
        if difference:
            printed.kill()
            sys.exit(f"line {number}: {line}differs: {difference}")
    if printed.wait():
        sys.exit(f"{words[0]}: exit code {printed.returncode}")
    if comparison.steps < 1000 or len(comparison.quirks) < 9:
        sys.exit("too little was compared")
    print(f"{comparison.steps} steps are the same, {comparison.limits} of them limits, under",
          f"{len(comparison.quirks)} sets of quirks:", comparison.kinds)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
