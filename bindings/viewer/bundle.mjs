/* Makes viewer.js and viewer.html, a template for retropose/view.h, in the directory given; see
 * `build`. esbuild and three.js are in its node_modules, and retropose.js and retropose.wasm of
 * bindings/js in the second directory. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [target, library] = process.argv.slice(2).map((path) => resolve(path));
const { build, transform } = createRequire(join(target, 'package.json'))('esbuild');

const read = (name) => readFileSync(join(here, name), 'utf8');
const targets = ['chrome111', 'firefox113', 'safari16.4'];

const { version } = JSON.parse(readFileSync(join(target, 'node_modules/three/package.json'), 'utf8'));
const licence = readFileSync(join(target, 'node_modules/three/LICENSE'), 'utf8').trim();
const own = read('../../LICENSE').trim();
const notice = `/*!
Retropose's page for models.

${own}

It contains three.js ${version} (https://threejs.org):

${licence}

Its WebAssembly contains cJSON (https://github.com/DaveGamble/cJSON):

Copyright (c) 2009-2017 Dave Gamble and cJSON contributors, under the same terms as three.js;

zlib (https://zlib.net), (C) 1995-2024 Jean-loup Gailly and Mark Adler, under the zlib licence;

parts of wasi-libc (https://github.com/WebAssembly/wasi-libc) with musl, Copyright (c) 2005-2020 Rich
Felker and others, under the same terms as three.js;

and parts of compiler-rt (https://compiler-rt.llvm.org), under the Apache License 2.0 with LLVM exceptions.
*/`;

const bundle = await build({
  entryPoints: [join(here, 'main.js')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: targets,
  charset: 'utf8',
  legalComments: 'none', // the licence stands above in full
  nodePaths: [join(target, 'node_modules')],
  alias: { retropose: join(library, 'retropose.js'), 'retropose.wasm': join(library, 'retropose.wasm') },
  loader: { '.wasm': 'binary' },
  external: ['node:*'],
  write: false,
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'silent' }, // of load(), which is not used
});
const code = `${notice}\n${bundle.outputFiles[0].text.trim()}\n`;
const style = (await transform(read('style.css'), { loader: 'css', minify: true, target: targets })).code.trim();

/* Nothing but this script, its library and this style sheet runs, whatever a model's names are, and
 * nothing is fetched but what lies beside a page that is served: blob and data are the page's own. */
const digest = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${digest(code)} 'wasm-unsafe-eval'`,
  `style-src ${digest(style)}`,
  'img-src data: blob:',
  "connect-src data: blob: 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const parts = { '@CSP@': policy, '@STYLE@': style, '@CODE@': code };
const page = Object.entries(parts).reduce((text, [mark, part]) => {
  if (text.split(mark).length !== 2) throw new Error(`${mark} is not once in template.html`);
  return text.replace(mark, () => part);
}, read('template.html'));
for (const mark of ['@RETROPOSE_TITLE@', '@RETROPOSE_DATA@']) {
  if (page.split(mark).length !== 2) throw new Error(`${mark} is not once in the page`);
}
if (/<\/script/i.test(code)) throw new Error('the script would end early');
writeFileSync(join(target, 'viewer.js'), code);
writeFileSync(join(target, 'viewer.html'), page);
