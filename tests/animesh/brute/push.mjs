// How far a sphere has to move to be out of the faces, in seven steps (facts/animesh.md E.16;
// docs/reference/arithmetic.md, "Push-out", "SphereTouchesFace").
import {
  NO, UNDECIDED, YES, ZERO, abs, add, atMost, both, cross, div, dot, either, exact, hull, length, less, loose, minus,
  mul, not, outcomes, plus, sqrt, sub, times, vector,
} from "./ball.mjs";
import { ALL, TWO_SIDED, plane, room, takesBatch, takesTriangle, worldPieces } from "./geometry.mjs";
import { segmentPlane } from "./segment.mjs";

const { fround } = Math;
const TOUCHING = exact(fround(1e-5)), SHORT = exact(fround(1e-4)), FLAT = exact(fround(0.002));
const THIRD = exact(3), MOST = exact(4), MOST_OUTCOMES = 128, LOOSE = 1e-3;

// ---- step 2: touch ------------------------------------------------------------------------------

const toward = (from, to, distance, n) =>
  distance.v === 0 && distance.e === 0 ? n : minus(to, from).map((value) => div(value, distance));

function atCorner(corner, centre, radius, n, decide) {
  const distance = length(minus(centre, corner));
  return decide(atMost(distance, radius)) ? { distance, direction: toward(corner, centre, distance, n) } : null;
}

function atEdge({ s, end, e }, face, centre, foot, h, radius, decide) {
  const d = minus(foot, s), whole = length(e), along = div(dot(d, e), whole);
  const gap = sub(dot(d, d), mul(along, along));
  if (!decide(atMost(gap, sub(mul(radius, radius), mul(h, h))))) return null;
  if (decide(less(along, ZERO))) return atCorner(s, centre, radius, face.turned, decide);
  if (decide(less(whole, along))) return atCorner(end, centre, radius, face.turned, decide);
  // A gap below 0 counts as 0, so the larger of both is taken.
  const distance = sqrt(add({ v: Math.max(gap.v, 0), e: gap.e }, mul(h, h)));
  return {
    distance, direction: toward(plus(s, times(e, div(along, whole))), centre, distance, face.turned),
  };
}

function touch(face, centre, radius, decide) {
  const n = face.turned, [a, b, c] = face.corners, h = dot(n, minus(centre, a));
  if (!decide(atMost(ZERO, h)) || !decide(atMost(h, radius))) return null;
  const foot = minus(centre, times(n, h));
  for (const [s, end] of [[a, b], [b, c], [c, a]]) {
    const e = minus(end, s);
    if (decide(less(ZERO, dot(cross(e, n), minus(foot, s)))))
      return atEdge({ s, end, e }, face, centre, foot, h, radius, decide);
  }
  return { distance: h, direction: n };
}

// Distance and direction hardly change from one part of a face to the next, so that of several
// outcomes one is taken, with room for the others.
function touched(face, centre, radius) {
  const ways = outcomes((decide) => touch(face, centre, radius, decide), 64);
  const sure = ways.filter(Boolean);
  if (!sure.length) return null;
  const all = sure.length === ways.length;
  return {
    ...face, touches: all ? YES : UNDECIDED | (ways[0] ? YES : NO),
    distance: sure.length === 1 ? sure[0].distance : hull(sure.map(({ distance }) => distance)),
    direction: [0, 1, 2].map((axis) => hull(sure.map(({ direction }) => direction[axis]))),
  };
}

// ---- step 1: gather ------------------------------------------------------------------------------

function nodeIsNear({ sphere }, centre, radius) {
  const d = minus(centre, sphere.centre), w = add(sphere.radius, radius);
  return atMost(dot(d, d), mul(w, w));
}

function isFar({ low, high }, p, reach) {
  for (let axis = 0; axis < 3; axis++)
    if (p[axis] < low[axis] - reach || p[axis] > high[axis] + reach) return true;
  return false;
}

