/* The stage: one model, posed by the library, with panels, keys and links. */
import assert from 'node:assert/strict';
import { assemble, assertClose, axeFinds, bytesOf, close, complaints, open, overNode, random, saved, set, settle, shown, state, test, withNames, withRoot } from './tools.mjs';

const MODELS = ['R_B_01.msh', 'R_H_02.msh', 'a_a_l3.msh', 'fr_m_0_20.msh', 'u_min_0_33.msh'];
const HERO = 'R_H_02.msh';

/* Titles and texts that would do something if they were taken for markup, and names that JavaScript might
 * trip over. */
const POISON = [
  '</script><script>window.poisoned=1</script>', '"><img src=x onerror=window.poisoned=2>', '<!--<script>',
  '__proto__', 'constructor', 'a.b[c]:d/e', '&lt;b&gt;', '@RETROPOSE_DATA@', 'a', 'a', 'a_1',
];

let hero;
const heroPage = () => (hero ??= assemble('hero', [[HERO, bytesOf(HERO)]], { source: HERO }));
/* Two models, of which the first one's root is not in the origin. */
let moved;
const movedPage = () => (moved ??= assemble('moved', [['moved.msh', withRoot(bytesOf(HERO), [1.5, 0.5, 0.25])], ['a_a_l3.msh', bytesOf('a_a_l3.msh')]]));
const info = (page) => page.evaluate(() => globalThis.retropose.model.info);

test('names stay names, whatever they are', async () => {
  const url = assemble('poison', [[POISON[0], withNames(bytesOf(HERO), POISON)]], { source: POISON[1] }, POISON.join('\n'));
  const page = await open(url);
  const found = await page.evaluate(() => ({
    title: document.title,
    heading: document.querySelector('#title').textContent,
    names: [...document.querySelectorAll('#tree .name')].map((element) => element.textContent),
    scripts: document.querySelectorAll('script').length,
    images: document.querySelectorAll('img').length,
    poisoned: globalThis.poisoned ?? null,
    licence: document.scripts[1].textContent.slice(0, 6000),
  }));
  assert.equal(found.title, POISON.join(' ').replace(/[\t\n\f\r ]+/g, ' ').trim());
  assert.equal(found.heading, POISON[0]);
  assert.ok(found.names.length >= 10);
  for (const name of POISON.slice(0, found.names.length)) assert.ok(found.names.includes(name.slice(0, 31)), name);
  assert.equal(found.scripts, 2);
  assert.equal(found.images, 0);
  assert.equal(found.poisoned, null);
  assert.match(found.licence, /three\.js authors/i);
  assert.match(found.licence, /Permission is hereby granted, free of charge/);
  await close(page);
});

test('a script that is not the page\'s own does not run', async () => {
  const page = await open(heroPage());
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.poisoned = 3';
    document.body.append(script);
    return globalThis.poisoned ?? null;
  });
  assert.equal(ran, null);
  assert.equal(page.complaints.length, 1);
  assert.match(page.complaints.pop(), /Content Security Policy/);
  await close(page);
});

test('poses have the bits of the native library', async () => {
  for (const name of MODELS) {
    const { readings, poses } = JSON.parse(bytesOf(`${name}.json`).toString());
    const page = await open(assemble(`bits-${name}`, [[name, bytesOf(name)]], { readings }));
    assert.equal(poses.length, 5);
    for (const { a, b, weight, bits } of poses) {
      await set(page, { frame: a, blend: b, weight });
      assert.deepEqual(await page.evaluate(() => globalThis.retropose.bits()), bits, `${name} at ${a}, ${b}, ${weight}`);
    }
    // What is drawn is turned up, and nothing else.
    const drawn = await page.evaluate(() => globalThis.retropose.matrices());
    const at = await page.evaluate(() => [...globalThis.retropose.model.matrices]);
    drawn.forEach((e, node) => assert.deepEqual([e[12], e[13], e[14]].map((value) => value + 0), [at[node * 16 + 3], at[node * 16 + 11], -at[node * 16 + 7]].map((value) => value + 0), `node ${node}`));
    assert.ok((await shown(page)).length > 0, name);
    await close(page);
  }
});

