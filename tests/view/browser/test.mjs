/* Opens pages of the viewer in a headless browser, without a network:
 *
 *     node test.mjs WORK BROWSER RETROPOSE ASSEMBLE_PAGE VIEW_MODELS      (see run)
 *
 * First a model made by hand (sample.mjs) whose names try to be markup, then models of the corpus
 * through the command, then pictures.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chain, FRAMES, place, sample } from './sample.mjs';

const [work, executablePath, retropose, assemblePage, viewModels] = process.argv.slice(2);
const require = createRequire(join(work, 'packages/package.json'));
const { chromium } = require('playwright-core');
const { PNG } = require('pngjs');
const pages = join(work, 'pages');
const template = join(work, 'viewer/viewer.html');
const glArguments = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/* ---- the tools -------------------------------------------------------------------------------- */

const tests = [];
const test = (name, run) => tests.push({ name, run });

/* Titles and texts that would do something if they were taken for markup, and names that three.js
 * or a JavaScript object might trip over. */
const POISON = [
  '</script><script>window.poisoned=1</script>', '"><img src=x onerror=window.poisoned=2>', '<!--<script>',
  '__proto__', 'constructor', 'a.b[c]:d/e', 'Базис \u2028 𝄞', '&lt;b&gt;', '@RETROPOSE_GLB@', 'a', 'a', 'a_1',
];

function assemble(name, glb, info, title) {
  const path = (suffix) => join(pages, `${name}.${suffix}`);
  writeFileSync(path('glb'), glb);
  writeFileSync(path('json'), typeof info === 'string' ? info : JSON.stringify(info));
  writeFileSync(path('title'), title);
  execFileSync(assemblePage, [template, path('title'), path('json'), path('glb'), path('html')]);
  return pathToFileURL(path('html')).href;
}

let browser;
/* A page that counts everything it should not do. */
async function open(url, { hash = '', size = { width: 1280, height: 800 }, colorScheme = 'light', state = 'ready' } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme, offline: true, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => page.complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const from = request.url();
    if (from.split('#')[0] !== url && !from.startsWith('data:') && !from.startsWith('blob:')) page.complaints.push(`request: ${from}`);
  });
  await page.goto(url + hash);
  await page.waitForSelector(`html[data-viewer=${state}]`, { timeout: 60000 });
  return page;
}

async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

const state = (page, key) => page.evaluate((name) => globalThis.retropose.state.get(name), key);
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const matrices = (page) => page.evaluate(() => globalThis.retropose.matrices());
const shown = async (page) => (await page.evaluate(() => globalThis.retropose.shown())).map(({ node, slot }) => `${node}:${slot}`).sort();
const seek = async (page, frame) => {
  await page.evaluate((to) => globalThis.retropose.state.set({ frame: to }), frame);
  await settle(page);
};

/* Row-major in the game's axes -> column-major as three.js has it, turned up. */
function turnUp(m) {
  const row = (r) => [m[4 * r], m[4 * r + 1], m[4 * r + 2], m[4 * r + 3]];
  const [x, y, z] = [row(0), row(2), row(1).map((value) => -value)];
  return [0, 1, 2, 3].flatMap((column) => [x[column], y[column], z[column], column === 3 ? 1 : 0]);
}

function assertClose(found, expected, tolerance, words) {
  found.forEach((value, i) => {
    const scale = Math.max(1, Math.abs(expected[i]));
    assert.ok(Math.abs(value - expected[i]) <= tolerance * scale, `${words}, element ${i}: ${value}, expected ${expected[i]}`);
  });
}

const { glb, info } = sample(POISON);
let url;

/* ---- the page by itself ------------------------------------------------------------------------ */

