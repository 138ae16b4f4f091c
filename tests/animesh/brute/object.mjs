// An object made of models, and what is done to it: a plain interpreter of the operations that ask.c
// did and wrote down. Merging: facts/animesh.md E.8; flags: E.9; tilt: E.10; poses: E.2 to E.7, with
// the choices of exports/reading_table.h that the scene names.
import {
  HALF_ULP, ZERO, add, cross, div, dot, exact, loose, mul, neg, sub, vector,
} from "./ball.mjs";
import { updateBounds } from "./bounds.mjs";

const FLYING = 4, OWN_SEGMENT = 8, TILTED = 0x10, FIRST_OF_PART = 0x01000000;
export const HIDDEN = 1;
const { fround } = Math;

// ---- matrices: 16 balls, row-major, for column vectors ------------------------------------------

const IDENTITY = Array.from({ length: 16 }, (_, i) => exact(i % 5 === 0 ? 1 : 0));

export function product(a, b) {
  return a.map((_, at) => {
    const row = at & 12, column = at & 3;
    return add(add(add(mul(a[row], b[column]), mul(a[row + 1], b[column + 4])),
      mul(a[row + 2], b[column + 8])), mul(a[row + 3], b[column + 12]));
  });
}
export const column3 = (m) => [m[3], m[7], m[11]];
export const turn = (m, p) => [0, 4, 8].map((row) => dot([m[row], m[row + 1], m[row + 2]], p));
export const point = (m, p) => turn(m, p).map((value, i) => add(value, m[4 * i + 3]));

// Returns the matrix of the rotation by the quaternion's conjugate (E.6).
function rotation([w, x, y, z]) {
  const twice = (a) => add(a, a), one = exact(1), m = IDENTITY.slice();
  const off = (a, b, c, d, join) => twice(join(mul(a, b), mul(c, d)));
  m[0] = sub(one, off(y, y, z, z, add));
  m[5] = sub(one, off(x, x, z, z, add));
  m[10] = sub(one, off(x, x, y, y, add));
  m[1] = off(x, y, w, z, add);
  m[4] = off(x, y, w, z, sub);
  m[2] = off(x, z, w, y, sub);
  m[8] = off(x, z, w, y, add);
  m[6] = off(y, z, w, x, add);
  m[9] = off(y, z, w, x, sub);
  return m;
}

// ---- quaternions: w, x, y, z --------------------------------------------------------------------

// Spherical, linear within 1e-5 of each other, never normalised (E.6). Both weights are smooth
// functions of the cosine alone, so that its error is carried over by their slopes. Roundings are
// those of docs/reference/arithmetic.md, counted: four of the angle, four of the second weight; the first is a
// difference of a cosine and a product.
function interpolate(q0, q1, fraction) {
  const t = fraction.v;
  let c = q0.map((value, i) => mul(value, q1[i])).reduce(add), sign = 1;
  if (c.e > 0 && Math.abs(c.v) <= c.e) return q0.map((value) => loose(value, Infinity));
  if (c.v < 0) [c, sign] = [neg(c), -1];
  const k = sub(exact(1), c), limit = 9.9999997e-6;
  let w0 = sub(exact(1), fraction), w1 = fraction;
  if (!(k.v <= limit)) {
    const theta = Math.acos(c.v), s = Math.sin(theta);
    const weight = (part) => Math.sin(part * theta) / s;
    const slope = (part) =>
      Math.abs(part * Math.cos(part * theta) * s - Math.sin(part * theta) * c.v) / (s * s);
    const lean = (1.1 * c.e) / s + 4 * HALF_ULP * theta, first = weight(1 - t), second = weight(t);
    w0 = exact(first);
    w0.e = slope(1 - t) * lean + HALF_ULP * (2 + 5 * Math.abs(second * c.v) + 2 * Math.abs(first));
    w1 = exact(second);
    w1.e = slope(t) * lean + 4 * HALF_ULP * Math.abs(second);
    [w0, w1] = [w0, w1].map((w) => loose(w, (fraction.e * theta) / s));
  }
  if (Math.abs(k.v - limit) <= k.e) { // either way: they differ by the square of the angle at most
    w0 = loose(w0, 4e-5);
    w1 = loose(w1, 4e-5);
  }
  if (sign < 0) w1 = neg(w1);
  return q0.map((value, i) => add(mul(w0, value), mul(w1, q1[i])));
}