test('the slider moves the nodes, between frames too', async () => {
  const page = await open(heroPage());
  const slide = async (frame) => {
    await page.locator('#slider').evaluate((slider, to) => {
      slider.value = String(to);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, frame);
    return page.evaluate(() => globalThis.retropose.bits());
  };
  const seen = new Set();
  for (const frame of [10, 10.5, 11]) {
    seen.add((await slide(frame)).join());
    const expected = await page.evaluate((time) => [...new Uint32Array(globalThis.retropose.model.model.skeleton.pose(time).buffer)], frame);
    assert.deepEqual(await page.evaluate(() => globalThis.retropose.bits()), expected);
  }
  assert.equal(seen.size, 3);
  assert.equal(await page.locator('#frame').inputValue(), '11');
  assert.equal(await page.locator('#seconds').textContent(), '0.550 s');
  await close(page);
});

test('two times are blended by a weight', async () => {
  const page = await open(heroPage(), { hash: '#frame=5.25' });
  const bits = () => page.evaluate(() => globalThis.retropose.bits());
  const one = await bits();
  await page.locator('#blend').fill('30');
  await page.locator('#blend').press('Enter');
  await page.locator('#weight').fill('0.25');
  assert.equal(await state(page, 'blend'), 30);
  const blended = await bits();
  assert.notDeepEqual(blended, one);
  assert.deepEqual(blended, await page.evaluate(() => [...new Uint32Array(globalThis.retropose.model.model.skeleton.pose(5.25, 30, 0.25).buffer)]));
  await page.locator('#blend').fill('');
  await page.locator('#blend').press('Enter');
  assert.deepEqual(await bits(), one);
  await close(page);
});

test('a cell shows its slots and no others', async () => {
  const page = await open(heroPage());
  const { nodes } = await info(page);
  const of = (cell) => nodes.flatMap(({ slots }, node) => (slots[cell] >= 0 ? [`${node}:${slots[cell]}`] : [])).sort();
  const used = Array.from({ length: 15 }, (_, cell) => cell).filter((cell) => of(cell).length > 0);
  assert.ok(used.length > 1, 'the model has one cell only');
  for (const cell of used) {
    await page.locator(`[data-cell="${Math.floor(cell / 5)},${cell % 5}"]`).click();
    const found = await shown(page);
    assert.ok(found.length > 0 && found.every((one) => of(cell).includes(one)), `cell ${cell}`);
  }
  const empty = Array.from({ length: 15 }, (_, cell) => cell).find((cell) => of(cell).length === 0);
  await page.locator(`[data-cell="${Math.floor(empty / 5)},${empty % 5}"]`).click();
  assert.deepEqual(await shown(page), []);
  assert.match(await page.locator('#badge').textContent(), /0 triangles/);
  await page.locator('[data-flag=fill]').check();
  assert.ok((await shown(page)).length > 0);
  await page.locator('[data-flag=all]').check();
  assert.equal(new Set(await shown(page)).size, (await shown(page)).length);
  assert.ok((await shown(page)).length >= of(used[0]).length);
  await close(page);
});

test('a link brings back what it was made from', async () => {
  const hash = '#frame=12.5&cell=0,1&camera=-30,10,20&surface=rows&bones=1&boxes=1&labels=all&node=3&hide=1,2&theme=dark';
  const page = await open(heroPage(), { hash });
  assert.equal(await state(page, 'frame'), 12.5);
  assert.deepEqual(await state(page, 'cell'), [0, 1]);
  assert.deepEqual(await state(page, 'hide'), [1, 2]);
  assert.equal(await page.locator('[data-flag=bones]').isChecked(), true);
  assert.equal(await page.locator('[data-cell="0,1"]').getAttribute('aria-checked'), 'true');
  assert.equal(await page.locator('[aria-selected=true]').getAttribute('data-node'), '3');
  assert.ok((await shown(page)).every((part) => !/^[12]:/.test(part)));
  const placed = await page.evaluate(() => globalThis.retropose.stage.placement());
  assertClose(placed.camera, [-30, 10, 20], 1e-4, 'camera');
  // A change is written to the address after a moment, and the address can be gone to.
  await page.locator('[data-flag=wire]').check();
  await page.waitForFunction(() => location.hash.includes('wire=1'));
  const written = new URLSearchParams(new URL(page.url()).hash.slice(1));
  for (const [key, value] of new URLSearchParams(hash.slice(1))) assert.equal(written.get(key), value, key);
  await page.evaluate(() => {
    location.hash = '#frame=3';
  });
  await page.waitForFunction(() => globalThis.retropose.state.get('frame') === 3);
  assert.equal(await state(page, 'wire'), false);
  assert.deepEqual(await state(page, 'hide'), []);
  await close(page);
});

test('nonsense in a link is passed over', async () => {
  const page = await open(heroPage(), { hash: '#frame=1e99&cell=9&camera=a,b&surface=gold&hide=x&nothing=1&node=NaN&fps=-4&range=5&readings=<b>&model=%zz' });
  assert.equal(await state(page, 'frame'), await page.evaluate(() => globalThis.retropose.model.lastFrame));
  assert.deepEqual(await state(page, 'cell'), await page.evaluate(() => globalThis.retropose.model.firstCell()));
  assert.equal(await state(page, 'surface'), 'shaded');
  await close(page);
});

test('a node is hidden alone or with its branch', async () => {
  const page = await open(heroPage());
  const { nodes } = await info(page);
  const all = await shown(page);
  const top = nodes.findIndex((_, node) => node > 0 && nodes.some(({ parent }) => parent === node));
  const row = page.locator(`[data-node="${top}"] > .node`);
  await row.hover();
  await row.locator('.eye').click();
  assert.deepEqual(await shown(page), all.filter((part) => !part.startsWith(`${top}:`)));
  await row.locator('.eye').click();
  assert.deepEqual(await shown(page), all);
  await row.locator('.eye').click({ modifiers: ['Shift'] });
  const branch = new Set([top]);
  nodes.forEach(({ parent }, node) => branch.has(parent) && branch.add(node));
  assert.deepEqual(await shown(page), all.filter((part) => !branch.has(Number(part.split(':')[0]))));
  await page.locator('#show-all').click();
  assert.deepEqual(await shown(page), all);
  await close(page);
});

test('the tree folds, filters and goes by keys', async () => {
  const page = await open(heroPage());
  const { nodes } = await info(page);
  const rows = () => page.locator('#tree li:visible').evaluateAll((items) => items.map((item) => Number(item.dataset.node)));
  const under = (top) => {
    const branch = new Set([top]);
    nodes.forEach(({ parent }, node) => branch.has(parent) && branch.add(node));
    return branch;
  };
  const all = await rows();
  assert.deepEqual([...all].sort((a, b) => a - b), nodes.map((_, node) => node));
  const top = nodes.findIndex((_, node) => node > 0 && nodes.some(({ parent }) => parent === node));
  await page.locator(`[data-node="${top}"] .twig`).click();
  assert.deepEqual(await rows(), all.filter((node) => node === top || !under(top).has(node)));
  await page.locator(`[data-node="${top}"]`).press('ArrowRight');
  assert.deepEqual(await rows(), all);
  await page.locator(`[data-node="${top}"]`).press('ArrowRight');
  const child = await page.evaluate(() => document.activeElement.dataset.node);
  assert.equal(nodes[child].parent, top);
  await page.keyboard.press('Enter');
  assert.equal(await state(page, 'node'), Number(child));
  await page.locator('#filter').fill(nodes[child].name.toUpperCase());
  const kept = await rows();
  assert.ok(kept.includes(Number(child)) && kept.includes(0) && kept.length < nodes.length);
  await page.locator('#filter').fill('');
  assert.equal((await rows()).length > kept.length, true);
  await close(page);
});

test('a click marks the face that the library\'s own query finds', async () => {
  const page = await open(movedPage(), { hash: '#model=moved.msh&frame=7.5&camera=35,18' });
  const parts = await shown(page);
  let hits = 0;
  for (const part of parts) {
    const [x, y] = await overNode(page, Number(part.split(':')[0]));
    await page.mouse.click(x, y);
    const found = await page.evaluate(() => {
      const { page: { viewer }, model } = globalThis.retropose;
      const { hit } = viewer;
      if (!hit) return null;
      const again = model.poseObject().segment(hit.start, hit.end);
      const [px, py, pz] = [...hit.point].map((value, k) => value + model.rootMotion[k]);
      const seen = model.bounds.centre.clone().set(px, pz, -py).project(viewer.stage.seen);
      const box = viewer.stage.canvas.getBoundingClientRect();
      return { piece: hit.piece, triangle: hit.triangle, node: globalThis.retropose.state.get('node'), again: [again.piece, again.triangle], corners: hit.corners, at: [box.x + (seen.x * 0.5 + 0.5) * box.width, box.y + (0.5 - seen.y * 0.5) * box.height], point: [...hit.point].map((value, k) => value + model.rootMotion[k]) };
    });
    if (!found) continue;
    hits++;
    assert.deepEqual([found.piece, found.triangle], found.again);
    assert.equal(found.node, found.piece);
    assert.ok(Math.hypot(found.at[0] - x, found.at[1] - y) < 2, `${part}: the hit is at ${found.at}, the click at ${x}, ${y}`);
    // The point lies in the plane of the face that is marked, and inside of it.
    const [a, b, c] = found.corners;
    const minus = (u, v) => u.map((value, k) => value - v[k]);
    const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = (u) => Math.hypot(...u);
    const area = (u, v, w) => size(cross(minus(v, u), minus(w, u)));
    const p = found.point;
    const whole = area(a, b, c);
    assert.ok(Math.abs(area(a, b, p) + area(b, c, p) + area(c, a, p) - whole) < 1e-2 * whole, `the point is beside its face: ${part}`);
    assert.match(await page.locator('#hit').textContent(), /triangle/);
  }
  assert.ok(hits > 3, `${hits} hits`);
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.click(box.x + 5, box.y + box.height - 5);
  assert.equal(await state(page, 'node'), -1);
  assert.equal(await page.locator('#hit').isVisible(), false);
  await close(page);
});

test('bounds at this pose are those of the object', async () => {
  const page = await open(heroPage(), { hash: '#frame=9' });
  const before = await page.locator('#canvas').screenshot();
  await page.locator('#canvas').press('e');
  assert.equal(await state(page, 'extent'), true);
  await settle(page);
  assert.notDeepEqual(await page.locator('#canvas').screenshot(), before);
  const [drawn, computed] = await page.evaluate(() => {
    const { model, page: { viewer } } = globalThis.retropose;
    const group = viewer.overlays.extent;
    group.children[0].geometry.computeBoundingBox();
    const { min, max } = group.children[0].geometry.boundingBox;
    const { corners } = model.poseObject().bounds();
    const range = (k, of) => of(...Array.from({ length: 8 }, (_, i) => corners[i * 3 + k]));
    return [[...min.toArray(), ...max.toArray()], [Math.min, Math.max].flatMap((of) => [0, 1, 2].map((k) => range(k, of)))];
  });
  assert.deepEqual(drawn, computed);
  await close(page);
});

test('readings are switched live, with what speaks for them', async () => {
  const page = await open(heroPage(), { hash: '#frame=20' });
  const before = await page.evaluate(() => globalThis.retropose.bits());
  await page.evaluate(() => {
    document.getElementById('readings-box').open = true;
  });
  assert.match(await page.locator('.reading', { hasText: 'key-order' }).locator('p').first().textContent(), /certain|likely|undecided/);
  const now = await page.locator('[data-reading="key-order"]').inputValue();
  await page.locator('[data-reading="key-order"]').selectOption(now === 'wxyz' ? 'xyzw' : 'wxyz');
  await settle(page);
  assert.notDeepEqual(await page.evaluate(() => globalThis.retropose.bits()), before);
  assert.match(await state(page, 'readings'), /key-order=/);
  assert.equal(await state(page, 'frame'), 20);
  await page.waitForFunction(() => location.hash.includes('readings='));
  const linked = await open(heroPage(), { hash: new URL(page.url()).hash });
  assert.deepEqual(await linked.evaluate(() => globalThis.retropose.bits()), await page.evaluate(() => globalThis.retropose.bits()));
  await close(linked);
  await page.locator('#readings-auto').click();
  await settle(page);
  assert.deepEqual(await page.evaluate(() => globalThis.retropose.bits()), before);
  assert.deepEqual(await complaints(page), []);
  await close(page);
});

test('findings lead to the nodes that they speak of', async () => {
  const next = random(7);
  const whole = bytesOf(HERO);
  let led = 0;
  const page = await open(heroPage(), { hash: '#grid=0' });
  for (let round = 0; round < 40; round++) {
    const copy = Buffer.from(whole);
    for (let i = 0; i < 30; i++) copy[16 + next(copy.length - 2048)] = next(256);
    const found = await page.evaluate((text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const { page: whole, library } = globalThis.retropose;
      let model;
      try {
        model = library().openModel(bytes);
      } catch {
        return null;
      }
      const named = model.check().filter(({ node }) => node !== null && node < model.nodeCount).map(({ rule, node }) => `${rule} ${node}`);
      model.close();
      return whole.take({ files: [{ name: 'damaged.msh', bytes }], complaints: [] }).then(() => {
        if (whole.viewer.subject?.name !== 'damaged.msh') return null;
        const buttons = [...document.querySelectorAll('#findings .to-node')];
        const to = buttons.map((button) => {
          button.click();
          return [button.parentElement.dataset.rule, Number(button.dataset.node), whole.state.get('node')];
        });
        return { named, to };
      });
    }, copy.toString('base64'));
    if (!found) continue;
    for (const [, node, selected] of found.to) assert.equal(selected, node);
    const reached = new Set(found.to.map(([rule, node]) => `${rule} ${node}`));
    for (const name of found.named) assert.ok(reached.has(name), `${name} is not led to`);
    led += found.to.length;
  }
  assert.ok(led > 40, `${led} findings lead somewhere`);
  await page.context().close();
});

test('keys do what the list of shortcuts says', async () => {
  const page = await open(heroPage());
  const press = (key) => page.locator('#canvas').press(key);
  await press('.');
  await press('.');
  assert.equal(await state(page, 'frame'), 2);
  await press(',');
  assert.equal(await state(page, 'frame'), 1);
  await press(']');
  const key = await state(page, 'frame');
  assert.ok(key > 1);
  await press(']');
  await press('[');
  assert.equal(await state(page, 'frame'), key);
  await press('End');
  assert.equal(await state(page, 'frame'), await page.evaluate(() => globalThis.retropose.model.lastFrame));
  await press('Home');
  assert.equal(await state(page, 'frame'), 0);
  for (const [letter, name] of [['b', 'bones'], ['w', 'wire'], ['x', 'boxes'], ['g', 'grid'], ['o', 'ortho'], ['e', 'extent']]) {
    const before = await state(page, name);
    await press(letter);
    assert.equal(await state(page, name), !before, name);
  }
  const yaw = async () => (await page.evaluate(() => globalThis.retropose.stage.placement())).camera[0];
  const before = await yaw();
  await press('ArrowRight');
  assertClose([await yaw()], [before + 10], 1e-3, 'yaw');
  // Keys that are typed into a field stay there.
  await page.locator('#filter').fill('');
  await page.locator('#filter').press('b');
  assert.equal(await state(page, 'bones'), true);
  await press('?');
  assert.equal(await page.locator('#shortcuts').isVisible(), true);
  const listed = await page.locator('#shortcut-list dt').count();
  assert.ok(listed >= 38, `${listed} shortcuts`);
  await close(page);
});

test('it plays at the speed that it says, within its range', async () => {
  /* The page's clock is the test's: a machine that is busy shows fewer pictures, each too late. */
  const page = await open(heroPage(), { hash: '#frame=5&range=5,13&loop=pingpong&grid=0', size: { width: 1000, height: 400 } });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(60000);
  const run = async (milliseconds) => {
    await page.evaluate(() => {
      const { state: values } = globalThis.retropose;
      globalThis.seen = [];
      values.listen((changed) => changed.has('frame') && globalThis.seen.push([performance.now(), values.get('frame')]));
      document.getElementById('play').click();
    });
    await page.clock.runFor(milliseconds);
    return page.evaluate(() => {
      document.getElementById('play').click();
      return globalThis.seen;
    });
  };
  const seen = await run(1000);
  assert.ok(seen.length > 30, `${seen.length} pictures`);
  assert.ok(seen.every(([, frame]) => frame >= 5 && frame <= 13));
  assert.ok(seen.some(([, frame]) => frame % 1 !== 0));
  // 20 frames a second, there and back again: every picture is where its time says.
  const [started, first] = seen[0];
  for (const [time, frame] of seen) {
    const phase = (first - 5 + ((time - started) / 1000) * 20) % 16;
    assert.ok(Math.abs(frame - (5 + (phase <= 8 ? phase : 16 - phase))) < 2e-4, `frame ${frame} after ${time - started} ms`);
  }
  assert.equal(await state(page, 'play'), false);
  await page.locator('[data-flag=subframes]').uncheck();
  assert.ok((await run(300)).every(([, frame]) => frame % 1 === 0));
  await close(page);
});

test('overlays are drawn about what they belong to', async () => {
  const page = await open(heroPage(), { hash: '#frame=17&boxes=1&spheres=1&bones=1&axes=1&header=1&ball=1&cylinder=1&labels=all&wire=1&vnormals=1' });
  const { nodes } = await info(page);
  assert.equal(await page.locator('.label').count(), nodes.length);
  for (const flag of ['boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'wire', 'vnormals']) {
    const on = await page.locator('#canvas').screenshot();
    await page.locator(`[data-flag=${flag}]`).uncheck();
    await settle(page);
    assert.notDeepEqual(await page.locator('#canvas').screenshot(), on, `${flag} draws nothing`);
  }
  await close(page);
});

test('every surface looks different', async () => {
  const page = await open(heroPage());
  const pictures = new Set();
  const surfaces = ['shaded', 'rows', 'clay', 'normals', 'uv'];
  for (const surface of surfaces) {
    await page.locator(`input[value=${surface}]`).check({ force: true });
    await settle(page);
    pictures.add((await page.locator('#canvas').screenshot()).toString('base64'));
  }
  assert.equal(pictures.size, surfaces.length);
  await page.locator('input[value=rows]').check({ force: true });
  assert.ok((await page.locator('#legend span').count()) > 0);
  await close(page);
});

test('parts are attached where the object has them', async () => {
  const page = await open(movedPage(), { hash: '#model=moved.msh' });
  const before = (await shown(page)).length;
  const attached = await page.evaluate(() => {
    const { page: whole, model } = globalThis.retropose;
    const item = whole.collection.models.find((one) => one !== model.item);
    whole.viewer.attach(item, Math.min(2, model.nodes.length - 1));
    const { pieces } = model.attached;
    return { pieces: pieces.length, all: model.object.pieceCount, own: model.nodes.length, complaints: document.querySelectorAll('#complaint-list li').length };
  });
  assert.equal(attached.complaints, 0);
  assert.equal(attached.pieces, attached.all - attached.own);
  assert.ok(attached.pieces > 0);
  assert.ok((await shown(page)).length > before);
  await set(page, { frame: 3 });
  const [wrong, beside] = await page.evaluate(() => {
    const { model } = globalThis.retropose;
    const [x, y, z] = model.rootMotion;
    const far = model.attached.pieces.filter(([piece, node]) => {
      const m = model.poseObject().matrix(piece, 'object');
      const e = node.object.matrix.elements;
      return Math.hypot(e[12] - m[3] - x, e[13] - m[7] - y, e[14] - m[11] - z) > 1e-5;
    }).length;
    return [far, Math.hypot(x, y, z)];
  });
  assert.equal(wrong, 0);
  assert.ok(beside > 0.1, 'the root stands still: what it does to parts does not show');
  await page.evaluate(() => {
    document.getElementById('parts-box').open = true;
  });
  await page.locator('#parts button').click();
  assert.equal((await shown(page)).length, before);
  await close(page);
});

test('what is exported comes in again, and its command is beside it', async () => {
  const page = await open(heroPage(), { hash: '#frame=4' });
  await page.evaluate(() => {
    document.getElementById('exports-box').open = true;
  });
  const press = (id) => () => page.locator(`[data-export=${id}]`).click();
  const glb = await saved(page, press('glb'));
  assert.equal(glb.name, 'R_H_02.glb');
  assert.equal(glb.bytes.toString('latin1', 0, 4), 'glTF');
  const msh = await saved(page, press('msh'));
  assert.deepEqual(msh.bytes, bytesOf(HERO));
  const png = await saved(page, press('png'));
  assert.equal(png.name, 'R_H_02-4.png');
  assert.equal(png.bytes.toString('latin1', 1, 4), 'PNG');
  const again = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const { page: whole } = globalThis.retropose;
    await whole.take({ files: [{ name: 'back.glb', bytes }], complaints: [] });
    return [...whole.viewer.subject.model.bytes()];
  }, glb.bytes.toString('base64'));
  assert.deepEqual(Buffer.from(again), bytesOf(HERO));
  assert.equal(await page.locator('#subtitle').textContent(), 'imported from back.glb');
  assert.match(await page.locator('.export', { hasText: 'OBJ' }).locator('code').textContent(), /^retropose msh convert back\.glb back\.msh && retropose msh convert back\.msh back\.obj /);
  await close(page);
});

