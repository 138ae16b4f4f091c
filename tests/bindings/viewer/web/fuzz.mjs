/* Damaged files of every kind: each gives a picture or a message, and never a dead page. The seeds are
 * fixed. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, command, damaged, open, pages, random, test, urlOf } from './tools.mjs';

const ROUNDS = 200;

async function fuzz(kind, name, wholes, seed) {
  const next = random(seed);
  const page = await open(urlOf('empty.html'), { size: { width: 400, height: 300 } });
  await page.evaluate(() => globalThis.retropose.state.set({ grid: false, shadow: false }));
  let shownCount = 0;
  let toldCount = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = damaged(wholes[round % wholes.length], next);
    const what = `${kind}, seed ${seed}, round ${round}, ${bytes.length} bytes`;
    const result = await page.evaluate(async ([file, text]) => {
      const { page: whole } = globalThis.retropose;
      document.getElementById('complaints-close').click();
      await whole.take({ files: [{ name: file, bytes: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) }], complaints: [] });
      const told = document.querySelectorAll('#complaint-list li').length * !document.getElementById('complaints').hidden;
      // What is there can be played and looked at.
      if (whole.viewer.subject) {
        whole.state.set({ frame: Math.min(1.5, whole.viewer.subject.lastFrame), extent: true, boxes: true, node: 0 });
        whole.viewer.stage.draw();
      }
      const taken = whole.collection.items.some((item) => (item.imported ?? item.source).startsWith(file));
      const words = [...document.querySelectorAll('#complaint-list li')].map((li) => li.textContent).join('\n');
      return { told, taken, view: document.documentElement.dataset.view, crashed: /unreachable|out of bounds|crashed|undefined|null/.test(words) ? words : '' };
    }, [`${round}-${name}`, bytes.toString('base64')]).catch((error) => assert.fail(`${what}: ${error.message}`));
    assert.ok(result.told > 0 || result.taken, `${what}: neither shown nor told`);
    assert.equal(result.crashed, '', what);
    shownCount += result.taken ? 1 : 0;
    toldCount += result.told > 0 ? 1 : 0;
  }
  assert.deepEqual(page.complaints.filter((words) => !words.includes('THREE.')), [], kind);
  // The page is as alive as before.
  const alive = await page.evaluate(async (text) => {
    const { page: whole } = globalThis.retropose;
    await whole.take({ files: [{ name: 'good.msh', bytes: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) }], complaints: [] });
    return whole.viewer.subject?.name;
  }, bytesOf('R_H_02.msh').toString('base64'));
  assert.equal(alive, 'good.msh', kind);
  await page.context().close();
  assert.ok(toldCount > 20, `${kind}: ${toldCount} told, ${shownCount} shown`);
}

test('damaged models give a picture or a message', () => fuzz('models', 'x.msh', ['u_min_0_33.msh', 'a_a_l3.msh', 'R_H_02.msh'].map(bytesOf), 1));
test('damaged libraries do', () => fuzz('libraries', 'x.rlb', ['corpus/libraries/weapon.rlb'].map(bytesOf), 2));
test('damaged glTF does', () => {
  command('msh', 'convert', 'u_min_0_33.msh', 'fuzz.glb');
  command('msh', 'convert', 'u_min_0_33.msh', 'fuzz.gltf');
  return fuzz('glTF', 'x.glb', ['fuzz.glb', 'fuzz.gltf'].map(bytesOf), 3);
});
test('damaged animations do', () => {
  const ac = readdirSync(join(pages, 'samples')).filter((name) => name.endsWith('.bin')).map((name) => `samples/${name}`);
  return fuzz('animations', 'x.ani', ['samples/bird.ani', ...ac].map(bytesOf), 4);
});
