/* The animation bar: a clock, a slider with key marks, and the numbers beside it. */

import { $ } from './dom.js';

/* Frames are shown and linked to with at most four decimals. */
const rounded = (value) => Number(value.toFixed(4));

export class Timeline {
  #started = 0;
  #from = 0;

  constructor(state) {
    this.state = state;
    this.colours = { tick: '#888', key: '#fff', range: '#8884' };
    this.#wire();
    new ResizeObserver(() => this.model && this.drawTicks()).observe($('ticks'));
  }

  show(subject) {
    this.model = subject;
    const last = subject.lastFrame;
    for (const id of ['slider', 'frame', 'from', 'to', 'blend']) $(id).max = String(last);
    $('of').textContent = last > 0 ? `/ ${last}${subject.unit}` : 'one pose: this model does not move';
    $('bottom').classList.toggle('static', last === 0);
    $('bottom').classList.toggle('milliseconds', subject.unit !== '');
    for (const control of $('bottom').querySelectorAll('button, input, select')) control.disabled = last === 0;
  }

  #wire() {
    const { state } = this;
    const on = (id, kind, action) => $(id).addEventListener(kind, action);
    on('slider', 'input', () => this.seek(Number($('slider').value)));
    on('frame', 'change', () => this.seek($('frame').valueAsNumber));
    on('play', 'click', () => this.togglePlay());
    on('first', 'click', () => this.seek(this.range[0]));
    on('last', 'click', () => this.seek(this.range[1]));
    on('back', 'click', () => this.step(-1));
    on('next', 'click', () => this.step(1));
    on('key-back', 'click', () => this.stepKey(-1));
    on('key-next', 'click', () => this.stepKey(1));
    on('fps', 'change', () => {
      const fps = $('fps').valueAsNumber;
      state.set({ fps: fps > 0 && fps !== this.model.fps ? Math.min(fps, 1000) : 0 });
      this.update();
    });
    on('speed', 'change', () => state.set({ speed: Number($('speed').value) }));
    for (const id of ['from', 'to']) on(id, 'change', () => this.#takeRange());
  }

