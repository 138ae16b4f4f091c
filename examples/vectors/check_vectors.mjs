// Checks arithmetic of your own against traces/vectors, in a language without binary32: Math.fround rounds each
// operation as the x87 does under its 24-bit control word, as long as nothing leaves the range of binary32.
//
//     node check_vectors.mjs ../../traces/vectors
import { readFileSync } from "node:fs";

const f = Math.fround;
const buffer = new DataView(new ArrayBuffer(4));

// Floats are eight hexadecimal digits each, with spaces between them.
const read = (words) =>
  words.split(" ").map((word) => {
    buffer.setUint32(0, parseInt(word, 16));
    return buffer.getFloat32(0);
  });
const bits = (value) => {
  buffer.setFloat32(0, value);
  return buffer.getUint32(0).toString(16).padStart(8, "0");
};
const words = (values) => values.map(bits).join(" ");

// ---- the arithmetic that is checked ----

// The frame of a time: the nearest whole number of t - 0.5, halves to even, modulo 2^32.
function frameIndex(t) {
  const moved = f(t - 0.5);
  if (!(moved >= -(2 ** 63) && moved < 2 ** 63)) return 0;
  let whole = Math.floor(moved);
  const rest = moved - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) whole += 1;
  return Number(BigInt.asUintN(32, BigInt(whole)));
}

const mul = (a, b) => f(a * b), add = (a, b) => f(a + b), sub = (a, b) => f(a - b);
const twice = (a) => f(a + a);

// w, x, y, z to a row-major matrix for column vectors.
function matrix([w, x, y, z], [tx, ty, tz]) {
  const diagonal = (a, b) => sub(1, twice(add(mul(a, a), mul(b, b))));
  const plus = (a, b, c, d) => twice(add(mul(a, b), mul(c, d)));
  const minus = (a, b, c, d) => twice(sub(mul(a, b), mul(c, d)));
  return [
    diagonal(y, z), plus(x, y, w, z), minus(x, z, w, y), tx,
    minus(x, y, w, z), diagonal(x, z), plus(y, z, w, x), ty,
    plus(x, z, w, y), minus(y, z, w, x), diagonal(x, y), tz,
    0, 0, 0, 1,
  ];
}

function product(a, b) {
  const m = [];
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < 4; j++) {
      let sum = mul(a[4 * i], b[j]);
      for (let k = 1; k < 4; k++) sum = add(sum, mul(a[4 * i + k], b[4 * k + j]));
      m.push(sum);
    }
  return m;
}

const operations = {
  fadd: add,
  fsub: sub,
  fmul: mul,
  fdiv: (a, b) => f(a / b),
  fsqrt: (a) => f(Math.sqrt(Math.abs(a))),
};

// ---- comparing ----

const folder = process.argv[2];
const load = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const tallies = {};
const compare = (name, expected, found) => {
  const tally = (tallies[name] ??= { compared: 0, different: 0 });
  tally.compared++;
  if (expected !== found) tally.different++;
};

const game = load("x87.json");
for (const item of game.frame_index) compare("frame_index", item.frame, frameIndex(read(item.t)[0]));
for (const item of game.matrix) {
  const found = matrix(read(item.q), read(item.translation));
  compare("matrix", item.matrix, words(found));
  compare("product", item.product, words(product(read(item.before), found)));
}

// A chain that leaves the range of binary32's normal numbers is not for this arithmetic.
const isPlain = (value) => Math.abs(value) >= 2 ** -126 && Number.isFinite(value);
let leftOut = 0;
for (const item of load("pc24.json").chains) {
  const after = read(item.after), operands = read(item.operands);
  if (!after.every(isPlain)) {
    leftOut++;
    continue;
  }
  let value = read(item.start)[0];
  const found = item.operations.split(" ").map((name, i) => (value = operations[name](value, operands[i])));
  compare("chains", item.after, words(found));
}

let different = 0;
for (const [name, tally] of Object.entries(tallies)) {
  console.log(`${name.padEnd(12)} ${tally.compared} compared, ${tally.different} different`);
  different += tally.different;
}
console.log(`${leftOut} chains leave the range of binary32 and were left out`);
process.exit(different > 0 ? 1 : 0);