test('a loop is a sound animated picture', async () => {
  const page = await open(heroPage(), { hash: '#range=0,6' });
  await page.evaluate(() => {
    document.getElementById('exports-box').open = true;
  });
  const { bytes } = await saved(page, () => page.locator('[data-export=loop]').click());
  const chunks = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) chunks.push(bytes.toString('latin1', at + 4, at + 8));
  assert.deepEqual([chunks[0], chunks[1], chunks.at(-1)], ['IHDR', 'acTL', 'IEND']);
  assert.equal(chunks.filter((name) => name === 'fcTL').length, 6);
  // A browser decodes all of its frames, each another picture.
  const frames = await page.evaluate(async (text) => {
    const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: 'image/png' });
    await decoder.tracks.ready;
    const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
    const seen = new Set();
    for (let i = 0; i < frameCount; i++) {
      const { image } = await decoder.decode({ frameIndex: i });
      const pixels = new Uint8Array(image.allocationSize());
      await image.copyTo(pixels);
      let sum = 0;
      for (let k = 0; k < pixels.length; k++) sum = (sum * 31 + pixels[k]) | 0;
      seen.add(sum);
    }
    return { frameCount, different: seen.size, endless: repetitionCount === Infinity };
  }, bytes.toString('base64'));
  assert.deepEqual(frames, { frameCount: 6, different: 6, endless: true });
  await close(page);
});