function gather(pieces, plain, radius) {
  const centre = vector(plain), faces = [];
  for (const entry of pieces) {
    const near = nodeIsNear(entry, centre, exact(radius));
    if (near === NO) continue;
    for (const face of entry.triangles) {
      if (!face.endless && isFar(face, plain, radius + room(face, plain))) continue;
      const found = touched(face, centre, exact(radius));
      if (found) faces.push({ ...found, number: faces.length, touches: both(found.touches, near) });
    }
  }
  return faces;
}

// ---- steps 3 and 4: sort, hide -------------------------------------------------------------------

// The order is stable: a face goes in front of those that are farther away.
function sorted(faces, decide) {
  const order = [];
  for (const face of faces) {
    let at = order.length;
    while (at > 0 && decide(less(face.distance, order[at - 1].distance))) at--;
    order.splice(at, 0, face);
  }
  return order;
}

// Returns the axes that may each have the normal's largest component.
function largestAxes(n) {
  const size = n.map(abs), second = less(size[0], size[1]), found = new Set();
  for (const first of second & UNDECIDED ? [0, 1] : [second]) {
    const third = less(size[first], size[2]);
    if (third !== YES) found.add(first);
    if (third !== NO) found.add(2);
  }
  return [...found];
}

function withinEdges({ corners: [a, b, c], turned, axes }, x) {
  const verdicts = axes.map((axis) => {
    const u = (axis + 1) % 3, v = (axis + 2) % 3;
    const sides = [[c, a], [a, b], [b, c]].map(([s, end]) => {
      const e = minus(end, s), d = minus(x, s);
      return mul(sub(mul(e[u], d[v]), mul(e[v], d[u])), turned[axis]);
    });
    return sides.reduceRight((rest, side) => either(atMost(abs(side), TOUCHING), both(less(ZERO, side), rest)), YES);
  });
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : verdicts[0] | UNDECIDED;
}

function standsBetween(other, face, centre, sse) {
  const ways = other.batchFlags & TWO_SIDED ? [[face.middle, centre], [centre, face.middle]] : [[centre, face.middle]];
  let hides = NO, missed = YES; // the first way that crosses the plane decides
  for (const [from, to] of ways) {
    const way = segmentPlane(from, to, other.plane, sse);
    if (missed === NO || way.passes === NO) continue;
    hides = either(hides, both(both(missed, way.passes), withinEdges(other, way.hit)));
    missed = both(missed, not(way.passes));
  }
  return hides;
}

// Each pair is computed once, when it is first asked for.
function hiding(centre, sse) {
  const known = new Map();
  return (other, face) => {
    const key = other.number * 4096 + face.number;
    if (!known.has(key)) known.set(key, standsBetween(other, face, centre, sse));
    return known.get(key);
  };
}

function withoutHidden(order, hides, decide) {
  const hidden = new Set();
  for (const face of order.slice().reverse())
    if (order.some((other) => other !== face && !hidden.has(other) && decide(hides(other, face))))
      hidden.add(face);
  return order.filter((face) => !hidden.has(face));
}

// ---- steps 5 to 7: filter, accumulate, limit -----------------------------------------------------

// Returns a step along d' that is just long enough to leave the face, with its greatest error.
function step(p, d, g, decide) {
  const q = dot(p, p), s = dot(p, d);
  const flat = decide(atMost(q, SHORT)) ? d : minus(d, times(p, div(s, q)));
  const f = dot(flat, d);
  if (!decide(atMost(abs(f), FLAT))) return times(flat, div(g, f));
  const size = length(flat), most = Math.abs(g.v) + g.e;
  // If a direction is nothing but rounding, only its length is known: it is 1, or there is no step.
  if (!(size.v > 4 * size.e) && size.e > 0) return [0, 1, 2].map(() => ({ v: 0, e: most * 1.000001 }));
  return size.v > 0 ? times(flat, div(g, size)) : [ZERO, ZERO, ZERO];
}

