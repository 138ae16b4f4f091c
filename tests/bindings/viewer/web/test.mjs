/* Opens the page in a headless browser, without a network:
 *
 *     node test.mjs WORK BROWSER PARTS RETROPOSE ASSEMBLE_PAGE VIEW_MODELS      (see run)
 *
 * ONLY=WORDS runs the tests whose names contain these words.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { begin, command, end, pages, parts, template, tests, viewModels } from './tools.mjs';

export const MODELS = ['R_B_01.msh', 'R_H_02.msh', 'a_a_l3.msh', 'fr_m_0_20.msh', 'u_min_0_33.msh'];

rmSync(pages, { recursive: true, force: true });
mkdirSync(pages, { recursive: true });
execFileSync(viewModels, [pages, ...MODELS]);
command('gen', 'corpus', 'corpus', '--libraries');
command('gen', 'samples', 'samples');
command('msh', 'gallery', 'corpus/libraries/parts.rlb', '--template', template, '-o', 'corpus-parts.html', '-q');
command('msh', 'gallery', '--template', template, '-o', 'empty.html', '-q');
assert.ok(readFileSync(join(pages, 'samples/bird.ani')).length > 100);
for (const part of parts.split(',')) await import(`./${part}.mjs`);

await begin();
let failed = 0;
const chosen = tests.filter(({ name }) => !process.env.ONLY || name.includes(process.env.ONLY));
for (const { name, run } of chosen) {
  const started = Date.now();
  try {
    await run();
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await end();
console.log(failed === 0 ? `all ${chosen.length} as expected` : `${failed} of ${chosen.length} failed`);
process.exit(failed === 0 ? 0 : 1);
