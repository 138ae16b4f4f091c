/* Cut and altered files give a RetroposeError or a result, never a trap. The alterations are the same each
 * time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARTS, corpus, library, random, read, root, samples, wasm } from './helpers.mjs';

const ROUNDS = Number(process.env.RETROPOSE_JS_ROUNDS ?? 100);
const retropose = library.instantiate(wasm);
const hero = retropose.openModel(retropose.openArchive(read(PARTS)).member('R_H_02.msh'));

/* The smallest model of the archive, which leaves the most of each round to what is altered. */
const small = (() => {
  const archive = retropose.openArchive(read(PARTS));
  const models = archive.members.filter(({ isModel }) => isModel).sort((a, b) => a.size - b.size);
  return models[0].read();
})();

function useArchive(bytes) {
  const archive = retropose.openArchive(bytes);
  try {
    archive.check();
    for (const member of archive.members.slice(0, 20)) attempt(() => member.isModel && useOpenModel(retropose.openModel(member)));
    for (const member of archive.members.slice(0, 20)) attempt(() => member.read());
    attempt(() => archive.withMember('a', new Uint8Array(3)));
  } finally {
    archive.close();
  }
}

function useOpenModel(model) {
  const uses = [
    () => model.check(), () => model.describe(), () => model.evidence(), () => model.cells, () => model.skeleton.pose(1.5, 3, 0.5),
    () => model.skeleton.sampleAll(2), () => model.skeleton.track(0), () => model.exportGlb(), () => model.exportObj(),
    () => {
      for (let slot = 0; slot < 8; slot++) model.slotMesh(slot);
    },
    () => {
      const object = model.createObject();
      object.setFrames(0, 1);
      object.pose();
      object.segment([0, -50, 0], [0, 50, 1]);
      object.draw(0);
      object.bounds();
      object.close();
    },
  ];
  try {
    uses.forEach(attempt);
  } finally {
    model.close();
  }
}

/* Runs `use`, which may throw a RetroposeError that is no crash. */
function attempt(use) {
  try {
    use();
    return true;
  } catch (error) {
    if (!(error instanceof library.RetroposeError) || error.status === 'crashed') throw error;
    return false;
  }
}

const kinds = {
  model: [small, (bytes) => useOpenModel(retropose.openModel(bytes))],
  nres: [small, useArchive],
  rsli: [read(corpus('libraries/methods.lib')), useArchive],
  glb: [retropose.openModel(small).exportGlb().bytes, (bytes) => retropose.importGltf(bytes)],
  gltf: [retropose.openModel(small).exportGltf().bytes, (bytes) => retropose.importGltf(bytes)],
  ani: [read(samples('bird.ani')), (bytes) => {
    const ani = retropose.openAni(bytes);
    ani.sample(100);
    ani.check();
    if (ani.duration < 10000) attempt(() => ani.exportGlb()); // a key of an altered time may bring millions
    ani.dump();
    ani.close();
  }],
  'ac-animation': [read(samples('03000002.bin')), (bytes) => {
    const animation = retropose.openAcAnimation(bytes);
    if (animation.frameCount > 0) animation.hooks(0);
    animation.check();
    animation.dump();
    animation.close();
  }],
  'ac-motion-table': [read(samples('09000001.bin')), (bytes) => {
    const table = retropose.openAcMotionTable(bytes);
    attempt(() => retropose.openAcMotionTable(bytes, { mode: 'strict' }).close());
    table.check();
    attempt(() => {
      const motion = table.createMotion([retropose.openAcAnimation(read(samples('03000001.bin')))]);
      motion.do(0x45000005);
      motion.tick(0.5);
      motion.pose();
      motion.close();
    });
    table.close();
  }],
  trace: [read(root('traces/control.rptrace')), (bytes) => {
    const trace = retropose.openTrace(bytes);
    try {
      for (const call of trace) void [call.input('t'), call.skeleton()];
    } finally {
      trace.close();
    }
  }],
};

/* One byte in each of a few places becomes another, or a word becomes a telling number. */
function alter(bytes, numbers) {
  const copy = bytes.slice(), view = new DataView(copy.buffer);
  const next = () => numbers.next().value;
  for (let left = 1 + next() % 4; left > 0; left--) {
    const near = next() % 2 ? Math.min(copy.length, 2048) : copy.length;
    const at = next() % near;
    if (next() % 2 && at + 4 <= copy.length) view.setUint32(at, [0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF][next() % 5], true);
    else copy[at] = next();
  }
  return copy;
}

for (const [kind, [bytes, use]] of Object.entries(kinds)) {
  test(`cut and altered: ${kind}`, () => {
    const numbers = random(20011);
    assert.ok(attempt(() => use(bytes)), 'the file itself is read');
    for (let round = 0; round < ROUNDS; round++) {
      const cut = bytes.slice(0, numbers.next().value % bytes.length);
      attempt(() => use(cut));
      attempt(() => use(alter(bytes, numbers)));
      attempt(() => retropose.identify(cut));
    }
    assert.equal(retropose.crashed, false);
    assert.equal(hero.skeleton.pose(1).length, 16 * hero.nodeCount);
  });
}
