/* Vectors and recorded calls in a headless browser: checks.mjs, as Node.js runs it.
 *
 *     browser.mjs PACKAGE ROOT VECTORS BROWSER */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { TRACES } from './checks.mjs';

const [packageFolder, root, vectors, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(join(process.cwd(), 'package.json'))('playwright-core');
const VECTORS = 2320, SAMPLES = 49152; // as in vectors.mjs

const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const FOLDERS = { retropose: packageFolder, traces: join(root, 'traces'), vectors, tests: join(root, 'tests/bindings/js') };

const server = createServer((request, response) => {
  const [, folder, ...rest] = normalize(new URL(request.url, 'http://localhost').pathname).split('/');
  const name = rest.join('/');
  try {
    const body = folder === '' ? '<!doctype html><title>test</title>' : readFileSync(join(FOLDERS[folder], name));
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? (folder ? 'application/octet-stream' : TYPES['.html']) });
    response.end(body);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  const failures = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const tallies = await page.evaluate(async (traces) => {
    const { load, instantiate } = await import('/retropose/retropose.js');
    const { checkTrace, checkVectors } = await import('/tests/checks.mjs');
    const fetched = async (name) => (await fetch(name)).arrayBuffer();
    const retropose = await load();
    const results = { vectors: checkVectors(retropose, await (await fetch('/vectors/x87.json')).json()) };
    for (const name of traces) results[name] = checkTrace(retropose, await fetched(`/traces/${name}.rptrace`));
    /* at once, as a page does that has the module inside */
    const again = instantiate(await fetched('/retropose/retropose.wasm'));
    results.inlined = { compared: 1, different: again.version === retropose.version ? 0 : 1 };
    return JSON.parse(JSON.stringify(results));
  }, TRACES);
  assert.deepEqual(failures, []);
  let compared = 0;
  for (const [name, tally] of Object.entries(tallies)) {
    assert.equal(tally.different, 0, `${name}: ${JSON.stringify(tally.first)}`);
    compared += tally.compared;
  }
  assert.equal(tallies.vectors.compared, VECTORS);
  assert.equal(tallies.poses.compared + tallies['poses-wxyz'].compared, SAMPLES);
  console.log(`${compared} results compared in ${await browser.version()}, 0 different`);
} finally {
  await browser.close();
  server.close();
}
