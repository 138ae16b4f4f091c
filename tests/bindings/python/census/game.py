"""Makes a folder of archives that has the numbers which were published about the game's own (docs/proof/send.md).

It shares no code with Retropose: archives, models and poses are written from the description of the formats. Models
are plain boxes, and every number is put in on purpose:

  still    216 models whose node 0 fills the header's box and whose rotations do not matter;
  swung     18 whose arm, turned the right way, stays in the box, and turned the other way leaves it;
  twisted   68 the same, with a head that reaches the top of the box only where its node stands;
  loose    132 whose box is larger than what they show; three of them fill it when they are damaged.

Of the 302 models of the first three kinds, 71 have lower levels that leave the box.
"""

import math
import os
import struct
import zlib

LEVELS = 5
NONE = 0xFFFF
COCKPIT, INTERIOR = 0x20, 1
STILL, SWUNG, TWISTED, LOOSE = range(4)
KINDS = [STILL] * 216 + [SWUNG] * 18 + [TWISTED] * 68 + [LOOSE] * 132
LIBRARIES = ["animals", "bases", "fortif", "guns", "intsys", "parts", "static", "turrets", "weapon"]
# The only sort table that was published: the numbers of the members of system.rlb in the order of their names.
SYSTEM = [0, 5, 6, 7, 8, 9, 10, 11, 12, 16, 1, 4, 15, 13, 14, 2, 3]
# Flag words of batches, and how many have them; all others have 0.
WORDS = [(0x108, 633), (0x2000, 852), (0x2002, 120), (0x100, 1980), (0x2, 997), (0x102, 300), (0x4000, 247),
         (0x1, 183), (0x40, 170), (0x4, 72), (0x10, 66), (0x4002, 60), (0x104, 40)]
TRIANGLES = [137445, 34843, 14033, 5039, 13763]
OTHER_TRIANGLES = 241887 - sum(TRIANGLES) - 18402 - 84  # of states 1 and 2
SLOTS = [1451, 1011, 952, 535, 288]
WITH_LEVEL = [434, 283, 282, 197, 103]  # models
MOST_SLOTS, MOST_BATCHES = [23, 23, 22, 22, 22], 439  # of one model; slots by level
VERTICES = 12, 9686  # the fewest and the most of a model
OUTSIDE = [range(0), range(26), range(21, 71), range(63), range(2)]  # models whose level leaves the box


# ---- archives -------------------------------------------------------------------------------------------------------

def archive(members, order=None):
    """`members` are (type, attr1, attr2, attr3, name, bytes); `order` are their numbers sorted by name."""
    order = order or sorted(range(len(members)), key=lambda i: members[i][4].upper())
    data, table = bytearray(16), bytearray()
    for (kind, attr1, attr2, attr3, name, payload), rank in zip(members, order):
        table += struct.pack("<5I36s2I", kind, attr1, attr2, len(payload), attr3, name.encode(), len(data), rank)
        data += payload + bytes(-len(payload) % 8)
    struct.pack_into("<4sIiI", data, 0, b"NRes", 0x100, len(members), len(data) + len(table))
    return bytes(data + table)