const reachOf = (vector_) => Math.max(...vector_.map(({ v, e }) => Math.abs(v) + e));

function accumulate(faces, radius, decide) {
  let p = [ZERO, ZERO, ZERO], moved = NO;
  for (const face of faces) {
    const deep = sub(radius, face.distance), s = dot(p, face.direction), pushes = less(s, deep);
    if (pushes === NO) continue;
    const by = step(p, face.direction, sub(deep, s), decide), reach = reachOf(by);
    if (pushes !== YES && reach < 1e-3) { // both ways at once: they hardly differ
      p = p.map((value) => loose(value, reach * 1.000001));
      moved = either(moved, pushes);
    } else if (decide(pushes)) {
      p = plus(p, by);
      moved = YES;
    }
  }
  return { p, moved };
}

function limited(p, radius, decide) {
  const most = mul(MOST, radius), size = length(p);
  return decide(less(most, size)) ? times(p, div(most, size)) : p;
}

function pushOut(faces, hides, radius, filter, decide) {
  const r = exact(radius);
  const there = faces.filter((face) => decide(face.touches));
  const open = withoutHidden(sorted(there, decide), hides, decide)
    .filter((face) => takesBatch(filter, face.batchFlags) && takesTriangle(filter, face.flags));
  const { p, moved } = accumulate(open, r, decide);
  return { push: limited(p, r, decide), moved };
}

// ---- comparing -----------------------------------------------------------------------------------

const fits = (found, push, { push: expected, moved }) =>
  (moved & UNDECIDED || found === (moved === YES)) &&
  push.every((value, i) => Math.abs(value - expected[i].v) <= expected[i].e);

// Faces that meet at a point can follow each other in more orders than are worth trying, and steps
// along what is left of nearly equal directions can amplify any error. Such an answer has to be close
// to what one of the outcomes has without errors, or it is given up.
function compareLoosely(possible, radius, answer, count) {
  const loosely = possible.map(({ push, moved }) => ({
    moved: moved | UNDECIDED, push: push.map(({ v }) => ({ v, e: LOOSE * radius })),
  }));
  if (loosely.some((one) => fits(answer.found, answer.push, one))) count.loose++;
  else count.givenUp++;
}

function compareOne(object, pieces, filter, question, answer, count) {
  const { centre, radius } = question, { sse } = object.settings;
  const faces = gather(pieces, centre, radius), hides = hiding(vector(centre), sse);
  const possible = outcomes((decide) => pushOut(faces, hides, radius, filter, decide), MOST_OUTCOMES);
  const match = possible.find((one) => fits(answer.found, answer.push, one));
  count.asked++;
  if (answer.found) count.hits++;
  if (!possible.complete || possible.some(({ push }) => push.some(({ e }) => !(e < LOOSE * radius))))
    return compareLoosely(possible, radius, answer, count);
  if (possible.length > 1) count.ties++;
  if (!match || answer.dropped)
    return count.fail("push", { question, answer, possible: possible.slice(0, 4), faces: faces.length });
  if (match !== possible[0] && !fits(answer.found, answer.push, possible[0])) {
    count.other++;
    count.apart++;
  }
  count.allClose(answer.push, match.push);
}

export function comparePushes(object, payload, count) {
  const filter = payload.filter(), pieces = worldPieces(object, -1, ALL);
  payload.u32();
  for (const { triangles } of pieces)
    for (const face of triangles) {
      const [a, b, c] = face.corners;
      face.plane = plane(face.turned, a);
      face.middle = plus(plus(a, b), c).map((value) => div(value, THIRD));
      face.axes = largestAxes(face.turned);
    }
  while (payload.more) {
    const centre = payload.floats(3), radius = payload.float(), found = payload.u32() !== 0;
    const answer = { found, push: payload.floats(3), dropped: payload.u32() };
    compareOne(object, pieces, filter, { centre, radius }, answer, count);
  }
}
