/* The WebAssembly module as the other files use it: its memory, its errors, its results (binding.h). */

export class RetroposeError extends Error {
  constructor(status, what, { where = '', offset = null, expected = '', found = '' } = {}) {
    const place = where && offset !== null ? `${where} (byte ${offset})` : where || (offset !== null ? `byte ${offset}` : '');
    const facts = [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(', ');
    super(what + (place && `, at ${place}`) + (facts && `: ${facts}`));
    this.name = 'RetroposeError';
    Object.assign(this, { status, what, where, offset, expected, found });
  }
}

export const invalid = (what, expected = '', found = '') =>
  new RetroposeError('invalid', what, { expected, found: String(found) });

/* ---- arguments ------------------------------------------------------------------------------- */

export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  throw invalid('these are no bytes', 'an ArrayBuffer or a view of one', typeof source);
}

export function number(value, what) {
  if (typeof value !== 'number') throw invalid(`${what} is no number`, 'a number', typeof value);
  return value;
}

/* A time or a weight, which the module takes as 32 bits. */
export function time(value) {
  if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) {
    throw invalid('a time or a weight is no number', 'a finite number', value);
  }
  return value;
}

export function index(value, end, what) {
  if (!Number.isInteger(value) || value < 0 || value >= end) {
    throw invalid(`there is no such ${what}`, `a whole number from 0 to ${end - 1}`, value);
  }
  return value;
}

export function choice(value, choices, what) {
  const at = choices.indexOf(value);
  if (at < 0) throw invalid(`unknown ${what}`, choices.join(', '), value);
  return at;
}

/* Returns `out` where it is given and has the length, or else a new array. */
export function room(out, length) {
  if (out === undefined || out === null) return new Float32Array(length);
  if (!(out instanceof Float32Array) || out.length !== length) {
    throw invalid('the array for the result does not fit', `a Float32Array of ${length}`, out?.length ?? typeof out);
  }
  return out;
}

/* ---- texts ----------------------------------------------------------------------------------- */

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const cyrillic = new TextDecoder('windows-1251');
export const latin = new TextDecoder('windows-1252');
export const decodeName = (bytes) => cyrillic.decode(bytes);

const cyrillicBytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [cyrillic.decode(Uint8Array.of(byte)), byte]));

