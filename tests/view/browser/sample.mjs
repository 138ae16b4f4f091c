/* A model made by hand for the page's test: a walker of a dozen nodes, with two levels of detail, a
 * damaged state, sockets and 61 frames of animation, as a GLB and as the page's JSON.
 * Lengths and axes are the game's: x right, y forward, z up. */

const CELLS = 15;
export const FRAMES = 61;
const FPS = 20;
const TAU = Math.PI * 2;

/* ---- geometry: boxes and prisms with normals and UV -------------------------------------------- */

function box([x, y, z], [w, d, h], material) {
  const out = { positions: [], normals: [], uvs: [], indices: [], material };
  const faces = [[[1, 0, 0], [0, 1, 0]], [[-1, 0, 0], [0, -1, 0]], [[0, 1, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0]], [[0, 0, 1], [1, 0, 0]], [[0, 0, -1], [-1, 0, 0]]];
  for (const [normal, u] of faces) {
    const v = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2], normal[0] * u[1] - normal[1] * u[0]];
    const first = out.positions.length / 3;
    for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const at = [0, 1, 2].map((k) => normal[k] + a * u[k] + b * v[k]);
      out.positions.push(x + (at[0] * w) / 2, y + (at[1] * d) / 2, z + (at[2] * h) / 2);
      out.normals.push(...normal);
      out.uvs.push((a + 1) / 2, (1 - b) / 2);
    }
    out.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return out;
}

/* A prism along an axis (0 x, 1 y, 2 z), thinner at its far end when `taper` is below 1. */
function prism([x, y, z], axis, radius, length, sides, taper, material) {
  const out = { positions: [], normals: [], uvs: [], indices: [], material };
  const place = (a, r, t) => {
    const p = [Math.cos(a) * r, Math.sin(a) * r, t];
    const turned = axis === 2 ? p : axis === 1 ? [p[1], p[2], p[0]] : [p[2], p[0], p[1]];
    return turned;
  };
  const push = (p, n, u, v) => {
    out.positions.push(x + p[0], y + p[1], z + p[2]);
    out.normals.push(...n);
    out.uvs.push(u, v);
  };
  for (let i = 0; i <= sides; i++) {
    const a = (i / sides) * TAU;
    push(place(a, radius, -length / 2), place(a, 1, 0), (i / sides) * 2, 1);
    push(place(a, radius * taper, length / 2), place(a, 1, 0), (i / sides) * 2, 0);
  }
  for (let i = 0; i < sides; i++) out.indices.push(2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3);
  for (const end of [-1, 1]) {
    const first = out.positions.length / 3;
    const r = end < 0 ? radius : radius * taper;
    push(place(0, 0, (end * length) / 2), place(0, 0, end), 0.5, 0.5);
    for (let i = 0; i <= sides; i++) {
      const a = (i / sides) * TAU;
      push(place(a, r, (end * length) / 2), place(0, 0, end), 0.5 + Math.cos(a) / 2, 0.5 + Math.sin(a) / 2);
    }
    for (let i = 0; i < sides; i++) {
      const [b, c] = [first + 1 + i, first + 2 + i];
      out.indices.push(first, ...(end < 0 ? [c, b] : [b, c]));
    }
  }
  return out;
}

/* ---- the walker --------------------------------------------------------------------------------- */

const HULL = 0;
const JOINT = 1;
const GLASS = 2;
const GUN = 3;
const axisTurn = (axis, angle) => [0, 1, 2].map((k) => axis[k] * Math.sin(angle / 2)).concat(Math.cos(angle / 2));

