// Numbers with what is known of their error: { v, e } says that binary32 arithmetic, in whatever
// order it was done, has a result within e of v.
//
// Every operation adds half a unit in the last place of binary32 (2^-24 of the result) to the errors
// that its operands bring, except where operands are exact and the result is a binary32 number: then
// rounding does nothing, e is 0, and equality means equality. Figures with small whole coordinates
// therefore have exact answers, ties included; all others have answers within a bound that follows
// from the arithmetic and is not chosen.

export const HALF_ULP = 2 ** -24 * (1 + 2 ** -20); // and binary64's own rounding
const LEAST = 2 ** -149;

export function rounded(v, e, steps = 1) {
  if (e === 0 && Math.fround(v) === v) return { v, e: 0 };
  if (!Number.isFinite(v) || !(e < Infinity)) return { v: Number.isFinite(v) ? v : 0, e: Infinity };
  return { v, e: e + steps * (HALF_ULP * (Math.abs(v) + e) + LEAST) };
}
export const exact = (v) => ({ v, e: 0 });
// Makes a value whose error is larger than its operation says.
export const loose = (a, e) => ({ v: a.v, e: a.e + e });
export const add = (a, b) => rounded(a.v + b.v, a.e + b.e);
export const sub = (a, b) => rounded(a.v - b.v, a.e + b.e);
export const mul = (a, b) =>
  rounded(a.v * b.v, Math.abs(a.v) * b.e + Math.abs(b.v) * a.e + a.e * b.e);
export const neg = (a) => ({ v: -a.v, e: a.e });
export const abs = (a) => ({ v: Math.abs(a.v), e: a.e });
export const half = (a) => mul(a, exact(0.5));

// `steps` is the number of roundings in the division. The SSE build's reciprocal has more than one.
export function div(a, b, steps = 1) {
  const v = a.v / b.v, least = Math.abs(b.v) - b.e;
  if (!(least > 0)) return { v, e: a.e === 0 && b.e === 0 ? 0 : Infinity };
  return rounded(v, (a.e + Math.abs(v) * b.e) / least, steps);
}

export function sqrt(a) {
  const v = Math.sqrt(Math.max(a.v, 0)), low = Math.sqrt(Math.max(a.v - a.e, 0));
  return rounded(v, a.e === 0 ? 0 : Math.max(v - low, Math.sqrt(Math.max(a.v + a.e, 0)) - v));
}

export const dot = (a, b) => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
export const cross = (a, b) => [
  sub(mul(a[1], b[2]), mul(a[2], b[1])),
  sub(mul(a[2], b[0]), mul(a[0], b[2])),
  sub(mul(a[0], b[1]), mul(a[1], b[0])),
];
export const minus = (a, b) => [sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])];
export const plus = (a, b) => [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])];
export const times = (a, k) => [mul(a[0], k), mul(a[1], k), mul(a[2], k)];
export const length = (a) => sqrt(dot(a, a));
export const vector = (a) => [exact(a[0]), exact(a[1]), exact(a[2])];
export const ZERO = exact(0);

// ---- comparisons: what plain binary64 says (bit 0), and whether that is too close to tell (bit 1) --

export const NO = 0, YES = 1, UNDECIDED = 2;

export function less(a, b) {
  if (a === b) return NO; // the same computation
  const d = b.v - a.v, e = a.e + b.e, plain = d > 0 ? YES : NO;
  return e === 0 || Math.abs(d) > e ? plain : plain | UNDECIDED;
}
export const not = (answer) => answer ^ 1;
export const atMost = (a, b) => not(less(b, a));
export const both = (a, b) =>
  a === NO || b === NO ? NO : (a & b & YES) | ((a | b) & UNDECIDED);
export const either = (a, b) => not(both(not(a), not(b)));
export const settled = (truth) => (truth ? YES : NO);

// Returns the greatest (sign 1) or least (-1) of some values. Its error is the largest among the
// values that it may be.
export function extreme(list, sign) {
  let v = -Infinity, sure = -Infinity, e = 0;
  for (const a of list) {
    v = Math.max(v, sign * a.v);
    sure = Math.max(sure, sign * a.v - a.e);
  }
  for (const a of list) if (sign * a.v + a.e >= sure) e = Math.max(e, a.e);
  return { v: sign * v, e };
}

// Returns the first of several values that may each be right, with an error that covers the others.
export function hull(list) {
  const { v } = list[0];
  return { v, e: Math.max(...list.map((a) => Math.abs(a.v - v) + a.e)) };
}

// ---- all outcomes of a procedure with undecided comparisons ----

// Runs `procedure(decide)` once for each way in which what is undecided can turn out; decide(answer)
// is the boolean to go by. The first is plain binary64's. Of more than `most` the others are left out,
// and `complete` is false.
export function outcomes(procedure, most) {
  const results = [], turned = [];
  for (let run = 0; run < most; run++) {
    let place = 0;
    const decide = (answer) => {
      const plain = (answer & YES) !== 0;
      if (!(answer & UNDECIDED)) return plain;
      if (place === turned.length) turned.push(false);
      return plain !== turned[place++];
    };
    results.push(procedure(decide));
    turned.length = place;
    while (turned.length && turned[turned.length - 1]) turned.pop();
    if (!turned.length) return Object.assign(results, { complete: true });
    turned[turned.length - 1] = true;
  }
  return Object.assign(results, { complete: false });
}
