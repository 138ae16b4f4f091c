/* A model of the game, posed by the library: at each time the page asks for the matrices of all
 * nodes, and nothing is baked. */
import { BufferAttribute, BufferGeometry, Mesh, MeshStandardMaterial } from 'three';
import { Complaint, library, slotMesh } from './library.js';
import { bounded, measure, Subject } from './subject.js';
import { rowColour } from './surfaces.js';

export const INNER = 5;
export const OUTER = 3;

/* The game's axes, x right, y forward, z up: (x, y, z) is shown as (x, z, -y). */
const UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
const DEFAULT_FPS = 20; // steps of 50 ms of the game's controllers

/* Row-major numbers into a matrix of three.js. */
export function take(matrix, m, at) {
  const e = matrix.elements;
  for (let row = 0; row < 4; row++) for (let column = 0; column < 4; column++) e[column * 4 + row] = m[at + row * 4 + column];
}

export class Model extends Subject {
  #item;
  #geometries = new Map(); // slot -> { geometry, batches } or null
  #matrices = null;
  #objectTime = '';

  constructor(item, { readings = 'evidence', fps = 0 } = {}) {
    const model = library().openModel(item.bytes(), { readings, name: item.name });
    super({
      kind: 'model', name: item.name, source: item.source, axes: UP, unit: '', step: 1, fps: fps > 0 ? fps : DEFAULT_FPS,
      frames: Math.max(1, model.frameCount),
    });
    this.#item = item;
    this.model = model;
    try {
      this.info = model.describe();
      for (const node of this.info.nodes) this.addNode({ ...node, name: node.name || `node ${this.nodes.length}` });
      this.link();
      this.#makeObject();
      this.setTime({ frame: 0 });
      for (const cell of model.cells) if (cell.nodes > 0) this.#make([cell.outer, cell.inner]);
      this.bounds = bounded(measure([...this.parts()].map(([, part]) => part.mesh), this.nodes));
    } catch (error) {
      model.close();
      throw error;
    }
  }

  get item() {
    return this.#item;
  }