  #takeRange() {
    const clamp = (value, otherwise) => (Number.isFinite(value) ? Math.min(Math.max(value, 0), this.model.lastFrame) : otherwise);
    const from = clamp($('from').valueAsNumber, 0);
    const to = clamp($('to').valueAsNumber, this.model.lastFrame);
    const whole = from === 0 && to === this.model.lastFrame;
    this.state.set({ range: whole ? [] : [Math.min(from, to), Math.max(from, to)] });
    this.update();
  }

  get range() {
    const [from = 0, to = this.model.lastFrame] = this.state.get('range');
    const last = this.model.lastFrame;
    return [Math.min(Math.max(from, 0), last), Math.min(Math.max(to, 0), last)];
  }

  get fps() {
    return this.state.get('fps') || this.model.fps;
  }

  /* ---- moving ---- */

  seek(frame) {
    if (!Number.isFinite(frame)) return this.update();
    this.state.set({ play: false, frame: rounded(Math.min(Math.max(frame, 0), this.model.lastFrame)) });
    return undefined;
  }

  /* Off a whole frame, a step leads to the next whole one. */
  step(direction) {
    const frame = this.state.get('frame');
    const { step } = this.model;
    this.seek(step * (direction > 0 ? Math.floor(frame / step) + 1 : Math.ceil(frame / step) - 1));
  }

  get keys() {
    const node = this.model.nodes[this.state.get('node')];
    return node?.keys.length > 0 ? [...node.keys] : this.model.times;
  }

  stepKey(direction) {
    const frame = this.state.get('frame');
    const keys = this.keys;
    const next = direction > 0 ? keys.find((key) => key > frame + 1e-4) : keys.findLast((key) => key < frame - 1e-4);
    if (next !== undefined) this.seek(next);
  }

  togglePlay() {
    if (this.model.lastFrame === 0) return;
    const [from, to] = this.range;
    const frame = this.state.get('frame');
    const atEnd = this.state.get('loop') === 'once' && frame >= to;
    this.state.set({ play: !this.state.get('play'), ...(atEnd || frame < from || frame > to ? { frame: from } : {}) });
  }

  /* ---- the clock ---- */

  /* Starts to count at the present frame. */
  restart() {
    this.#started = performance.now();
    this.#from = this.state.get('frame');
  }

  /* The frame for this moment; stops behind the end of a single run. */
  advance() {
    const { state } = this;
    const [from, to] = this.range;
    const length = to - from;
    const passed = ((performance.now() - this.#started) / 1000) * this.fps * state.get('speed');
    let frame = this.#from + passed;
    let play = true;
    if (length <= 0) frame = from;
    else if (state.get('loop') === 'repeat') frame = from + ((((frame - from) % length) + length) % length);
    else if (state.get('loop') === 'pingpong') {
      const phase = (frame - from) % (2 * length);
      frame = from + (phase <= length ? phase : 2 * length - phase);
    } else if (frame >= to) {
      frame = to;
      play = false;
    }
    if (!state.get('subframes')) frame = Math.floor(frame);
    state.set({ frame: rounded(Math.min(Math.max(frame, 0), this.model.lastFrame)), play });
  }

  /* ---- showing ---- */

  update() {
    const { state } = this;
    const frame = state.get('frame');
    const [from, to] = this.range;
    const sub = state.get('subframes');
    $('slider').step = sub ? '0.05' : '1';
    $('slider').value = String(frame);
    $('slider').setAttribute('aria-valuetext', `${this.model.unit ? '' : 'frame '}${frame}${this.model.unit} of ${this.model.lastFrame}`);
    $('slider').style.setProperty('--at', `${(100 * frame) / Math.max(1, this.model.lastFrame)}%`);
    if (document.activeElement !== $('frame') || state.get('play')) {
      $('frame').value = sub && frame % 1 !== 0 ? frame.toFixed(2) : String(frame);
    }
    $('frame').step = sub ? 'any' : '1';
    $('frame').title = `frame ${frame}`;
    $('seconds').textContent = this.model.lastFrame > 0 ? `${(frame / this.fps).toFixed(3)} s` : '';
    $('fps').value = String(Number(this.fps.toFixed(3)));
    $('from').value = String(from);
    $('to').value = String(to);
    const speed = String(state.get('speed'));
    if (![...$('speed').options].some((option) => option.value === speed)) $('speed').add(new Option(`${speed}×`, speed));
    $('speed').value = speed;
    const play = state.get('play');
    $('play').setAttribute('aria-pressed', String(play));
    $('play').querySelector('use').setAttribute('href', play ? '#i-pause' : '#i-play');
    $('play').querySelector('.sr').textContent = play ? 'Pause' : 'Play';
  }

  drawTicks() {
    const canvas = $('ticks');
    const scale = devicePixelRatio;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width || !height) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const last = Math.max(1, this.model.lastFrame);
    const inset = 8; // half the slider's thumb
    const x = (frame) => inset + (frame / last) * (width - 2 * inset);
    const [from, to] = this.range;
    if (this.state.get('range').length > 0) {
      context.fillStyle = this.colours.range;
      context.fillRect(x(from), 0, x(to) - x(from), height);
    }
    this.#drawFrames(context, x, last, width, height);
    this.#drawKeys(context, x, height);
  }

  #drawFrames(context, x, last, width, height) {
    const wanted = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5, 6, 7].map((power) => digit * 10 ** power)).sort((a, b) => a - b);
    const every = wanted.find((step) => (step / last) * width >= 42) ?? last;
    const minor = wanted.find((step) => (step / last) * width >= 5) ?? every;
    context.fillStyle = this.colours.tick;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'center';
    for (let frame = 0; this.model.lastFrame > 0 && frame <= last; frame += minor) {
      const major = frame % every === 0;
      context.globalAlpha = major ? 0.9 : 0.35;
      context.fillRect(Math.round(x(frame)), height - (major ? 6 : 4), 1, major ? 6 : 4);
      if (!major) continue;
      const half = context.measureText(String(frame)).width / 2;
      context.fillText(String(frame), Math.min(Math.max(x(frame), half), width - half), 9);
    }
    context.globalAlpha = 1;
  }

  /* Diamonds; mere strokes where they would run into each other. */
  #drawKeys(context, x, height) {
    const keys = this.model.lastFrame > 0 ? this.keys.filter((key) => key >= 0 && key <= this.model.lastFrame) : [];
    const closest = Math.min(...keys.slice(1).map((key, i) => x(key) - x(keys[i])));
    const y = height - 11;
    context.fillStyle = this.colours.key;
    for (const key of keys) {
      const at = x(key);
      if (closest < 8) {
        context.fillRect(at - 0.5, y - 3, Math.min(1.5, closest * 0.6), 6);
        continue;
      }
      context.beginPath();
      context.moveTo(at, y - 3.2);
      context.lineTo(at + 3.2, y);
      context.lineTo(at, y + 3.2);
      context.lineTo(at - 3.2, y);
      context.fill();
    }
  }
}
