/* Retropose in JavaScript. retropose.d.ts is the manual. */
import { Module, RetroposeError, bytesOf, encodeName, invalid, number } from './module.js';
import { compiledFrom } from './fetch.js';
import { AcAnimation, AcMotionTable } from './ac.js';
import { Ani } from './ani.js';
import { Archive, isMember } from './archive.js';
import { Mathematics } from './math.js';
import { Model } from './model.js';
import { Surfaces, Texture } from './texm.js';
import { Trace } from './trace.js';

export { RetroposeError } from './module.js';
export { checkSampler, checkSlerp, ulpsBetween } from './trace.js';

const RUNTIME = 1, FILES = 2; // bits of RpReadingKind
const TOLERANCE = 1e-6;

class Retropose {
  #module;

  constructor(compiled) {
    const module = this.#module = new Module(compiled);
    this.version = module.text(module.calls.Js_Version());
    this.simd = module.calls.Js_HasSimd() !== 0;
    this.math = new Mathematics(module);
    const list = module.result(module.calls.JsReadings_List());
    this.readings = Array.from({ length: list.i32() }, () => {
      const name = list.text(), choices = list.text().split('|'), kind = list.u32();
      const facts = { files: (kind & FILES) !== 0, runtime: (kind & RUNTIME) !== 0, source: list.text() };
      return { name, choices, default: choices[0], ...facts };
    });
  }

  get crashed() { return this.#module.crashed; }

  memory() {
    const { memory, calls } = this.#module;
    return { total: memory.buffer.byteLength, used: calls.JsMemory_Used(), blocks: calls.JsMemory_Blocks() };
  }

  openArchive(bytes, options) { return new Archive(this.#module, bytes, options); }
  openModel(source, options) { return new Model(this.#module, this.readings, source, options); }
  openAni(bytes, options) { return new Ani(this.#module, bytes, options); }
  openAcAnimation(bytes, options) { return new AcAnimation(this.#module, bytes, options); }
  openAcMotionTable(bytes, options) { return new AcMotionTable(this.#module, bytes, options); }
  openTrace(bytes) { return new Trace(this.#module, bytes); }
  openTexture(bytes) { return new Texture(this.#module, bytes); }
  openSurfaces(sources) { return new Surfaces(this.#module, sources); }

  isGltf(bytes) {
    const source = bytesOf(bytes);
    return this.#module.with([source], (at) => this.#module.calls.JsGltf_Is(at, source.length)) !== 0;
  }

  /* Throws nothing but what is no matter of the bytes. */
  #reads(open) {
    try {
      open().close();
      return true;
    } catch (error) {
      if (error instanceof RetroposeError && error.status !== 'crashed' && error.status !== 'no memory') return false;
      throw error;
    }
  }

  #isModel(bytes) {
    const { calls } = this.#module, image = this.#module.image(bytes);
    const is = calls.JsImage_IsModel(image) !== 0;
    calls.JsImage_Release(image);
    return is;
  }

  identify(source) {
    const bytes = bytesOf(source);
    const begins = (text) => [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0));
    if (begins('NRes')) return this.#isModel(bytes) ? 'model' : 'nres';
    if (begins('NL')) return 'rsli';
    if (begins('RPTRACE')) return 'trace';
    if (this.isGltf(bytes)) return 'gltf';
    const options = { mode: 'strict' };
    if (this.#reads(() => this.openAni(bytes, options))) return 'ani';
    if (bytes[3] === 3 && this.#reads(() => this.openAcAnimation(bytes, options))) return 'ac-animation';
    if (bytes[3] === 9 && this.#reads(() => this.openAcMotionTable(bytes, options))) return 'ac-motion-table';
    return null;
  }

  importGltf(source, options = {}) {
    const module = this.#module, bytes = bytesOf(source);
    const { readings, useReadings = false, framesPerSecond = 0, tolerance = TOLERANCE } = options;
    const { animation = '', name = '', ignoreRestore = false, ignoreAnimation = false, load = null, onto } = options;
    const encoded = encodeName(name);
    if (!encoded) throw invalid('the name cannot be stored', 'characters of Windows-1251', name);
    module.settings({ readings });
    const imported = module.loading(load, () => module.with([bytes, animation, encoded], (at, which, entry) =>
      module.result(module.calls.JsGltf_Import(at, bytes.length, which, entry, Boolean(useReadings),
        Boolean(ignoreRestore), Boolean(ignoreAnimation), Boolean(load), number(framesPerSecond, 'the frame rate'),
        number(tolerance, 'the tolerance')))));
    const model = imported.data(), notes = imported.findings();
    if (!onto) return { bytes: model, notes };
    const member = isMember(onto) ? onto.name : onto.member;
    return { bytes: onto.archive.withMember(member, model), notes };
  }
}

const compiledOf = (source) => (source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOf(source)));

export function instantiate(source) { return new Retropose(compiledOf(source)); }

export async function load(source = new URL('./retropose.wasm', import.meta.url)) {
  if (typeof source !== 'string' && !(source instanceof URL)) return instantiate(source);
  return new Retropose(await compiledFrom(source));
}
