/* Small pictures of models: one renderer for all, which draws what is asked for, the last first, one at
 * a time while the browser is idle. A picture is kept in its card's canvas; of those out of sight only so many. */
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, MeshLambertMaterial,
  PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer,
} from 'three';
import { Complaint, library, slotMesh } from './library.js';
import { rowColour } from './surfaces.js';

export const THUMB = { width: 176, height: 132 };
const KEPT = 600;
const FIELD = 30;
const IDLE = 100; // milliseconds that idle work waits at most
const GREY = new Color(0.62, 0.61, 0.58);

/* Does some work once nothing else is to do; it hears for how many milliseconds. Safari does not tell. */
export function whenIdle(work) {
  if (globalThis.requestIdleCallback) requestIdleCallback((deadline) => work(deadline.timeRemaining()), { timeout: IDLE });
  else setTimeout(() => work(0), 4);
}

/* What a model says of itself on its card. */
export function factsOf(model) {
  const used = model.cells.filter((cell) => cell.nodes > 0);
  return { frames: model.frameCount, levels: new Set(used.map((cell) => cell.level)).size, nodes: model.nodeCount };
}

/* Everything that the first cell in use shows, at frame 0, turned up, as one geometry. */
function wholeOf(model) {
  const cell = model.cells.find((one) => one.nodes > 0);
  const matrices = model.skeleton.pose(0);
  const found = [];
  let vertices = 0;
  let corners = 0;
  for (let node = 0; cell && node < model.nodeCount; node++) {
    const slot = model.slot(node, cell.index);
    if (slot < 0) continue;
    const mesh = slotMesh(model, slot);
    if (!mesh || mesh.triangleCount === 0) continue;
    found.push([node, mesh, vertices, corners]);
    vertices += mesh.vertexCount;
    corners += mesh.indices.length;
  }
  const positions = new Float32Array(vertices * 3);
  const colours = new Float32Array(vertices * 3);
  const indices = new Uint32Array(corners);
  for (const [node, mesh, vertex, corner] of found) {
    const m = matrices.subarray(node * 16, node * 16 + 16);
    for (let i = 0; i < mesh.vertexCount; i++) {
      const [x, y, z] = mesh.positions.subarray(i * 3, i * 3 + 3);
      const at = (vertex + i) * 3;
      const of = (row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3];
      positions[at] = of(0);
      positions[at + 1] = of(8);
      positions[at + 2] = -of(4);
    }
    for (let i = 0; i < mesh.indices.length; i++) indices[corner + i] = mesh.indices[i] + vertex;
    for (const { first, count, material } of mesh.batches) {
      const colour = rowColour(material).lerp(GREY, 0.45);
      for (let i = first; i < first + count; i++) colour.toArray(colours, (mesh.indices[i] + vertex) * 3);
    }
  }
  for (let i = 0; i < positions.length; i++) if (!Number.isFinite(positions[i])) positions[i] = 0;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

export class Thumbs {
  #queue = new Map(); // canvas -> { item, done }
  #drawn = new Map(); // canvas -> item, in the order of drawing
  #busy = false;
  #hurried = false;
  #waiting = [];

  constructor() {
    this.scale = Math.min(devicePixelRatio, 2);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(FIELD, THUMB.width / THUMB.height, 0.1, 100);
    const sun = new DirectionalLight(0xfff6e8, 2.4);
    sun.position.set(0.55, 1.25, -0.8);
    this.mesh = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, flatShading: true }));
    this.mesh.frustumCulled = false;
    this.scene.add(new HemisphereLight(0xffffff, 0x6d6a66, 1.3), sun, this.mesh);
    this.visible = new Set();
  }

  #renderer() {
    if (!this.renderer) {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
      this.renderer.setPixelRatio(this.scale);
      this.renderer.setSize(THUMB.width, THUMB.height, false);
    }
    return this.renderer;
  }

  /* A canvas comes into sight. `done` hears the facts, or a complaint. */
  want(canvas, item, done) {
    this.visible.add(canvas);
    if (this.#drawn.has(canvas)) return;
    this.#queue.set(canvas, { item, done });
    this.#goOn();
  }

  /* It goes out of sight: nothing is drawn for it any more. */
  leave(canvas) {
    this.visible.delete(canvas);
    this.#queue.delete(canvas);
  }

  leaveAll() {
    this.#queue.clear();
    this.visible.clear();
  }

  forget() {
    this.leaveAll();
    this.#drawn.clear();
  }

  /* Somebody waits: what is asked for is drawn without waiting for idle time. */
  hurry() {
    this.#hurried = true;
  }

  /* When nothing is left to draw. */
  settled() {
    return this.#busy || this.#queue.size > 0 ? new Promise((done) => this.#waiting.push(done)) : Promise.resolve();
  }

  get kept() {
    return this.#drawn.size;
  }

  #goOn() {
    if (this.#busy) return;
    this.#busy = true;
    if (this.#hurried) setTimeout(() => this.#work());
    else whenIdle(() => this.#work());
  }

  #work() {
    const [canvas, { item, done }] = [...this.#queue].at(-1) ?? [null, {}];
    if (canvas) {
      this.#queue.delete(canvas);
      done(this.#draw(canvas, item));
    }
    this.#busy = false;
    if (this.#queue.size > 0) return this.#goOn();
    this.#hurried = false;
    for (const done of this.#waiting.splice(0)) done();
    return undefined;
  }

  #draw(canvas, item) {
    let model = null;
    try {
      model = library().openModel(item.bytes(), { readings: 'evidence' });
      this.mesh.geometry = wholeOf(model);
      this.#render(canvas);
      this.#keep(canvas, item);
      return { facts: factsOf(model), empty: this.mesh.geometry.index.count === 0 };
    } catch (error) {
      return { complaint: Complaint.of(item.source, error) };
    } finally {
      this.mesh.geometry.dispose();
      model?.close();
    }
  }

  #render(canvas) {
    const { geometry } = this.mesh;
    geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere ?? new Sphere();
    const reach = radius > 1e-6 && Number.isFinite(radius) ? radius : 1;
    const distance = (reach * 1.02) / Math.sin((FIELD / 2) * (Math.PI / 180));
    const [yaw, pitch] = [35, 18].map((angle) => (angle * Math.PI) / 180);
    this.camera.position.copy(center).addScaledVector(new Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)), distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 3;
    this.camera.lookAt(center);
    this.camera.updateProjectionMatrix();
    const renderer = this.#renderer();
    renderer.render(this.scene, this.camera);
    canvas.width = THUMB.width * this.scale;
    canvas.height = THUMB.height * this.scale;
    canvas.getContext('2d').drawImage(renderer.domElement, 0, 0);
  }

  /* The oldest out of sight makes room. */
  #keep(canvas, item) {
    this.#drawn.set(canvas, item);
    if (this.#drawn.size <= KEPT) return;
    for (const old of this.#drawn.keys()) {
      if (this.visible.has(old)) continue;
      this.#drawn.delete(old);
      old.width = old.height = 0;
      return;
    }
  }
}