const NEAREST = (x) => { // ties to even, as fistp
  const low = Math.floor(x), rest = x - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
};

function decode(key, settings) {
  const r = key.rotation.map((value) => exact(fround(value * fround(1 / 32767))));
  return {
    position: vector(key.position),
    rotation: settings.keyOrder === "wxyz" ? r : [r[3], r[0], r[1], r[2]],
  };
}

// facts/animesh.md E.4: samples a node. `t` is a binary32 number.
function sample(model, node, t, settings) {
  const { mapStart, fallback } = model.nodes[node];
  const frame = NEAREST(fround(t - 0.5)) >>> 0, word = model.map[mapStart + frame];
  if (frame >= model.frameCount || mapStart === 0xffff || word >= fallback)
    return decode(model.keys[fallback], settings);
  const [k0, k1] = [model.keys[word], model.keys[word + 1]];
  if (t === k0.time) return decode(k0, settings);
  if (t === k1.time) return decode(k1, settings);
  const alpha = div(sub(exact(t), exact(k0.time)), sub(exact(k1.time), exact(k0.time)));
  const [a, b] = [decode(k0, settings), decode(k1, settings)];
  return {
    position: a.position.map((p, i) => add(p, mul(sub(b.position[i], p), alpha))),
    rotation: interpolate(a.rotation, b.rotation, alpha),
  };
}

function composed({ rotation: q, position }) {
  const m = rotation(q);
  [m[3], m[7], m[11]] = position;
  return m;
}

// facts/animesh.md E.5: blends two samples.
function blend(model, node, tA, tB, weight, settings) {
  const hasA = weight < 1 && tA >= 0, hasB = weight > 0 && tB >= 0;
  if (!hasA && !hasB) return IDENTITY.slice();
  if (!hasB) return composed(sample(model, node, tA, settings));
  if (!hasA) return composed(sample(model, node, tB, settings));
  const a = sample(model, node, tA, settings), b = sample(model, node, tB, settings);
  const rest = sub(exact(1), exact(weight));
  // The quaternion is not negated here, because interpolate does that itself.
  return composed({
    rotation: interpolate(a.rotation, b.rotation, exact(weight)),
    position: a.position.map((p, i) => add(mul(rest, p), mul(exact(weight), b.position[i]))),
  });
}

// ---- the object ---------------------------------------------------------------------------------

export class SceneObject {
  constructor(models, settings) {
    Object.assign(this, {
      models, settings, pieces: [], frames: [0, 0, 0, 0], phase: 0, weight: 0,
      placement: IDENTITY.slice(), scale: [1, 1, 1], scaled: false,
    });
  }

  create(model) {
    this.merge(this.models[model], 0, -1);
    this.updateBounds();
  }

  merge(model, part, attach) {
    const first = this.pieces.length, from = part === 0 ? 0 : 1;
    for (let node = from; node < model.nodes.length; node++) {
      const above = model.nodes[node].parent;
      this.pieces.push({
        model, part, node, stage: 0, flags: node === from ? FIRST_OF_PART : 0,
        parent: above < 0 ? -1 : above < from ? attach : first + above - from,
        frames: [0, 0, 0, 0], phase: 0, weight: 0, cached: null,
        before: null, tilt: null, local: IDENTITY, model_: IDENTITY, world: IDENTITY,
      });
    }
  }

  attach(model, part, piece) {
    this.merge(this.models[model], part, piece);
    this.updateBounds();
  }

