/* Vectors and recorded calls in Node.js: checks.mjs. The counts say that nothing was passed over. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { TRACES, checkTrace, checkVectors } from './checks.mjs';
import { library, read, root, wasm } from './helpers.mjs';

const retropose = library.instantiate(wasm);
const VECTORS = 2320; // of x87.json, without frame_index
const SAMPLES = { poses: 32768, 'poses-wxyz': 16384, blends: 9216 };

test('the vectors have the bits of the file', () => {
  const tally = checkVectors(retropose, JSON.parse(new TextDecoder().decode(read(join(process.env.RETROPOSE_VECTORS, 'x87.json')))));
  assert.deepEqual([tally.first, tally.different], [null, 0]);
  assert.equal(tally.compared, VECTORS);
});

for (const name of TRACES) {
  test(`the calls of ${name}.rptrace have the recorded bits`, () => {
    const tally = checkTrace(retropose, read(root(`traces/${name}.rptrace`)));
    assert.deepEqual([tally.first, tally.different], [null, 0]);
    assert.ok(tally.compared > 1000);
    if (SAMPLES[name]) assert.equal(tally.compared, SAMPLES[name]);
  });
}

test('a sampler of somebody else is told from the game', () => {
  const trace = retropose.openTrace(read(root('traces/poses.rptrace')));
  const generic = library.checkSampler(trace, (skeleton, time) => retropose.math.sample(skeleton, time));
  assert.deepEqual([generic.calls, generic.same, generic.near, generic.far], [32768, 30607, 1316, 845]);
});
