/* The commands that the page gives to be copied: each is run, and what it makes compared with what the page
 * does. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble, assertClose, bytesOf, close, command, folder, open as openPage, overNode, PNG, runCopied, saved, set, settle, shown, template, test, urlOf } from './tools.mjs';

/* A command says how a picture looks. */
const open = (url, words) => openPage(url, { look: true, ...words });

const HERO = 'R_H_02.msh';
const DRAWN = 'key-order=wxyz,rotation=conjugate,slot-words=state-lod,material=byte4,names=res9,uv=unsigned,rest-pose=frame0';

async function openExports(page) {
  await page.evaluate(() => {
    document.getElementById('exports-box').open = true;
  });
  await page.waitForTimeout(300); // commands follow what is shown by a moment
}
const row = (page, id) => page.locator('.export', { has: page.locator(`[data-export=${id}]`) });
const press = (page, id) => () => page.locator(`[data-export=${id}]`).click();
const copied = (page, id) => row(page, id).locator('code').textContent();
const glbOf = (name) => {
  command('msh', 'convert', HERO, name);
  return bytesOf(name);
};

/* Runs the command of an export in a folder that has nothing but `inputs`. Returns the new files; the inputs
 * must stay. */
async function made(page, id, inputs, place = 'made') {
  const at = folder(place, inputs);
  const text = await copied(page, id);
  runCopied(text, at);
  for (const [name, bytes] of Object.entries(inputs)) assert.deepEqual(readFileSync(join(at, name)), Buffer.from(bytes), `${text} has changed ${name}`);
  const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(files.map(({ name, parentPath, path }) => [join(parentPath ?? path, name).slice(at.length + 1), name])
    .filter(([path]) => !(path in inputs)).map(([path]) => [path, readFileSync(join(at, path))]));
}

/* Each export of files by the page's button and by its command. */
async function compareFiles(page, inputs, words) {
  for (const [id, ending] of [['glb', '.glb'], ['obj', '.obj'], ['msh', '.msh']]) {
    const { bytes } = await saved(page, press(page, id));
    const files = Object.entries(await made(page, id, inputs)).filter(([name]) => name.endsWith(ending) && !name.includes('/'));
    assert.equal(files.length, 1, `${words}: ${id} makes ${files.map(([name]) => name)}`);
    assert.ok(files[0][1].equals(bytes), `${words}: ${id} of the command is another file`);
  }
}

test('the commands of files write the bytes that the page saves', async () => {
  const hero = { [HERO]: bytesOf(HERO) };
  const awkward = '-it\'s 50% of $HOME `x` & "y" \\.msh';
  const cases = [
    ['plain', assemble('files-plain', [[HERO, bytesOf(HERO)]], { source: HERO }), '#frame=4.25&cell=0,1', hero],
    ['readings of the page, 25 frames a second', assemble('files-drawn', [[HERO, bytesOf(HERO)]], { source: HERO, readings: DRAWN, fps: '25' }), '#frame=4.25', hero],
    ['readings of the link', assemble('files-link', [[HERO, bytesOf(HERO)]], { source: HERO }), '#frame=4.25&readings=key-order=wxyz', hero],
    ['a blank in the name', assemble('files-blank', [['a b.msh', bytesOf(HERO)]], { source: 'c d/a b.msh' }), '', { 'c d/a b.msh': bytesOf(HERO) }],
    ['an awkward name', assemble('files-awkward', [[awkward, bytesOf(HERO)]], { source: awkward }), '', { [awkward]: bytesOf(HERO) }],
  ];
  for (const [words, url, hash, inputs] of cases) {
    const page = await open(url, { hash });
    await openExports(page);
    await compareFiles(page, inputs, words);
    if (words.includes('blank')) assert.match(await copied(page, 'glb'), /^retropose msh convert "c d\/a b\.msh" a_b\.glb$/);
    await close(page);
  }
  command('msh', 'view', `corpus/libraries/parts.rlb::${HERO}`, '--template', template, '-o', 'files-member.html', '-q');
  const page = await open(urlOf('files-member.html'), { hash: '#frame=3' });
  await openExports(page);
  await compareFiles(page, { 'corpus/libraries/parts.rlb': bytesOf('corpus/libraries/parts.rlb') }, 'a member');
  await close(page);
});