def share(total, lows, highs):
    """Gives each as many as the others, within its bounds."""
    shares, left = list(lows), total - sum(lows)
    assert 0 <= left <= sum(highs) - sum(lows)
    while left:
        able = [i for i in range(len(shares)) if shares[i] < highs[i]]
        each = max(1, left // len(able))
        for i in able:
            given = min(each, highs[i] - shares[i], left)
            shares[i] += given
            left -= given
    return shares


# ---- models ---------------------------------------------------------------------------------------------------------

def turn(axis, degrees):
    """The rotation of a key by which the game turns things about an axis: it takes w first, and the conjugate."""
    half = math.radians(degrees) / 2
    q = [math.cos(half), 0, 0, 0]
    q[1 + axis] = -math.sin(half)
    return q


def product(a, b):
    """A key's rotation that turns as `a` after `b`: of conjugates in the other order."""
    (w, x, y, z), (s, i, j, k) = b, a
    return [w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j,
            w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s]


class Node:
    def __init__(self, name, parent=0, at=(0, 0, 0), q=(1, 0, 0, 0), box=None, flags=0):
        self.name, self.parent, self.at, self.q, self.flags = name, parent, at, q, flags
        self.slots = {}  # (state, level): box
        if box:
            self.slots[0, 4 if flags & COCKPIT else 0] = box
        self.path = self.spin = None  # place and rotation by time; else both are as they are
        self.keys = 1


def scaled(scale, *corners):
    return tuple(tuple(scale * c for c in corner) for corner in corners)


class Model:
    """`box` is what node 0 fills. The box of the header is larger by `pad` diagonals at one face."""

    def __init__(self, name, kind, scale):
        self.name, self.kind, self.scale = name, kind, scale
        self.box = scaled(scale, (-10, -4, 0), (10, 10, 8))
        self.radius = None
        self.pad = (2, 0.001) if kind != LOOSE else (0, 0.03)
        self.lit = self.paths = False
        self.animated, self.frames, self.vertices = 0, 1, 0  # as many vertices as its slots need, or more
        low, high = self.box
        self.nodes = [Node("body", NONE, box=(low, (high[0], high[1], 7 * scale) if kind == TWISTED else high))]
        if kind in (SWUNG, TWISTED):
            self.nodes += [Node("arm", 0, q=turn(2, 45), box=scaled(scale, (0, -0.2, 1), (13, 0.2, 2))),
                           Node("hand", 1, (12 * scale, 0, scale), box=scaled(scale, (-0.5,) * 3, (0.5,) * 3))]
        if kind == TWISTED:
            self.nodes.append(Node("head", 0, (0, 0, 7 * scale), box=scaled(scale, (-1, -1, 0), (1, 1, 1))))

    def middle(self):
        low, high = self.box
        return tuple((a + b) / 2 for a, b in zip(low, high))

    def within(self, part):
        """A box about the middle, as a part of the box that node 0 fills."""
        low, high = self.box
        return (tuple(m + part * (a - m) for a, m in zip(low, self.middle())),
                tuple(m + part * (a - m) for a, m in zip(high, self.middle())))

    def add(self, name):
        """A visible node that stays inside."""
        self.nodes.append(Node(name, 0, box=self.within(0.1)))

    def header(self):
        low, high = [list(corner) for corner in self.box]
        axis, part = self.pad
        pad = 0
        for _ in range(40):  # the diagonal grows with it
            pad = part * math.dist(low, [h + (pad if i == axis else 0) for i, h in enumerate(high)])
        high[axis] += pad
        return low, high

    def visible(self):
        return [node for node in self.nodes if (0, 0) in node.slots]


def named():
    """The models of which numbers were published."""
    flat = lambda x, y, low, high: ((-x, -y, low), (x, y, high))
    made = []

    def make(name, box, radius=None):
        model = Model(name, STILL, 1)
        model.box, model.radius = box, radius
        model.nodes = [Node("body", NONE, box=box)]
        made.append(model)
        return model

    make("R_B_02", flat(8.791, 7.687, -2.08, 1.82), 11.6771).nodes.append(
        Node("Base_TM", 0, (0, 0, -2.00), turn(1, 180)))
    make("R_L_02", flat(1, 1.5, -0.53, 0.6)).nodes.append(Node("Base_TL", 0, (0, 0, -0.43), turn(1, 180)))
    make("R_L_01", flat(1, 1.5, -0.7, 0.20)).nodes.append(Node("Base_TL", 0, (0, 0, 0.12)))
    make("R_B_01", flat(5, 7, -2, 1.48)).nodes.append(Node("Base_TM", 0, (0, 0, 1.28)))
    make("R_B_08", flat(9, 8, -3, 26.7))
    make("fr_b_brige", flat(25.6, 12.16, 0, 20), 28.3412)
    make("fr_b_bunker", flat(47.325, 47.325, -10, 44), 66.927).nodes.append(Node("Base_TB", 0, (0, 0, 16.49)))
    model = make("fr_l_gener", flat(25, 25, 0, 30))
    for i in range(4):  # each pylon is in the same place of a parent that is turned
        model.nodes.append(Node(f"Base_{i}", 0, (0, 0, 10), turn(2, 90 * i)))
        model.nodes.append(Node(f"pylon{i}", len(model.nodes) - 1, (20.74, 20.74, 12.58),
                                box=((-1, -1, -5), (1, 1, 5))))
    model = make("R_H_02", flat(0.6, 0.6, -0.75, 0.75))
    model.frames, model.animated = 124, 10
    for i in range(9):
        model.nodes.append(Node(f"limb{i}", max(0, i - 1), box=model.within(0.1) if i < 3 else None))
    for node in model.nodes:
        node.keys = 124
    model.nodes[0].path = lambda t: (0, 5.7 * min(t, 123 - t) / 61.5 if t != 61 else 5.7, 0)
    model = make("o_tur_ha_02", flat(1, 1, 0, 2))
    model.frames, model.animated = 62, 3
    model.nodes += [Node("Turn_m1o1", 0, box=model.within(0.3)), Node("GP_m1o1", 1, (0, 0, 0.5), box=model.within(0.1))]
    pitches = {55: -30.54, 56: 24.4, 57: 79.41}
    model.nodes[1].spin = lambda t: turn(2, 90 * (t - 49) if 49 <= t <= 53 else 0)
    model.nodes[2].spin = lambda t: turn(0, pitches.get(t, 0))
    for node in model.nodes:
        node.keys = 62
    return made


# ---- the plan -------------------------------------------------------------------------------------------------------

def shrunk(box, part=0.5):
    low, high = box
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    return tuple(tuple(m + part * (c - m) for c, m in zip(corner, middle)) for corner in box)


def grown(box, axis, by):
    low, high = box
    return low, tuple(h + (by if i == axis else 0) for i, h in enumerate(high))


def diagonal(model):
    return math.dist(*model.header())


def plan_nodes(models):
    loose = [model for model in models if model.kind == LOOSE]
    known = {model.name for model in named()}
    free = [model for model in models if model.name not in known]
    most = {STILL: 20, SWUNG: 4, TWISTED: 4, LOOSE: 2}
    large = free[0]
    others = [model for model in free if model is not large]
    while len(large.nodes) < 23:
        large.add(f"part{len(large.nodes)}")
    lows = [len(model.nodes) for model in others]
    taken = sum(len(model.visible()) for model in models if model not in others)
    highs = [1 if model is models[-6] else most[model.kind] for model in others]  # one has a single slot
    for model, count in zip(others, share(SLOTS[0] - taken, lows, highs)):
        while len(model.nodes) < count:
            model.add(f"part{len(model.nodes)}")
    for i, model in enumerate(loose[:28]):
        box = model.within(0.1)
        model.nodes.append(Node("CP_m1o1", 0, box=grown(box, 2, diagonal(model)) if i < 12 else box, flags=COCKPIT))
    moving = [model for model in free if model.kind in (SWUNG, TWISTED)] + loose[:59] + others[:10]
    still_two = loose[54:59]  # of two frames
    socketed = [large] + [model for model in moving if model not in still_two]
    missing = 1845 - sum(len(model.nodes) for model in models)
    for model, count in zip(socketed, share(missing, [15] + [1] * (len(socketed) - 1), [15] + [9] * len(moving))):
        model.nodes += [Node(f"Base_{i}", 0) for i in range(count)]
    return moving, still_two


def plan_motion(moving, still_two):
    rest = [model for model in moving if model not in still_two]
    for model in still_two:
        model.animated, model.frames = 2, 2
    for model, count in zip(rest, share(817 - 10 - 10 - 3, [1] * len(rest), [len(model.nodes) for model in rest])):
        model.animated, model.frames = count, 62
    for node in [node for model in still_two for node in model.nodes[:2]]:
        node.keys = 2
    nodes = [node for model in rest for node in model.nodes[:model.animated]]
    count = 33020 - 10 * 2 - 10 * 124 - 3 * 62
    for node, keys in zip(nodes, share(count, [2] * len(nodes), [61] * len(nodes))):
        node.keys = keys
        node.spin = lambda t, q=node.q: product(turn(2, 20 * math.sin(t / 9)), q)
    for node in [node for model in rest if model.kind == LOOSE for node in model.nodes[:model.animated]][:11]:
        node.spin = lambda t, last=True, spin=node.spin: [0] * 4 if t == 61 else spin(t)


def plan_slots(models):
    for level in range(1, LEVELS):
        able = models[:WITH_LEVEL[level]]
        large = MOST_SLOTS[level]  # of the first model, which has the most of all
        counts = share(SLOTS[level], [large] + [1] * (len(able) - 1),
                       [large] + [len(model.visible()) for model in able[1:]])
        for i, (model, count) in enumerate(zip(able, counts)):
            for node in model.visible()[:count]:
                node.slots[0, level] = shrunk(node.slots[0, 0])
            if i in OUTSIDE[level]:
                node = model.nodes[0]
                node.slots[0, level] = grown(node.slots[0, 0], 1, 0.1 * diagonal(model))
    for i, model in enumerate(models[100:232] + models[-3:]):
        node = model.nodes[0]
        node.slots[1, 0] = model.header() if i >= 132 else shrunk(node.slots[0, 0])
        if i < 15:
            node.slots[2, 0] = shrunk(node.slots[0, 0])


def slots_of(model):
    return sum(len(node.slots) for node in model.nodes)


def plan_batches(models):
    """Gives every slot its batches: lists of (triangles, flag word)."""
    slots = [(node, key) for model in models for node in model.nodes for key in sorted(node.slots)]
    counts = {}
    for level in range(LEVELS):
        ordinary = [slot for slot in slots if slot[1] == (0, level) and not slot[0].flags & COCKPIT]
        assert len(ordinary) == SLOTS[level]
        counts.update(zip(ordinary, share(TRIANGLES[level], [1] * len(ordinary), [99999] * len(ordinary))))
    for total, some in ((18402, [slot for slot in slots if slot[0].flags & COCKPIT]),
                        (OTHER_TRIANGLES, [slot for slot in slots if slot[1][0] > 0])):
        counts.update(zip(some, share(total, [1] * len(some), [99999] * len(some))))
    words = [word for word, count in WORDS for _ in range(count)]
    large = slots_of(models[0])
    only = slots.index((models[-6].nodes[0], (0, 0)))
    triangles = [counts[slot] for slot in slots]
    batches_of = share(MOST_BATCHES, [1] * large, triangles[:large])
    batches_of += share(15153 - 15 - MOST_BATCHES, [1] * (len(slots) - large),
                        [1 if i == only else t for i, t in enumerate(triangles)][large:])
    for slot, batches in zip(slots, batches_of):
        node, key = slot
        sizes = share(counts[slot], [1] * batches, [99999] * batches)
        node.batches = getattr(node, "batches", {})
        node.batches[key] = [(size, words.pop() if words else 0) for size in sizes]
    assert not words


def plan():
    models = [Model(f"model_{i}", kind, 1 + i % 7 / 4) for i, kind in enumerate(KINDS)]
    models[206:216] = named()
    for model in [model for model in models if model.kind == LOOSE][-5:-3]:
        model.pad = 0, 0.0148
    moving, still_two = plan_nodes(models)
    plan_motion(moving, still_two)
    plan_slots(models)
    models[0].vertices = VERTICES[1]
    plan_batches(models)
    for i, model in enumerate(models[1:30]):
        model.paths, model.lit = True, i < 21
        if model.lit:
            model.nodes[-1].flags |= INTERIOR
    return models


# ---- streams --------------------------------------------------------------------------------------------------------

CORNERS = [0, 7, 1, 2, 4, 3, 5, 6, 0, 1, 3, 2]  # of triangles, over and over; all eight are among the first three


class Streams:
    def __init__(self):
        self.positions, self.indices, self.batches, self.slots = bytearray(), bytearray(), bytearray(), bytearray()
        self.vertices = self.triangles = self.batch_count = self.slot_count = 0

    def add(self, box, batches, vertices=VERTICES[0]):
        low, high = box
        first = self.triangles, self.batch_count
        for i in range(vertices):
            self.positions += struct.pack("<3f", *((high if i >> axis & 1 else low)[axis] for axis in range(3)))
        corner = 0
        for triangles, word in batches:
            used = [CORNERS[(corner + i) % 12] for i in range(3 * triangles)]
            corner += 3 * triangles
            self.batches += struct.pack("<2H2BHHIHI", word, 0, 0, 0 if word & 0x2000 else 0xFF, NONE, len(used),
                                        3 * self.triangles, max(used) + 1, self.vertices)
            self.indices += struct.pack(f"<{len(used)}H", *used)
            self.triangles += triangles
            self.batch_count += 1
        self.vertices += vertices
        middle = [(a + b) / 2 for a, b in zip(low, high)]
        sizes = [b - a for a, b in zip(low, high)]
        self.slots += struct.pack("<4H12f3I", first[0], self.triangles - first[0], first[1],
                                  self.batch_count - first[1], *low, *high, *middle, math.dist(low, high) / 2,
                                  sizes[0] * sizes[1], math.prod(sizes), 0, 0, 0)
        self.slot_count += 1
        return self.slot_count - 1


def write_keys(node, frames, keys):
    """Appends the node's keys, and gives its words of the frame map."""
    first, times = len(keys) // 24, []
    for i in range(node.keys):
        time = i * (frames - 1) // (node.keys - 1) if node.keys > 1 else 0
        q = node.spin(time) if node.spin else node.q
        q = [-part for part in q] if i % 3 == 1 else q  # the same rotation
        times.append(time)
        keys += struct.pack("<4f4h", *(node.path(time) if node.path else node.at), time,
                            *(round(32767 * part) for part in q))
    return [first + max(i for i, time in enumerate(times) if time <= frame) for frame in range(frames)]


def write_header(model):
    low, high = model.header()
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    corners = [(x, y, z) for z in (low[2], high[2])
               for x, y in ((low[0], high[1]), (high[0], high[1]), (high[0], low[1]), (low[0], low[1]))]
    radius = model.radius or math.hypot(high[0] - low[0], high[1] - low[1]) / 2
    return struct.pack("<35f", *(c for corner in corners for c in corner), *middle, math.dist(low, high) / 2,
                       *middle[:2], low[2], *middle[:2], high[2], radius)


def image(header, streams, nodes, node_count, stride, keys, words, frames, names, lit=False, paths=False):
    """A model's archive, in the order of streams that most models of the game have."""
    vertices = streams.vertices
    labels = bytes(4 * len(names))
    texts = b"".join(name.encode().ljust(32, b"\0") for name in names)
    triangles = struct.pack("<H3H3hH", 0, NONE, NONE, NONE, 0, 0, 32767, 0x3F) * streams.triangles
    graph = bytes(20) * 3 if paths else b""
    members = [(1, node_count, 0, stride, nodes), (2, streams.slot_count, 0, 68, header + streams.slots),
               (3, vertices, 0, 12, streams.positions), (4, vertices, 0, 4, b"\0\0\x7F\0" * vertices),
               (5, vertices, 0, 4, bytes(4 * vertices))]
    members += [(18, vertices, 0, 4, bytes(4 * vertices))] if lit else []
    members += [(15, vertices, 0, 8, bytes(8 * vertices)), (13, streams.batch_count, 0, 20, streams.batches),
                (6, len(streams.indices) // 2, 0, 2, streams.indices), (7, streams.triangles, 0, 16, triangles),
                (8, len(keys) // 24, 0, 4, keys),
                (19, len(words), frames, 2, struct.pack(f"<{len(words)}H", *words)),
                (9, len(names), 0, 32, texts), (10, len(names), 0, 0, labels), (17, len(graph) // 20, 0, 0, graph)]
    members += [(20, 1, 0, 48, bytes(48))] if lit else []
    return archive([(kind, a, b, c, f"Res{kind}", bytes(payload)) for kind, a, b, c, payload in members])


def write_model(model):
    streams, nodes, keys, words = Streams(), bytearray(), bytearray(), []
    for i, node in enumerate(model.nodes):
        numbers = [NONE] * 15
        for state, level in sorted(node.slots):
            rest = streams.slot_count == 0 and model.vertices - VERTICES[0] * (slots_of(model) - 1)
            numbers[state * LEVELS + level] = streams.add(node.slots[state, level], node.batches[state, level],
                                                          max(VERTICES[0], rest))
        block = write_keys(node, model.frames, keys)
        start = len(words) if i < model.animated else NONE
        words += block if i < model.animated else []
        nodes += struct.pack("<4H15H", node.flags, node.parent, start, len(keys) // 24 - 1, *numbers)
    return image(write_header(model), streams, nodes, len(model.nodes), 38, keys, words, model.frames,
                 [node.name for node in model.nodes], model.lit, model.paths)


def legacy():
    """The one model whose node has another form."""
    streams = Streams()
    streams.add(((-1, -1, -1), (1, 1, 1)), [(size, 0) for size in share(84, [1] * 15, [99] * 15)], 128)
    record = struct.pack("<5H", 0, NONE, NONE, 0, 0) + b"\xFF" * 14
    model = Model("MTCHECK", STILL, 1)
    return image(write_header(model), streams, record, 1, 24, struct.pack("<4f4h", 0, 0, 0, 0, 32767, 0, 0, 0), [], 1,
                 ["MTCHECK"])


# ---- files ----------------------------------------------------------------------------------------------------------

def system(models):
    """Seventeen members, named so that their order is the published one."""
    members = [None] * len(SYSTEM)
    models = iter(models)
    for rank, number in enumerate(SYSTEM):
        if rank == 12:
            payload, name = legacy(), "MTCHECK.MSH"
        else:
            payload, name = write_model(next(models)), f"{chr(ord('a') + rank)}_sys.msh"
        members[number] = (0x4853454D, 0, 0, 1, name, payload)
    return archive(members, SYSTEM)


def ciphered(data, key):
    """The table of a library (facts/formats.md B.2)."""
    low, high, out = key & 255, key >> 8 & 255, bytearray()
    for byte in data:
        low = high ^ (low << 1 & 255)
        out.append(byte ^ low)
        high = low ^ high >> 1
    return bytes(out)


def lzss(data):
    """Packed as literals only."""
    return b"".join(b"\xFF" + data[at:at + 8] for at in range(0, len(data), 8))


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def library(names, total, method, pack):
    """Entries of any bytes, which unpack to `total` bytes together."""
    table, payloads = bytearray(), bytearray()
    ranks = sorted(range(len(names)), key=lambda i: names[i])
    for i, (name, size) in enumerate(zip(names, share(total, [1] * len(names), [total] * len(names)))):
        packed = pack(bytes(n * n % 251 for n in range(size)))
        table += struct.pack("<12s4s2H3I", name.encode(), bytes(4), method, ranks[i], size,
                             32 + 32 * len(names) + len(payloads), len(packed))
        payloads += packed
    head = struct.pack("<4s2h6sH4I", b"NL\0\1", len(names), len(names), bytes(6), 0xABBA, total, 0x1234, 0, 0)
    return head + ciphered(table, 0x1234) + payloads


def make(folder):
    os.makedirs(folder)
    models = plan()
    files = {"system.rlb": system(models[:16]), "gamefont.rlb": library(["PAL.PAL", "ARIALTEX.TFT"], 87096, 0x40, lzss),
             "sprites.lib": library([f"SPRITE{i:02}.TEX" for i in range(24)], 1573632, 0x100, deflated)}
    entries = 17
    for i, name in enumerate(LIBRARIES):
        members = [(0x4853454D, 0, 0, 1, f"{model.name}.msh", write_model(model))
                   for model in models[16 + i::len(LIBRARIES)]]
        files[f"{name}.rlb"] = archive(members)
        entries += len(members)
    empty = 120 - 1 - len(LIBRARIES)
    for i, count in enumerate(share(6804 - entries, [0] * empty, [99] * empty)):
        files[f"other_{i:03}.lib"] = archive([(0x54415453, 0, 0, 1, f"{n:02}", b"x" * (n % 12)) for n in range(count)])
    for name, content in files.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(content)
