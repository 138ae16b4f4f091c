// The walkable face below or above a point (facts/animesh.md E.15; docs/reference/arithmetic.md, "Walk face",
// "PointOverTriangle").
import {
  NO, UNDECIDED, YES, ZERO, add, atMost, both, cross, div, exact, less, minus, mul, outcomes, sub, vector,
} from "./ball.mjs";
import { ALL, room, worldPieces } from "./geometry.mjs";
import { compareNearest } from "./nearest.mjs";

const STEEPEST = exact(Math.fround(0.173648)), ABOVE = 4, BELOW = 8;
const squares = (x, y) => add(mul(x, x), mul(y, y));

// Returns the height of the face over the point, and the squared distance of the point beside it,
// or null for a face without area.
export function pointOver([a, b, c], p, decide) {
  const [ab, ac] = [minus(b, a), minus(c, a)];
  const area = sub(mul(ab[0], ac[1]), mul(ab[1], ac[0]));
  const left = decide(less(ZERO, area)), right = !left && decide(less(area, ZERO));
  if (!left && !right) return null;
  for (const [s, end] of [[a, b], [b, c], [c, a]]) {
    const e = minus(end, s), d = minus(p, s), side = sub(mul(e[0], d[1]), mul(e[1], d[0]));
    if (decide(left ? less(side, ZERO) : less(ZERO, side))) return besideEdge(s, end, e, d, p, decide);
  }
  const n = cross(ab, ac), d = minus(p, a);
  const height = sub(a[2], div(add(mul(n[0], d[0]), mul(n[1], d[1])), n[2]));
  return { height, gap: ZERO, beside: false };
}

function besideEdge(s, end, e, d, p, decide) {
  const along = add(mul(d[0], e[0]), mul(d[1], e[1])), whole = squares(e[0], e[1]);
  if (decide(less(along, ZERO))) return { height: s[2], gap: squares(d[0], d[1]), beside: true };
  if (decide(less(whole, along))) {
    const [x, y] = minus(p, end);
    return { height: end[2], gap: squares(x, y), beside: true };
  }
  const u = div(along, whole);
  const [x, y] = [0, 1].map((axis) => sub(d[axis], mul(u, e[axis])));
  return { height: add(s[2], mul(u, e[2])), gap: squares(x, y), beside: true };
}

function nodeIsNear({ sphere: { centre, radius } }, p, margin) {
  const w = add(radius, margin);
  return atMost(squares(sub(p[0], centre[0]), sub(p[1], centre[1])), mul(w, w));
}

function isFar({ low, high }, p, reach) {
  return p[0] < low[0] - reach || p[0] > high[0] + reach || p[1] < low[1] - reach || p[1] > high[1] + reach;
}

function directed(direction, height, z) {
  if (direction === BELOW) return atMost(height, z);
  return direction === ABOVE ? atMost(z, height) : YES;
}

// `over` demands that the point is over the face itself.
function candidatesOf(pieces, plain, { margin, direction, over }) {
  const p = vector(plain), found = [], reach = Math.sqrt(margin);
  for (const entry of pieces) {
    const near = nodeIsNear(entry, p, exact(margin));
    if (near === NO) continue;
    for (const triangle of entry.triangles) {
      const steep = atMost(STEEPEST, triangle.turned[2]);
      if (steep === NO || isFar(triangle, plain, reach + room(triangle, plain))) continue;
      const ways = outcomes((decide) => pointOver(triangle.corners, p, decide), 64);
      ways.forEach((way, i) => {
        if (!way || (over && way.beside)) return;
        const chosen = ways.length === 1 ? YES : UNDECIDED | (i === 0 ? YES : NO);
        const g = sub(way.height, p[2]);
        const status = [chosen, near, steep, atMost(way.gap, exact(margin)), directed(direction, way.height, p[2])]
          .reduce(both);
        if (status !== NO)
          found.push({
            ...triangle, status, distance: mul(g, g), point: [p[0], p[1], way.height], height: way.height,
          });
      });
    }
  }
  return found;
}

function compare(object, payload, count, filter, how) {
  const pieces = worldPieces(object, -1, filter);
  while (payload.more) {
    const p = payload.floats(3);
    compareNearest(count, { point: p, ...how }, candidatesOf(pieces, p, how), payload.hit(), false);
  }
}

export function compareWalks(object, payload, count) {
  compare(object, payload, count, payload.filter(), { margin: 0, direction: 0, over: true });
}

export function compareMargins(object, payload, count) {
  const margin = payload.float(), direction = payload.u32();
  compare(object, payload, count, ALL, { margin, direction, over: false });
}
