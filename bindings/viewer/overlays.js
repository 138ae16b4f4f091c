/* What is drawn about the subject: bones, axes, boxes, spheres, the capsule, a hit, labels. Boxes and
 * spheres are numbers in the game's axes (x right, y forward, z up), as its nodes are: the subject's
 * root turns them up. */
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, DynamicDrawUsage, Group, LineBasicMaterial,
  LineSegments, Points, PointsMaterial, Vector3,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

const game = ([x, y, z]) => new Vector3(x, y, z);
const finite = (numbers) => Array.isArray(numbers) && numbers.every(Number.isFinite);
const lines = (points) => new BufferGeometry().setFromPoints(points);

function boxLines(low, high) {
  const corner = (i) => game([i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]]);
  const points = [];
  for (let i = 0; i < 8; i++) {
    for (const bit of [1, 2, 4]) if (!(i & bit)) points.push(corner(i), corner(i | bit));
  }
  return lines(points);
}

/* Eight corners in any order: an edge joins two that differ in one coordinate only. */
function cornerLines(corners) {
  const points = [];
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      const differing = [0, 1, 2].filter((axis) => corners[i][axis] !== corners[j][axis]);
      if (differing.length === 1) points.push(game(corners[i]), game(corners[j]));
    }
  }
  return points.length > 0 ? lines(points) : null;
}

function circle(points, centre, u, v, radius) {
  const steps = 64;
  const at = (i) => {
    const a = (i / steps) * Math.PI * 2;
    return centre.clone().addScaledVector(u, Math.cos(a) * radius).addScaledVector(v, Math.sin(a) * radius);
  };
  for (let i = 0; i < steps; i++) points.push(at(i), at(i + 1));
}

function sphereLines([x, y, z, radius]) {
  const centre = game([x, y, z]);
  const [i, j, k] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  const points = [];
  circle(points, centre, i, j, radius);
  circle(points, centre, j, k, radius);
  circle(points, centre, k, i, radius);
  return lines(points);
}

function cylinderLines(low, high, radius) {
  const [from, to] = [game(low), game(high)];
  const axis = to.clone().sub(from);
  if (axis.lengthSq() === 0) axis.set(0, 0, 1);
  axis.normalize();
  const u = new Vector3(1, 0, 0);
  if (Math.abs(axis.x) > 0.9) u.set(0, 0, 1);
  u.cross(axis).normalize();
  const v = axis.clone().cross(u);
  const points = [from, to];
  circle(points, from, u, v, radius);
  circle(points, to, u, v, radius);
  for (let i = 0; i < 12; i++) {
    const a = (i / 12) * Math.PI * 2;
    const out = u.clone().multiplyScalar(Math.cos(a) * radius).addScaledVector(v, Math.sin(a) * radius);
    points.push(from.clone().add(out), to.clone().add(out));
  }
  return lines(points);
}

function disc() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 32;
  const context = canvas.getContext('2d');
  context.arc(16, 16, 11, 0, Math.PI * 2);
  context.fillStyle = '#fff';
  context.fill();
  context.lineWidth = 4;
  context.strokeStyle = '#000a';
  context.stroke();
  return new CanvasTexture(canvas);
}

function growing(count) {
  return new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage);
}

export class Overlays {
  constructor(model, stage) {
    this.model = model;
    this.stage = stage;
    this.info = model.info;
    this.material = {
      bone: new LineMaterial({ linewidth: 2.5, depthTest: false, transparent: true }),
      joint: new PointsMaterial({
        size: 9, sizeAttenuation: false, depthTest: false, transparent: true, map: disc(), alphaTest: 0.1,
        vertexColors: true,
      }),
      axes: new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
      box: new LineBasicMaterial({ transparent: true, opacity: 0.9 }),
      ball: new LineBasicMaterial({ transparent: true, opacity: 0.7 }),
      header: new LineBasicMaterial(),
      shell: new LineBasicMaterial({ transparent: true, opacity: 0.75 }),
      extent: new LineBasicMaterial(),
      hit: new LineMaterial({ linewidth: 3, depthTest: false, transparent: true }),
    };
    this.slots = new Map(); // "node slot" -> {box, sphere}
    this.#makeSkeleton();
    this.#makeHeader();
    this.#makeHit();
    this.labels = document.getElementById('labels');
    this.labelOf = new Map();
  }

