/* Files of all kinds, dropped, chosen and inside. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble, axeFinds, bytesOf, close, command, complaints, drop, open, pages, set, settle, state, template, test, urlOf, view } from './tools.mjs';

const HERO = 'R_H_02.msh';
const name = (page) => page.locator('#title').textContent();
const empty = () => urlOf('empty.html');

test('a page without files waits for some, and takes what is dropped', async () => {
  const page = await open(empty());
  assert.equal(await view(page), 'start');
  await drop(page, [[HERO, bytesOf(HERO)]]);
  assert.equal(await view(page), 'stage');
  assert.equal(await name(page), HERO);
  await drop(page, [['parts.rlb', bytesOf('corpus/libraries/parts.rlb')]]);
  assert.equal(await view(page), 'gallery');
  assert.deepEqual(await complaints(page), []);
  await close(page);
});

test('the template is such a page as it is', async () => {
  writeFileSync(join(pages, 'bare.html'), bytesOf('../viewer/viewer.html'));
  const page = await open(urlOf('bare.html'));
  assert.equal(await view(page), 'start');
  assert.deepEqual(await axeFinds(page), []);
  page.complaints.length = 0;
  await close(page);
});

test('a bad file is told about, and what was there stays', async () => {
  const page = await open(empty());
  await drop(page, [[HERO, bytesOf(HERO)]]);
  await set(page, { frame: 5 });
  const bad = [['noise.msh', Buffer.from('this is no model')], ['empty.msh', Buffer.alloc(0)], ['cut.rlb', bytesOf('corpus/libraries/parts.rlb').subarray(0, 3000)], ['words.glb', Buffer.from('glTF\x02\0\0\0\xff\xff\xff\xff')], ['MTCHECK.msh', bytesOf('corpus/models/MTCHECK.msh')]];
  for (const [i, file] of bad.entries()) {
    await drop(page, [file]);
    const said = await complaints(page);
    assert.equal(said.length, i + 1);
    assert.ok(said.at(-1).includes(file[0]), `${said.at(-1)} does not name ${file[0]}`);
    assert.match(said.at(-1), /expected|found|byte/);
    assert.equal(await name(page), HERO);
    assert.equal(await state(page, 'frame'), 5);
  }
  assert.deepEqual(await axeFinds(page), []);
  page.complaints.length = 0;
  await page.locator('#complaints-close').click();
  assert.equal(await page.locator('#complaints').isVisible(), false);
  // A good file among bad ones is taken.
  await drop(page, [bad[0], ['a_a_l3.msh', bytesOf('a_a_l3.msh')]]);
  assert.equal(await name(page), 'a_a_l3.msh');
  assert.equal((await complaints(page)).length, 1);
  await close(page);
});

test('glTF comes with its parts, and says what it lacks', async () => {
  command('msh', 'convert', HERO, 'hero.gltf');
  const gltf = JSON.parse(bytesOf('hero.gltf').toString());
  const data = Buffer.from(gltf.buffers[0].uri.split(',')[1], 'base64');
  gltf.buffers[0].uri = 'hero.bin';
  const text = Buffer.from(JSON.stringify(gltf));
  const page = await open(empty());
  await drop(page, [['hero.gltf', text]]);
  assert.match((await complaints(page)).at(-1), /hero\.bin.*not there/);
  assert.equal(await view(page), 'start');
  await drop(page, [['hero.gltf', text], ['hero.bin', data]]);
  assert.equal(await name(page), 'hero.msh');
  assert.deepEqual(Buffer.from(await page.evaluate(() => [...globalThis.retropose.model.model.bytes()])), bytesOf(HERO));
  // A file of another program has no sockets, flags and speed: the notes are complaints.
  for (const thing of [...gltf.nodes, ...gltf.meshes, ...gltf.materials, ...gltf.scenes]) delete thing.extras;
  delete gltf.extras;
  await drop(page, [['hero.gltf', Buffer.from(JSON.stringify(gltf))], ['hero.bin', data]]);
  assert.ok((await complaints(page)).some((words) => words.includes('G39')), (await complaints(page)).join('\n'));
  assert.ok((await page.locator('#findings b').allTextContents()).includes('G39'));
  await close(page);
});

test('files and folders can be chosen', async () => {
  const folder = join(pages, 'chosen/inner');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(pages, 'chosen', HERO), bytesOf(HERO));
  writeFileSync(join(folder, 'bird.ani'), bytesOf('samples/bird.ani'));
  const page = await open(empty());
  await page.locator('#choose-files').setInputFiles(join(pages, HERO));
  await page.waitForFunction(() => document.documentElement.dataset.view === 'stage');
  assert.equal(await name(page), HERO);
  await page.locator('#choose-folder').setInputFiles(join(pages, 'chosen'));
  await page.waitForFunction(() => document.documentElement.dataset.view === 'gallery');
  assert.deepEqual((await page.locator('.card b').allTextContents()).sort(), [HERO, 'bird.ani']);
  assert.ok((await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.title))).includes('chosen/inner/bird.ani'));
  await close(page);
});

test('an animation plays on the same stage', async () => {
  command('ani', 'view', 'samples/bird.ani', '--template', template, '-o', 'bird.html', '-q');
  const page = await open(urlOf('bird.html'), { hash: '#time=250' });
  assert.equal(await state(page, 'frame'), 250);
  assert.match(await page.locator('#of').textContent(), /1000 ms/);
  const expected = JSON.parse(command('ani', 'sample', 'samples/bird.ani', '--time', '250', '--bits', '--json'));
  assert.ok(expected);
  const world = await page.evaluate(() => [...globalThis.retropose.model.ani.sample(250).world]);
  assert.deepEqual(await page.evaluate(() => [...globalThis.retropose.model.matrices]), world);
  const before = await page.locator('#canvas').screenshot();
  await page.locator('#canvas').press('.');
  await settle(page);
  assert.equal(await state(page, 'frame'), 300);
  assert.notDeepEqual(await page.locator('#canvas').screenshot(), before);
  await page.locator('[data-flag=eye]').check();
  await settle(page);
  const seen = await page.evaluate(() => globalThis.retropose.stage.seen.matrixWorld.elements.slice(12, 15));
  const camera = await page.evaluate(() => [...globalThis.retropose.model.ani.sampleCamera(300).matrix.subarray(12, 15)]);
  assert.deepEqual(seen, [camera[0], camera[1], -camera[2]]);
  await page.locator('[data-flag=eye]').uncheck();
  assert.equal(await page.locator('#geometry-box').isVisible(), false);
  assert.deepEqual(await axeFinds(page), []);
  page.complaints.length = 0;
  await close(page);
});

test('an animation of Asheron\'s Call does, too', async () => {
  const page = await open(empty());
  const files = (await import('node:fs')).readdirSync(join(pages, 'samples')).filter((file) => /^0300.*\.bin$/.test(file));
  assert.ok(files.length > 0);
  await drop(page, [[files[0], bytesOf(`samples/${files[0]}`)]]);
  assert.equal(await view(page), 'stage');
  const [drawn, read] = await page.evaluate(() => {
    const { model } = globalThis.retropose;
    return [[...model.matrices], [...model.animation.frame(0)]];
  });
  assert.deepEqual(drawn, read);
  assert.ok((await page.locator('#tree li').count()) > 0);
  assert.deepEqual(await complaints(page), []);
  await close(page);
});

test('a page of one file of a library is what the file is', async () => {
  command('msh', 'view', `corpus/libraries/parts.rlb::${HERO}`, '--template', template, '-o', 'member.html', '-q');
  const page = await open(urlOf('member.html'));
  assert.equal(await name(page), HERO);
  assert.match(await page.locator('#subtitle').textContent(), /parts\.rlb::R_H_02\.msh/);
  assert.ok(assemble);
  await close(page);
});