test('axe finds nothing on the stage, in light and in dark, on a desk and on a phone', async () => {
  for (const [colorScheme, size] of [['light', { width: 1280, height: 800 }], ['dark', { width: 1280, height: 800 }], ['light', { width: 390, height: 780 }]]) {
    const page = await open(heroPage(), { colorScheme, size, hash: '#node=2&surface=rows' });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('#right details')) details.open = true;
      if (innerWidth < 900) document.getElementById('toggle-right').click();
    });
    await settle(page);
    assert.deepEqual(await axeFinds(page), [], `${colorScheme} ${size.width}`);
    page.complaints.length = 0;
    await close(page);
  }
});

test('it fits a telephone', async () => {
  const page = await open(heroPage(), { size: { width: 390, height: 780 }, touch: true });
  assert.equal(await page.locator('#left').isVisible(), false);
  assert.equal(await page.locator('#right').isVisible(), false);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.getElementById('view').clientHeight < 400);
  assert.equal(wide, false);
  // All controls of the animation are in sight, without scrolling, and large enough for a finger.
  const controls = await page.locator('#bottom button, #bottom input, #bottom select').evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => {
    const { left, right, top, bottom } = (one.closest('label.check') ?? one).getBoundingClientRect();
    return { id: one.id || one.dataset.flag || one.dataset.select, left, right, top, bottom };
  }));
  assert.ok(controls.length >= 15);
  for (const { id, left, right, top, bottom } of controls) {
    assert.ok(left >= 0 && right <= 390 && top >= 0 && bottom <= 780, `${id} is out of sight: ${left} to ${right}`);
    assert.ok(right - left >= 24 && (bottom - top >= 24 || id === 'slider' || id === 'weight'), `${id}: ${right - left} x ${bottom - top}`);
  }
  assert.deepEqual(await page.locator('#bottom, #bottom *').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)).map((one) => one.className)), []);
  await page.locator('#toggle-right').tap();
  assert.equal(await page.locator('#cells').isVisible(), true);
  await page.locator('#toggle-left').tap();
  assert.equal(await page.locator('#tree').isVisible(), true);
  assert.equal(await page.locator('#right').isVisible(), false);
  await close(page);
});

test('a picture is nothing but the picture, however narrow it is', async () => {
  for (const width of [1280, 390]) {
    const page = await open(heroPage(), { hash: '#ui=0', size: { width, height: 600 } });
    assert.deepEqual(await page.locator('#view').boundingBox(), { x: 0, y: 0, width, height: 600 });
    await close(page);
  }
});

test('a page whose own file is bad says so', async () => {
  for (const [name, bytes, words] of [['cut', bytesOf(HERO).subarray(0, 50), {}], ['none', Buffer.from('no model'), {}], ['words', Buffer.alloc(0), '{']]) {
    const page = await open(assemble(name, [['bad.msh', bytes]], words), { state: 'failed' });
    assert.match(await page.locator('.failure').textContent(), /Nothing can be shown/);
    assert.notEqual(await page.locator('html').getAttribute('data-words'), null);
    page.complaints.length = 0;
    await close(page);
  }
});
