// Decides whether a point is inside by the parity of a ray's crossings along +z
// (facts/animesh.md C.7; docs/reference/arithmetic.md, "Point inside").
import { NO, UNDECIDED, YES, ZERO, both, cross, dot, either, less, minus, mul, settled, sub, vector } from "./ball.mjs";
import { room, worldPieces } from "./geometry.mjs";

const differ = (a, b) => ((a ^ b) & YES) | ((a | b) & UNDECIDED);

// Returns whether the edge passes the point on one certain side, seen along the ray.
function countsEdge(from, to, p) {
  const [up, there] = [less(p[1], from[1]), less(p[1], to[1])], differs = differ(up, there);
  if (differs === NO) return NO;
  const [l, h] = up & YES ? [to, from] : [from, to], e = minus(h, l), d = minus(p, l);
  return both(differs, less(ZERO, sub(mul(e[0], d[1]), mul(e[1], d[0]))));
}

function crosses({ corners: [a, b, c] }, p) {
  const odd = [[a, b], [b, c], [c, a]].map(([from, to]) => countsEdge(from, to, p)).reduce(differ);
  if (odd === NO) return NO;
  const n = cross(minus(b, a), minus(c, a)), k = dot(n, minus(p, a));
  return both(odd, either(both(less(ZERO, n[2]), less(k, ZERO)), both(less(n[2], ZERO), less(ZERO, k))));
}

function isFar({ low, high }, p, off) {
  return p[0] < low[0] - off || p[0] > high[0] + off || p[1] < low[1] - off || p[1] > high[1] + off ||
    p[2] > high[2] + off;
}

export function comparePoints(object, payload, count) {
  const piece = payload.i32(), pieces = worldPieces(object, piece, payload.filter());
  while (payload.more) {
    const plain = payload.floats(3), found = payload.u32() !== 0, p = vector(plain);
    let inside = NO;
    for (const { triangles } of pieces)
      for (const triangle of triangles)
        if (!isFar(triangle, plain, room(triangle, plain))) inside = differ(inside, crosses(triangle, p));
    count.asked++;
    if (found) count.hits++;
    if (inside & UNDECIDED) {
      count.ties++;
      if (found !== ((inside & YES) !== 0)) count.apart++;
    } else if (settled(found) !== inside) {
      count.fail("inside", { piece, point: plain, found, expected: inside });
    }
  }
}
