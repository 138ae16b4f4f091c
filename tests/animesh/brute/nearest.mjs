// Decides which answers are possible for queries that return the nearest of several candidates.
import { NO, YES, less } from "./ball.mjs";
import { same } from "./geometry.mjs";

// Candidates come in walking order, each with its `status`, `distance` and `point`. A triangle that
// can be met in several ways is several of them, all undecided.

// Two distances to exactly the same height are equal.
const nearer = (a, b) => (a.height && a.height === b.height ? NO : less(a.distance, b.distance));

function plainNearest(candidates, keepsLast) {
  let best = null;
  for (const candidate of candidates) {
    if (!(candidate.status & YES)) continue;
    const d = best ? candidate.distance.v - best.distance.v : -1;
    if (d < 0 || (keepsLast && d === 0)) best = candidate;
  }
  return best;
}

// A candidate may win when it is not ruled out, and no sure one is surely nearer, or as near and, by
// the query's rule, preferred.
function mayWin(candidates, winner, keepsLast) {
  const at = candidates.indexOf(winner);
  return candidates.every((other, i) => {
    if (i === at || other.status !== YES) return true;
    const preferred = keepsLast ? i > at : i < at;
    return !(nearer(other, winner) === YES || (preferred && nearer(winner, other) === NO));
  });
}

const near = (found, { v, e }) => Math.abs(found - v) <= e;
const fits = (hit, { distance, point }) =>
  near(hit.distance, distance) && hit.point.every((value, i) => near(value, point[i]));

// If both candidates of a tie share a corner, they are the same place.
function areNeighbours(a, b) {
  const keys = (t) => t.vertices.map((vertex) => vertex.map(({ v }) => v).join());
  return a.piece === b.piece && keys(a).some((key) => keys(b).includes(key));
}

function countOther(count, plain, hit, candidates) {
  const named = hit && candidates.find((candidate) => same(candidate, hit));
  count.other++;
  if (!plain || !named || !areNeighbours(plain, named)) count.apart++;
}

export function compareNearest(count, question, candidates, hit, keepsLast) {
  count.asked++;
  if (hit) count.hits++;
  const fail = (what) => count.fail(what, {
    question, found: hit,
    possible: candidates.map(({ piece, batch, batchTriangle, triangle, status, distance, point }) => ({
      piece, batch, batchTriangle, triangle, status, distance, point,
    })),
  });
  const winners = candidates.filter((candidate) => mayWin(candidates, candidate, keepsLast));
  const sure = winners.some(({ status }) => status === YES);
  if (new Set(winners.map(({ triangle, piece }) => `${piece}/${triangle}`)).size > (sure ? 1 : 0)) {
    const plain = plainNearest(candidates, keepsLast);
    count.ties++;
    if (hit ? !plain || !same(plain, hit) : plain) countOther(count, plain, hit, candidates);
  }
  if (!hit) return sure && fail("nothing found");
  const named = candidates.filter((candidate) => same(candidate, hit));
  if (!named.length) return fail("a hit that cannot be");
  const match = named.find((candidate) => winners.includes(candidate) && fits(hit, candidate));
  if (!match) return fail(named.some((c) => fits(hit, c)) ? "not the nearest" : "distance or point");
  count.close(hit.distance, match.distance);
  count.allClose(hit.point, match.point);
}
