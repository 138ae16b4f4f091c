// Opens the pages of a site from the disk and looks at what they do: node test.mjs WORK BROWSER
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [work, browserPath] = process.argv.slice(2);
const require = createRequire(join(work, 'packages/package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const site = join(work, 'pages');
const pages = readdirSync(site, { recursive: true }).map(String).filter(path => path.endsWith('.html') && path !== 'viewer.html').sort();
// The pages that are written by hand; the others are lists and files, of which a few are enough.
const written = pages.filter(path => !/\.[a-z]+\.html$|\/index\.html$/.test(path));
// Short ones that have all there is: tables, code, pictures, quotations, lists.
const SHORT = ['index.html', 'docs/use/view.html', 'docs/use/library.html', 'include/retropose/nres.h.html'];
const DESK = { width: 1280, height: 900 }, PHONE = { width: 390, height: 844 };

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const said = [];

async function open(view, scheme) {
    const context = await browser.newContext({ viewport: view, colorScheme: scheme });
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    page.on('console', message => said.push(`${page.url()}: ${message.text()}`));
    page.on('pageerror', error => said.push(`${page.url()}: ${error}`));
    page.on('request', request => /^(file|data):/.test(request.url()) || said.push(`${page.url()} asks for ${request.url()}`));
    page.on('requestfailed', request => said.push(`${page.url()}: no ${request.url()}`));
    return page;
}

const visit = (page, path) => page.goto(pathToFileURL(join(site, path)).href);

// Colours are the same on all pages, and to look at them takes most of the time on a long one.
async function axeFinds(page, colours) {
    await page.evaluate(axe);
    const options = { rules: { 'color-contrast': { enabled: colours } }, resultTypes: ['violations'], preload: false };
    const { violations } = await page.evaluate(options => window.axe.run(options), options);
    return violations.flatMap(found => found.nodes.map(node => `${found.id}: ${node.target} ${node.html.slice(0, 120)}`));
}

const tests = {
    async 'nothing is found by axe-core, in light and in dark, on a desk and on a phone'() {
        const findings = [];
        for (const [view, scheme, paths, colours] of [
            [DESK, 'light', written, false], [DESK, 'light', SHORT, true], [DESK, 'dark', SHORT, true],
            [PHONE, 'light', SHORT, true], [PHONE, 'dark', SHORT, true]]) {
            const page = await open(view, scheme);
            for (const path of paths) {
                await visit(page, path);
                findings.push(...(await axeFinds(page, colours)).map(found => `${path} ${scheme}: ${found}`));
            }
            await page.context().close();
        }
        assert.deepEqual(findings, []);
    },

    async 'no page is wider than a phone'() {
        const page = await open(PHONE, 'light');
        const wide = [];
        for (const path of pages) {
            await visit(page, path);
            if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
                wide.push(path);
        }
        await page.context().close();
        assert.deepEqual(wide, []);
    },

    async 'the search finds words, parts of words and mistyped words, from any page'() {
        const page = await open(DESK, 'light');
        for (const [path, words, wanted] of [
            ['index.html', 'slerp', 'docs/glossary.html#slerp'],
            ['docs/use/view.html', 'shadow', 'docs/glossary.html#shadow'],
            ['docs/reference/commands.html', 'convent', 'docs/glossary.html#convention'],
            ['docs/glossary.html', 'minimize', 'docs/reference/commands.html#retropose-minimise'],
        ]) {
            await visit(page, path);
            await page.keyboard.press('/');
            await page.keyboard.type(words);
            await page.waitForSelector('#results a');
            const links = await page.$$eval('#results a', all => all.map(link => link.href));
            assert(links.some(link => link.endsWith(wanted)), `${words} finds ${links}`);
        }
        await page.fill('#search', 'zzxqzzxq');
        await page.waitForFunction(() => document.getElementById('count').textContent === 'Nothing is found');
        await page.context().close();
    },

    async 'the search works by keyboard alone'() {
        const page = await open(DESK, 'light');
        await visit(page, 'index.html');
        await page.keyboard.press('/');
        await page.keyboard.type('glossary shadow');
        await page.waitForSelector('#results a');
        await page.keyboard.press('ArrowDown');
        assert.equal(await page.evaluate(() => document.activeElement.closest('#results') !== null), true);
        await page.keyboard.press('ArrowUp');
        assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
        await page.keyboard.press('Escape');
        assert.equal(await page.isVisible('#found'), false);
        await page.keyboard.type(' ');
        await page.waitForSelector('#results a');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(/\.html#/);
        assert.notEqual(await page.title(), 'Retropose - Retropose');
        await page.context().close();
    },

    async 'the theme follows the system until the reader chooses, and is remembered'() {
        const page = await open(DESK, 'dark');
        const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        await visit(page, 'index.html');
        const dark = await back();
        await page.click('#theme');
        const light = await back();
        assert.notEqual(light, dark);
        await visit(page, 'docs/README.html');
        assert.equal(await back(), light);
        assert.equal(await page.textContent('#theme'), 'Theme: light');
        await page.click('#theme');
        assert.equal(await back(), dark);
        await page.context().close();
    },

    async 'the menu is open on a desk, and closed on a phone until it is asked for'() {
        for (const [view, wanted] of [[DESK, true], [PHONE, false]]) {
            const page = await open(view, 'light');
            await visit(page, 'docs/use/view.html');
            assert.equal(await page.isVisible('nav [aria-current=page]'), wanted);
            if (!wanted)
                await page.click('summary');
            assert.equal(await page.isVisible('nav [aria-current=page]'), true);
            await page.context().close();
        }
    },

    async 'without scripts a page can be read, and offers nothing that does not work'() {
        const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false });
        const page = await context.newPage();
        await visit(page, 'index.html');
        assert.equal(await page.isVisible('#search'), false);
        assert.equal(await page.isVisible('#theme'), false);
        assert.equal(await page.isVisible('main h1'), true);
        assert.equal(await page.isVisible('nav a'), true);
        await context.close();
    },

    async 'pictures are there'() {
        const page = await open(DESK, 'light');
        let pictures = 0;
        for (const path of written) {
            await visit(page, path);
            for (const width of await page.$$eval('main img', all => Promise.all(all.map(async image => {
                await image.decode();
                return image.naturalWidth;
            }))))
                assert(width > 0, path), pictures++;
        }
        assert(pictures >= 3, `${pictures} pictures`);
        await page.context().close();
    },
};

// Pictures of some pages, for whoever wants to look.
async function takePictures() {
    mkdirSync(join(work, 'pictures'), { recursive: true });
    for (const [view, scheme] of [[DESK, 'light'], [DESK, 'dark'], [PHONE, 'light'], [PHONE, 'dark']]) {
        const page = await open(view, scheme);
        for (const path of ['index.html', 'docs/use/replay.html']) {
            await visit(page, path);
            const name = `${path.replace(/^.*\//, '').replace('.html', '')}-${view.width}-${scheme}.png`;
            await page.screenshot({ path: join(work, 'pictures', name) });
        }
        await page.context().close();
    }
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    const started = Date.now();
    try {
        await test();
        assert.deepEqual(said, []);
        console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failed++;
        console.log(`FAILED  ${name}\n${error.message.slice(0, 6000)}`);
    }
    said.length = 0;
}
await takePictures();
await browser.close();
console.log(`${written.length} pages written by hand, ${pages.length} in all; ${failed} of ${Object.keys(tests).length} tests failed`);
process.exit(failed ? 1 : 0);
