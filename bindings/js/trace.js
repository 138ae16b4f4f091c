/* Traces, and functions of somebody's own checked against them. */
import { Handle, MODULE, POINTER, invalid, number } from './module.js';

const MOST_NUMBERS = 64; // that are tried for a parameter of unknown size

class TraceCall {
  #trace;
  #turn;

  constructor(trace, turn, result) {
    this.#trace = trace;
    this.#turn = turn;
    this.function = result.text();
    this.sequence = result.f64();
    this.outcome = result.text();
    [this.controlWord, this.controlWordAfter] = [result.u32(), result.u32()];
    [this.mxcsr, this.mxcsrAfter, this.violations] = [result.u32(), result.u32(), result.u32()];
    [this.inputs, this.outputs] = [result.data(), result.data()];
  }

  #numbers(name, count, isResult) {
    this.#trace.demand(this.#turn);
    const known = `${isResult} ${this.function} ${name}`;
    const size = count ?? this.#trace.sizes.get(known);
    for (let tried = size ?? 1; tried <= (size ?? MOST_NUMBERS); tried++) {
      const values = this.#trace.numbers(name, isResult, tried);
      if (!values) continue;
      this.#trace.sizes.set(known, tried);
      return values;
    }
    return null;
  }

  input(name, count) { return this.#numbers(name, count, false); }
  result(name, count) { return this.#numbers(name, count, true); }

  skeleton() {
    this.#trace.demand(this.#turn);
    return this.#trace.skeleton();
  }
}

/* What a trace's calls ask of it. */
class Cursor {
  turn = 0;
  sizes = new Map(); // of the parameters of functions

  constructor(trace) {
    this.trace = trace;
  }

  demand(turn) {
    if (turn !== this.turn) throw invalid('the trace is at another call', 'the call that was read last', 'an earlier one');
  }

  numbers(name, isResult, count) {
    const module = this.trace[MODULE], at = module.work(4 * count);
    const found = module.with([name], (text) => module.calls.JsTrace_Numbers(this.trace[POINTER], text, isResult, at, count));
    return found ? module.copyFloats(at, new Float32Array(count)) : null;
  }

  skeleton() {
    const module = this.trace[MODULE];
    const result = module.result(module.calls.JsTrace_Skeleton(this.trace[POINTER]));
    if (!result.u32()) return null;
    const node = result.u32(), frameCount = result.u32();
    return { node, frameCount, nodes: result.data(), keys: result.data(), frameMap: result.data() };
  }
}

export class Trace extends Handle {
  #cursor = new Cursor(this);

  constructor(module, bytes) {
    super(module, module.open(module.calls.JsTrace_Open(module.image(bytes))), 'JsTrace_Close');
  }

  header(key) {
    const module = this[MODULE];
    const result = module.with([key], (at) => module.result(module.calls.JsTrace_Header(this[POINTER], at)));
    return result.u32() ? result.text() : null;
  }

  [Symbol.iterator]() { return this.calls(); }

  *calls() {
    const module = this[MODULE], cursor = this.#cursor;
    module.check(module.calls.JsTrace_Rewind(this[POINTER]));
    let turn = ++cursor.turn;
    for (;;) {
      cursor.demand(turn);
      const result = module.result(module.calls.JsTrace_Next(this[POINTER]));
      turn = ++cursor.turn;
      if (!result.u32()) return;
      yield new TraceCall(cursor, turn, result);
    }
  }
}

/* ---- functions of somebody's own ------------------------------------------------------------- */

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/* The place of a float among all floats in their order; -0 comes just before +0. */
function place(value) {
  float[0] = value;
  return bits[0] < 0 ? -1 - (bits[0] & 0x7FFFFFFF) : bits[0];
}

export function ulpsBetween(a, b) {
  const numbers = !Number.isNaN(a) + !Number.isNaN(b);
  if (numbers < 2) return numbers === 0 ? 0 : Infinity;
  return Math.abs(place(a) - place(b));
}

class Agreement {
  calls = 0;
  same = 0;
  near = 0;
  far = 0;
  mostUlps = 0;
  first = null;

  toString() {
    const differ = this.calls - this.same;
    return `${differ} of ${this.calls} calls differ${differ ? `, at most ${this.mostUlps} ulps` : ''}`;
  }
}

function compare(agreement, sequence, expected, found, ulps) {
  const worst = expected.reduce((most, value, i) => Math.max(most, ulpsBetween(value, found[i])), 0);
  agreement.calls++;
  agreement.mostUlps = Math.max(agreement.mostUlps, worst);
  if (worst === 0) agreement.same++;
  else if (worst <= ulps) agreement.near++;
  else agreement.far++;
  if (worst > 0) agreement.first ??= { sequence, expected, found };
}

/* Compares what `answer` gives for each call of a function with its result. */
function checkCalls(trace, name, { ulps = 2 } = {}, recorded, answer) {
  const agreement = new Agreement();
  number(ulps, 'ulps');
  for (const call of trace) {
    if (call.function !== name || call.outcome !== 'returned') continue;
    const expected = recorded(call), found = answer(call);
    if (expected && found) compare(agreement, call.sequence, expected, Float32Array.from(found), ulps);
  }
  return agreement;
}

export function checkSampler(trace, sampler, options) {
  const recorded = (call) => Float32Array.of(...call.result('quaternion', 4), ...call.result('position', 3));
  return checkCalls(trace, 'animesh.SampleNode', options, recorded, (call) => {
    const skeleton = call.skeleton();
    if (!skeleton) return null;
    const { quaternion, position } = sampler(skeleton, call.input('t', 1)[0]);
    return [...quaternion, ...position];
  });
}

export function checkSlerp(trace, slerp, options) {
  return checkCalls(trace, 'ngi32.slot17', options, (call) => call.result('result', 4), (call) =>
    slerp(call.input('q0', 4), call.input('q1', 4), call.input('t', 1)[0]));
}
