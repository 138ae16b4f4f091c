/* What the tests of the page share: a browser without a network, pages out of the template, files that
 * are dropped, names that are planted into models. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const [work, executablePath, parts, retropose, assemblePage, viewModels] = process.argv.slice(2);
const require = createRequire(join(work, 'packages/package.json'));
const { chromium } = require('playwright-core');
export const { PNG } = require('pngjs');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const pages = join(work, 'pages');
export const template = join(work, 'viewer/viewer.html');
/* The scene is drawn by software; the page around it is put together without the detour through that. */
const glArguments = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing', '--disable-gpu-rasterization'];

export const tests = [];
export const test = (name, run) => tests.push({ name, run });

let browser;
export async function begin() {
  browser = await chromium.launch({ executablePath, args: [...glArguments, ...(process.getuid() === 0 ? ['--no-sandbox'] : [])] });
}
export const end = () => browser.close();

/* ---- pages ------------------------------------------------------------------------------------- */

export const command = (...words) => execFileSync(retropose, words, { cwd: pages, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
export const bytesOf = (name) => readFileSync(join(pages, name));
export const urlOf = (name) => pathToFileURL(join(pages, name)).href;

/* A page with files inside: [name, bytes]. `words` is more of its data, or all of it as a text. */
export function assemble(name, files, words = {}, title = name) {
  const path = (suffix) => join(pages, `${name}.${suffix}`);
  const data = typeof words === 'string' ? words
    : JSON.stringify({ format: 1, ...words, files: files.map(([file, bytes]) => ({ name: file, bytes: Buffer.from(bytes).toString('base64') })) });
  writeFileSync(path('json'), data);
  writeFileSync(path('title'), title);
  execFileSync(assemblePage, [template, path('title'), path('json'), path('html')]);
  return pathToFileURL(path('html')).href;
}

/* Serves the pages on this machine while `use` runs: its argument is the address. */
export async function served(use) {
  const server = createServer(({ url }, answer) => {
    const name = decodeURIComponent(new URL(url, 'http://localhost').pathname.slice(1));
    if (name.split('/').includes('..') || !existsSync(join(pages, name))) answer.writeHead(404).end('<!doctype html>nothing');
    else answer.writeHead(200, { 'content-type': name.endsWith('.html') ? 'text/html' : 'application/octet-stream' }).end(bytesOf(name));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/* A page that counts everything it should not do. It has no network; of a page that is served, `may` is
 * where it may ask. Shadows, which take most of the time of drawing, are for tests that `look` at pictures. */
export async function open(url, { hash = '', look = false, size = { width: 1000, height: 640 }, colorScheme = 'light', state = 'ready', touch = false, clock = null, may = null } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme, offline: may === null, reducedMotion: 'reduce', hasTouch: touch, acceptDownloads: true });
  context.setDefaultTimeout(180000); // a busy machine takes its time
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    const words = message.text();
    if (!words.includes('GPU stall due to ReadPixels')) page.complaints.push(`console ${message.type()}: ${words}`);
  });
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const from = request.url();
    if (from.split('#')[0] !== url && !(may && from.startsWith(may)) && !from.startsWith('data:') && !from.startsWith('blob:')) page.complaints.push(`request: ${from}`);
  });
  if (clock) await page.clock.install(clock);
  await page.goto(look ? url + hash : `${url}${hash || '#'}&shadow=0`);
  await page.waitForSelector(`html[data-viewer=${state}]`, { state: 'attached' });
  return page;
}

export async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

export const state = (page, key) => page.evaluate((name) => globalThis.retropose.state.get(name), key);
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const view = (page) => page.evaluate(() => document.documentElement.dataset.view);
export const shown = async (page) => (await page.evaluate(() => globalThis.retropose.shown())).map(({ node, slot }) => `${node}:${slot}`).sort();
export const set = async (page, values) => {
  await page.evaluate((to) => globalThis.retropose.state.set(to), values);
  await settle(page);
};
export const complaints = (page) => page.locator('#complaint-list li').allTextContents();

/* Drops files, [name, bytes], on an element. */
export async function drop(page, files, selector = 'body') {
  const transfer = await page.evaluateHandle((list) => {
    const all = new DataTransfer();
    for (const [name, text] of list) all.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    return all;
  }, files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
  await page.waitForFunction(() => !document.documentElement.classList.contains('busy'));
  await settle(page);
}

/* Drops files or folders of the disk as a file manager does, which no script can: the browser's own
 * protocol for tools plays the mouse. */
export async function dropPaths(page, ...paths) {
  const tools = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    globalThis.dropped = new Promise((done) => addEventListener('drop', () => setTimeout(done), { once: true }));
  });
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await tools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await page.evaluate(() => globalThis.dropped);
  await tools.detach();
  await page.waitForFunction(() => !document.documentElement.classList.contains('busy'));
  await settle(page);
}

