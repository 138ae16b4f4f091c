/* Files of all kinds, dropped, chosen and inside. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axeFinds, bytesOf, close, command, complaints, drop, dropPaths, folder, open, pages, served, set, settle, state, template, test, urlOf, view } from './tools.mjs';

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

const sources = (page) => page.evaluate(() => globalThis.retropose.page.collection.items.map(({ source }) => source).sort());

/* A library whose one member is no model. */
function otherLibrary() {
  const image = Buffer.alloc(16 + 8 + 64);
  image.write('NRes', 0, 'latin1');
  [0x100, 1, image.length].forEach((word, i) => image.writeUInt32LE(word, 4 + i * 4));
  image.writeUInt32LE(8, 24 + 12);
  image.write('words.txt', 24 + 20, 'latin1');
  image.writeUInt32LE(16, 24 + 56);
  return image;
}

test('a folder is looked through, and what is not ours in it is passed over', async () => {
  const inside = {
    'hero.MSH': bytesOf(HERO), 'deep/er/and/er/bird.ani': bytesOf('samples/bird.ani'), 'deep/wing.msh': bytesOf('a_a_l3.msh'), 'deep/hero.msh': bytesOf(HERO),
    'hero.wea': 'words', 'deep/readme.txt': 'words', 'game.exe': 'MZ', 'deep/save.bin': 'words', 'textures.lib': otherLibrary(), 'empty.cfg': '',
  };
  const found = ['deep/er/and/er/bird.ani', 'deep/hero.msh', 'deep/wing.msh', 'hero.MSH'].map((path) => `mixed/${path}`);
  const page = await open(empty());
  await dropPaths(page, folder('mixed', inside));
  assert.equal(await view(page), 'gallery');
  assert.deepEqual(await sources(page), found);
  assert.deepEqual(await complaints(page), []);
  // Also by the button, and together with a file. What is ours and damaged is told about.
  writeFileSync(join(pages, 'mixed/deep/cut.msh'), bytesOf(HERO).subarray(0, 300));
  await page.locator('#choose-folder').setInputFiles(join(pages, 'mixed'));
  await page.waitForFunction(() => document.querySelectorAll('#complaint-list li').length === 1);
  assert.match((await complaints(page))[0], /mixed\/deep\/cut\.msh/);
  assert.deepEqual(await sources(page), found);
  await page.locator('#complaints-close').click();
  await dropPaths(page, join(pages, 'mixed/deep/er'), join(pages, 'u_min_0_33.msh'));
  assert.deepEqual(await sources(page), ['er/and/er/bird.ani', 'u_min_0_33.msh']);
  await close(page);
  // A page that is served reads a dropped folder in another way.
  await served(async (place) => {
    const other = await open(`${place}empty.html`, { may: place });
    await dropPaths(other, join(pages, 'mixed'));
    assert.deepEqual(await sources(other), found);
    await close(other);
  });
});

test('a folder with nothing of ours says so, and what was there stays', async () => {
  const page = await open(empty());
  await drop(page, [[HERO, bytesOf(HERO)]]);
  for (const [place, files, words] of [['other', { 'a.wea': 'a', 'b/c.txt': 'c', 'd.lib': otherLibrary() }, /nothing in it.*\.rlb.*found 3 other files/], ['hollow', {}, /nothing in it.*no file/]]) {
    await dropPaths(page, folder(place, files));
    assert.equal((await complaints(page)).length, 1);
    assert.match((await complaints(page))[0], words);
    assert.equal(await name(page), HERO);
    await page.locator('#complaints-close').click();
  }
  await close(page);
});

test('glTF takes its parts from its own folder', async () => {
  const models = [HERO, 'a_a_l3.msh'];
  const files = {};
  for (const [i, model] of models.entries()) {
    command('msh', 'convert', model, 'part.gltf');
    const gltf = JSON.parse(bytesOf('part.gltf').toString());
    files[`${i}/bin/scene.bin`] = Buffer.from(gltf.buffers[0].uri.split(',')[1], 'base64');
    gltf.buffers[0].uri = i ? '../1/./bin/scene.bin' : 'bin/scene.bin';
    files[`${i}/scene.gltf`] = JSON.stringify(gltf);
  }
  const page = await open(empty());
  await dropPaths(page, folder('scenes', files));
  assert.deepEqual(await complaints(page), []);
  const read = await page.evaluate(() => globalThis.retropose.page.collection.items.map((item) => [...item.bytes()]));
  assert.deepEqual(read.map((bytes) => Buffer.from(bytes)).sort(Buffer.compare), models.map(bytesOf).sort(Buffer.compare));
  await close(page);
});

