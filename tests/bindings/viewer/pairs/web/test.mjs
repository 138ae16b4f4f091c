/* compare.html in a headless browser: the stand-in, a changed stand-in, wrong files.
 *
 *     test.mjs PACKAGE PAGE RECORDED WINDOWS-BUILD BROWSER PICTURE
 *
 * PACKAGE is what bindings/js/build made. PAGE has our DLLs and the traces classes-7, table and stubs inside, RECORDED the same without the DLLs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, pageFile, recordedFile, windows, executablePath, picture] = process.argv.slice(2);
const { chromium } = createRequire(join(process.cwd(), 'package.json'))('playwright-core');
const CALLS = 2000 + 68 + 600;
const MOST_MS = 240000; // on a machine that does much else

const standin = ['Ngi32.dll', 'AniMesh.dll'].map((name) => ({ name, bytes: readFileSync(join(windows, 'standin', name)) }));
const file = ({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });

/* Where slot 17 of the class that classes-7 asks for begins in the stand-in's file, which is loaded where it
 * wants to be. */
async function findSlot(ngi32, animesh) {
  const { loadMachine } = await import(pathToFileURL(join(packageFolder, 'machine.js')));
  const pair = (await loadMachine()).openPair(ngi32, animesh, { forceCpu: 7 });
  const head = ngi32.readUInt32LE(0x3C), sections = head + 24 + ngi32.readUInt16LE(head + 20);
  const rva = pair.slot(17) - ngi32.readUInt32LE(head + 52);
  for (let i = 0; i < ngi32.readUInt16LE(head + 6); i++) {
    const at = sections + 40 * i, [size, start, , offset] = [8, 12, 16, 20].map((field) => ngi32.readUInt32LE(at + field));
    if (rva >= start && rva < start + size) return rva - start + offset;
  }
  throw new Error('slot 17 is in no section');
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const failures = [];

async function open(path, settings = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...settings });
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') failures.push(line.text()); });
  page.on('request', (request) => { if (!/^(file|blob|data):/.test(request.url())) failures.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(path).href);
  return page;
}

/* The page reads the files before it begins, and has the state of the last comparison until then. */
async function compare(page, files) {
  await page.evaluate(() => { document.documentElement.dataset.state = 'empty'; });
  await page.setInputFiles('#choose', files.map(file));
  await page.waitForFunction(() => ['done', 'failed'].includes(document.documentElement.dataset.state), null, { timeout: MOST_MS });
}

async function table(page) {
  return page.$$eval('#rows tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.firstChild?.textContent ?? '')));
}

/* What the page says there, as soon as it says something: it reads a file in its own time. */
async function said(page, place) {
  await page.waitForFunction((where) => document.querySelector(where).textContent !== '', place);
  return page.textContent(place);
}

try {
  /* The stand-in is the same as ours, whichever file comes first and however it is written. */
  const page = await open(pageFile);
  await compare(page, [{ name: 'ANIMESH.DLL', bytes: standin[1].bytes }, { name: 'ngi32.dll', bytes: standin[0].bytes }]);
  assert.equal(await page.getAttribute('html', 'data-state'), 'done', await page.textContent('#complaint'));
  assert.match(await page.textContent('#verdict'), new RegExp(`^${CALLS.toLocaleString('en-GB')} calls compared, 0 different: (\\d+) of \\1 functions are the same`));
  assert.match(await page.textContent('#sides'), /Yoursstand-in \(plays the original; not the retail DLLs\)/);
  assert.match(await page.textContent('#sides'), /Compared withreplacement .*interpreter, in WebAssembly.*software: fsin/);
  for (const row of await table(page)) assert.deepEqual([row[1], row[3]], ['equal', '0'], row[0]);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'verdict');
  assert.match(await page.textContent('#sides'), /Reached[1-9]\d* of \d+ blocks of your functions’ code/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
  const report = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(report.format, 'retropose report 1');
  assert.deepEqual([report.totals.compared, report.totals.different], [CALLS, 0]);

  /* Formulas follow, one after the other, until somebody stops it. */
  await page.waitForFunction(() => [...document.querySelectorAll('td.formula')]
    .some((cell) => cell.firstChild?.textContent === 'same for every input'), null, { timeout: MOST_MS });
  await page.click('#stop');
  const formulas = (await table(page)).map((row) => row[7]).filter(Boolean);
  assert.ok(!formulas.includes('DIFFERS'), formulas.join());
  assert.match(await page.textContent('#formulas'), /^Of the \d+ functions that can be read as formulas, [1-9]\d* have the same one for every input/);
  assert.match(await page.textContent('#status'), /^Stopped: the other formulas were not read/);

  /* One function of a changed stand-in traps: it and what calls it are found, and nothing else. */
  const changed = Buffer.from(standin[0].bytes);
  changed[await findSlot(standin[0].bytes, standin[1].bytes)] = 0xCC; // int3
  await compare(page, [{ name: 'Ngi32.dll', bytes: changed }, standin[1]]);
  assert.match(await page.textContent('#sides'), /a modified stand-in/);
  const rows = await table(page);
  const bad = rows.filter((row) => row[3] !== '0').map((row) => row[0]).sort();
  assert.deepEqual(bad, ['animesh.BlendPoses', 'animesh.SampleNode', 'ngi32.slot17', 'ngi32.slot22']);
  assert.deepEqual(rows.slice(0, 4).map((row) => row[1]), Array(4).fill('CRASHED'));
  assert.match(rows[0][8], /^call \d+ of classes-7, outcome: yours crashed with 80000003 .*, ours returned/);
  await page.screenshot({ path: picture });

  /* Wrong files are named. */
  await page.setInputFiles('#choose', [file({ name: 'World3D.dll', bytes: 'MZ' })]);
  assert.equal(await said(page, '#complaint'), 'World3D.dll: this is neither of the two files\nexpected: Ngi32.dll and AniMesh.dll\nfound: World3D.dll');
  const other = await open(pageFile, { colorScheme: 'dark' });
  await other.setInputFiles('#choose', [file({ name: 'Ngi32.dll', bytes: 'no program at all, but long enough for the first header of one .....' })]);
  assert.equal(await said(other, '#status'), 'Now AniMesh.dll, too.');
  await compare(other, [standin[1]]);
  assert.equal(await other.getAttribute('html', 'data-state'), 'failed');
  assert.match(await other.textContent('#complaint'), /^Ngi32\.dll: not a PE file\nexpected: 0x5A4D \(MZ\)\nfound: 0x6F6E$/);
  assert.equal(await other.getAttribute('#complaint', 'role'), 'alert');

  /* Without our DLLs, the recorded outcomes take their place. */
  const recorded = await open(recordedFile);
  await compare(recorded, standin);
  assert.match(await recorded.textContent('#verdict'), new RegExp(`^${CALLS.toLocaleString('en-GB')} calls compared`));
  assert.match(await recorded.textContent('#sides'), /Compared withthe outcomes that the traces hold/);
  assert.ok(await recorded.isHidden('#formulas'));

  assert.deepEqual(failures, []);
  console.log(`the page compares in ${await browser.version()}`);
} finally {
  await browser.close();
}