test('names stay names, whatever they are', async () => {
  const page = await open(url);
  const found = await page.evaluate(() => ({
    title: document.title,
    heading: document.querySelector('h1').textContent,
    names: [...document.querySelectorAll('#tree .name')].map((element) => element.textContent),
    scripts: document.querySelectorAll('script').length,
    images: document.querySelectorAll('img').length,
    poisoned: globalThis.poisoned ?? null,
    finding: document.querySelector('#findings .finding span').firstChild.textContent,
    licence: document.scripts[2].textContent.slice(0, 6000),
  }));
  assert.equal(found.title, POISON.join(' ').replace(/[\t\n\f\r ]+/g, ' ').trim());
  assert.equal(found.heading, POISON[0]);
  assert.deepEqual([...found.names].sort(), info.nodes.map((node) => node.name).sort());
  assert.equal(found.scripts, 3);
  assert.equal(found.images, 0);
  assert.equal(found.poisoned, null);
  assert.equal(found.finding, POISON[0]);
  assert.match(found.licence, /three\.js authors/i);
  assert.match(found.licence, /Permission is hereby granted, free of charge/);
  await close(page);
});

test('a script that is not the page\'s own does not run', async () => {
  const page = await open(url);
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

test('every whole frame is where the animation says', async () => {
  const page = await open(url);
  for (const frame of [0, 1, 7, 30, 59, 60]) {
    await page.locator('#frame').fill(String(frame));
    await page.locator('#frame').press('Enter');
    assert.equal(await state(page, 'frame'), frame);
    const found = await matrices(page);
    place(frame).forEach((matrix, node) => assertClose(found[node], turnUp(matrix), 1e-5, `node ${node}, frame ${frame}`));
  }
  await close(page);
});

test('the slider moves what is animated, between frames too', async () => {
  const page = await open(url);
  const slide = (frame) => page.locator('#slider').evaluate((slider, to) => {
    slider.value = String(to);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, frame);
  await slide(10);
  const at10 = await matrices(page);
  await slide(10.5);
  const between = await matrices(page);
  await slide(11);
  const at11 = await matrices(page);
  assert.equal(await state(page, 'frame'), 11);
  // Node 0 goes up and down; half way between two frames it is half way.
  assert.notEqual(at10[0][13], at11[0][13]);
  assertClose([between[0][13]], [(at10[0][13] + at11[0][13]) / 2], 1e-6, 'height of node 0');
  at10.forEach((matrix, node) => assert.notDeepEqual(matrix, at11[node], `node ${node} stands still`));
  assert.equal(await page.locator('#frame').inputValue(), '11');
  assert.equal(await page.locator('#seconds').textContent(), '0.550 s');
  await close(page);
});

test('a cell shows its slots and no others', async () => {
  const page = await open(url);
  const of = (cell) => info.nodes.flatMap(({ slots }, node) => (slots[cell] >= 0 ? [`${node}:${slots[cell]}`] : [])).sort();
  const unique = async () => [...new Set(await shown(page))];
  assert.deepEqual(await unique(), of(0));
  await page.locator('[data-cell="0,1"]').click();
  assert.deepEqual(await unique(), of(1));
  await page.locator('[data-cell="1,0"]').click();
  assert.deepEqual(await unique(), of(5));
  await page.locator('[data-cell="2,4"]').click();
  assert.deepEqual(await unique(), []);
  assert.match(await page.locator('#badge').textContent(), /0 triangles/);
  await page.locator('[data-cell="1,0"]').click();
  await page.locator('[data-flag=fill]').check();
  const filled = info.nodes.flatMap(({ slots }, node) => {
    const slot = [slots[5], slots[0]].find((word) => word >= 0);
    return slot === undefined ? [] : [`${node}:${slot}`];
  });
  assert.deepEqual(await unique(), filled.sort());
  await page.locator('[data-flag=all]').check();
  assert.deepEqual(await unique(), [...of(0), ...of(1), ...of(5)].sort());
  await close(page);
});

test('a link brings back what it was made from', async () => {
  const hash = '#frame=12.5&cell=0,1&camera=-30,10,20&surface=rows&bones=1&boxes=1&labels=all&node=3&hide=1,2&theme=dark';
  const page = await open(url, { hash });
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
  const page = await open(url, { hash: '#frame=1e99&cell=9&camera=a,b&surface=gold&hide=x&nothing=1&node=NaN&fps=-4&range=5' });
  assert.equal(await state(page, 'frame'), FRAMES - 1);
  assert.deepEqual(await state(page, 'cell'), [0, 0]);
  assert.equal(await state(page, 'surface'), 'shaded');
  await close(page);
});

test('a node is hidden alone or with its branch', async () => {
  const page = await open(url);
  const all = await shown(page);
  const row = page.locator('[data-node="2"] > .node');
  await row.hover();
  await row.locator('.eye').click();
  assert.deepEqual(await shown(page), all.filter((part) => !part.startsWith('2:')));
  await row.locator('.eye').click();
  assert.deepEqual(await shown(page), all);
  await row.locator('.eye').click({ modifiers: ['Shift'] });
  const branch = new Set([2]);
  info.nodes.forEach(({ parent }, node) => branch.has(parent) && branch.add(node));
  assert.ok(branch.size > 3);
  assert.deepEqual(await shown(page), all.filter((part) => !branch.has(Number(part.split(':')[0]))));
  await page.locator('#show-all').click();
  assert.deepEqual(await shown(page), all);
  await close(page);
});

test('the tree folds, filters and goes by keys', async () => {
  const page = await open(url);
  const rows = () => page.locator('#tree li:visible').evaluateAll((items) => items.map((item) => Number(item.dataset.node)));
  const under = (top) => {
    const branch = new Set([top]);
    info.nodes.forEach(({ parent }, node) => branch.has(parent) && branch.add(node));
    return branch;
  };
  const all = await rows();
  assert.deepEqual([...all].sort((a, b) => a - b), info.nodes.map((_, node) => node));
  assert.equal(await page.locator('[data-node="3"]').getAttribute('aria-level'), '4');
  await page.locator('[data-node="2"] .twig').click();
  assert.deepEqual(await rows(), all.filter((node) => node === 2 || !under(2).has(node)));
  await page.locator('[data-node="2"]').press('ArrowRight');
  assert.deepEqual(await rows(), all);
  await page.locator('[data-node="2"]').press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.node), '3');
  await page.keyboard.press('Enter');
  assert.equal(await state(page, 'node'), 3);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.node), '2');
  // By label: the socket and what it hangs on.
  await page.locator('#filter').fill('CENTRAL_SMALL');
  const socket = info.nodes.findIndex(({ label }) => label === 'central_small');
  const chain = [];
  for (let at = socket; at >= 0; at = info.nodes[at].parent) chain.push(at);
  assert.deepEqual(await rows(), chain.reverse());
  // The first arrow to the left has closed node 3.
  await page.locator('#filter').fill('');
  assert.deepEqual(await rows(), all.filter((node) => node === 3 || !under(3).has(node)));
  await close(page);
});

