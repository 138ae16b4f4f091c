// Plays every exported file in a headless browser: three.js loads it, its mixer plays it, and at
// every frame each node must be where our sampler says (NNN.json, by print_poses.c).
//
//     node play.mjs WORK_DIR BROWSER
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const [work, browser] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const models = readdirSync(join(work, 'models')).filter((name) => /\.(glb|gltf)$/.test(name));
const page = `<!doctype html><meta charset="utf-8"><script type="importmap">{"imports":{
  "three":"/packages/node_modules/three/build/three.module.js",
  "three/addons/":"/packages/node_modules/three/examples/jsm/"}}</script>
  <script type="module" src="/page.mjs"></script>`;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json' };

function find(path) {
  if (path === '/') return Buffer.from(page);
  if (path === '/list') return Buffer.from(JSON.stringify(models));
  if (path === '/page.mjs') return readFileSync(join(here, 'page.mjs'));
  return readFileSync(join(work, normalize(path)));
}

const profile = mkdtempSync(join(tmpdir(), 'retropose-play-'));
let child;

function finish(code) {
  child?.kill('SIGKILL');
  server.close();
  setTimeout(() => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    process.exit(code);
  }, 300);
}

function judge(result) {
  for (const failure of result.failures.slice(0, 20)) console.log(failure);
  console.log(
    `three.js ${result.revision}: ${result.files} files, ${result.poses} poses, ${result.boxes} boxes, largest distance ` +
      `${result.worst.toExponential(2)}, ${result.failures.length} failures`,
  );
  finish(result.failures.length === 0 && result.files === models.length && result.poses > 100000 && result.boxes > 400 ? 0 : 1);
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  if (request.method === 'POST') {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      response.end();
      judge(JSON.parse(text));
    });
    return;
  }
  try {
    const body = find(path);
    response.setHeader('content-type', path === '/' ? 'text/html' : types[extname(path)] ?? 'application/octet-stream');
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  child = spawn(
    browser,
    ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', `--user-data-dir=${profile}`,
      '--remote-debugging-port=0', url],
    { stdio: 'ignore' },
  );
  child.on('error', (error) => {
    console.log(`${browser}: ${error.message}`);
    finish(1);
  });
  setTimeout(() => {
    console.log('the browser did not finish in 10 minutes');
    finish(1);
  }, 600000).unref();
});