function walker() {
  const nodes = [];
  const add = (name, parent, position, shapes, move, label) => nodes.push({ name, parent, position, shapes, move, label }) - 1;
  const swing = (phase, size) => (t) => ({ rotation: axisTurn([1, 0, 0], size * Math.sin(TAU * t + phase)) });
  const root = add('Base_TM', -1, [0, 0, 0], null, (t) => ({ position: [0, 0, 0.12 * Math.sin(2 * TAU * t)] }));
  const hull = add('B_Dn', root, [0, 0, 3.1], (lod) => [
    box([0, 0, 0], [2, 2.7, 0.9], HULL), ...(lod === 0 ? [box([0, 0.2, 0.62], [1.5, 1.6, 0.36], HULL), box([0, -1.25, 0.25], [1.4, 0.5, 0.9], JOINT),
      prism([-0.55, -1.62, 0.3], 1, 0.22, 0.4, 10, 0.8, GUN), prism([0.55, -1.62, 0.3], 1, 0.22, 0.4, 10, 0.8, GUN)] : []),
  ], (t) => ({ rotation: axisTurn([0, 1, 0], 0.05 * Math.sin(TAU * t)) }));
  const turret = add('B_Up', hull, [0, 0.15, 0.85], (lod) => [
    prism([0, 0, 0.1], 2, 1.05, 0.6, lod === 0 ? 20 : 8, 0.8, HULL), box([0, 0.75, 0.2], [0.8, 0.5, 0.36], GLASS),
  ], (t) => ({ rotation: axisTurn([0, 0, 1], 0.7 * Math.sin(TAU * t)) }));
  for (const [side, x] of [['L', -1], ['R', 1]]) {
    const arm = add(`${side}A_Up`, turret, [x * 1.25, 0.1, 0.1], (lod) => [
      box([0, 0, 0], [0.45, 0.7, 0.5], JOINT), prism([0, 0.9, 0], 1, 0.2, 1.5, lod === 0 ? 14 : 6, 0.85, GUN),
      ...(lod === 0 ? [prism([0, 1.75, 0], 1, 0.27, 0.3, 14, 1, HULL)] : []),
    ], (t) => ({ rotation: axisTurn([1, 0, 0], 0.18 * Math.sin(TAU * t + x)) }));
    add(`${side}A_Fire`, arm, [0, 1.95, 0], null, null, `universal_small${side.toLowerCase()}`);
  }
  add('Top', turret, [0, -0.3, 0.42], (lod) => (lod === 0 ? [prism([0, 0, 0.35], 2, 0.06, 0.7, 8, 0.4, JOINT)] : []), null, 'central_small');
  for (const [side, x] of [['L', -1], ['R', 1]]) {
    const phase = x < 0 ? 0 : Math.PI;
    const thigh = add(`${side}L_Up`, hull, [x * 1.2, 0, -0.1], (lod) => [
      prism([x * 0.05, 0, 0], 0, 0.42, 0.5, lod === 0 ? 16 : 6, 1, JOINT), box([x * 0.1, 0.05, -0.65], [0.42, 0.6, 1.3], HULL)], swing(phase, 0.5));
    const shin = add(`${side}L_Dn`, thigh, [x * 0.1, 0, -1.35], (lod) => [
      prism([0, 0, 0], 0, 0.3, 0.5, lod === 0 ? 14 : 6, 1, JOINT), box([0, -0.08, -0.7], [0.36, 0.5, 1.2], HULL)],
    (t) => ({ rotation: axisTurn([1, 0, 0], -0.35 + 0.35 * Math.cos(TAU * t + phase)) }));
    add(`${side}L_Ft`, shin, [0, 0, -1.4], (lod) => [box([0, 0.2, -0.1], [0.7, 1.3, 0.24], JOINT), ...(lod === 0 ? [box([0, 0.95, -0.12], [0.5, 0.35, 0.16], HULL)] : [])],
      (t) => ({ rotation: axisTurn([1, 0, 0], 0.35 - 0.35 * Math.cos(TAU * t + phase) - 0.5 * Math.sin(TAU * t + phase)) }));
  }
  return nodes;
}

function bounds(shapes) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { positions } of shapes) {
    positions.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
  }
  const centre = low.map((value, k) => (value + high[k]) / 2);
  return { low, high, sphere: [...centre, Math.hypot(...low.map((value, k) => (high[k] - value) / 2))] };
}

/* ---- container ----------------------------------------------------------------------------------- */

class Builder {
  json = { asset: { version: '2.0', generator: 'tests/view' }, buffers: [], bufferViews: [], accessors: [], meshes: [], nodes: [], materials: [], scenes: [], scene: 0 };
  chunks = [];
  size = 0;

