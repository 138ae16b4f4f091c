/* Modules of this package, by their address. */
import { RetroposeError } from './module.js';

/* The bytes of a file in Node.js, or of what an address names in a browser. */
async function fetchBytes(url) {
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const files = 'node:fs/promises'; // a bundler for browsers does not look for it
    return (await import(files)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new RetroposeError('io', 'the module cannot be fetched', { where: String(url), found: `${response.status}` });
  }
  return response.arrayBuffer();
}

/* The module that a text or a URL names, compiled. */
export async function compiledFrom(source) {
  const base = globalThis.process?.versions?.node ? `file://${process.cwd()}/` : globalThis.location?.href;
  return WebAssembly.compile(await fetchBytes(new URL(source, base)));
}