test('an imported model keeps its path, and no command writes over its file', async () => {
  const glb = glbOf('for-import.glb');
  const page = await open(urlOf('empty.html'));
  const take = (...paths) => page.evaluate(async ([list, text]) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    await globalThis.retropose.page.take({ files: list.map((path) => ({ name: path.split('/').pop(), path, bytes })), complaints: [] });
    return globalThis.retropose.page.collection.items.map(({ source, imported }) => [source, imported]);
  }, [paths, glb.toString('base64')]);
  assert.deepEqual(await take('a/hero.glb', 'b/hero.glb', 'b/hero.gltf'), [['a/hero.msh', 'a/hero.glb'], ['b/hero.msh', 'b/hero.glb'], ['b/hero-2.msh', 'b/hero.gltf']]);
  for (const path of ['hero.glb', 'a/hero.glb', 'a b/-hero.glb', '-hero.glb']) {
    await take(path);
    await openExports(page);
    await compareFiles(page, { [path]: glb }, path);
    assert.match(await copied(page, 'glb'), /hero-2\.glb$/);
  }
  await close(page);
});

/* In how many pixels two pictures differ by more than two steps of a colour. */
function apart(a, b) {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  let far = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2, 3].some((k) => Math.abs(a.data[i + k] - b.data[i + k]) > 2)) far++;
  }
  return far;
}
const ALIKE = 200; // of 300,000: edges, which a camera rounded to nine digits moves
const LOOK = 'frame=4.25&camera=120,10&surface=rows&bones=1&blend=30&weight=0.25&hide=1,2&boxes=1&cell=0,1&ortho=1';

test('the command of a picture takes the picture that the page saves', async () => {
  const hero = { [HERO]: bytesOf(HERO) };
  const heroPage = assemble('picture', [[HERO, bytesOf(HERO)]], { source: HERO });
  const size = { width: 1100, height: 700 };
  const pictures = [];
  // A selected node has a label, which the browser draws otherwise than a canvas does.
  for (const [words, hash] of [['look', LOOK], ['dark', 'frame=7&theme=dark'], ['readings', 'frame=7&readings=key-order=wxyz&camera=20,30,40&target=0,1,0']]) {
    const page = await open(heroPage, { hash: `#${hash}`, size });
    await openExports(page);
    const { name, bytes } = await saved(page, press(page, 'png'));
    const files = await made(page, 'png', hero);
    assert.deepEqual(Object.keys(files), [name]);
    const far = apart(PNG.sync.read(files[name]), PNG.sync.read(bytes));
    assert.ok(far < ALIKE, `${words}: ${far} pixels differ`);
    pictures.push(PNG.sync.read(bytes));
    await close(page);
  }
  assert.ok(apart(pictures[0], pictures[1]) > 5000);
  // Labels are in the picture, about where the browser has them, and the background is filled.
  const labelled = async (labels) => {
    const page = await open(heroPage, { hash: `#frame=4&labels=${labels}`, size });
    await openExports(page);
    const { bytes } = await saved(page, press(page, 'png'));
    const [taken] = labels === 'all' ? Object.values(await made(page, 'png', hero)) : [];
    await close(page);
    return [PNG.sync.read(bytes), taken && PNG.sync.read(taken)];
  };
  const [all, taken] = await labelled('all');
  const [none] = await labelled('none');
  assert.ok(apart(all, none) > 3000, 'no labels'); // their letters and borders differ: half as many pixels
  assert.ok(apart(all, taken) < apart(all, none) * 0.7, `${apart(all, taken)} pixels differ with labels, ${apart(all, none)} without`);
  assert.ok(all.data.every((value, i) => i % 4 < 3 || value === 255), 'something is transparent');
  // What no command can show has none.
  const page = await open(heroPage, { size });
  await openExports(page);
  for (const part of await shown(page)) {
    await page.mouse.click(...await overNode(page, Number(part.split(':')[0])));
    if (await page.evaluate(() => globalThis.retropose.page.viewer.hit)) break;
  }
  const commands = async (kind, count) => { // however long the page takes to say so
    for (let turn = 0; turn < 200 && await row(page, kind).locator('code').count() !== count; turn++) await page.waitForTimeout(50);
    assert.equal(await row(page, kind).locator('code').count(), count);
  };
  await commands('png', 0);
  await page.locator('#canvas').press('Escape');
  await commands('png', 1);
  await page.evaluate(() => globalThis.retropose.page.viewer.attach(globalThis.retropose.model.item, 2));
  await commands('png', 0);
  await commands('loop', 0);
  await close(page);
});

test('the command of a loop takes its pictures', async () => {
  const page = await open(assemble('looped', [[HERO, bytesOf(HERO)]], { source: HERO }), { hash: `#${LOOK}&range=10,12` });
  await openExports(page);
  const { bytes } = await saved(page, press(page, 'loop'));
  assert.match(await row(page, 'loop').textContent(), /the pictures of the loop/);
  const files = await made(page, 'loop', { [HERO]: bytesOf(HERO) });
  assert.deepEqual(Object.keys(files).sort(), [10, 11].map((frame) => `R_H_02-${frame}.png`));
  assert.ok(apart(PNG.sync.read(files['R_H_02-10.png']), PNG.sync.read(bytes)) < ALIKE); // its first picture
  assert.ok(apart(PNG.sync.read(files['R_H_02-10.png']), PNG.sync.read(files['R_H_02-11.png'])) > 100);
  await close(page);
});

