/* The model: three.js objects of the GLB, joined with what the page's JSON says about nodes, slots
 * and the timeline. */
import { AnimationMixer, Box3, Group, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { nest, tagger } from './tags.js';

export const INNER = 5;
export const OUTER = 3;

const clampFrame = (frame, last) => Math.min(Math.max(frame, 0), last);

export class Model {
  constructor(gltf, info) {
    this.info = info;
    // Every scene: each may show other cells of the same nodes (docs/formats/gltf.md).
    this.root = new Group();
    this.root.add(...(gltf.scenes.length > 0 ? gltf.scenes : [gltf.scene]));
    this.nodes = (info.nodes ?? []).map((node, index) => ({
      index,
      name: node.name || `node ${index}`,
      label: node.label ?? '',
      parent: node.parent ?? -1,
      flags: node.flags ?? 0,
      keys: node.keys ?? [],
      slots: node.slots ?? [],
      object: null,
      children: [],
      parts: [],
      hidden: false,
    }));
    this.#adopt();
    this.#link();
    this.#prepareAnimation(gltf);
    this.setFrame(0);
    this.bounds = this.#measure();
  }

  /* Finds the object of every node, and the drawn parts with the slot that each stands for. */
  #adopt() {
    this.root.traverse((object) => {
      const { node } = object.userData;
      if (node !== undefined) this.#nodeAt(node).object ??= object;
    });
    this.root.traverse((object) => {
      if (object.isMesh) this.#adoptMesh(object);
    });
  }

  #adoptMesh(mesh) {
    const { slot } = mesh.userData;
    let holder = mesh;
    while (holder && holder.userData.glbNode === undefined) holder = holder.parent;
    const tag = holder?.userData ?? {};
    if (slot !== undefined && tag.node === undefined) {
      mesh.layers.disableAll(); // a slot that no node names
      return;
    }
    const node = this.#nodeAt(tag.node ?? this.#nodeOf(mesh));
    // Scenes repeat what they share; one of each is enough.
    if (node.parts.some((other) => other.slot !== undefined && other.slot === slot && other.holder !== tag.glbNode)) {
      mesh.layers.disableAll();
      return;
    }
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData.owner = node.index;
    const row = mesh.material.userData.row ?? -1;
    node.parts.push({ mesh, slot, row, holder: tag.glbNode, original: mesh.material, shown: false });
  }

  /* A GLB without tags: every object with geometry is a node of its own. */
  #nodeOf(mesh) {
    const known = this.nodes.find((node) => node.object === mesh);
    if (known) return known.index;
    const index = this.nodes.length;
    const node = this.#nodeAt(index);
    node.name = mesh.name || `mesh ${index}`;
    node.object = mesh;
    return index;
  }

  #nodeAt(index) {
    while (this.nodes.length <= index) {
      const next = this.nodes.length;
      this.nodes.push({
        index: next, name: `node ${next}`, label: '', parent: -1, flags: 0, keys: [], slots: [],
        object: null, children: [], parts: [], hidden: false,
      });
    }
    return this.nodes[index];
  }

  #link() {
    for (const node of this.nodes) {
      // A damaged file may name a parent behind its child: such a node stands at the root.
      if (node.parent >= node.index || node.parent < 0) node.parent = -1;
      else this.nodes[node.parent].children.push(node);
    }
  }

  #prepareAnimation(gltf) {
    const { info } = this;
    // One clip for each scene, all of the same timeline.
    const clips = gltf.animations;
    this.fps = info.fps > 0 ? info.fps : 20;
    const longest = Math.max(0, ...clips.map((clip) => clip.duration));
    const moves = clips.length > 0;
    // What the file says may be more than what was sampled.
    const sampled = Math.round(longest * this.fps) + 1;
    this.frames = Math.max(1, moves ? Math.min(info.frames ?? sampled, sampled) : 1);
    this.times = [...new Set(this.nodes.flatMap((node) => node.keys))].sort((a, b) => a - b);
    this.mixer = moves ? new AnimationMixer(this.root) : null;
    this.actions = clips.map((clip) => {
      const action = this.mixer.clipAction(clip).setLoop(LoopOnce).play();
      action.clampWhenFinished = true;
      action.paused = true;
      return action;
    });
  }

  get lastFrame() {
    return this.frames - 1;
  }

  setFrame(frame) {
    if (this.mixer) {
      for (const action of this.actions) {
        action.time = Math.min(clampFrame(frame, this.lastFrame) / this.fps, action.getClip().duration);
      }
      this.mixer.update(0);
    }
    this.root.updateMatrixWorld(true);
  }

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

  showCell(view) {
    for (const node of this.nodes) {
      const shown = this.shownSlots(node, view);
      for (const part of node.parts) {
        part.shown = !node.hidden && (part.slot === undefined || shown.has(part.slot));
        // A layer, not `visible`, which would hide the nodes that hang on this one.
        if (part.shown) part.mesh.layers.set(0);
        else part.mesh.layers.disableAll();
      }
    }
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

  *visibleParts() {
    for (const node of this.nodes) for (const part of node.parts) if (part.shown) yield [node, part];
  }

  *parts() {
    for (const node of this.nodes) for (const part of node.parts) yield [node, part];
  }

  /* Of everything drawn at frame 0; of the joints where nothing is drawn. */
  #measure() {
    const joints = this.nodes.filter((node) => node.object);
    const all = measure([...this.parts()].map(([, part]) => part.mesh), joints);
    return all.radius > 1e-6 ? all : measure([], [], 1);
  }

  /* Of what is shown of a node, or of everything shown, at the frame shown. */
  measureShown(index) {
    const of = (node) => index < 0 || node.index === index;
    const meshes = [...this.visibleParts()].filter(([node]) => of(node)).map(([, part]) => part.mesh);
    const joints = this.nodes.filter((node) => node.object && of(node));
    return measure(meshes, joints);
  }

  triangles() {
    let count = 0;
    for (const [, part] of this.visibleParts()) {
      const { index, attributes } = part.mesh.geometry;
      count += (index ? index.count : (attributes.position?.count ?? 0)) / 3;
    }
    return Math.floor(count);
  }
}

/* Box, its centre, and the distance of the farthest vertex from there, which is a tighter fit than
 * the box's corners. Without a finite vertex the joints count, without these a box of `size`. */
function measure(meshes, joints, size = 0) {
  const box = new Box3();
  const point = new Vector3();
  const each = (action) => {
    for (const { geometry, matrixWorld } of meshes) {
      const { position } = geometry.attributes;
      for (let i = 0; i < (position?.count ?? 0); i++) {
        point.fromBufferAttribute(position, i).applyMatrix4(matrixWorld);
        if (Number.isFinite(point.x + point.y + point.z)) action();
      }
    }
  };
  each(() => box.expandByPoint(point));
  if (box.isEmpty()) {
    for (const { object } of joints) {
      object.getWorldPosition(point);
      if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
    }
  }
  if (box.isEmpty()) box.set(new Vector3(-size, -size, -size), new Vector3(size, size, size));
  const centre = box.getCenter(new Vector3());
  let radius = 0;
  each(() => {
    radius = Math.max(radius, point.distanceTo(centre));
  });
  return { box, centre, radius: radius || box.getSize(point).length() / 2 };
}

export async function loadModel(bytes, info) {
  const parents = [];
  const gltf = await new GLTFLoader().register(tagger(info, parents)).parseAsync(bytes, '');
  nest(gltf.scenes, parents);
  return new Model(gltf, info);
}
