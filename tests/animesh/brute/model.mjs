// Reads the streams of a model that posing and queries need (facts/animesh.md D.2, D.3;
// facts/formats.md A for the archive around them).

function streams(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), found = new Map();
  if (bytes.toString("latin1", 0, 4) !== "NRes") throw new Error("a model is no NRes archive");
  const count = view.getUint32(8, true), directory = view.getUint32(12, true) - 64 * count;
  for (let i = 0; i < count; i++) {
    const at = directory + 64 * i, type = view.getUint32(at, true);
    const size = view.getUint32(at + 12, true), offset = view.getUint32(at + 56, true);
    if (found.has(type)) continue;
    found.set(type, {
      attributes: [4, 8, 16].map((field) => view.getUint32(at + field, true)),
      size, view: new DataView(bytes.buffer, bytes.byteOffset + offset, size),
    });
  }
  return (type) => found.get(type) ?? { attributes: [0, 0, 0], size: 0, view: new DataView(new ArrayBuffer(0)) };
}

const NONE = 0xffff;
const records = ({ size, view }, stride, read, from = 0) =>
  Array.from({ length: Math.floor((size - from) / stride) }, (_, i) => read(view, from + i * stride));
const u16 = (view, at) => view.getUint16(at, true);
const i16 = (view, at) => view.getInt16(at, true);
const u32 = (view, at) => view.getUint32(at, true);
const floats = (view, at, count) => Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));

export function readModel(bytes) {
  const stream = streams(bytes), header = stream(2).view;
  return {
    frameCount: stream(19).attributes[1],
    header: { corners: floats(header, 0, 24), sphere: floats(header, 96, 4), capsule: floats(header, 112, 7) },
    nodes: records(stream(1), 38, (view, at) => ({
      flags: u16(view, at),
      parent: u16(view, at + 2) === NONE ? -1 : u16(view, at + 2),
      mapStart: u16(view, at + 4),
      fallback: u16(view, at + 6),
      slot: (variant, level) => u16(view, at + 8 + 2 * (5 * variant + level)),
    })),
    slots: records(stream(2), 68, (view, at) => ({
      firstTriangle: u16(view, at), triangleCount: u16(view, at + 2),
      firstBatch: u16(view, at + 4), batchCount: u16(view, at + 6),
      low: floats(view, at + 8, 3), high: floats(view, at + 20, 3), sphere: floats(view, at + 32, 4),
    }), 140),
    positions: records(stream(3), 12, (view, at) => floats(view, at, 3)),
    indices: records(stream(6), 2, u16),
    triangles: records(stream(7), 16, (view, at) => ({
      flags: u16(view, at), normal: [8, 10, 12].map((field) => i16(view, at + field)),
    })),
    keys: records(stream(8), 24, (view, at) => ({
      position: floats(view, at, 3), time: view.getFloat32(at + 12, true),
      rotation: [16, 18, 20, 22].map((field) => i16(view, at + field)),
    })),
    batches: records(stream(13), 20, (view, at) => ({
      flags: u32(view, at), indexCount: u16(view, at + 8), firstIndex: u32(view, at + 10),
      baseVertex: u32(view, at + 16),
    })),
    map: records(stream(19), 2, u16),
  };
}

// The slot of level 0 in a state of damage. No other level takes its place (E.2).
export function slotOf(model, node, variant) {
  const index = model.nodes[node].slot(variant, 0);
  return index === NONE ? null : model.slots[index];
}