test('the commands of an animation are its own, also of one without a header', async () => {
  const bird = bytesOf('samples/bird.ani');
  // Without the header of 28 bytes, and without the camera between the duration and the root's name.
  const root = Buffer.from('\x04\0\0\0BIRD', 'latin1');
  const actor = bird.indexOf(root);
  const body = Buffer.concat([bird.subarray(28, actor + 16), bird.subarray(bird.indexOf(root, actor + 1))]);
  const cases = [['bird', bird, {}, { 'bird.ani': bird }], ['bird', bird, { policy: 'D' }, { 'bird.ani': bird }], ['body', body, { form: 'body' }, { 'body.bin': body }]];
  for (const [i, [name, bytes, words, inputs]] of cases.entries()) {
    const [file] = Object.keys(inputs);
    const page = await open(assemble(`ani-${i}`, [[file, bytes]], { source: file, policy: 'S', ...words }), { hash: '#time=250' });
    await openExports(page);
    const glb = await saved(page, press(page, 'glb'));
    assert.ok((await made(page, 'glb', inputs))[`${name}.glb`].equals(glb.bytes), name);
    const picture = await saved(page, press(page, 'png'));
    const taken = (await made(page, 'png', inputs))[picture.name];
    assert.ok(apart(PNG.sync.read(taken), PNG.sync.read(picture.bytes)) < 4000); // the labels' letters
    await set(page, { range: [200, 300], bones: false, axes: false, labels: 'none' });
    await openExports(page);
    assert.deepEqual(Object.keys(await made(page, 'loop', inputs)).sort(), [200, 250].map((time) => `${name}-${time}.png`));
    const bare = await saved(page, press(page, 'png'));
    assert.ok(apart(PNG.sync.read((await made(page, 'png', inputs))[bare.name]), PNG.sync.read(bare.bytes)) < ALIKE);
    await close(page);
  }
});

test('the query that is copied has the answer that the page has', async () => {
  const part = 'a_a_l3.msh';
  const inputs = { [HERO]: bytesOf(HERO), [part]: bytesOf(part), 'hero.glb': glbOf('for-query.glb') };
  const at = folder('queries', inputs);
  const url = (name, words = {}) => assemble(`query-${name}`, [[HERO, bytesOf(HERO)]], { source: HERO, ...words });
  const both = assemble('query-both', [[HERO, bytesOf(HERO)], [part, bytesOf(part)]]);
  const cases = [
    ['plain', url('plain'), '#frame=4.25', 3], ['blended', url('blended'), '#frame=4.25&blend=30&weight=0.3', 3],
    ['drawn', url('drawn', { readings: DRAWN }), '#frame=4.25', 2], ['stage', url('stage'), '#frame=4.25&readings=slot-words=state-lod&cell=1,0&camera=210,-20', 1],
    ['attached', both, `#model=${HERO}&frame=4.25`, 3],
  ];
  for (const [words, page, hash, least] of cases) {
    const opened = await open(page, { hash });
    if (words === 'attached') {
      await opened.evaluate(() => {
        const { page: { viewer, collection }, model } = globalThis.retropose;
        viewer.attach(collection.models.find((one) => one !== model.item), 2);
      });
    }
    let hits = 0;
    for (const place of await shown(opened)) {
      await opened.mouse.click(...await overNode(opened, Number(place.split(':')[0])));
      const found = await opened.evaluate(() => {
        const { hit } = globalThis.retropose.page.viewer;
        return hit && { piece: hit.piece, batch: hit.batch, triangle: hit.triangle, point: [...hit.point], command: document.querySelector('#hit button').getAttribute('aria-label') };
      });
      if (!found) continue;
      hits++;
      const { piece, batch, triangle, point } = JSON.parse(runCopied(`${found.command.replace('Copy the command: ', '')} --json`, at));
      assert.deepEqual([piece, batch, triangle], [found.piece, found.batch, found.triangle], `${words}: ${found.command}`);
      assertClose(point, found.point, 1e-5, words);
    }
    assert.ok(hits >= least, `${words}: ${hits} hits`);
    await close(opened);
  }
});

