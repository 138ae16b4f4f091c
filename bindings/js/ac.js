/* Animations and motions of Asheron's Call. */
import { Handle, MODULE, POINTER, choice, index, invalid, number } from './module.js';
import { READ_MODES } from './archive.js';

const FRAME = 7;
const RESULTS = { 0: 'done', 7: 'no table', 67: 'refused' };
const COMMANDS = { do: 2, stop: 4, stopAll: 5 };
const HAPPENED = { hook: 1, animationDone: 2, motionDone: 3 };

function readHook(result) {
  const type = result.u32(), name = result.text(), direction = result.i32();
  const fields = Object.fromEntries(Array.from({ length: result.u32() }, () => [result.text(), result.f64()]));
  return { type, name, direction, fields };
}

function readEvents(result) {
  const events = [];
  for (let kind = result.u32(); kind; kind = result.u32()) {
    if (kind === HAPPENED.animationDone) {
      events.push({ event: 'animation done' });
    } else if (kind === HAPPENED.motionDone) {
      events.push({ event: 'motion done', motion: result.u32(), success: result.u32() !== 0 });
    } else {
      const place = { animation: result.u32(), frame: result.u32(), direction: result.i32() };
      events.push({ event: 'hook', ...place, hook: readHook(result) });
    }
  }
  return events;
}

export class AcAnimation extends Handle {
  constructor(module, bytes, { mode = 'tolerant' } = {}) {
    const strict = choice(mode, READ_MODES, 'mode');
    super(module, module.open(module.calls.JsAcAnimation_Open(module.image(bytes), strict)), 'JsAcAnimation_Close');
    const facts = module.result(module.calls.JsAcAnimation_Facts(this[POINTER]));
    [this.id, this.partCount, this.frameCount] = [facts.u32(), facts.u32(), facts.u32()];
    this.damaged = facts.u32() !== 0;
  }

  #read(at) {
    index(at, this.frameCount, 'frame');
    const result = this[MODULE].result(this[MODULE].calls.JsAcAnimation_Frame(this[POINTER], at));
    const posFrame = result.u32() ? result.floats(FRAME) : null;
    const parts = result.floats(FRAME * this.partCount);
    return { posFrame, parts, hooks: Array.from({ length: result.u32() }, () => readHook(result)) };
  }

  frame(at) { return this.#read(at).parts; }
  posFrame(at) { return this.#read(at).posFrame; }
  hooks(at) { return this.#read(at).hooks; }
  check() { return this[MODULE].result(this[MODULE].calls.JsAcAnimation_Check(this[POINTER])).findings(); }
  dump() { return JSON.parse(this[MODULE].resultText(this[MODULE].calls.JsAcAnimation_Dump(this[POINTER]))); }
  bytes() { return this[MODULE].imageBytes(this[MODULE].calls.JsAcAnimation_Image(this[POINTER])); }
}

export class AcMotionTable extends Handle {
  constructor(module, bytes, { mode = 'tolerant' } = {}) {
    const strict = choice(mode, READ_MODES, 'mode');
    super(module, module.open(module.calls.JsAcTable_Open(module.image(bytes), strict)), 'JsAcTable_Close');
    const facts = module.result(module.calls.JsAcTable_Facts(this[POINTER]));
    [this.id, this.defaultStyle] = [facts.u32(), facts.u32()];
    this.damaged = facts.u32() !== 0;
    this.animations = [...new Set(facts.words(facts.u32()))].sort((a, b) => a - b);
  }

  check() { return this[MODULE].result(this[MODULE].calls.JsAcTable_Check(this[POINTER])).findings(); }
  dump() { return JSON.parse(this[MODULE].resultText(this[MODULE].calls.JsAcTable_Dump(this[POINTER]))); }
  bytes() { return this[MODULE].imageBytes(this[MODULE].calls.JsAcTable_Image(this[POINTER])); }
  createMotion(animations) { return new AcMotion(this, [...animations]); }
}

class AcMotion extends Handle {
  #waiting = []; // what commands ended since the last tick

  constructor(table, animations) {
    const module = table[MODULE];
    if (animations.some((one) => !(one instanceof AcAnimation) || one[MODULE] !== module)) {
      throw invalid('these are no animations of this instance of the library', 'AcAnimation objects');
    }
    const pointers = Uint32Array.from(animations, (one) => one[POINTER]);
    const at = module.work(4 * pointers.length);
    module.bytes(at, 4 * pointers.length).set(new Uint8Array(pointers.buffer));
    super(module, module.open(module.calls.JsAcMotion_New(table[POINTER], at, pointers.length)), 'JsAcMotion_Close');
  }

  #state() {
    const result = this[MODULE].result(this[MODULE].calls.JsAcMotion_State(this[POINTER]));
    const style = result.u32(), substate = result.u32(), shows = result.u32();
    const current = { animation: result.u32(), frame: result.u32(), position: result.f64() };
    return { style, substate, current: shows ? current : null };
  }

  get style() { return this.#state().style; }
  get substate() { return this.#state().substate; }
  current() { return this.#state().current; }

  #perform(command, motion, speed) {
    const module = this[MODULE];
    const status = module.calls.JsAcMotion_Perform(this[POINTER], command, number(motion, 'a motion'),
      number(speed, 'the speed'));
    const result = module.result(status);
    this.#waiting.push(...readEvents(result));
    return RESULTS[result.u32()] ?? 'refused';
  }

  do(motion, speed = 1) { return this.#perform(COMMANDS.do, motion, speed); }
  stop(motion) { return this.#perform(COMMANDS.stop, motion, 1); }
  stopAll() { return this.#perform(COMMANDS.stopAll, 0, 1); }

  tick(seconds) {
    const module = this[MODULE];
    const result = module.result(module.calls.JsAcMotion_Tick(this[POINTER], number(seconds, 'a time')));
    const events = [...this.#waiting.splice(0), ...readEvents(result)];
    return { offset: result.floats(FRAME), events };
  }

  pose({ interpolate = false, scale = [1, 1, 1], object = [0, 0, 0, 1, 0, 0, 0] } = {}) {
    const module = this[MODULE];
    module.put(object, FRAME);
    module.put(scale, 3, FRAME);
    const result = module.result(module.calls.JsAcMotion_Pose(this[POINTER], Boolean(interpolate)));
    return result.floats(FRAME * result.u32());
  }
}