test('a click selects what is under it', async () => {
  const page = await open(url, { hash: '#camera=35,18' });
  const box = await page.locator('#canvas').boundingBox();
  // From the right, nothing is before the joint of the right thigh.
  const thigh = 11;
  await page.locator('[data-view="90,0"]').click();
  const at = await page.evaluate((node) => globalThis.retropose.project(node), thigh);
  await page.mouse.click(box.x + (at[0] * 0.5 + 0.5) * box.width, box.y + (0.5 - at[1] * 0.5) * box.height);
  assert.equal(await state(page, 'node'), thigh);
  assert.equal(await page.locator('#selected h3').textContent(), info.nodes[thigh].name);
  await page.mouse.click(box.x + 5, box.y + box.height - 5);
  assert.equal(await state(page, 'node'), -1);
  await close(page);
});

test('keys do what the list of shortcuts says', async () => {
  const page = await open(url);
  const press = (key) => page.locator('#canvas').press(key);
  await press('.');
  await press('.');
  assert.equal(await state(page, 'frame'), 2);
  await press(',');
  assert.equal(await state(page, 'frame'), 1);
  await press(']');
  assert.equal(await state(page, 'frame'), 15);
  await press(']');
  await press('[');
  assert.equal(await state(page, 'frame'), 15);
  await press('End');
  assert.equal(await state(page, 'frame'), FRAMES - 1);
  await press('Home');
  assert.equal(await state(page, 'frame'), 0);
  for (const [key, name] of [['b', 'bones'], ['w', 'wire'], ['x', 'boxes'], ['g', 'grid'], ['o', 'ortho']]) {
    const before = await state(page, name);
    await press(key);
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
  assert.ok(listed >= 35, `${listed} shortcuts`);
  await close(page);
});

test('it plays at the speed that it says, within its range', async () => {
  const page = await open(url, { hash: '#frame=5&range=5,13&loop=pingpong&grid=0&shadow=0', size: { width: 1000, height: 400 } });
  /* The page's clock is the test's: a machine that is busy shows fewer pictures, each too late. */
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
    assert.ok(Math.abs(frame - (5 + (phase <= 8 ? phase : 16 - phase))) < 1e-6, `frame ${frame} after ${time - started} ms`);
  }
  assert.equal(await state(page, 'play'), false);
  await page.locator('[data-flag=subframes]').uncheck();
  assert.ok((await run(300)).every(([, frame]) => frame % 1 === 0));
  await close(page);
});

