/* Animations of LEGO Island. */
import { Handle, MODULE, POINTER, choice, index, latin, number, time as timeOf } from './module.js';
import { READ_MODES } from './archive.js';

const POLICIES = ['S', 'D'];
const CAMERA = ['moved', 'at target', 'upright', 'without goal'];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const MOST_TIME = 0x7FFFFFFF;

const policyOf = (policy) => choice(policy, POLICIES, 'policy');

export class Ani extends Handle {
  constructor(module, bytes, { mode = 'tolerant', form = 'file' } = {}) {
    const body = choice(form, ['file', 'body'], 'form'), strict = choice(mode, READ_MODES, 'mode');
    super(module, module.open(module.calls.JsAni_Open(module.image(bytes), body, strict)), 'JsAni_Close');
    const facts = module.result(module.calls.JsAni_Facts(this[POINTER]));
    const name = () => latin.decode(facts.data());
    this.duration = facts.i32();
    [this.hasHeader, this.hasCamera, this.damaged] = [facts.u32() !== 0, facts.u32() !== 0, facts.u32() !== 0];
    this.actors = Array.from({ length: facts.u32() }, () => ({ name: name(), type: facts.u32() }));
    this.nodes = Array.from({ length: facts.u32() }, () => {
      const node = { name: name(), parent: facts.i32(), depth: facts.u32() };
      const [translation, rotation, scale, morph] = Array.from({ length: 4 }, () => facts.words(facts.u32()));
      return { ...node, keys: { translation, rotation, scale, morph } };
    });
  }

  find(name, after = -1) {
    const bytes = Uint8Array.from(String(name), (letter) => letter.charCodeAt(0) & 0xFF);
    if (after !== -1) index(after, this.nodes.length, 'node');
    return this[MODULE].with([bytes], (at) => this[MODULE].calls.JsAni_Find(this[POINTER], at, after));
  }

  sample(time, { policy = 'S', parent = IDENTITY } = {}) {
    const module = this[MODULE], count = this.nodes.length;
    const whole = Math.trunc(Math.max(-MOST_TIME, Math.min(MOST_TIME, timeOf(time)))) || 0;
    module.put(parent, 16);
    const result = module.result(module.calls.JsAni_Sample(this[POINTER], whole, policyOf(policy)));
    return { local: result.floats(16 * count), world: result.floats(16 * count), visible: result.raw(count) };
  }

  sampleParts(node, time, policy = 'S') {
    index(node, this.nodes.length, 'node');
    const result = this[MODULE].result(
      this[MODULE].calls.JsAni_Parts(this[POINTER], node, timeOf(time), policyOf(policy)));
    const part = (count) => {
      const there = result.u32(), values = result.floats(count);
      return there ? values : null;
    };
    return { translation: part(3), rotation: part(4), scale: part(3) };
  }

  sampleCamera(time, { policy = 'S', base = IDENTITY } = {}) {
    const module = this[MODULE];
    module.put(base, 16);
    const result = CAMERA[module.calls.JsAni_Camera(this[POINTER], timeOf(time), policyOf(policy))];
    return { matrix: module.take(16), result };
  }

  check() { return this[MODULE].result(this[MODULE].calls.JsAni_Check(this[POINTER])).findings(); }
  dump() { return JSON.parse(this[MODULE].resultText(this[MODULE].calls.JsAni_Dump(this[POINTER]))); }

  exportGlb({ policy = 'S', step = 0 } = {}) {
    return this[MODULE].resultBytes(
      this[MODULE].calls.JsAni_Export(this[POINTER], policyOf(policy), number(step, 'the step')));
  }

  bytes() { return this[MODULE].imageBytes(this[MODULE].calls.JsAni_Image(this[POINTER])); }
}
