/* Pairs of DLLs in WebAssembly: called, run over traces, compared. They exist in a build for Windows. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { loadMachine, RetroposeError } = await import(pathToFileURL(join(process.env.RETROPOSE_JS, 'machine.js')));
const root = process.env.RETROPOSE_ROOT, windows = join(root, 'build/windows');
const skip = !existsSync(join(windows, 'tests/replay/host/rogue/Ngi32.dll')) && 'build the preset windows first';
const files = (name) => ['Ngi32.dll', 'AniMesh.dll'].map((file) => readFileSync(join(windows, name, file)));
const trace = (name) => readFileSync(join(root, `traces/${name}.rptrace`));
const refused = (status, use) => {
  assert.throws(use, (error) => error instanceof RetroposeError && error.status === status);
};
const bits = (value) => new Uint32Array(Float32Array.of(value).buffer)[0];

test('a call has the result of the trace', { skip }, async () => {
  const { load } = await import(pathToFileURL(join(process.env.RETROPOSE_JS, 'retropose.js')));
  const machine = await loadMachine(), pair = machine.openPair(...files('standin'), { forceCpu: 7 }); // as the trace asks for
  assert.deepEqual([pair.kind, pair.engine, pair.processor, pair.isSoftware], ['stand-in', 'interpreter', 'this', true]);
  const memory = pair.allocate(48);
  let compared = 0;
  for (const call of (await load()).openTrace(trace('classes-7'))) {
    if (call.function !== 'ngi32.slot17') continue;
    const numbers = Float32Array.of(...call.input('q0', 4), ...call.input('q1', 4));
    pair.write(memory, new Uint8Array(numbers.buffer));
    const done = pair.call(pair.slot(17), [bits(call.input('t', 1)[0]), memory + 32],
      { ecx: memory, edx: memory + 16, controlWord: call.controlWord, mxcsr: call.mxcsr });
    assert.deepEqual([done.outcome, done.popped, done.st0, done.reason], ['returned', 8, null, '']);
    assert.deepEqual(new Float32Array(pair.read(memory + 32, 16).buffer), Float32Array.from(call.result('result', 4)));
    compared++;
  }
  assert.equal(compared, 89);
  const crashed = pair.call(0x1000);
  assert.deepEqual([crashed.outcome, crashed.exception, crashed.module, crashed.offset], ['crashed', 0xC0000005, null, 0x1000]);
  refused('invalid', () => pair.read(0x1000, 4));
  assert.equal(pair.export('ngi32', 'noSuchFunction'), null);
  refused('invalid', () => pair.export('World3D', 'x'));
  pair.close();
  refused('invalid', () => pair.slot(0));
});

test('the lines of docs/use/javascript.md compare two pairs', { skip }, async () => {
  const page = readFileSync(join(root, 'docs/use/javascript.md'), 'utf8');
  const lines = page.match(/```js\nimport [^\n]* from 'retropose\/machine';\n([^]*?)```/)[1];
  const given = ['loadMachine', 'ngi32', 'animesh', 'ourNgi32', 'ourAniMesh', 'trace', 'console'], told = [];
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction(...given, lines)(loadMachine, ...files('standin'), ...files('replacement'),
    trace('classes-7'), { log: (text) => told.push(text) });
  assert.deepEqual(told, [0]);
});

test('two pairs are compared', { skip }, async () => {
  const machine = await loadMachine();
  const original = machine.openPair(...files('standin')), ours = machine.openPair(...files('replacement'));
  const comparison = machine.compare(), told = [];
  for (const name of ['classes-7', 'table']) {
    comparison.add(original.run(trace(name), (done, total) => { told.push([done, total]); }), ours.run(trace(name)), name);
  }
  const { totals, functions } = comparison.read();
  assert.deepEqual([totals.compared, totals.different], [2068, 0]);
  assert.deepEqual(new Set(functions.map(({ standing }) => standing)), new Set(['equal']));
  assert.ok(told.length > 3 && told[0][1] === 2000);
  const report = JSON.parse(comparison.json());
  assert.deepEqual([report.format, report.a.kind, report.b.kind], ['retropose report 1', 'stand-in', 'replacement']);

  /* A pair in which calls exit and hang, too. */
  const rogue = machine.openPair(...files('tests/replay/host/rogue'), { mostInstructions: 100000 });
  const worse = machine.compare();
  worse.add(original.run(trace('classes-4')), rogue.run(trace('classes-4')), 'classes-4');
  const bad = worse.read();
  assert.ok(bad.totals.different > 0 && bad.totals.crashed > 0 && bad.totals.notCalled > 0);
  assert.equal(rogue.reason('ngi32.slot28'), 'a call executed 100000 instructions without an end');
  const { difference } = bad.functions.find(({ key }) => key === 'ngi32.slot23');
  assert.match(difference.b, /^crashed with 80000003/);
});

test('formulas of two pairs are compared, and what their calls reach is counted', { skip }, async () => {
  const machine = await loadMachine();
  const [original, ours, other] = ['standin', 'replacement', 'variants/readings']
    .map((name) => machine.openPair(...files(name), { coverage: true }));
  const none = { blocks: 0, blocksReached: 0, sides: 0, sidesReached: 0 };
  assert.deepEqual(original.coverage('ngi32.slot17'), none);
  original.run(trace('classes-7'));
  const slot = original.coverage('ngi32.slot17'), all = original.coverage();
  assert.ok(slot.blocksReached > 1 && slot.blocksReached <= slot.blocks && slot.sidesReached <= slot.sides);
  assert.ok(all.blocks > slot.blocks && all.blocksReached > slot.blocksReached);
  assert.deepEqual(ours.coverage(), none);
  const silent = machine.openPair(...files('standin'));
  refused('invalid', () => silent.coverage());

  const formulas = machine.formulas(original, ours);
  original.close(); // the formulas have their own hold on the files
  assert.equal(formulas.builds, 'generic');
  const same = formulas.compare('ngi32.slot14');
  assert.deepEqual([same.verdict, same.hasExceptions], ['same', false]);
  assert.match(same.words, /^ngi32\.slot14 +\w+ +same expression for every input/);
  assert.deepEqual(formulas.compare('animesh.PoseWalk').verdict, 'not read');
  assert.match(formulas.compare('ngi32.slot999').words, /^no function/);
  const different = machine.formulas(other, ours).compare('ngi32.slot23');
  assert.equal(different.verdict, 'differs');
  assert.match(different.words, /first differs in .*seen with/s);
});

test('what is wrong is refused', { skip }, async () => {
  const machine = await loadMachine(), [ngi32, animesh] = files('standin');
  refused('truncated', () => machine.openPair(Buffer.from('MZ'), animesh));
  refused('invalid', () => machine.openPair(ngi32, animesh, { processor: 'pentium9' }));
  refused('crashed', () => machine.openPair(...files('tests/replay/host/rogue').slice(0, 1), readFileSync(join(windows, 'tests/replay/host/exits/AniMesh.dll'))));
  const pair = machine.openPair(ngi32, animesh);
  refused('corrupt', () => pair.run(Buffer.from('no trace')));
  refused('invalid', () => pair.run(trace('table'), () => false));
  assert.throws(() => pair.run(trace('table'), () => { throw new RangeError('mine'); }), RangeError);
  assert.equal(machine.crashed, false);
});
