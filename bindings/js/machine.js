/* Pairs of the game's DLLs in a machine, called, run over traces, and compared. machine.d.ts is the manual. */
import { Handle, MODULE, Module, POINTER, bytesOf, index, invalid, number } from './module.js';
import { compiledFrom } from './fetch.js';

const MODULES = ['ngi32', 'animesh'];
const COUNTS = ['compared', 'different', 'processor', 'crashed', 'failedAlike', 'wroteOutside', 'notComparable',
  'notCalled', 'unsupported'];
const MOST_ARGUMENTS = 64;
const VERDICTS = ['same', 'same on paths', 'differs', 'cannot say', 'not read'];

const counts = (result) => Object.fromEntries(COUNTS.map((name) => [name, result.f64()]));

class Pair extends Handle {
  constructor(module, ngi32, animesh, { processor = '', forceCpu = -1, mostInstructions = 0, mostMemory = 0, trust = false, coverage = false } = {}) {
    number(forceCpu, 'forceCpu');
    number(mostInstructions, 'mostInstructions');
    number(mostMemory, 'mostMemory');
    const first = module.image(ngi32);
    let second;
    try {
      second = module.image(animesh);
    } catch (error) {
      module.calls.JsImage_Release(first);
      throw error;
    }
    super(module, module.with([processor], (at) => module.open(module.calls.JsPair_Open(first, second, at, forceCpu,
      mostInstructions, mostMemory, Boolean(trust), Boolean(coverage)))), 'JsPair_Close');
    const facts = module.result(module.calls.JsPair_Facts(this[POINTER]));
    this.kind = facts.text();
    this.description = facts.text();
    this.sha256 = { 'Ngi32.dll': facts.text(), 'AniMesh.dll': facts.text() };
    [this.engine, this.processor] = [facts.text(), facts.text()];
    [this.isPublished, this.isSoftware] = [facts.u32() !== 0, facts.u32() !== 0];
  }

  export(module, name) {
    const at = MODULES.indexOf(module);
    if (at < 0) throw invalid('there is no such module', MODULES.join(', '), module);
    const own = this[MODULE];
    return own.with([name], (text) => own.calls.JsPair_Export(this[POINTER], at, text) >>> 0) || null;
  }

  slot(slot) { return this[MODULE].calls.JsPair_Slot(this[POINTER], index(slot, 68, 'slot')) >>> 0 || null; }
  allocate(size) { return this[MODULE].calls.JsPair_Allocate(this[POINTER], number(size, 'the size')) >>> 0 || null; }

  read(address, size) {
    const module = this[MODULE], at = module.work(number(size, 'the size'));
    module.check(module.calls.JsPair_Read(this[POINTER], number(address, 'the address'), at, size));
    return module.bytes(at, size).slice();
  }

  write(address, bytes) {
    const module = this[MODULE], source = bytesOf(bytes), at = module.work(source.length);
    module.bytes(at, source.length).set(source);
    module.check(module.calls.JsPair_Write(this[POINTER], number(address, 'the address'), at, source.length));
  }

  call(address, words = [], { ecx = 0, edx = 0, controlWord = 0x007F, mxcsr = 0x1F80 } = {}) {
    const module = this[MODULE];
    if (words.length > MOST_ARGUMENTS) throw invalid('a call has too many arguments', `at most ${MOST_ARGUMENTS}`, words.length);
    const at = module.work(4 * words.length);
    const view = new DataView(module.memory.buffer, at, 4 * words.length);
    words.forEach((word, i) => view.setUint32(4 * i, number(word, 'an argument'), true));
    const result = module.result(module.calls.JsPair_Call(this[POINTER], number(address, 'the address'), at, words.length,
      ecx, edx, controlWord, mxcsr));
    const done = { outcome: result.text(), eax: result.u32(), edx: result.u32() };
    const returnedFloat = result.u32() !== 0, st0 = result.data();
    return Object.assign(done, { st0: returnedFloat ? st0 : null, controlWord: result.u32(), mxcsr: result.u32(),
      popped: result.u32(), exception: result.u32(), module: result.text() || null, offset: result.u32(),
      exitCode: result.u32(), reason: result.text() });
  }

  restore() { this[MODULE].check(this[MODULE].calls.JsPair_Restore(this[POINTER])); }

  run(trace, progress) {
    const module = this[MODULE], source = bytesOf(trace);
    return module.watching(progress, () => module.with([source], (at) =>
      module.resultBytes(module.calls.JsPair_Run(this[POINTER], at, source.length))));
  }

  reason(key) {
    const module = this[MODULE];
    return module.with([key], (at) => module.text(module.calls.JsPair_Reason(this[POINTER], at)));
  }

  coverage(key = '') {
    const module = this[MODULE];
    const result = module.with([key], (at) => module.result(module.calls.JsPair_Coverage(this[POINTER], at)));
    return { blocks: result.f64(), blocksReached: result.f64(), sides: result.f64(), sidesReached: result.f64() };
  }
}

class Formulas extends Handle {
  constructor(module, original, replacement) {
    super(module, module.open(module.calls.JsFormulas_Open(original[POINTER], replacement[POINTER])), 'JsFormulas_Close');
    this.builds = module.text(module.calls.JsFormulas_Builds(this[POINTER]));
  }

  compare(key) {
    const module = this[MODULE];
    const result = module.with([key], (at) => module.result(module.calls.JsFormulas_Compare(this[POINTER], at)));
    return { verdict: VERDICTS[result.u32()], hasExceptions: result.u32() !== 0, words: result.text() };
  }
}

class Comparison extends Handle {
  constructor(module, mostDifferences = 20) {
    super(module, module.open(module.calls.JsComparison_New(number(mostDifferences, 'the number of differences'))),
      'JsComparison_Close');
  }

  add(a, b, name = 'trace') {
    const module = this[MODULE], first = bytesOf(a), second = bytesOf(b);
    module.with([first, second, name], (x, y, text) => module.check(module.calls.JsComparison_Add(this[POINTER],
      x, first.length, y, second.length, text)));
  }

  read() {
    const result = this[MODULE].result(this[MODULE].calls.JsComparison_Read(this[POINTER]));
    const totals = counts(result), functions = [];
    while (result.u32()) {
      const row = { key: result.text(), name: result.text(), standing: result.text(), counts: counts(result) };
      row.difference = result.u32()
        ? { trace: result.text(), sequence: result.f64(), field: result.text(), a: result.text(), b: result.text() }
        : null;
      functions.push(row);
    }
    return { totals, functions };
  }

  json() { return this[MODULE].resultText(this[MODULE].calls.JsComparison_Json(this[POINTER])); }
}

class Machine {
  #module;

  constructor(compiled) { this.#module = new Module(compiled); }

  get crashed() { return this.#module.crashed; }

  openPair(ngi32, animesh, options) { return new Pair(this.#module, ngi32, animesh, options); }
  compare(mostDifferences) { return new Comparison(this.#module, mostDifferences); }
  formulas(original, replacement) { return new Formulas(this.#module, original, replacement); }
}

export { RetroposeError } from './module.js';

export function instantiateMachine(source) {
  return new Machine(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOf(source)));
}

export async function loadMachine(source = new URL('./machine.wasm', import.meta.url)) {
  if (typeof source !== 'string' && !(source instanceof URL)) return instantiateMachine(source);
  return new Machine(await compiledFrom(source));
}