  // Every part that hangs on it is removed, too.
  detach(part) {
    const parts = new Set([part]);
    for (let size = 0; size !== parts.size;) {
      size = parts.size;
      for (const piece of this.pieces)
        if (piece.parent >= 0 && parts.has(this.pieces[piece.parent].part)) parts.add(piece.part);
    }
    const kept = this.pieces.filter((piece) => !parts.has(piece.part));
    const place = new Map(kept.map((piece, i) => [piece, i]));
    for (const piece of kept)
      if (piece.parent >= 0) piece.parent = place.get(this.pieces[piece.parent]);
    this.pieces = kept;
    this.updateBounds();
  }

  setFrames(...frames) { this.frames = frames; }
  setPhase(phase, weight) {
    if (weight !== this.weight) this.clearCache();
    Object.assign(this, { phase, weight });
  }
  setPieceFrames(piece, ...frames) { this.pieces[piece].frames = frames; }
  setPiecePhase(at, phase, weight) {
    const piece = this.pieces[at];
    if (weight !== piece.weight) piece.cached = null;
    Object.assign(piece, { phase, weight });
  }
  setStage(piece, stage) { this.pieces[piece].stage = stage; }
  setPlacement(...matrix) { this.placement = matrix.map(exact); }
  setPieceMatrix(piece, ...matrix) { this.pieces[piece].world = matrix.map(exact); }

  setScale(...scale) {
    this.scale = scale;
    this.scaled = scale.some((value) => value !== 1);
    this.clearCache();
    this.updateBounds();
  }

  clearCache() {
    for (const piece of this.pieces) piece.cached = null;
  }

  changeFlags(at, flags, set, subtree) {
    const piece = this.pieces[at], before = piece.flags;
    piece.flags = set ? before | flags : before & ~flags;
    if ((piece.flags ^ before) & (OWN_SEGMENT | TILTED)) this.clearCache();
    if (subtree)
      this.pieces.forEach((child, i) => {
        if (child.parent === at) this.changeFlags(i, flags, set, true);
      });
  }

  setTilt(at, from, to) {
    const piece = this.pieces[at], none = vector([1, 0, 0]).concat(ZERO);
    piece.before = piece.tilt;
    piece.tilt = none;
    if (!from || !to) return;
    const [a, b] = [vector(from), vector(to)];
    piece.tilt = interpolate(none, [dot(a, b), ...cross(a, b)], exact(0.5));
  }

  times(piece) {
    const own = piece.flags & OWN_SEGMENT ? piece : this, [a0, a1, b0, b1] = own.frames;
    const between = (first, last) => fround(first + fround(own.phase * fround(last - first)));
    return [between(a0, a1), between(b0, b1), own.weight];
  }

  // E.7
  pose() {
    for (const piece of this.pieces) {
      if (piece.flags & FLYING) continue;
      this.poseLocal(piece);
      const above = this.pieces[piece.parent];
      piece.model_ = above ? product(above.model_, piece.local) : piece.local;
      piece.world = above && this.settings.worldProduct === "parent"
        ? product(above.world, piece.local)
        : product(this.placement, piece.model_);
      if (piece.flags & TILTED) piece.world = this.tilted(piece);
    }
  }

  poseLocal(piece) {
    const [a, b, weight] = this.times(piece);
    if (piece.cached && piece.cached[0] === a && piece.cached[1] === b) return;
    piece.cached = [a, b];
    piece.local = blend(piece.model, piece.node, a, b, weight, this.settings);
    [3, 7, 11].forEach((at, axis) => {
      if (this.scaled) piece.local[at] = mul(piece.local[at], exact(this.scale[axis]));
      if (piece.parent < 0 && this.settings.rootTranslation === "zeroed") piece.local[at] = ZERO;
    });
  }

  tilted(piece) {
    const r = rotation(interpolate(piece.before, piece.tilt, exact(this.phase)));
    const world = this.settings.tiltOrder === "after" ? product(r, piece.world) : product(piece.world, r);
    for (const at of [3, 7, 11]) world[at] = piece.world[at];
    return world;
  }

  updateBounds() {
    this.pose();
    updateBounds(this);
  }

  matrix(piece, space) {
    const { local, model_, world } = this.pieces[piece];
    return [local, model_, world][space];
  }

  largestScale() {
    return Math.max(...this.scale);
  }
}