  /* The game's own object, which is measured and hit, and which others are attached to. It needs a
   * sounder model than poses do. */
  #makeObject() {
    try {
      this.object = this.model.createObject();
      this.objectComplaint = null;
    } catch (error) {
      this.object = null;
      this.objectComplaint = Complaint.of(this.name, error);
    }
  }

  /* ---- time ---- */

  /* `blend`: the second time, a whole frame as in the game, or -1; `weight`: of this one. */
  setTime({ frame, blend = -1, weight = 0, root = true }) {
    this.time = { frame, blend, weight, root };
    const two = blend >= 0 && weight > 0;
    this.#matrices = this.model.skeleton.pose(frame, two ? blend : -1, two ? weight : 0, this.#matrices, { space: 'model', zeroRoot: !root });
    for (const node of this.nodes) take(node.object.matrix, this.#matrices, node.index * 16);
    this.root.updateMatrixWorld(true);
    this.attached?.follow();
  }

  /* 16 numbers for each node, row-major, in the model's space, with the library's bits. */
  get matrices() {
    return this.#matrices;
  }

  /* By how much what is shown is beside the object, which stays where node 0 is. */
  get rootMotion() {
    const m = this.#matrices;
    return this.time.root && this.nodes.length > 0 ? [m[3], m[7], m[11]] : [0, 0, 0];
  }

  /* The object at the time shown. */
  poseObject() {
    const { frame, blend, weight } = this.time;
    const key = [frame, blend, weight, this.object?.pieceCount].join();
    if (!this.object || key === this.#objectTime) return this.object;
    const two = blend >= 0 && weight > 0;
    this.object.setFrames(Math.floor(frame), Math.ceil(frame), two ? blend : -1, two ? blend : -1);
    this.object.setPhase(frame - Math.floor(frame), two ? weight : 0);
    this.object.pose();
    this.object.updateBounds();
    this.#objectTime = key;
    return this.object;
  }

  changedObject() {
    this.#objectTime = '';
  }

  /* ---- geometry ---- */

  /* The slot that a node shows for a cell, -1 for none. */
  slotFor(node, outer, inner, fill) {
    const at = (o, i) => node.slots[o * INNER + i] ?? -1;
    if (!fill) return at(outer, inner);
    for (let o = outer; o >= 0; o--) {
      for (let i = inner; i >= 0; i--) if (at(o, i) >= 0) return at(o, i);
    }
    return -1;
  }

  /* Slots that a node shows: of one cell, or of all. */
  shownSlots(node, view) {
    if (view.all) return new Set(node.slots.filter((slot) => slot >= 0));
    const slot = this.slotFor(node, view.cell[0], view.cell[1], view.fill);
    return new Set(slot >= 0 ? [slot] : []);
  }

  /* A slot's triangles, once for all nodes that show it; null where there are none. */
  #geometryOf(slot) {
    if (!this.#geometries.has(slot)) this.#geometries.set(slot, geometryOf(this.model, slot));
    return this.#geometries.get(slot);
  }

  partOf(node, slot) {
    const known = node.parts.find((part) => part.slot === slot);
    if (known) return known;
    const made = this.#geometryOf(slot);
    if (!made) return null;
    const originals = made.batches.map((batch) => ROWS.of(batch.material, batch.twoSided));
    const mesh = new Mesh(made.geometry, originals);
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData.owner = node.index;
    node.object.add(mesh);
    mesh.updateMatrixWorld(true);
    const part = { mesh, slot, batches: made.batches, originals, shown: false };
    node.parts.push(part);
    return part;
  }

  /* Makes what a cell shows. */
  #make([outer, inner]) {
    for (const node of this.nodes) {
      const slot = node.slots[outer * INNER + inner] ?? -1;
      if (slot >= 0) this.partOf(node, slot);
    }
  }

  showCell(view) {
    for (const node of this.nodes) {
      const shown = this.shownSlots(node, view);
      for (const slot of shown) this.partOf(node, slot);
      for (const part of node.parts) {
        part.shown = !node.hidden && shown.has(part.slot);
        part.mesh.visible = part.shown;
      }
    }
    this.attached?.showCell(view);
    // Only state-lod knows stages; queries then meet what is shown.
    if (!this.object || this.info.cells !== 'state-lod') return;
    for (let piece = 0; piece < this.object.pieceCount; piece++) this.object.setStage(piece, view.cell[0]);
    this.changedObject();
  }

  *parts() {
    yield* super.parts();
    if (this.attached) yield* this.attached.parts();
  }

  /* How many nodes have something in a cell. */
  cellCount(outer, inner) {
    return this.nodes.filter((node) => (node.slots[outer * INNER + inner] ?? -1) >= 0).length;
  }

  firstCell() {
    for (let cell = 0; cell < OUTER * INNER; cell++) {
      const outer = Math.floor(cell / INNER);
      if (this.cellCount(outer, cell % INNER) > 0) return [outer, cell % INNER];
    }
    return [0, 0];
  }

  /* The node that a finding speaks of, -1 where it names none. */
  nodeOf({ node, stream, element }) {
    if (node !== null && this.nodes[node]) return node;
    if (element === null) return -1;
    const shows = (slot) => this.nodes.findIndex((one) => one.slots.includes(slot));
    if (stream === 2) return shows(element);
    if (stream === 8) return this.nodes.findIndex((one) => holds(this.model.skeleton.track(one.index), element));
    if (stream === 13) return this.nodes.findIndex((one) => one.parts.some((part) => part.batches.some(({ batch }) => batch === element)));
    return -1;
  }

  close() {
    this.attached?.close();
    for (const made of this.#geometries.values()) made?.geometry.dispose();
    this.object?.close();
    this.model.close();
  }
}

const holds = (track, key) => track && key >= track.first && key < track.first + track.count;

/* Lit materials, one for each row and side, for all models of the page. */
const ROWS = {
  made: new Map(),
  of(row, twoSided) {
    const key = `${row} ${twoSided}`;
    if (!this.made.has(key)) {
      const material = new MeshStandardMaterial({ color: rowColour(row).lerp(GREY, 0.45), roughness: 0.78, metalness: 0.05 });
      material.userData.twoSided = twoSided;
      this.made.set(key, material);
    }
    return this.made.get(key);
  },
};
const GREY = rowColour(0).setRGB(0.62, 0.61, 0.58);

function geometryOf(model, slot) {
  const mesh = slotMesh(model, slot);
  if (!mesh || mesh.triangleCount === 0) return null;
  for (const array of [mesh.positions, mesh.normals]) for (let i = 0; i < array.length; i++) if (!Number.isFinite(array[i])) array[i] = 0;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  if (mesh.normals.length > 0) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  else geometry.computeVertexNormals();
  if (mesh.uvs.length > 0) geometry.setAttribute('uv', new BufferAttribute(mesh.uvs, 2));
  if (mesh.lightmapUvs.length > 0) geometry.setAttribute('uv1', new BufferAttribute(mesh.lightmapUvs, 2));
  mesh.batches.forEach(({ first, count }, i) => geometry.addGroup(first, count, i));
  return { geometry, batches: mesh.batches };
}
