/* Makes PAGE, which compares a pair of DLLs with ours:
 *
 *     bundle.mjs PAGE PACKAGES LIBRARY [PAIR [TRACE...]]
 *
 * PACKAGES is the folder of node_modules. LIBRARY is a package that bindings/js/build made. PAIR is the folder of our two DLLs; where it has none, the
 * page compares with the outcomes that the traces hold. TRACE names some of the bundled traces; by default all
 * are taken. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [target, packages, library, pair] = process.argv.slice(2, 6).map((path) => resolve(path));
const wanted = process.argv.slice(6);
const { build, transform } = createRequire(join(packages, 'package.json'))('esbuild');
const read = (name) => readFileSync(join(here, name), 'utf8');
const targets = ['chrome111', 'firefox113', 'safari16.4'];

async function bundled(entry, more = {}) {
  const made = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: targets,
    charset: 'utf8',
    legalComments: 'none', // they are in retropose's LICENSE and below
    alias: { 'retropose/machine': join(library, 'machine.js') },
    external: ['node:*'],
    write: false,
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'silent' }, // of loadMachine(), which is not used
    ...more,
  });
  return made.outputFiles[0].text.trim();
}

const notice = `/*!
Retropose's page that compares DLLs.

${readFileSync(join(here, '../../../LICENSE'), 'utf8').trim()}

Its WebAssembly contains Zydis (https://zydis.re), Copyright (c) 2014-2021 Florian Bernd and Joel Hoener, and cJSON
(https://github.com/DaveGamble/cJSON), Copyright (c) 2009-2017 Dave Gamble and cJSON contributors, both under the
MIT licence;

zlib (https://zlib.net), (C) 1995-2024 Jean-loup Gailly and Mark Adler, under the zlib licence;

parts of wasi-libc (https://github.com/WebAssembly/wasi-libc) with musl, Copyright (c) 2005-2020 Rich
Felker and others, under the MIT licence;

and parts of compiler-rt (https://compiler-rt.llvm.org), under the Apache License 2.0 with LLVM exceptions.
*/`;
const worker = await bundled('worker.js');
const code = `${notice}\n${await bundled('main.js', { define: { WORKER: JSON.stringify(worker) } })}\n`;
const both = readFileSync(join(here, '../style.css'), 'utf8') + read('style.css');
const style = (await transform(both, { loader: 'css', minify: true, target: targets })).code.trim();

/* Blocks of data, which no browser executes. */
const block = (kind, name, bytes) =>
  `<script type="text/plain" data-kind="${kind}" data-name="${name}">${Buffer.from(bytes).toString('base64')}</script>`;
const traces = readdirSync(join(here, '../../../traces')).filter((name) => name.endsWith('.rptrace')).sort()
  .filter((name) => wanted.length === 0 || wanted.includes(name.slice(0, -'.rptrace'.length)))
  .map((name) => ({ name: name.slice(0, -'.rptrace'.length), bytes: readFileSync(join(here, '../../../traces', name)) }));
/* An original has one reading of its files; ours and the stand-in can be asked for others. */
const asksForReadings = ({ bytes }) => bytes.subarray(0, 2048).includes('hypotheses=');
const blocks = [block('wasm', 'machine', readFileSync(join(library, 'machine.wasm')))];
for (const trace of traces) if (!asksForReadings(trace)) blocks.push(block('trace', trace.name, trace.bytes));
const dlls = ['Ngi32.dll', 'AniMesh.dll'].map((name) => pair && join(pair, name));
if (dlls.every((path) => path && existsSync(path))) {
  for (const path of dlls) blocks.push(block('dll', path.slice(pair.length + 1), readFileSync(path)));
}
blocks.push(`<script type="text/plain" data-kind="left-out">${traces.filter(asksForReadings).map(({ name }) => name).join(' and ')}</script>`);

const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${digest(code)} 'wasm-unsafe-eval' blob:`,
  'worker-src blob:',
  `style-src ${digest(style)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const parts = { '@CSP@': policy, '@STYLE@': style, '@CODE@': code, '@DATA@': blocks.join('\n') };
const page = Object.entries(parts).reduce((text, [mark, part]) => {
  if (text.split(mark).length !== 2) throw new Error(`${mark} is not once in template.html`);
  return text.replace(mark, () => part);
}, read('template.html'));
if (/<\/script/i.test(code)) throw new Error('the script would end early');
writeFileSync(target, page);
