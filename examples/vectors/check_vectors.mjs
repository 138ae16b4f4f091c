// Checks arithmetic of your own against the vectors, in a language without binary32: Math.fround rounds each
// operation as the x87 does under its 24-bit control word, as long as nothing leaves the range of binary32.
//
//     node check_vectors.mjs FOLDER
//
// Exits with 1 where a result differs, and with 2 where a list has nothing to compare.
import { readFileSync } from "node:fs";

const f = Math.fround;
const buffer = new DataView(new ArrayBuffer(8));

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

// Rounds to 24 bits, whatever the exponent: what stays on the stack under the game's control word. A number of
// JavaScript has more than twice the bits, so that rounding its result once more gives what rounding once would.
function to24Bits(value) {
  if (value === 0 || !Number.isFinite(value)) return value;
  const scale = 2 ** -Math.round(Math.log2(Math.abs(value)));
  return f(value * scale) / scale;
}

const operations = {
  fadd: (a, b) => to24Bits(a + b),
  fsub: (a, b) => to24Bits(a - b),
  fmul: (a, b) => to24Bits(a * b),
  fdiv: (a, b) => to24Bits(a / b),
  fsqrt: (a) => to24Bits(Math.sqrt(Math.abs(a))),
};

// Takes multiples of the x87's pi / 2 away from x > 0, so that at most half of it is left: [the rest, how many].
const HALF_PI = 0xc90fdaa22168c234cn; // times 2^-67
function reduce(x) {
  if (x < f(Math.PI / 4)) return [x, 0];
  const exponent = Math.floor(Math.log2(x));
  const units = BigInt(x * 2 ** (23 - exponent)) << BigInt(67 - 23 + exponent); // of 2^-67
  const count = (2n * units + HALF_PI) / (2n * HALF_PI);
  return [Number(units - count * HALF_PI) * 2 ** -67, Number(count % 4n)];
}
const ofQuadrant = ([rest, count]) => {
  const value = count % 2 ? Math.cos(rest) : Math.sin(rest);
  return count % 4 > 1 ? -value : value;
};

const functions = {
  fsin: (x) => ofQuadrant(reduce(x)),
  fcos: (x) => {
    const [rest, count] = reduce(x);
    return ofQuadrant([rest, count + 1]);
  },
  fpatan: Math.atan,
};

// ---- comparing ----

const folder = process.argv[2];
const load = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const tallies = {};
const compare = (name, expected, found) => {
  tallies[name].compared++;
  if (expected !== found) tallies[name].different++;
};
// The cases of a list, of which there must be some.
const list = (file, name, ...more) => {
  for (const counted of [name, ...more]) tallies[counted] = { compared: 0, different: 0 };
  return file[name] ?? [];
};

const game = load("x87.json");
for (const item of list(game, "frame_index")) compare("frame_index", item.frame, frameIndex(read(item.t)[0]));
for (const item of list(game, "matrix", "product")) {
  const found = matrix(read(item.q), read(item.translation));
  compare("matrix", item.matrix, words(found));
  compare("product", item.product, words(product(read(item.before), found)));
}

const stack = load("pc24.json");
for (const item of list(stack, "chains")) {
  const operands = read(item.operands);
  let value = read(item.start)[0];
  const found = item.operations.split(" ").map((name, i) => (value = operations[name](value, operands[i])));
  compare("chains", item.after, words(found));
}
for (const item of list(stack, "doubles")) {
  buffer.setBigUint64(0, BigInt(`0x${item.double}`));
  const value = buffer.getFloat64(0);
  compare("doubles", `${item.stored} ${item.added}`, words([value, to24Bits(value)]));
}

// FNV-1a of 64 bits over the results for every 4096th float of an exponent.
function sparseDigest(evaluate, exponent) {
  let digest = 0xcbf29ce484222325n;
  for (let significand = 0; significand < 2 ** 23; significand += 4096) {
    buffer.setFloat32(0, evaluate((1 + significand * 2 ** -23) * 2 ** exponent), true);
    for (let i = 0; i < 4; i++) digest = BigInt.asUintN(64, (digest ^ BigInt(buffer.getUint8(i))) * 0x100000001b3n);
  }
  return digest.toString(16).padStart(16, "0");
}
const digests = load("functions.json");
for (const [name, evaluate] of Object.entries(functions))
  for (const item of list(digests, name)) compare(name, item.sparse, sparseDigest(evaluate, item.exponent));

let different = 0;
const empty = [];
for (const [name, tally] of Object.entries(tallies)) {
  console.log(`${name.padEnd(12)} ${tally.compared} compared, ${tally.different} different`);
  different += tally.different;
  if (tally.compared === 0) empty.push(name);
}
if (empty.length > 0) console.error(`nothing was compared of ${empty.join(", ")}`);
process.exit(empty.length > 0 ? 2 : different > 0 ? 1 : 0);
