/* Opens the pages of reports in a headless browser, without a network and without scripts:
 *
 *     node test.mjs WORK BROWSER      (see run)
 *
 * A page must ask for nothing, must not be wider than a window, must be usable with the keyboard and
 * readable on paper, and axe must find nothing in it, in light and in dark.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [work, executablePath] = process.argv.slice(2);
const require = createRequire(join(work, 'packages/package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const urlOf = (name) => pathToFileURL(join(work, 'pages', `${name}.html`)).href;

const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 800 };
const tests = [];
const test = (name, run) => tests.push({ name, run });
let browser;

async function open(name, size, colorScheme, run) {
  const url = urlOf(name);
  const context = await browser.newContext({ viewport: size, colorScheme, offline: true });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const from = request.url();
    if (from.split('#')[0] !== url && !from.startsWith('data:')) complaints.push(`request: ${from}`);
  });
  await page.goto(url);
  await run(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

const openAll = (page) => page.evaluate(() => { for (const fold of document.querySelectorAll('details')) fold.open = true; });

const pages = ['equal', 'words', 'mesh', 'calibrate', 'probe'].filter((name) => existsSync(join(work, 'pages', `${name}.html`)));
for (const name of pages) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing in ${name}, ${colorScheme}`, () => open(name, DESKTOP, colorScheme, async (page) => {
      await openAll(page);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
    }));
  }
  test(`${name} fits a phone`, () => open(name, PHONE, 'dark', async (page) => {
    await openAll(page);
    const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= window, `${wide} in ${window}`);
  }));
}

test('a page has the colours that the browser asks for', async () => {
  const backgrounds = [];
  for (const colorScheme of ['light', 'dark'])
    await open('words', DESKTOP, colorScheme, async (page) => backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)));
  assert.equal(backgrounds[0], 'rgb(255, 255, 255)');
  assert.notEqual(backgrounds[1], backgrounds[0]);
});

test('what is folded is there on paper', () => open('words', DESKTOP, 'dark', async (page) => {
  const inner = page.locator('details table').first();
  assert.equal(await inner.isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  assert.ok((await inner.boundingBox()).height > 20);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
}));

test('the keyboard reaches a function, unfolds, and reaches the command', () => open('words', DESKTOP, 'light', async (page) => {
  const reached = new Set();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.tagName));
  }
  assert.ok(reached.has('A') && reached.has('DIV'), [...reached].join());
  await page.locator('summary').first().focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('details').first().evaluate((fold) => fold.open), true);
  await page.locator('pre.command').first().focus();
  assert.equal(await page.evaluate(() => document.activeElement.className), 'command');
}));

test('shares are told by the ranges of inputs', () => open('words', DESKTOP, 'light', async (page) => {
  const inputs = await page.locator('#at-ngi32\\.slot17').innerText();
  assert.match(inputs, /\nt: \d+ % of the calls .* differ/);
}));

test('a click selects the whole command', () => open('words', DESKTOP, 'light', async (page) => {
  const command = page.locator('pre.command').first();
  await command.click();
  const text = await command.textContent();
  assert.ok(text.startsWith('retropose compare '), text);
  assert.equal(await page.evaluate(() => String(getSelection()).trim()), text);
}));

test('what a call leads to is drawn', async () => {
  await open('words', DESKTOP, 'light', async (page) => {
    assert.ok(await page.locator('#at-animesh\\.BlendPoses figure .a').count() === 1);
    assert.ok(await page.locator('#at-animesh\\.BlendPoses figure .spot').count() === 1);
    assert.ok(await page.locator('#at-ngi32\\.mrnPointInPoly figure .edge').count() >= 3);
    assert.match(await page.locator('#at-animesh\\.SampleNode').innerText(), /node 7 \(marked\) of 10; the model at .*, 400 keys/);
    assert.match(await page.locator('#at-animesh\\.BlendPoses').innerText(), /Look first at ngi32\.slot17/);
  });
  await open('mesh', DESKTOP, 'light', async (page) => {
    assert.ok(await page.locator('#at-animesh\\.PoseWalk figure .bone').count() > 0);
  });
});

browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let failed = 0;
for (const { name, run } of tests) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