/* A name as the bytes of Windows-1251, or null where it has a character that they lack. */
export function encodeName(name) {
  const bytes = Array.from(String(name), (letter) => cyrillicBytes.get(letter));
  return bytes.includes(undefined) || bytes.includes(0) ? null : Uint8Array.from(bytes);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Reads what the module wrote with JsResult_*, in the same order. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  #step(size) {
    const at = this.at;
    this.at += size;
    return at;
  }

  u32() { return this.view.getUint32(this.#step(4), true); }
  i32() { return this.view.getInt32(this.#step(4), true); }
  f32() { return this.view.getFloat32(this.#step(4), true); }
  f64() { return this.view.getFloat64(this.#step(8), true); }
  raw(size) { return this.bytes.slice(this.#step(size), this.at); }
  data() { return this.raw(this.u32()); }
  text() { return fromUtf8.decode(this.data()); }
  name() { return decodeName(this.data()); }
  floats(count) { return new Float32Array(this.raw(4 * count).buffer); }
  words(count) { return new Uint32Array(this.raw(4 * count).buffer); }

  findings() {
    const findings = [];
    const known = (value) => (value < 0 ? null : value);
    while (this.u32()) {
      const [rule, severity, what, expected, found] = Array.from({ length: 5 }, () => this.text());
      const offset = known(this.f64());
      const [entry, stream, node, element] = Array.from({ length: 4 }, () => known(this.i32()));
      const where = Object.entries({ stream, node, entry, element, byte: offset })
        .filter(([, place]) => place !== null).map(([name, place]) => `${name} ${place}`).join(', ');
      findings.push({ rule, severity, what, where, expected, found, offset, entry, stream, node, element });
    }
    return findings;
  }
}

/* ---- the module ------------------------------------------------------------------------------ */

const BAD_FILE = 8; // errno of WASI

export class Module {
  #crashed = false;
  #floats = new Float32Array();
  #load = null;
  #watch = null;

  constructor(compiled) {
    const refuse = () => BAD_FILE; // there are no files, and nothing is printed
    const wasi = {};
    for (const { module, name, kind } of WebAssembly.Module.imports(compiled)) {
      if (module === 'wasi_snapshot_preview1' && kind === 'function') wasi[name] = refuse;
    }
    wasi.proc_exit = () => { throw new WebAssembly.RuntimeError('the module ended itself'); };
    const instance = new WebAssembly.Instance(compiled, {
      wasi_snapshot_preview1: wasi,
      retropose: { load: (uri, size) => this.#answer(uri, size), progress: (done, total) => this.#tell(done, total) },
    });
    this.memory = instance.exports.memory;
    this.calls = {};
    for (const [name, call] of Object.entries(instance.exports)) {
      if (typeof call === 'function') this.calls[name] = this.#guard(call);
    }
    this.calls._initialize?.();
    this.numbersAt = this.calls.JsMemory_Numbers();
  }

  get crashed() { return this.#crashed; }

  /* A trap leaves the module's memory in a state that nobody knows: no call is made any more. */
  #guard(call) {
    return (...values) => {
      if (this.#crashed) {
        throw new RetroposeError('crashed', 'this instance of the library has crashed before',
          { expected: 'another one, made by instantiate()' });
      }
      try {
        return call(...values);
      } catch (error) {
        this.#crashed = true;
        throw new RetroposeError('crashed', 'the library has crashed', { found: error.message });
      }
    };
  }

  /* ---- memory ---- */

  bytes(at, size) { return new Uint8Array(this.memory.buffer, at, size); }

  /* All of the memory as floats; the view is made again when the memory has grown. */
  get floats() {
    if (this.#floats.buffer !== this.memory.buffer) this.#floats = new Float32Array(this.memory.buffer);
    return this.#floats;
  }

  allocate(size) {
    const at = this.calls.JsMemory_New(size);
    if (!at) throw new RetroposeError('no memory', 'the memory does not suffice', { found: `${size} bytes` });
    return at;
  }

  work(size) {
    const at = this.calls.JsMemory_Work(size);
    if (!at) throw new RetroposeError('no memory', 'the memory does not suffice', { found: `${size} bytes` });
    return at;
  }

  copyFloats(at, out) {
    out.set(this.floats.subarray(at / 4, at / 4 + out.length));
    return out;
  }

  /* Puts numbers where a call takes them, from place `first` on. */
  put(values, count, first = 0) {
    if (values?.length !== count) throw invalid('a vector or matrix has another length', String(count), values?.length);
    for (let i = 0; i < count; i++) this.floats[this.numbersAt / 4 + first + i] = number(values[i], 'an element');
  }

  take(count, first = 0) { return this.copyFloats(this.numbersAt + 4 * first, new Float32Array(count)); }

  /* Calls `use` with pointers to copies of texts (null is "") and bytes, each ended by a NUL. */
  with(values, use) {
    const blocks = [];
    try {
      for (const value of values) {
        const bytes = value instanceof Uint8Array ? value : utf8.encode(value ?? '');
        const at = this.allocate(bytes.length + 1);
        blocks.push(at);
        this.bytes(at, bytes.length + 1).set(bytes);
        this.bytes(at + bytes.length, 1)[0] = 0;
      }
      return use(...blocks);
    } finally {
      if (!this.#crashed) for (const at of blocks) this.calls.JsMemory_Free(at);
    }
  }

  /* A copy of a file's bytes as a JsImage, which whoever takes it frees. */
  image(source) {
    const bytes = bytesOf(source);
    const image = this.open(this.calls.JsImage_New(bytes.length));
    this.bytes(this.calls.JsImage_Bytes(image), bytes.length).set(bytes);
    return image;
  }

  imageBytes(image) {
    return this.bytes(this.calls.JsImage_Bytes(image), this.calls.JsImage_Size(image)).slice();
  }

  /* ---- results and errors ---- */

  text(at) {
    const memory = this.bytes(at, this.memory.buffer.byteLength - at);
    return fromUtf8.decode(memory.slice(0, memory.indexOf(0)));
  }

  fail() {
    const offset = this.calls.JsError_Offset();
    const [what, where, expected, found] = [0, 1, 2, 3].map((field) => this.text(this.calls.JsError_Text(field)));
    throw new RetroposeError(this.text(this.calls.JsError_Status()), what,
      { where, offset: offset < 0 ? null : offset, expected, found });
  }

  /* Throws where a call gave no pointer. */
  open(pointer) { return pointer || this.fail(); }

  /* Throws where a call failed; else takes the bytes of its result. */
  resultBytes(status) {
    if (status) {
      this.calls.JsResult_Clear();
      this.fail();
    }
    const bytes = this.bytes(this.calls.JsResult_Data(), this.calls.JsResult_Size()).slice();
    this.calls.JsResult_Clear();
    return bytes;
  }

  result(status) { return new Reader(this.resultBytes(status)); }
  resultText(status) { return fromUtf8.decode(this.resultBytes(status)); }
  check(status) { if (status) this.fail(); }

  /* ---- settings ---- */

  /* Sets readings and arithmetic for the call that follows. */
  settings({ readings, build = 'generic', controlWord = 0, estimates = 'intel' } = {}) {
    let text = readings ?? '';
    if (typeof text === 'object') text = Object.entries(text).map(([name, value]) => `${name}=${value}`).join(',');
    if (typeof text !== 'string') throw invalid('readings are text or an object', 'such as "key-order=wxyz"', typeof text);
    const kind = choice(build, ['generic', 'fxch', 'sse'], 'build');
    const whose = choice(estimates, ['intel', 'amd'], 'estimates') + 1;
    this.with([text], (at) => this.check(this.calls.JsSettings_Set(at, kind, number(controlWord, 'the control word'), whose)));
  }

  /* ---- parts of glTF files ---- */

  /* Answers what Js_Load asks for while `use` runs, by `load`. What `load` throws is thrown behind it. */
  loading(load, use) {
    const kept = { failure: null };
    this.#load = { load, kept };
    try {
      return use();
    } catch (error) {
      throw kept.failure ?? error;
    } finally {
      this.#load = null;
    }
  }

  #answer(uri, size) {
    try {
      const answer = this.#load?.load?.(this.text(uri));
      if (answer === null || answer === undefined) return 0;
      const bytes = bytesOf(answer);
      const at = this.allocate(bytes.length);
      this.bytes(at, bytes.length).set(bytes);
      new DataView(this.memory.buffer).setUint32(size, bytes.length, true);
      return at;
    } catch (error) {
      if (this.#load) this.#load.kept.failure = error;
      return 0;
    }
  }

  /* ---- how far a run is ---- */

  /* Calls `progress` with the numbers of calls while `use` runs. What it throws is thrown behind it. */
  watching(progress, use) {
    const watch = { progress, failure: null };
    this.#watch = watch;
    try {
      return use();
    } catch (error) {
      throw watch.failure ?? error;
    } finally {
      this.#watch = null;
    }
  }

  #tell(done, total) {
    try {
      return this.#watch?.progress?.(done, total) === false ? 0 : 1;
    } catch (error) {
      this.#watch.failure = error;
      return 0;
    }
  }
}

/* ---- handles --------------------------------------------------------------------------------- */

export const POINTER = Symbol('pointer');
export const MODULE = Symbol('module');

const forgotten = new FinalizationRegistry(({ module, release, pointer }) => {
  if (!module.crashed) module.calls[release](pointer);
});

/* Something that keeps memory in the module until it is closed. `release` is the name of the function that
 * frees it. */
export class Handle {
  #module;
  #pointer;
  #release;

  constructor(module, pointer, release) {
    this.#module = module;
    this.#pointer = pointer;
    this.#release = release;
    forgotten.register(this, { module, release, pointer }, this);
  }

  get [MODULE]() { return this.#module; }

  get [POINTER]() {
    if (!this.#pointer) throw invalid('this object is closed', 'an open one', 'a closed one');
    return this.#pointer;
  }

  get closed() { return this.#pointer === 0; }

  close() {
    if (!this.#pointer) return;
    forgotten.unregister(this);
    if (!this.#module.crashed) this.#module.calls[this.#release](this.#pointer);
    this.#pointer = 0;
  }
}
Handle.prototype[Symbol.dispose ?? Symbol.for('Symbol.dispose')] = Handle.prototype.close;
