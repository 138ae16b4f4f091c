// Compares pieces, their matrices and their bounds with those that ask.c wrote.
import { exact, outcomes } from "./ball.mjs";
import { box, capsule, sphere } from "./bounds.mjs";

// Bounds and queries then stand on the matrices that were found: they are asked about a pose, not
// about how exactly it was made.
export function comparePose(object, payload, count) {
  count.asked++;
  const pieces = payload.u32();
  if (pieces !== object.pieces.length)
    return count.fail("number of pieces", { found: pieces, expected: object.pieces.length });
  object.pieces.forEach((piece, at) => {
    const found = { part: payload.u32(), node: payload.u32(), parent: payload.i32(), flags: payload.u32(),
      stage: payload.i32() };
    for (const [name, value] of Object.entries(found))
      if (value !== piece[name]) count.fail(`${name} of piece ${at}`, { found: value, expected: piece[name] });
    for (const [space, name] of ["local", "model_", "world"].entries()) {
      const matrix = payload.floats(16), expected = piece[name];
      piece[name] = matrix.map(exact);
      if (!count.allClose(matrix, expected))
        count.fail(`matrix ${space} of piece ${at}`, { found: matrix, expected: expected.map(({ v }) => v),
          bound: expected.map(({ e }) => e) });
    }
  });
}

const sphereNumbers = ({ centre, radius }) => [...centre, radius];
const capsuleNumbers = ({ ends, radius }) => [...ends.flat(), radius];

// If a capsule is undecided, each number may belong to either.
function among(count, what, found, procedure) {
  const possible = outcomes(procedure, 16).map(capsuleNumbers);
  const fits = (numbers) => found.every((value, i) => Math.abs(value - numbers[i].v) <= numbers[i].e);
  const match = possible.find(fits);
  if (possible.length > 1) count.ties++;
  if (match) count.allClose(found, match);
  else count.fail(what, { found, expected: possible.map((numbers) => numbers.map(({ v }) => v)) });
}

function expect(count, what, found, expected) {
  if (!count.allClose(found, expected))
    count.fail(what, { found, expected: expected.map(({ v }) => v), bound: expected.map(({ e }) => e) });
}

export function compareBounds(object, payload, count) {
  object.pieces.forEach((piece, at) => {
    for (let space = 0; space < 3; space++)
      for (const subtree of [false, true]) {
        const where = `piece ${at}, space ${space}, subtree ${subtree}`;
        count.asked++;
        expect(count, `box of ${where}`, payload.floats(24), box(object, at, space, subtree).flat());
        expect(count, `sphere of ${where}`, payload.floats(4), sphereNumbers(sphere(object, at, space, subtree)));
        among(count, `capsule of ${where}`, payload.floats(7),
          (decide) => capsule(object, at, space, subtree, decide));
      }
  });
  expect(count, "box of the object", payload.floats(24), object.box.flat());
  expect(count, "agent sphere", payload.floats(4), sphereNumbers(object.agentSphere));
  expect(count, "node sphere", payload.floats(4), sphereNumbers(object.nodeSphere));
  among(count, "capsule of the object", payload.floats(7), object.capsule);
}