  /* ---- skeleton ---- */

  #makeSkeleton() {
    this.own = [];
    this.joints = this.model.nodes;
    const count = this.joints.length;
    const add = (object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order;
      object.visible = false;
      object.raycast = () => {};
      this.stage.scene.add(object);
      this.own.push(object);
      return object;
    };
    const geometry = () => new BufferGeometry();
    this.bones = add(new LineSegments2(new LineSegmentsGeometry().setPositions(new Float32Array(count * 6)), this.material.bone), 10);
    this.boneEnds = this.bones.geometry.attributes.instanceStart.data;
    this.dots = add(new Points(geometry().setAttribute('position', growing(count)).setAttribute('color', growing(count)), this.material.joint), 11);
    const colours = new Float32Array(count * 18);
    const [x, y, z] = [[0.93, 0.32, 0.32], [0.42, 0.78, 0.33], [0.3, 0.55, 1]];
    for (let i = 0; i < count; i++) colours.set([...x, ...x, ...y, ...y, ...z, ...z], i * 18);
    this.axes = add(new LineSegments(geometry().setAttribute('position', growing(count * 6)).setAttribute('color', new BufferAttribute(colours, 3)), this.material.axes), 12);
  }

  #followSkeleton() {
    if (!this.bones.visible && !this.axes.visible) return;
    const at = new Vector3();
    const tip = new Vector3();
    const length = this.stage.radius * 0.09;
    this.joints.forEach((node, i) => {
      at.setFromMatrixPosition(node.object.matrixWorld);
      const parent = this.model.nodes[node.parent]?.object;
      at.toArray(this.boneEnds.array, i * 6 + 3);
      (parent ? tip.setFromMatrixPosition(parent.matrixWorld) : tip.copy(at)).toArray(this.boneEnds.array, i * 6);
      at.toArray(this.dots.geometry.attributes.position.array, i * 3);
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, k) => {
        tip.set(...axis).transformDirection(node.object.matrixWorld).multiplyScalar(length).add(at);
        at.toArray(this.axes.geometry.attributes.position.array, i * 18 + k * 6);
        tip.toArray(this.axes.geometry.attributes.position.array, i * 18 + k * 6 + 3);
      });
    });
    this.boneEnds.needsUpdate = true;
    for (const object of [this.dots, this.axes]) object.geometry.attributes.position.needsUpdate = true;
  }

  #colourJoints(selected) {
    const { array } = this.dots.geometry.attributes.color;
    this.joints.forEach((node, i) => {
      const colour = node.index === selected ? this.colours.selected : node.label ? this.colours.socket : this.colours.bone;
      colour.toArray(array, i * 3);
      if (node.faint) for (let k = 0; k < 3; k++) array[i * 3 + k] *= 0.4;
    });
    this.dots.geometry.attributes.color.needsUpdate = true;
  }

  /* ---- bounds ---- */

  #makeHeader() {
    const { header } = this.info;
    this.header = new Group();
    this.model.root.add(this.header);
    const add = (name, geometry, material) => {
      if (!geometry) return;
      this[name] = new LineSegments(geometry, material);
      this[name].visible = false;
      this[name].raycast = () => {};
      this.header.add(this[name]);
    };
    if (!header) return;
    if (header.corners?.every(finite)) add('headerBox', cornerLines(header.corners), this.material.header);
    if (finite(header.sphere)) add('headerBall', sphereLines(header.sphere), this.material.shell);
    if (finite(header.low) && finite(header.high) && Number.isFinite(header.radius)) {
      add('cylinder', cylinderLines(header.low, header.high, header.radius), this.material.shell);
    }
  }

  #slotLines(node, slot) {
    const key = `${node.index} ${slot}`;
    if (this.slots.has(key)) return this.slots.get(key);
    const bounds = this.info.slots?.[slot];
    const made = {};
    if (finite(bounds?.low) && finite(bounds?.high)) made.box = new LineSegments(boxLines(bounds.low, bounds.high), this.material.box);
    if (finite(bounds?.sphere)) made.sphere = new LineSegments(sphereLines(bounds.sphere), this.material.ball);
    for (const object of Object.values(made)) {
      object.raycast = () => {};
      node.object.add(object);
    }
    this.slots.set(key, made);
    return made;
  }

  #showSlots(view) {
    for (const made of this.slots.values()) for (const object of Object.values(made)) object.visible = false;
    if (!view.boxes && !view.spheres) return;
    for (const node of this.model.nodes) {
      if (!node.object || node.hidden) continue;
      for (const slot of this.model.shownSlots(node, view)) {
        const made = this.#slotLines(node, slot);
        if (made.box) made.box.visible = view.boxes;
        if (made.sphere) made.sphere.visible = view.spheres;
      }
    }
  }

  show(view) {
    this.bones.visible = this.dots.visible = view.bones;
    this.axes.visible = view.axes;
    if (this.headerBox) this.headerBox.visible = view.header;
    if (this.headerBall) this.headerBall.visible = view.ball;
    if (this.cylinder) this.cylinder.visible = view.cylinder;
    this.extent.visible = view.extent && Boolean(this.model.object);
    this.selected = view.node;
    this.#showSlots(view);
    this.#colourJoints(view.node);
    this.#chooseLabels(view);
  }

  /* ---- what the game's object says at this pose ---- */

  #makeHit() {
    this.extent = new Group();
    this.extent.visible = false;
    this.hit = new LineSegments2(new LineSegmentsGeometry(), this.material.hit);
    this.hit.visible = false;
    this.hit.frustumCulled = false;
    this.hit.renderOrder = 13;
    this.hit.raycast = () => {};
    this.model.root.add(this.extent, this.hit);
  }

  /* The object's own bounds, as the library computes them for the time shown. */
  #followExtent() {
    if (!this.extent.visible) return;
    const { corners, nodeSphere, capsule } = this.model.poseObject().bounds();
    const points = Array.from({ length: 8 }, (_, i) => [...corners.subarray(i * 3, i * 3 + 3)]);
    const shapes = [
      points.every(finite) ? cornerLines(points) : null,
      finite([...nodeSphere]) ? sphereLines(nodeSphere) : null,
      finite([...capsule]) ? cylinderLines(capsule.subarray(0, 3), capsule.subarray(3, 6), capsule[6]) : null,
    ];
    this.#dropExtent();
    for (const shape of shapes) {
      if (!shape) continue;
      const object = new LineSegments(shape, this.material.extent);
      object.raycast = () => {};
      this.extent.add(object);
    }
    this.extent.position.fromArray(this.model.rootMotion);
    this.extent.updateMatrixWorld(true);
  }

  #dropExtent() {
    for (const object of this.extent.children) object.geometry.dispose();
    this.extent.clear();
  }

  /* Three corners in the model's space, or null. */
  showHit(corners) {
    this.hit.visible = corners !== null;
    if (!corners) return;
    const [a, b, c] = corners;
    this.hit.geometry.setPositions([...a, ...b, ...b, ...c, ...c, ...a]);
  }

  /* Takes everything off the stage. */
  close() {
    for (const object of this.own) object.removeFromParent();
    this.#dropExtent();
    this.labels.replaceChildren();
    for (const material of Object.values(this.material)) material.dispose();
  }

  /* ---- labels ---- */

  #chooseLabels(view) {
    const wanted = this.joints.filter((node) =>
      view.labels === 'all' || (view.labels === 'sockets' && node.label) || node.index === view.node);
    for (const [node, element] of this.labelOf) {
      if (wanted.includes(node)) continue;
      element.remove();
      this.labelOf.delete(node);
    }
    for (const node of wanted) {
      if (!this.labelOf.has(node)) {
        const element = document.createElement('div');
        element.append(node.name);
        if (node.label) {
          const label = document.createElement('b');
          label.textContent = node.label;
          element.append(label);
        }
        this.labels.append(element);
        this.labelOf.set(node, element);
      }
      const element = this.labelOf.get(node);
      element.className = node.index === view.node ? 'label selected' : node.label ? 'label socket' : 'label';
    }
  }

  /* The selected first, then the nearest; one that would lie on another is left out. */
  #placeLabels() {
    const { width, height } = this.stage.size;
    const at = new Vector3();
    const placed = [];
    const order = [...this.labelOf].map(([node, element]) => {
      at.setFromMatrixPosition(node.object.matrixWorld).project(this.stage.seen);
      const chosen = element.classList.contains('selected') ? -10 : element.classList.contains('socket') ? -3 : 0;
      return { element, x: (at.x * 0.5 + 0.5) * width, y: (0.5 - at.y * 0.5) * height, z: at.z, rank: at.z + chosen };
    }).sort((a, b) => a.rank - b.rank);
    for (const { element, x, y, z } of order) {
      const { offsetWidth: w, offsetHeight: h } = element;
      const box = { left: x + 9, top: y - h / 2, right: x + 9 + w, bottom: y + h / 2 };
      const clash = placed.some((other) =>
        box.left < other.right + 2 && box.right > other.left - 2 && box.top < other.bottom + 1 && box.bottom > other.top - 1);
      element.style.visibility = clash || z > 1 || z < -1 ? 'hidden' : 'visible';
      element.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
      if (element.style.visibility === 'visible') placed.push(box);
    }
  }

  follow() {
    this.#followSkeleton();
    this.#followExtent();
    if (this.model.kind === 'ani') this.#colourJoints(this.selected);
  }

  /* Draws the labels where they stand over the picture; a unit of the pen is a pixel of the page. */
  drawLabels(pen) {
    for (const element of this.labels.children) {
      const style = getComputedStyle(element);
      if (style.visibility !== 'visible') continue;
      const { e: left, f: top } = new DOMMatrix(style.transform);
      const { offsetWidth: width, offsetHeight: height } = element;
      pen.save();
      pen.beginPath();
      pen.roundRect(left, top, width, height, 5);
      pen.fillStyle = style.backgroundColor;
      pen.fill();
      pen.strokeStyle = style.borderTopColor;
      pen.stroke();
      pen.clip();
      pen.textBaseline = 'middle';
      for (const [text, of, at] of [[element.firstChild.data, element, 7], ...[...element.querySelectorAll('b')].map((label) => [label.textContent, label, label.offsetLeft + 1])]) {
        const { font, color } = getComputedStyle(of);
        Object.assign(pen, { font, fillStyle: color });
        pen.fillText(text, left + at, top + height / 2);
      }
      pen.restore();
    }
  }

  followLabels() {
    if (this.labelOf.size > 0) this.#placeLabels();
  }

  setColours(colours) {
    this.colours = {
      bone: new Color(colours.bone), socket: new Color(colours.socket), selected: new Color(colours.accent),
    };
    this.material.bone.color.set(colours.bone);
    this.material.box.color.set(colours.box);
    this.material.ball.color.set(colours.ball);
    this.material.header.color.set(colours.header);
    this.material.shell.color.set(colours.shell);
    this.material.extent.color.set(colours.key);
    this.material.hit.color.set(colours.accent);
    this.#colourJoints(this.selected ?? -1);
  }
}
