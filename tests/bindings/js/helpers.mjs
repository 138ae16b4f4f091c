/* What the tests in Node.js share. `run` sets these variables. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { RETROPOSE_JS, RETROPOSE_COMMAND, RETROPOSE_CORPUS, RETROPOSE_SAMPLES, RETROPOSE_ROOT } = process.env;

export const library = await import(pathToFileURL(join(RETROPOSE_JS, 'retropose.js')));
export const wasm = readFileSync(join(RETROPOSE_JS, 'retropose.wasm'));
export const root = (name) => join(RETROPOSE_ROOT, name);
export const corpus = (name) => join(RETROPOSE_CORPUS, name);
export const samples = (name) => join(RETROPOSE_SAMPLES, name);
export const read = (name) => new Uint8Array(readFileSync(name));
export const PARTS = corpus('libraries/parts.rlb');

/* What the command prints. */
export const command = (...words) =>
  execFileSync(RETROPOSE_COMMAND, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

/* The bytes of the file that the command writes to the path `words` makes of a name. */
export function written(name, words) {
  const folder = mkdtempSync(join(tmpdir(), 'retropose-js-'));
  try {
    command(...words(join(folder, name), folder));
    return read(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const bitsOf = (values) => Buffer.from(Float32Array.from(values).buffer).toString('hex');

/* Runs `use` and returns the RetroposeError that it throws. */
export function errorOf(use) {
  try {
    use();
  } catch (error) {
    if (error instanceof library.RetroposeError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/* Numbers that look random and are the same each time (xorshift32). */
export function* random(seed) {
  for (let x = seed >>> 0 || 1; ;) {
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    yield x;
  }
}