test('attached parts stay when readings change, and follow the readings of the page', async () => {
  const page = await open(assemble('attached-drawn', [[HERO, bytesOf(HERO)], ['a_a_l3.msh', bytesOf('a_a_l3.msh')]], { readings: DRAWN }), { hash: `#model=${HERO}` });
  const attached = () => page.evaluate(() => globalThis.retropose.model.attached.list.map(({ item, node, model }) => [item.name, node, model.model.readings['key-order'], model.model.readings.uv]));
  await page.evaluate(() => {
    const { page: { viewer, collection } } = globalThis.retropose;
    viewer.attach(collection.models[1], 2);
    viewer.attach(collection.models[0], 1);
    document.getElementById('readings-box').open = true;
  });
  assert.deepEqual(await attached(), [['a_a_l3.msh', 2, 'wxyz', 'unsigned'], [HERO, 1, 'wxyz', 'unsigned']]);
  const before = await shown(page);
  await page.locator('[data-reading=uv]').selectOption('signed');
  await settle(page);
  assert.deepEqual(await attached(), [['a_a_l3.msh', 2, 'wxyz', 'signed'], [HERO, 1, 'wxyz', 'signed']]);
  assert.deepEqual(await shown(page), before);
  // The page's own readings are in force, too, until the model itself is asked; a link keeps that.
  await set(page, { readings: '' });
  assert.equal(await page.locator('#readings-auto').isDisabled(), false);
  await page.locator('#readings-auto').click();
  await settle(page);
  assert.equal(await page.locator('#readings-auto').isDisabled(), true);
  assert.deepEqual(await page.evaluate(() => [globalThis.retropose.model.model.readings['key-order'], globalThis.retropose.state.get('readings')]), ['xyzw', 'auto']);
  assert.equal((await attached()).length, 2);
  await page.waitForFunction(() => location.hash.includes('readings=auto'));
  await close(page);
});

test('keys ask and turn about the middle of the picture, and a cross shows where that is', async () => {
  const page = await open(assemble('middle', [[HERO, bytesOf(HERO)]], { source: HERO }), { hash: '#frame=4' });
  const hit = () => page.evaluate(() => {
    const { hit: found } = globalThis.retropose.page.viewer;
    return found && [found.piece, found.batch, found.triangle];
  });
  const box = await page.locator('#canvas').boundingBox();
  let clicked = null;
  for (const part of await shown(page)) {
    // A face in the middle of the picture, if it is seen from here.
    await page.evaluate((node) => {
      const { model, stage } = globalThis.retropose;
      const { mesh } = model.nodes[node].parts.find((one) => one.shown);
      const [point, corner] = [mesh.position.clone().set(0, 0, 0), mesh.position.clone()];
      for (let i = 0; i < 3; i++) point.add(corner.fromBufferAttribute(mesh.geometry.attributes.position, mesh.geometry.index.getX(i)));
      stage.place([35, 18], point.divideScalar(3).applyMatrix4(mesh.matrixWorld).toArray());
    }, Number(part.split(':')[0]));
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await page.locator('#middle').isVisible(), false);
    clicked = await hit();
    if (clicked) break;
  }
  assert.ok(clicked, 'nothing is in the middle');
  await page.locator('#canvas').press('Escape');
  assert.equal(await hit(), null);
  await page.locator('#canvas').press('t');
  assert.equal(await page.locator('#middle').isVisible(), true);
  const cross = await page.locator('#middle').boundingBox();
  assertClose([cross.x + cross.width / 2, cross.y + cross.height / 2], [box.x + box.width / 2, box.y + box.height / 2], 2e-3, 'the cross');
  assert.deepEqual(await hit(), clicked);
  assert.match(await page.locator('#hit').textContent(), /triangle/);
  // The camera turns about what is in the middle, which lies before the point that it turned about.
  const target = () => page.evaluate(() => globalThis.retropose.stage.controls.target.toArray());
  await page.evaluate(() => {
    const { stage } = globalThis.retropose;
    const { camera, target: [x, y, z] } = { ...stage.placement(), target: stage.controls.target.toArray() };
    const away = stage.camera.position.clone().sub(stage.controls.target).normalize().multiplyScalar(-2);
    stage.place(camera, [x + away.x, y + away.y, z + away.z]);
  });
  const before = await target();
  await page.locator('#canvas').press('z');
  const after = await target();
  assert.ok(Math.hypot(...after.map((value, k) => value - before[k])) > 1, `the target stays at ${before}`);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  assertClose(await target(), after, 0.05, 'a double click there');
  await page.mouse.click(box.x + 3, box.y + 3);
  await page.evaluate(() => document.activeElement.blur()); // while it has the keyboard, the cross stays
  assert.equal(await page.locator('#middle').isVisible(), false);
  await page.evaluate(() => globalThis.retropose.stage.place([35, 18], [0, 500, 0]));
  await page.locator('#canvas').press('t');
  assert.match(await page.locator('#note').textContent(), /hits nothing in the middle/);
  await close(page);
});