  accessor(values, type, componentType) {
    const array = componentType === 5123 ? new Uint16Array(values) : new Float32Array(values);
    const bytes = Buffer.from(array.buffer);
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type];
    this.json.bufferViews.push({ buffer: 0, byteOffset: this.size, byteLength: bytes.length });
    const accessor = { bufferView: this.json.bufferViews.length - 1, componentType, count: array.length / width, type };
    if (type === 'VEC3' || type === 'SCALAR') {
      accessor.min = Array.from({ length: width }, (_, k) => Math.min(...array.filter((__, i) => i % width === k)));
      accessor.max = Array.from({ length: width }, (_, k) => Math.max(...array.filter((__, i) => i % width === k)));
    }
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    this.chunks.push(bytes, padding);
    this.size += bytes.length + padding.length;
    return this.json.accessors.push(accessor) - 1;
  }

  glb() {
    this.json.buffers.push({ byteLength: this.size });
    const chunk = (type, bytes, fill) => {
      const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4, fill);
      const head = Buffer.alloc(8);
      head.writeUInt32LE(bytes.length + padding.length, 0);
      head.writeUInt32LE(type, 4);
      return Buffer.concat([head, bytes, padding]);
    };
    const body = Buffer.concat([chunk(0x4e4f534a, Buffer.from(JSON.stringify(this.json)), 0x20), chunk(0x004e4942, Buffer.concat(this.chunks), 0)]);
    const head = Buffer.alloc(12);
    head.write('glTF', 0, 'latin1');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(12 + body.length, 8);
    return Buffer.concat([head, body]);
  }
}

function addMesh(builder, shapes, slot) {
  const primitives = shapes.map((shape) => ({
    attributes: {
      POSITION: builder.accessor(shape.positions, 'VEC3', 5126),
      NORMAL: builder.accessor(shape.normals, 'VEC3', 5126),
      TEXCOORD_0: builder.accessor(shape.uvs, 'VEC2', 5126),
    },
    indices: builder.accessor(shape.indices, 'SCALAR', 5123),
    material: shape.material,
  }));
  return builder.json.meshes.push({ primitives, extras: { retropose: { slot } } }) - 1;
}

function addTree(builder, nodes, needed, cell, poison) {
  const objects = [];
  const top = { name: `walker ${cell}`, rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], children: [] };
  builder.json.scenes.push({ nodes: [builder.json.nodes.push(top) - 1], extras: { retropose: { cell } } });
  for (const index of needed) {
    const node = nodes[index];
    const object = { name: poison[index] ?? node.name, translation: node.position, extras: { retropose: { node: index } } };
    if (node.meshes[cell] !== undefined) object.mesh = node.meshes[cell];
    objects[index] = builder.json.nodes.push(object) - 1;
    const parent = node.parent >= 0 ? builder.json.nodes[objects[node.parent]] : top;
    (parent.children ??= []).push(objects[index]);
  }
  addAnimation(builder, nodes, objects);
}

function addAnimation(builder, nodes, objects) {
  const animation = { name: 'frames', samplers: [], channels: [] };
  const times = builder.accessor(Array.from({ length: FRAMES }, (_, frame) => frame / FPS), 'SCALAR', 5126);
  const channel = (index, path, type, values) => {
    animation.samplers.push({ input: times, output: builder.accessor(values.flat(), type, 5126) });
    animation.channels.push({ sampler: animation.samplers.length - 1, target: { node: objects[index], path } });
  };
  nodes.forEach((node, index) => {
    if (!node.move || objects[index] === undefined) return;
    const poses = Array.from({ length: FRAMES }, (_, frame) => node.move(frame / (FRAMES - 1)));
    if (poses[0].rotation) channel(index, 'rotation', 'VEC4', poses.map((pose) => pose.rotation));
    if (poses[0].position) channel(index, 'translation', 'VEC3', poses.map((pose) => pose.position.map((v, k) => v + node.position[k])));
  });
  builder.json.animations.push(animation);
}

/* The same without what it says beyond glTF, first scene only. */
function stripped(builder) {
  const { json } = builder;
  for (const kind of ['nodes', 'meshes', 'materials', 'scenes']) for (const thing of json[kind]) delete thing.extras;
  json.scenes.length = 1;
  json.animations.length = 1;
  json.buffers = [];
  return builder.glb();
}

/* ---- where the nodes are, apart from any library: 4 x 4, row by row, in the game's axes ------------ */

const multiply = (a, b) => Array.from({ length: 16 }, (_, i) => {
  const [row, column] = [Math.floor(i / 4) * 4, i % 4];
  return a[row] * b[column] + a[row + 1] * b[column + 4] + a[row + 2] * b[column + 8] + a[row + 3] * b[column + 12];
});

function local([x, y, z], [i, j, k, w] = [0, 0, 0, 1]) {
  return [
    1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w), x,
    2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w), y,
    2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j), z,
    0, 0, 0, 1,
  ];
}

export function place(frame) {
  const matrices = [];
  for (const node of walker()) {
    const pose = node.move?.(frame / (FRAMES - 1)) ?? {};
    const position = node.position.map((value, k) => value + (pose.position?.[k] ?? 0));
    const matrix = local(position, pose.rotation);
    matrices.push(node.parent >= 0 ? multiply(matrices[node.parent], matrix) : matrix);
  }
  return matrices;
}

