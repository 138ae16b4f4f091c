// The triangles of pieces that queries walk over, in index order, with their places in the model.
import { HALF_ULP, add, cross, dot, exact, length, minus, mul, neg, vector } from "./ball.mjs";
import { slotOf } from "./model.mjs";
import { HIDDEN, point, turn } from "./object.mjs";

const ONE = 32767;
export const TWO_SIDED = 2;

// Returns s16 / 32767, with room for every way to divide.
const component = (value) =>
  value % ONE === 0 ? exact(value / ONE) : { v: value / ONE, e: (2 * HALF_ULP * Math.abs(value)) / ONE };

// Returns whether all required bits are set and none of the excluded ones (E.14).
const passes = (flags, required, excluded) => (flags & required) === required && (flags & excluded) === 0;
export const takesBatch = (filter, flags) => passes(flags, filter.requiredBatch, filter.excludedBatch);
export const takesTriangle = (filter, flags) =>
  passes(flags, filter.requiredTriangle, filter.excludedTriangle);
export const ALL = { requiredBatch: 0, excludedBatch: 0, requiredTriangle: 0, excludedTriangle: 0 };

export function isWithin(object, at, ancestor) {
  for (let i = at; i >= 0; i = object.pieces[i].parent) if (i === ancestor) return true;
  return ancestor < 0;
}

// Returns the pieces of a subtree (-1 means all) that are not hidden and have geometry.
export function visiblePieces(object, subtree) {
  return object.pieces.flatMap((piece, at) => {
    const slot = slotOf(piece.model, piece.node, piece.stage);
    const there = slot && !(piece.flags & HIDDEN) && isWithin(object, at, subtree);
    return there ? [{ piece, at, slot, world: piece.world }] : [];
  });
}

function scaled(object, position) {
  return object.scaled ? position.map((value, axis) => mul(exact(value), exact(object.scale[axis])))
    : vector(position);
}

// Returns the triangles of one piece in walking order. Vertices are in the node's space, scaled.
export function trianglesOf(object, { piece, at, slot, world }, filter) {
  const { model } = piece, found = [];
  let index = slot.firstTriangle;
  for (let b = slot.firstBatch; b < slot.firstBatch + slot.batchCount; b++) {
    const batch = model.batches[b], count = Math.floor((batch.indexCount + 2) / 3);
    for (let t = 0; t < count; t++, index++) {
      const record = model.triangles[index];
      if (!takesBatch(filter, batch.flags) || !takesTriangle(filter, record.flags)) continue;
      const vertices = [0, 1, 2].map((corner) => scaled(object,
        model.positions[batch.baseVertex + model.indices[batch.firstIndex + 3 * t + corner]]));
      found.push({
        piece: at, batch: b, batchTriangle: t, triangle: index, world, stored: record.normal,
        batchFlags: batch.flags, flags: record.flags, vertices, normal: record.normal.map(component),
      });
    }
  }
  return found;
}

// Push-out looks for a face's inside along its normal. Where that does not stand on the face (no
// area, a scale that differs between the axes, a matrix that is no rotation) this may be far away.
function isEndless([a, b, c], normal) {
  const edges = [minus(b, a), minus(c, b), minus(a, c)], n = cross(edges[0], edges[1]);
  return length(n).v <= 1e-3 ||
    edges.some((edge) => Math.abs(dot(edge, normal).v) > 1e-2 * length(edge).v * length(normal).v);
}

// Returns the triangles of all pieces of a subtree in world space. Corners in the same place of the
// same piece are one object, so that what is computed of them is the same to the last bit.
export function worldPieces(object, subtree, filter) {
  return visiblePieces(object, subtree).map((entry) => {
    const corners = new Map();
    const corner = (vertex) => {
      const key = vertex.map(({ v }) => v).join();
      if (!corners.has(key)) corners.set(key, point(entry.world, vertex));
      return corners.get(key);
    };
    const triangles = trianglesOf(object, entry, filter).map((triangle) => {
      const world = triangle.vertices.map(corner), side = (sign) => (axis) =>
        sign * Math.max(...world.map((p) => sign * p[axis].v + p[axis].e));
      const normal = turn(entry.world, triangle.normal);
      return {
        ...triangle, corners: world, turned: normal, endless: isEndless(world, normal),
        low: [0, 1, 2].map(side(-1)), high: [0, 1, 2].map(side(1)),
        extent: Math.max(...world.flat().map(({ v }) => Math.abs(v))),
      };
    });
    return { ...entry, triangles, sphere: slotSphere(object, entry) };
  });
}

// Returns room for all roundings of a query near a triangle. Only near triangles get exact bounds.
export const room = ({ extent }, plain) =>
  1e-4 * (1 + extent + Math.abs(plain[0]) + Math.abs(plain[1]) + Math.abs(plain[2]));

// Returns the plane through `corner` that is perpendicular to `normal`.
export const plane = (normal, corner) => [...normal, neg(dot(normal, corner))];

// Returns d = n . p + offset.
export const height = (plane_, p) => add(dot(plane_.slice(0, 3), p), plane_[3]);

// Returns the slot's sphere in world space (animesh/mesh.h, Mesh_SlotSphere).
export function slotSphere(object, { slot, world }) {
  const [x, y, z, r] = slot.sphere, centre = scaled(object, [x, y, z]);
  const radius = object.scaled ? mul(exact(r), exact(object.largestScale())) : exact(r);
  return { centre: point(world, centre), radius };
}

// Returns whether two answers name the same triangle.
export const same = (a, b) =>
  a.piece === b.piece && a.batch === b.batch && a.batchTriangle === b.batchTriangle && a.triangle === b.triangle;