test('overlays are drawn about what they belong to', async () => {
  const page = await open(url, { hash: '#frame=17&boxes=1&spheres=1&bones=1&axes=1&header=1&ball=1&cylinder=1&labels=all&wire=1&vnormals=1' });
  // Every vertex lies in the box of its slot that is drawn about it, in the world's axes.
  const outside = await page.evaluate(() => {
    const { model } = globalThis.retropose;
    let farthest = 0;
    let boxes = 0;
    for (const [node, part] of model.visibleParts()) {
      const box = node.object.children.find((child) => child.isLineSegments && child.visible && child.geometry.attributes.position.count === 24);
      if (!box) continue;
      boxes++;
      const point = part.mesh.position.clone();
      box.geometry.computeBoundingBox();
      const inverse = box.matrixWorld.clone().invert();
      const { position } = part.mesh.geometry.attributes;
      for (let i = 0; i < position.count; i++) {
        point.fromBufferAttribute(position, i).applyMatrix4(part.mesh.matrixWorld).applyMatrix4(inverse);
        farthest = Math.max(farthest, box.geometry.boundingBox.distanceToPoint(point));
      }
    }
    return { farthest, boxes };
  });
  assert.ok(outside.boxes > 10);
  assert.ok(outside.farthest < 1e-4, `a vertex is ${outside.farthest} outside its box`);
  const labels = await page.locator('.label').count();
  assert.equal(labels, info.nodes.length);
  for (const flag of ['boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'wire', 'vnormals']) {
    const canvas = () => page.locator('#canvas').screenshot();
    const on = await canvas();
    await page.locator(`[data-flag=${flag}]`).uncheck();
    await settle(page);
    assert.notDeepEqual(await canvas(), on, `${flag} draws nothing`);
  }
  await close(page);
});

test('every surface looks different', async () => {
  const page = await open(url);
  const pictures = new Set();
  for (const surface of ['shaded', 'rows', 'clay', 'normals', 'uv']) {
    await page.locator(`input[value=${surface}]`).check({ force: true });
    await settle(page);
    pictures.add((await page.locator('#canvas').screenshot()).toString('base64'));
  }
  assert.equal(pictures.size, 5);
  assert.equal(await page.locator('input[value=uv2]').isDisabled(), true);
  await page.locator('input[value=rows]').check({ force: true });
  assert.equal(await page.locator('#legend span').count(), 4);
  await close(page);
});

test('controls have names, texts have contrast', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(url, { colorScheme, hash: '#node=2&surface=rows' });
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas[tabindex]')]
      .filter((element) => !element.getAttribute('aria-label') && !element.labels?.[0]?.textContent.trim() && !element.textContent.trim() && !element.hidden)
      .map((element) => element.outerHTML.slice(0, 90)));
    assert.deepEqual(nameless, []);
    const weak = await page.evaluate(() => {
      const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const colour = (text) => {
        probe.clearRect(0, 0, 1, 1);
        probe.fillStyle = text;
        probe.fillRect(0, 0, 1, 1);
        return [...probe.getImageData(0, 0, 1, 1).data];
      };
      const luminance = (rgb) => {
        const [r, g, b] = rgb.slice(0, 3).map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const back = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
          const layer = colour(getComputedStyle(at).backgroundColor);
          layers.push(layer);
          if (layer[3] === 255) break;
        }
        return layers.reverse().reduce((under, over) => under.map((value, i) => (i < 3 ? value + ((over[i] - value) * over[3]) / 255 : 255)));
      };
      const found = [];
      for (const element of document.querySelectorAll('#top *, .panel *, #bottom *')) {
        const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const inactive = element.closest('label')?.querySelector(':disabled') || element.disabled || element.closest('.sr, [hidden]');
        if (!text || inactive || element.offsetParent === null || element.tagName === 'OPTION') continue;
        const [front, behind] = [luminance(colour(getComputedStyle(element).color)), luminance(back(element))];
        const ratio = (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05);
        if (ratio < 4.5) found.push(`${element.textContent.trim().slice(0, 30)} (${element.className}): ${ratio.toFixed(2)}`);
      }
      return [...new Set(found)];
    });
    assert.deepEqual(weak, [], colorScheme);
    await close(page);
  }
});