/* `poison`: texts for the first names, to see that none of them is taken for markup. */
export function sample(poison = []) {
  const nodes = walker();
  const builder = new Builder();
  const slots = [];
  builder.json.materials = [[0.46, 0.49, 0.40], [0.24, 0.25, 0.27], [0.75, 0.55, 0.18], [0.35, 0.36, 0.40]].map((colour, row) => ({
    name: `row ${row}`, doubleSided: false, extras: { retropose: { row } },
    pbrMetallicRoughness: { baseColorFactor: [...colour, 1], metallicFactor: row === 3 ? 0.5 : 0.1, roughnessFactor: 0.65 },
  }));
  // As docs/formats/gltf.md has it: the first scene has all nodes, each further cell a scene with its own
  // copy of those it needs, each with an animation of the same times.
  nodes.forEach((node) => {
    node.words = Array(CELLS).fill(-1);
    node.meshes = [];
  });
  builder.json.animations = [];
  for (const [cell, lod] of [[0, 0], [1, 1], [5, 2]]) {
    const needed = new Set();
    nodes.forEach((node, index) => {
      // Cell 5, a damaged state, is filled for two nodes only.
      const shapes = cell === 5 && index !== 1 && index !== 2 ? [] : (node.shapes?.(lod) ?? []);
      if (shapes.length > 0) {
        node.words[cell] = slots.push({ ...bounds(shapes), triangles: 0, batches: shapes.length }) - 1;
        node.meshes[cell] = addMesh(builder, shapes, node.words[cell]);
      }
      for (let at = shapes.length > 0 || cell === 0 ? index : -1; at >= 0; at = nodes[at].parent) needed.add(at);
    });
    addTree(builder, nodes, [...needed].sort((a, b) => a - b), cell, poison);
  }
  const corner = (i) => [i & 1 ? 2 : -2, i & 2 ? 2.4 : -2.2, i & 4 ? 5.4 : -0.1];
  const info = {
    format: 1, name: poison[0] ?? 'walker.msh', source: 'tests/view/browser/sample.mjs', producer: 'retropose 0.1.0', fps: FPS, frames: FRAMES, samples: 1, cells: 'state-lod',
    counts: { nodes: nodes.length, slots: slots.length },
    readings: [{ name: 'key-order', value: 'xyzw', choices: 'xyzw|wxyz' }, { name: 'slot-words', value: 'state-lod', choices: 'lod-group|state-lod' }],
    nodes: nodes.map((node, index) => ({
      name: poison[index] ?? node.name, label: node.label ?? '', parent: node.parent, flags: 0, slots: node.words,
      keys: node.move ? [0, 15, 30, 45, 60] : [0],
    })),
    slots,
    header: { corners: [0, 1, 3, 2, 4, 5, 7, 6].map(corner), sphere: [0, 0.1, 2.65, 4.2], low: [0, 0.1, -0.1], high: [0, 0.1, 5.4], radius: 3 },
    findings: poison.length > 0 ? [{ rule: 'M30', severity: 'canonical', what: poison[0], where: poison[1] ?? '', expected: '', found: '' }] : [],
  };
  const glb = builder.glb();
  return { glb, info, strip: () => stripped(builder) };
}

/* Nodes that hang one on another, each a hundredth farther to the right, with a box at the last. */
export function chain(count) {
  const builder = new Builder();
  builder.json.materials = [{}];
  const mesh = addMesh(builder, [box([0, 0, 0], [1, 1, 1], 0)], 0);
  for (let node = 0; node < count; node++) {
    builder.json.nodes.push({ translation: [node > 0 ? 0.01 : 0, 0, 0], children: node + 1 < count ? [node + 1] : undefined, extras: { retropose: { node } } });
  }
  builder.json.nodes[count - 1].mesh = mesh;
  builder.json.scenes.push({ nodes: [0] });
  const empty = Array(CELLS).fill(-1);
  const nodes = Array.from({ length: count }, (_, node) => ({
    name: `n${node}`, label: '', parent: node - 1, flags: 0, keys: [0], slots: node === count - 1 ? [0, ...empty.slice(1)] : empty,
  }));
  return { glb: builder.glb(), info: { format: 1, name: 'chain', fps: FPS, frames: 1, nodes, slots: [] } };
}
