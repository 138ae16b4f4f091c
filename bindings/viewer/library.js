/* The C library, inside of the page. bundle.mjs puts the bytes of the module in place of
 * `retropose.wasm`. */
import { instantiate, RetroposeError } from 'retropose';
import wasm from 'retropose.wasm';

let module = null;
let instance = null;

/* The library, or another instance of it where the last one came to its end in a file that it could
 * not bear. */
export function library() {
  if (!instance || instance.crashed) {
    module ??= new WebAssembly.Module(wasm);
    instance = instantiate(module);
  }
  return instance;
}

/* The triangles of a slot; null for one that a damaged node names and that is not there. */
export function slotMesh(model, slot) {
  try {
    return model.slotMesh(slot);
  } catch (error) {
    if (error.status === 'invalid') return null;
    throw error;
  }
}

/* What went wrong, as one complaint: what, where, what was expected, what was found. */
export class Complaint extends Error {
  constructor(file, what, details = {}) {
    super(`${file}: ${what}`);
    Object.assign(this, { file, what, where: '', expected: '', found: '', rule: '', severity: 'error' }, details);
  }

  static of(file, error) {
    if (error instanceof Complaint) return error;
    if (error instanceof RetroposeError) {
      const { what, where, expected, found, offset } = error;
      return new Complaint(file, what, { where: [where, offset === null ? '' : `byte ${offset}`].filter(Boolean).join(', '), expected, found });
    }
    return new Complaint(file, error instanceof Error ? error.message : String(error));
  }

  static finding(file, finding) {
    return new Complaint(file, finding.what, finding);
  }

  /* Whether an error is about a file, and none of the page's own. */
  static isOne(error) {
    return error instanceof Complaint || error instanceof RetroposeError;
  }

  get details() {
    return [this.where, this.expected && `expected ${this.expected}`, this.found && `found ${this.found}`].filter(Boolean).join(' · ');
  }
}
