/* Runs the calls of the bundled traces through two pairs, in a thread of its own, and then reads as formulas
 * the functions that were called. It is told once, by a message: { wasm, pairs: [{ ngi32, animesh } or null, ...],
 * traces: [{ name, bytes }] }. Without a second pair, the outcomes that the traces hold take its place, and there
 * are no formulas to compare with. */
import { instantiateMachine } from 'retropose/machine';

/* A call that executes more is taken for one without an end: so long that no function comes near it, and
 * short enough that a page can wait. */
const MOST_INSTRUCTIONS = 200e6;

const tell = (message) => postMessage(message);
const facts = (pair) => pair && { kind: pair.kind, description: pair.description, sha256: pair.sha256, engine: pair.engine, isSoftware: pair.isSoftware, isPublished: pair.isPublished };

function run({ wasm, pairs, traces }) {
  const machine = instantiateMachine(wasm);
  const opened = pairs.map((pair) => pair && machine.openPair(pair.ngi32, pair.animesh, { mostInstructions: MOST_INSTRUCTIONS, coverage: true }));
  tell({ sides: opened.map(facts) });
  const comparison = machine.compare();
  const reasons = {};
  const whole = traces.reduce((sum, { bytes }) => sum + bytes.length, 0) * opened.filter(Boolean).length;
  let before = 0;
  for (const { name, bytes } of traces) {
    const executed = opened.map((pair) => {
      if (!pair) return bytes;
      const done = pair.run(bytes, (calls, all) => tell({ trace: name, done: (before + (all ? bytes.length * calls / all : 0)) / whole }));
      before += bytes.length;
      return done;
    });
    comparison.add(executed[0], executed[1], name);
    for (const { key, counts } of comparison.read().functions) {
      if (counts.unsupported && !reasons[key]) reasons[key] = opened.map((pair) => pair?.reason(key)).find(Boolean);
    }
  }
  const result = comparison.read();
  for (const row of result.functions) row.coverage = opened[0].coverage(row.key);
  tell({ result: { ...result, reasons, coverage: opened[0].coverage(), json: comparison.json() } });
  if (!opened[1]) return;

  const formulas = machine.formulas(...opened);
  const keys = result.functions.map(({ key }) => key);
  keys.forEach((key, at) => {
    tell({ reading: key, done: at / keys.length });
    tell({ formula: { key, ...formulas.compare(key) } });
  });
  tell({ read: true });
}

onmessage = ({ data }) => {
  try {
    run(data);
  } catch (error) {
    const { message, status, what, where, expected, found, offset } = error;
    tell({ error: { message, status, what, where, expected, found, offset } });
  }
};
