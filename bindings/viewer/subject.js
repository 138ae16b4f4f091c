/* What is on the stage: a tree of nodes whose matrices follow a time. A model, an animation of LEGO
 * Island and one of Asheron's Call are subjects. */
import { Box3, Group, Object3D, Vector3 } from 'three';

export class Subject {
  /* `axes`: 16 numbers, column-major, from the file's space into that of the stage (x right, y up).
   * It holds no rounded number, so that what is posed stays what it is. */
  constructor({ kind, name, source, axes, unit, step, fps, frames }) {
    Object.assign(this, { kind, name, source, unit, step, fps, frames });
    this.info = {};
    this.nodes = [];
    this.times = [];
    this.root = new Group();
    this.root.matrixAutoUpdate = false;
    this.root.matrix.fromArray(axes);
    this.root.updateMatrixWorld(true);
  }

  addNode(node) {
    const object = new Object3D();
    object.matrixAutoUpdate = false;
    object.frustumCulled = false;
    this.root.add(object);
    this.nodes.push({
      label: '', flags: 0, keys: [], slots: [], ...node, index: this.nodes.length, object, children: [], parts: [], hidden: false,
    });
  }

  /* A damaged file may name a parent behind its child: such a node stands at the root. */
  link() {
    for (const node of this.nodes) {
      if (node.parent >= node.index || !(node.parent >= 0)) node.parent = -1;
      else this.nodes[node.parent].children.push(node);
    }
    this.times = [...new Set(this.nodes.flatMap((node) => [...node.keys]))].sort((a, b) => a - b);
  }

  get lastFrame() {
    return Math.max(0, this.frames - 1);
  }

  firstCell() {
    return [0, 0];
  }

  cellCount() {
    return 0;
  }

  showCell() {}

  shownSlots() {
    return new Set();
  }

  *parts() {
    for (const node of this.nodes) for (const part of node.parts) yield [node, part];
  }

  *visibleParts() {
    for (const [node, part] of this.parts()) if (part.shown) yield [node, part];
  }

  triangles() {
    let count = 0;
    for (const [, part] of this.visibleParts()) count += part.mesh.geometry.index.count / 3;
    return count;
  }

  /* Of what is shown of a node, or of everything shown, at the time shown. */
  measureShown(index) {
    const of = (node) => index < 0 || node.index === index;
    const meshes = [...this.visibleParts()].filter(([node]) => of(node)).map(([, part]) => part.mesh);
    return measure(meshes, this.nodes.filter(of));
  }

  close() {}
}

/* Box, its centre, and the distance of the farthest vertex from there, which is a tighter fit than
 * the box's corners. Without a finite vertex the joints count, without these a box of `size`. */
export function measure(meshes, joints, size = 0) {
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
      point.setFromMatrixPosition(object.matrixWorld);
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

export const bounded = (bounds) => (bounds.radius > 1e-6 ? bounds : measure([], [], 1));