/* What a press of a button saves. */
export async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/* A point of the picture over a triangle of a node that is shown; [x, y] in the window. */
export async function overNode(page, node) {
  const box = await page.locator('#canvas').boundingBox();
  const at = await page.evaluate((index) => {
    const { model, stage } = globalThis.retropose;
    const { mesh } = model.nodes[index].parts.find((part) => part.shown);
    const point = mesh.position.clone();
    const corner = mesh.position.clone();
    point.set(0, 0, 0);
    for (let i = 0; i < 3; i++) point.add(corner.fromBufferAttribute(mesh.geometry.attributes.position, mesh.geometry.index.getX(i)));
    return point.divideScalar(3).applyMatrix4(mesh.matrixWorld).project(stage.seen).toArray();
  }, node);
  return [box.x + (at[0] * 0.5 + 0.5) * box.width, box.y + (0.5 - at[1] * 0.5) * box.height];
}

/* A new folder of files, { name: bytes }. */
export function folder(name, files) {
  const place = join(pages, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(join(place, file, '..'), { recursive: true });
    writeFileSync(join(place, file), bytes);
  }
  return place;
}

/* Runs in a folder what the page gives to be copied. The command that it names is the native one, which takes
 * its pictures with the page and the browser of this test. */
export function runCopied(text, place) {
  const bin = join(work, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'retropose'), `#!/bin/sh
case "$1 $2" in
'msh view' | 'ani view') set -- "$@" --template '${resolve(template)}' --browser '${executablePath}' ;;
esac
exec '${resolve(retropose)}' "$@"
`, { mode: 0o755 });
  return execFileSync('sh', ['-c', text], { cwd: place, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}

/* What axe-core finds. Colours take most of its time. */
export async function axeFinds(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'], preload: false }));
  return violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target} ${node.html.slice(0, 120)}`));
}

export function assertClose(found, expected, tolerance, words) {
  found.forEach((value, i) => {
    const scale = Math.max(1, Math.abs(expected[i]));
    assert.ok(Math.abs(value - expected[i]) <= tolerance * scale, `${words}, element ${i}: ${value}, expected ${expected[i]}`);
  });
}

/* ---- files ------------------------------------------------------------------------------------- */

/* The directory of an NRes archive (docs/formats/nres.md): type, offset and size of each entry. */
export function entriesOf(bytes) {
  const count = bytes.readUInt32LE(8);
  const directory = bytes.length - count * 64;
  return Array.from({ length: count }, (_, i) => {
    const at = directory + i * 64;
    return { type: bytes.readUInt32LE(at), size: bytes.readUInt32LE(at + 12), offset: bytes.readUInt32LE(at + 56) };
  });
}

/* A model whose nodes have other names, of 31 bytes at most, in Windows-1251 as far as ASCII goes. */
export function withNames(bytes, names) {
  const copy = Buffer.from(bytes);
  const { offset, size } = entriesOf(copy).find(({ type }) => type === 9);
  names.slice(0, size / 32).forEach((name, i) => {
    copy.fill(0, offset + i * 32, offset + i * 32 + 32);
    copy.write(name.slice(0, 31), offset + i * 32, 'latin1');
  });
  return copy;
}

/* A model whose node 0 stands elsewhere, which in the corpus none does: the positions in its keys, which
 * are the first ones of stream 8, up to its fallback key. */
export function withRoot(bytes, position) {
  const copy = Buffer.from(bytes);
  const [nodes, keys] = [1, 8].map((wanted) => entriesOf(copy).find(({ type }) => type === wanted));
  for (let key = 0; key <= copy.readUInt16LE(nodes.offset + 6); key++) {
    position.forEach((value, k) => copy.writeFloatLE(value, keys.offset + key * 24 + k * 4));
  }
  return copy;
}

/* The same numbers in every run. */
export function random(seed) {
  let word = seed >>> 0;
  return (below) => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 4294967296) * below);
  };
}

/* A damaged copy: some bytes are others, or the end is missing, or zeros stand in the middle. */
export function damaged(bytes, next) {
  const copy = Buffer.from(bytes);
  const way = next(4);
  if (way === 0) return copy.subarray(0, next(copy.length));
  if (way === 1) copy.fill(next(2) * 255, next(copy.length), next(copy.length));
  for (let i = 0; i < 1 + next(40); i++) copy[next(2) ? next(copy.length) : next(Math.min(256, copy.length))] = next(256);
  return copy;
}
