// Plays every exported file in a headless browser: three.js loads it, its mixer plays it, and at
// every frame each node must be where our sampler says (NNN.json, by print_poses.c).
//
//     node play.mjs WORK_DIR BROWSER
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const [work, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(join(work, 'packages/package.json'))('playwright-core');
const here = fileURLToPath(new URL('.', import.meta.url));
const models = readdirSync(join(work, 'models')).filter((name) => /\.(glb|gltf)$/.test(name));
const document = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="importmap">{"imports":{
  "three":"/packages/node_modules/three/build/three.module.js",
  "three/addons/":"/packages/node_modules/three/examples/jsm/"}}</script>`;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json' };

// Every request is answered here, so that neither a server nor a socket can come between.
function answer(route) {
  const path = decodeURIComponent(new URL(route.request().url()).pathname);
  if (path === '/') return route.fulfill({ contentType: 'text/html', body: document });
  const file = path === '/page.mjs' ? join(here, 'page.mjs') : join(work, normalize(path));
  return route.fulfill({ contentType: types[extname(path)] ?? 'application/octet-stream', body: readFileSync(file) });
}

// three.js goes down a hierarchy by recursion. The deepest model of the corpus overflows V8's usual stack
// of 1 MB as long as the loader's code is interpreted, so that success would depend on when it is compiled.
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--stack-size=4000'];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage();
page.setDefaultTimeout(0); // the test as a whole has a limit
const failures = [];
page.on('pageerror', (error) => failures.push(`error: ${error.message}`));
page.on('requestfailed', (request) => failures.push(`no ${request.url()}: ${request.failure()?.errorText}`));
await page.route('**', answer);
await page.goto('http://models.invalid/');
const result = await page.evaluate(async (names) => (await import('/page.mjs')).checkAll(names), models);
await browser.close();

failures.push(...result.failures);
for (const failure of failures.slice(0, 20)) console.log(failure);
console.log(
  `three.js ${result.revision}: ${result.files} files, ${result.poses} poses, ${result.boxes} boxes, largest distance ` +
    `${result.worst.toExponential(2)}, ${failures.length} failures`,
);
const whole = result.files === models.length && result.poses > 100000 && result.boxes > 400;
process.exitCode = failures.length === 0 && whole ? 0 : 1;
