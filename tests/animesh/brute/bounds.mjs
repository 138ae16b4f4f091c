// Boxes, spheres and capsules of pieces and of the object (facts/animesh.md E.11, E.12;
// docs/reference/arithmetic.md, "Box, sphere and capsule of a node", "Bounds of the object").
import {
  ZERO, add, both, div, exact, extreme, half, length, less, minus, mul, not, plus, vector,
} from "./ball.mjs";
import { column3, point } from "./object.mjs";
import { slotOf } from "./model.mjs";

export const LOCAL = 0, MODEL = 1, WORLD = 2;
const INTERIOR = 1, NO_RECURSION = 4, LEAF = 0x10, FIRST_OF_PART = 0x01000000;

const NAMED = ["", "x", "xy", "y", "yz", "z", "xz", "xyz"]; // the axes whose greatest value it takes
const corners = (low, high) =>
  NAMED.map((named) => [..."xyz"].map((axis, i) => (named.includes(axis) ? high : low)[i]));

function around(points) {
  const side = (sign) => [0, 1, 2].map((axis) => extreme(points.map((p) => p[axis]), sign));
  return corners(side(-1), side(1));
}

const scaleVector = (object, p) =>
  object.scaled ? p.map((value, axis) => mul(value, exact(object.scale[axis]))) : p;
const scaleLength = (object, r) => (object.scaled ? mul(r, exact(object.largestScale())) : r);
const matrixOf = (object, piece, space) => (space === LOCAL ? null : object.matrix(piece, space));
const through = (m, p) => (m ? point(m, p) : p);
const origin = (m) => (m ? column3(m) : [ZERO, ZERO, ZERO]);
const slot = (object, at) => {
  const piece = object.pieces[at];
  return slotOf(piece.model, piece.node, piece.stage);
};
const flags = (object, at) => object.pieces[at].model.nodes[object.pieces[at].node].flags;

function pieceBox(object, at, space) {
  const m = matrixOf(object, at, space), found = slot(object, at);
  if (!found) return Array(8).fill(origin(m));
  const side = (values) => scaleVector(object, vector(values));
  return corners(side(found.low), side(found.high)).map((p) => through(m, p));
}

function gather(object, at, space, points) {
  points.push(...pieceBox(object, at, space));
  if (flags(object, at) & LEAF || (space === MODEL && flags(object, at) & NO_RECURSION)) return points;
  object.pieces.forEach((piece, i) => {
    if (piece.parent === at) gather(object, i, space, points);
  });
  return points;
}

export function box(object, at, space, subtree) {
  if (!subtree || space === LOCAL) return pieceBox(object, at, space);
  if (at === 0)
    return space === WORLD ? object.box.map((p) => point(object.placement, p)) : object.box;
  const points = gather(object, at, space, []);
  return points.length === 8 ? points : around(points);
}

const middle = (a, b) => plus(a, b).map(half);

function boxSphere(c) {
  return { centre: middle(c[0], c[7]), radius: half(length(minus(c[7], c[0]))) };
}

export function sphere(object, at, space, subtree) {
  if (!subtree || space === LOCAL) {
    const m = matrixOf(object, at, space), found = slot(object, at);
    if (!found) return { centre: origin(m), radius: ZERO };
    const [x, y, z, r] = found.sphere;
    return {
      centre: through(m, scaleVector(object, vector([x, y, z]))),
      radius: scaleLength(object, exact(r)),
    };
  }
  if (at !== 0) return boxSphere(box(object, at, space, true));
  const { centre, radius } = object.nodeSphere;
  return { centre: space === WORLD ? point(object.placement, centre) : centre, radius };
}

// The capsule runs along the longest edge. Of equal edges it takes the last axis (E.11).
function boxCapsule(c, decide) {
  const e = minus(c[7], c[0]);
  const z = both(not(less(e[2], e[0])), not(less(e[2], e[1])));
  const pairs = decide(z) ? [5, 7, 0, 2] : decide(not(less(e[0], e[1]))) ? [1, 7, 0, 4] : [3, 7, 0, 6];
  const ends = [middle(c[pairs[0]], c[pairs[1]]), middle(c[pairs[2]], c[pairs[3]])];
  return { ends, radius: length(minus(ends[0], c[7])) };
}

export function capsule(object, at, space, subtree, decide) {
  return boxCapsule(box(object, at, space, subtree), decide);
}

function join(spheres) {
  const none = { centre: [ZERO, ZERO, ZERO], radius: ZERO };
  const weight = spheres.map((s) => s.radius).reduce(add, ZERO);
  if (weight.v === 0) return none;
  const centre = [0, 1, 2].map((axis) =>
    div(spheres.map((s) => mul(s.centre[axis], s.radius)).reduce(add, ZERO), weight));
  const reach = spheres.map((s) => add(length(minus(s.centre, centre)), s.radius));
  return { centre, radius: extreme([ZERO, ...reach], 1) };
}

function headers(object) {
  return object.pieces.filter((piece) => piece.flags & FIRST_OF_PART).map((piece) => {
    const { header } = piece.model, m = piece.part === 0 || piece.parent < 0
      ? null : object.pieces[piece.parent].model_;
    const scaled = (values, at) => scaleVector(object, vector(values.slice(at, at + 3)));
    return {
      corners: Array.from({ length: 8 }, (_, i) => through(m, scaled(header.corners, 3 * i))),
      sphere: {
        centre: through(m, scaled(header.sphere, 0)),
        radius: scaleLength(object, exact(header.sphere[3])),
      },
      capsule: {
        ends: [scaled(header.capsule, 0), scaled(header.capsule, 3)],
        radius: scaleLength(object, exact(header.capsule[6])),
      },
    };
  });
}

export function updateBounds(object) {
  const parts = headers(object), one = parts.length === 1;
  object.box = one ? parts[0].corners : around(parts.flatMap((part) => part.corners));
  object.agentSphere = one ? parts[0].sphere : join(parts.map((part) => part.sphere));
  // If the longest edge of the box is undecided, either capsule is possible.
  object.capsule = (decide) => (one ? parts[0].capsule : boxCapsule(object.box, decide));
  object.nodeSphere = join(object.pieces.flatMap((piece, at) => {
    if (at === 0 || flags(object, at) & INTERIOR) return [];
    return slot(object, at)
      ? [boxSphere(pieceBox(object, at, MODEL))]
      : [{ centre: column3(piece.model_), radius: ZERO }];
  }));
}