test('a page that is served opens the files that its address names', () => served(async (place) => {
  const asked = async (words, hash = '') => open(`${place}empty.html?${words}`, { may: place, hash });
  let page = await asked('file=corpus/libraries/parts.rlb', '#model=R_H_02.msh&frame=3');
  assert.equal(await view(page), 'stage');
  assert.equal(await name(page), HERO);
  assert.equal(await state(page, 'frame'), 3);
  assert.deepEqual(await complaints(page), []);
  await close(page);
  writeFileSync(join(pages, '50%.msh'), bytesOf(HERO));
  page = await asked(`file=${HERO}&file=samples/bird.ani&file=${encodeURIComponent('50%25.msh')}`);
  assert.equal(await view(page), 'gallery');
  assert.deepEqual(await sources(page), ['50%.msh', HERO, 'samples/bird.ani']);
  assert.deepEqual(await complaints(page), []);
  await close(page);
  // What is not there, what is not ours, what is elsewhere.
  writeFileSync(join(pages, 'words.txt'), 'no model');
  for (const [file, words] of [['lost.rlb', /^lost\.rlb.*no such file.*lost\.rlb.*404/], ['words.txt', /^words\.txt.*nothing here knows.*\.rlb.*6E 6F 20 6D/], ['', /^\?file=.*no name/], ['http://127.0.0.1:1/a.msh', /only from where it is served.*127\.0\.0\.1:1/], ['http://[', /^http:\/\/\[/]]) {
    page = await asked(`file=${encodeURIComponent(file)}`);
    assert.equal(await view(page), 'start');
    assert.equal((await complaints(page)).length, 1);
    assert.match((await complaints(page))[0], words);
    page.complaints = page.complaints.filter((told) => !/^console error: .*404/.test(told));
    await close(page);
  }
  // One that is bad among good ones.
  page = await asked(`file=lost.rlb&file=${HERO}`);
  assert.equal(await name(page), HERO);
  assert.equal((await complaints(page)).length, 1);
  page.complaints.length = 0;
  await close(page);
}));

test('a page from a disk says what to do instead of fetching', async () => {
  const page = await open(`${empty()}?file=${HERO}`);
  assert.equal(await view(page), 'start');
  assert.equal((await complaints(page)).length, 1);
  assert.match((await complaints(page))[0], /^R_H_02\.msh.*cannot fetch.*dropped on the page.*web server/);
  await close(page);
});

test('an animation plays on the same stage', async () => {
  command('ani', 'view', 'samples/bird.ani', '--template', template, '-o', 'bird.html', '-q');
  const page = await open(urlOf('bird.html'), { hash: '#time=250' });
  assert.equal(await state(page, 'frame'), 250);
  assert.match(await page.locator('#of').textContent(), /1000 ms/);
  const [{ nodes }] = JSON.parse(command('ani', 'sample', 'samples/bird.ani', '--time', '250', '--bits', '--json')).samples;
  assert.ok(nodes.length > 1);
  assert.deepEqual(await page.evaluate(() => globalThis.retropose.bits()), nodes.flatMap(({ world }) => world.map(Number)));
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
  const file = '03000002.bin';
  const { frames } = JSON.parse(command('ac', 'dump', `samples/${file}`));
  await drop(page, [[file, bytesOf(`samples/${file}`)]]);
  assert.equal(await view(page), 'stage');
  assert.ok(new Set(frames.map(({ parts }) => parts.join())).size > 1, 'nothing moves');
  for (const [frame, { parts }] of frames.entries()) {
    await set(page, { frame });
    assert.deepEqual(await page.evaluate(() => [...globalThis.retropose.model.matrices]), parts.flat().map(Math.fround), `frame ${frame}`);
  }
  assert.ok((await page.locator('#tree li').count()) > 0);
  assert.deepEqual(await complaints(page), []);
  await close(page);
});

test('a page of one file of a library is what the file is', async () => {
  command('msh', 'view', `corpus/libraries/parts.rlb::${HERO}`, '--template', template, '-o', 'member.html', '-q');
  const page = await open(urlOf('member.html'));
  assert.equal(await name(page), HERO);
  assert.match(await page.locator('#subtitle').textContent(), /parts\.rlb::R_H_02\.msh/);
  await close(page);
});
