// The segment query (facts/animesh.md E.14; docs/reference/mesh.md, "Queries"): every triangle is asked.
import {
  HALF_ULP, NO, YES, ZERO, atMost, both, div, dot, less, loose, minus, mul, neg, plus, sub,
  times, vector,
} from "./ball.mjs";
import { TWO_SIDED, height, plane, trianglesOf, visiblePieces } from "./geometry.mjs";
import { compareNearest } from "./nearest.mjs";
import { column3, point } from "./object.mjs";

// Does what slot 45 does (E.6): says whether the segment passes from front to back, and where.
// The SSE build's reciprocal is rcpss (12 bits) improved once: 23 bits, and some roundings.
export function segmentPlane(start, end, plane_, sse) {
  const v = minus(end, start), nv = dot(plane_.slice(0, 3), v);
  const d0 = height(plane_, start), d1 = height(plane_, end);
  const passes = both(both(less(nv, ZERO), atMost(ZERO, d0)), sse ? atMost(d1, ZERO) : less(d1, ZERO));
  if (passes === NO) return { passes };
  let k = div(d0, neg(nv));
  if (sse) k = loose(k, 12 * HALF_ULP * Math.abs(k.v));
  return { passes, hit: plus(start, times(v, k)) };
}

// mrnPointInPoly: the axis left out comes from two comparisons (E.14), and stored normals are whole
// numbers, so that it is never in doubt.
export function keptAxes([x, y, z]) {
  const [nx, ny, nz] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (nx >= ny && ny >= nz) return [1, 2, 0];
  if (nx < ny && ny >= nz) return [2, 0, 1];
  return [0, 1, 2];
}

export function insideEdges(vertices, normal, stored, p) {
  const [u, v, axis] = keptAxes(stored);
  let inside = YES;
  for (let i = 0; i < 3 && inside !== NO; i++) {
    const from = vertices[i], to = vertices[(i + 1) % 3];
    const g = mul(sub(mul(sub(to[u], from[u]), sub(p[v], from[v])),
      mul(sub(to[v], from[v]), sub(p[u], from[u]))), normal[axis]);
    inside = both(inside, atMost(ZERO, g));
  }
  return inside;
}

// Does what slot 26 does: turns a world point into the node's space.
export function toFrame(m, p) {
  const d = minus(p, column3(m));
  return [0, 1, 2].map((j) => {
    const column = [m[j], m[j + 4], m[j + 8]];
    return div(dot(column, d), dot(column, column));
  });
}

// ---- a look in plain numbers, with room to spare, so that few triangles need the bounds ----------

function prepare(object, subtree, filter) {
  return visiblePieces(object, subtree).map((entry) => {
    const triangles = trianglesOf(object, entry, filter);
    for (const t of triangles) {
      t.plane = plane(t.normal, t.vertices[0]);
      t.plain = {
        n: t.plane.map(({ v }) => v), vertices: t.vertices.map((p) => p.map(({ v }) => v)),
        axes: keptAxes(t.stored), size: Math.max(...t.vertices.flat().map(({ v }) => Math.abs(v))),
        sides: t.batchFlags & TWO_SIDED ? 2 : 1,
      };
    }
    const m = entry.world, q = [0, 1, 2].map((j) => m[j].v ** 2 + m[j + 4].v ** 2 + m[j + 8].v ** 2);
    return { ...entry, triangles, m: m.map(({ v }) => v), q, slack: Math.max(...m.map(({ e }) => e)) };
  });
}

function plainToFrame({ m, q }, p, out) {
  const d0 = p[0] - m[3], d1 = p[1] - m[7], d2 = p[2] - m[11];
  for (let j = 0; j < 3; j++) out[j] = (m[j] * d0 + m[j + 4] * d1 + m[j + 8] * d2) / q[j];
  return Math.abs(d0) + Math.abs(d1) + Math.abs(d2);
}

function mayHit({ n, vertices, axes, size, sides }, s, e, reach, slack) {
  const room = 64 * (slack * (reach + 2) + HALF_ULP * (reach + size + 1));
  const d0 = n[0] * s[0] + n[1] * s[1] + n[2] * s[2] + n[3];
  const d1 = n[0] * e[0] + n[1] * e[1] + n[2] * e[2] + n[3];
  if (!(d0 >= -room && d1 <= room) && !(sides === 2 && d1 >= -room && d0 <= room)) return false;
  if (!(Math.abs(d0 - d1) > 8 * room)) return true;
  const k = d0 / (d0 - d1), [u, v, axis] = axes;
  const pu = s[u] + k * (e[u] - s[u]), pv = s[v] + k * (e[v] - s[v]);
  const off = room * (1 + (2 * (Math.abs(e[u] - s[u]) + Math.abs(e[v] - s[v]))) / Math.abs(d0 - d1));
  for (let i = 0; i < 3; i++) {
    const from = vertices[i], to = vertices[(i + 1) % 3], eu = to[u] - from[u], ev = to[v] - from[v];
    const g = (eu * (pv - from[v]) - ev * (pu - from[u])) * n[axis];
    if (g < -4 * off * (Math.abs(eu) + Math.abs(ev) + room) * Math.abs(n[axis])) return false;
  }
  return true;
}

// ---- one triangle --------------------------------------------------------------------------------

// A two-sided face is tried in both directions, the second only if the first hits nothing.
function meet(triangle, start, end, sse) {
  const found = [];
  const one = segmentPlane(start, end, triangle.plane, sse);
  if (one.passes !== NO) found.push(one);
  if (one.passes !== YES && triangle.batchFlags & TWO_SIDED) {
    const other = segmentPlane(end, start, triangle.plane, sse);
    if (other.passes !== NO) found.push({ ...other, passes: both(other.passes, one.passes ^ 1) });
  }
  return found.map(({ passes, hit }) => ({
    hit, status: both(passes, insideEdges(triangle.vertices, triangle.normal, triangle.stored, hit)),
  }));
}

export function segmentCandidates(object, pieces, segment) {
  const start = segment.slice(0, 3), end = segment.slice(3), candidates = [], s = [0, 0, 0], e = [0, 0, 0];
  const most = lengthSquared(minus(vector(end), vector(start)));
  for (const entry of pieces) {
    const reach = Math.max(plainToFrame(entry, start, s), plainToFrame(entry, end, e));
    let own = null;
    for (const triangle of entry.triangles) {
      if (!mayHit(triangle.plain, s, e, reach, entry.slack)) continue;
      own ??= [toFrame(entry.world, vector(start)), toFrame(entry.world, vector(end))];
      for (const { hit, status } of meet(triangle, own[0], own[1], object.settings.sse)) {
        const there = point(entry.world, hit), distance = lengthSquared(minus(there, vector(start)));
        const sure = both(status, atMost(distance, most));
        if (sure !== NO) candidates.push({ ...triangle, status: sure, distance, point: there });
      }
    }
  }
  return candidates;
}

const lengthSquared = (v) => dot(v, v);

export function compareSegments(object, payload, count) {
  const piece = payload.i32(), pieces = prepare(object, piece, payload.filter());
  while (payload.more) {
    const segment = payload.floats(6);
    compareNearest(count, { piece, segment }, segmentCandidates(object, pieces, segment),
      payload.hit(), true);
  }
}