test('it fits a telephone', async () => {
  const page = await open(url, { size: { width: 390, height: 780 } });
  assert.equal(await page.locator('#left').isVisible(), false);
  assert.equal(await page.locator('#right').isVisible(), false);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.getElementById('view').clientHeight < 400);
  assert.equal(wide, false);
  await page.locator('#toggle-right').click();
  assert.equal(await page.locator('#cells').isVisible(), true);
  await page.locator('#toggle-left').click();
  assert.equal(await page.locator('#tree').isVisible(), true);
  assert.equal(await page.locator('#right').isVisible(), false);
  await close(page);
});

test('a picture is nothing but the picture, however narrow it is', async () => {
  for (const width of [1280, 390]) {
    const page = await open(url, { hash: '#ui=0', size: { width, height: 600 } });
    const box = await page.locator('#view').boundingBox();
    assert.deepEqual(box, { x: 0, y: 0, width, height: 600 });
    await close(page);
  }
});

test('a model that cannot be read is said', async () => {
  for (const [name, bytes, text] of [['cut', glb.subarray(0, 5000), info], ['none', Buffer.from('no model'), info], ['words', glb, '{']]) {
    const page = await open(assemble(name, bytes, text, name), { state: 'failed' });
    assert.match(await page.locator('.failure').textContent(), /cannot be shown/);
    assert.notEqual(await page.locator('html').getAttribute('data-words'), null);
    page.complaints.length = 0;
    await close(page);
  }
});

test('a GLB that says nothing of nodes is shown nevertheless', async () => {
  const bare = sample();
  const page = await open(assemble('bare', bare.strip(), { format: 1, name: 'bare', fps: 20 }, 'bare'));
  assert.ok((await shown(page)).length > 10);
  await close(page);
});

/* ---- models, by the command -------------------------------------------------------------------- */

const MODELS = ['R_B_01.msh', 'R_H_02.msh', 'a_a_l3.msh', 'fr_m_0_20.msh', 'u_min_0_33.msh'];
const runView = (...words) => execFileSync(retropose, ['msh', 'view', '--template', template, ...words], { cwd: pages, stdio: ['ignore', 'pipe', 'inherit'] });

