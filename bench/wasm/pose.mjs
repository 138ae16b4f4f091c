/* Poses many objects of one model in WebAssembly, in Node.js: the median of many runs, in time of the
 * processor, which other programs on the machine do not lengthen much, and the shortest one by the clock.
 *
 *     pose.mjs PACKAGE MODEL [OBJECTS [RUNS]]
 *
 * Each object has a time of its own between two frames, so that every node is interpolated; every fourth one
 * blends two times. The matrices are those of the nodes in the space of the model. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, name, objects = 1000, runs = 201] = process.argv.slice(2);
const { instantiate } = await import(pathToFileURL(join(folder, 'retropose.js')));
const retropose = instantiate(readFileSync(join(folder, 'retropose.wasm')));
const model = retropose.openModel(readFileSync(name));
const count = Number(objects), last = model.frameCount - 1;
const batch = model.skeleton.batch(count);

function setTimes(run, blends) {
  const { times } = batch;
  for (let i = 0; i < count; i++) {
    const time = (i * 0.731 + run * 0.37) % last;
    times.set([time, (time * 1.7) % last, blends && i % 4 === 0 ? 0.25 : 0], 3 * i);
  }
}

function measure(blends) {
  const clock = [], processor = [];
  for (let run = 0; run < Number(runs); run++) {
    setTimes(run, blends);
    const before = process.cpuUsage();
    const started = process.hrtime.bigint();
    batch.pose();
    clock.push(Number(process.hrtime.bigint() - started) / 1e6);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1e3);
  }
  const sorted = (list) => list.sort((a, b) => a - b);
  return { median: sorted(processor)[processor.length >> 1], least: sorted(clock)[0] };
}

const joints = count * model.nodeCount;
console.log(`${count} objects of ${model.nodeCount} nodes, ${runs} runs, ${retropose.simd ? 'with' : 'without'} vectors`);
console.log(`Node.js ${process.version}, ${cpus()[0].model}`);
for (const [words, blends] of [['one time each', false], ['every fourth blends two', true]]) {
  measure(blends); // the compiler of Node.js works meanwhile
  const { median, least } = measure(blends);
  const perJoint = (median * 1e6 / joints).toFixed(1);
  console.log(`${words.padEnd(24)} median ${median.toFixed(2)} ms, least ${least.toFixed(2)} ms, ${perJoint} ns a joint`);
}