test('nodes are where the library poses them', async () => {
  execFileSync(viewModels, [pages, ...MODELS]);
  for (const name of MODELS) {
    const html = join(pages, `${name}.html`);
    runView(join(pages, name), '-q', '-o', html);
    const page = await open(pathToFileURL(html).href);
    const { frames } = JSON.parse(readFileSync(join(pages, `${name}.json`), 'utf8'));
    assert.equal(frames.length, 5);
    for (const { frame, matrices: expected } of frames) {
      await seek(page, frame);
      const found = await matrices(page);
      assert.equal(found.length, expected.length);
      // Rotations of 1/32767 a component are not quite units; glTF's must be, the library's need not.
      expected.forEach((matrix, node) => assertClose(found[node], turnUp(matrix), 3e-4, `${name}, node ${node}, frame ${frame}`));
    }
    assert.ok((await shown(page)).length > 0, name);
    await close(page);
  }
});

test('every slot of a model can be shown', async () => {
  const page = await open(pathToFileURL(join(pages, 'R_B_01.msh.html')).href, { hash: '#all=1' });
  const expected = await page.evaluate(() => globalThis.retropose.model.nodes.flatMap((node) => [...new Set(node.slots.filter((slot) => slot >= 0))].map((slot) => `${node.index}:${slot}`)));
  assert.ok(expected.length > 50);
  assert.deepEqual([...new Set(await shown(page))].sort(), expected.sort());
  await close(page);
});

test('a chain of two thousand nodes is no trouble', async () => {
  const { glb: bytes, info: words } = chain(2000);
  const page = await open(assemble('chain', bytes, words, 'chain'));
  const found = await matrices(page);
  assert.equal(found.length, 2000);
  assertClose([found[1999][12]], [1999 * 0.01], 1e-5, 'end of the chain');
  await close(page);
});

/* ---- pictures ---------------------------------------------------------------------------------- */

const picture = (file, ...words) => {
  runView(join(pages, 'R_H_02.msh'), '-q', '--browser', executablePath, '--png', file, '--size', '320x240', ...words);
  return PNG.sync.read(readFileSync(join(pages, file)));
};

const colours = ({ data }) => {
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data.readUInt32BE(i) >>> 8);
  return seen.size;
};
const differing = (a, b) => {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) count += a.data.readUInt32BE(i) !== b.data.readUInt32BE(i) ? 1 : 0;
  return count;
};

test('pictures show the model, the frame and nothing else', async () => {
  const first = picture('first.png', '--frame', '0');
  assert.deepEqual([first.width, first.height], [320, 240]);
  assert.ok(colours(first) > 200, `${colours(first)} colours`);
  const again = picture('again.png', '--frame', '0');
  assert.equal(differing(first, again), 0, 'the same picture twice');
  const later = picture('later.png', '--frame', '40');
  assert.ok(differing(first, later) > 500, `${differing(first, later)} pixels between two frames`);
  const turned = picture('turned.png', '--frame', '0', '--camera', '120,30');
  assert.ok(differing(first, turned) > 2000);
  const empty = picture('empty.png', '--frame', '0', '--cell', '2,4', '--view', 'grid=0&shadow=0');
  assert.ok(colours(empty) < colours(first) / 2, 'nothing but the ground');
  // No panel, no bar: the corners are background.
  const dark = picture('dark.png', '--view', 'theme=dark&grid=0');
  const corner = (x, y) => dark.data.readUInt8((y * 320 + x) * 4);
  for (const [x, y] of [[2, 2], [317, 2], [2, 237], [317, 237]]) assert.ok(corner(x, y) < 64, `corner ${x},${y}: ${corner(x, y)}`);
});

/* ---- all of it ---------------------------------------------------------------------------------- */

rmSync(pages, { recursive: true, force: true });
mkdirSync(pages, { recursive: true });
url = assemble('sample', glb, info, POISON.join('\n'));
browser = await chromium.launch({ executablePath, args: [...glArguments, ...(process.getuid() === 0 ? ['--no-sandbox'] : [])] });
let failed = 0;
for (const { name, run } of tests.filter((one) => !process.env.ONLY || one.name.includes(process.env.ONLY))) {
  const started = Date.now();
  try {
    await run();
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(failed === 0 ? `all ${tests.length} as expected` : `${failed} of ${tests.length} failed`);
process.exit(failed === 0 ? 0 : 1);
