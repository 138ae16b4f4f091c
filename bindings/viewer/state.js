/* What the page shows, as one flat record of values. It is read from and written to the URL's hash,
 * so that every view can be linked to, and `retropose msh view --png` asks for one in the same way. */

const flag = (fallback) => ({
  fallback,
  read: (text) => text !== '0' && text !== 'false',
  write: (value) => (value ? '1' : '0'),
});

const number = (fallback, least, most) => ({
  fallback,
  read: (text) => {
    const value = Number(text);
    return text.trim() !== '' && Number.isFinite(value)
      ? Math.min(most, Math.max(least, value))
      : undefined;
  },
  write: (value) => String(Number(value.toFixed(4))),
});

const choice = (fallback, ...choices) => ({
  fallback,
  read: (text) => (choices.includes(text) ? text : undefined),
  write: (value) => value,
});

/* Numbers with commas between them; `undefined` for any other text. */
const numbers = (fallback, least, most) => ({
  fallback,
  read: (text) => {
    const values = text === '' ? [] : text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
    const fine = values.length >= least && values.length <= most && values.every(Number.isFinite);
    return fine ? values : undefined;
  },
  write: (values) => values.map((value) => Number(value.toFixed(4))).join(','),
});

/* Letters, digits and - = , for a list of readings; a model's name may be anything. */
const text = (allowed) => ({
  fallback: '',
  read: (value) => (allowed.test(value) && value.length <= 400 ? value : undefined),
  write: (value) => encodeURIComponent(value),
});

export const FIELDS = {
  model: text(/^.*$/su), // which one of a library; none: all of them, or the only one
  readings: text(/^[a-z0-9=,-]*$/), // none: those that the model's own numbers speak for
  frame: number(0, 0, 1e6),
  play: flag(false),
  blend: number(-1, -1, 1e6), // the second time, a whole frame; -1: none
  weight: number(0.5, 0, 1), // of the second time
  root: flag(true), // whether node 0 moves; the game's pose walk leaves it where it is
  fps: number(0, 0, 1000), // 0: as exported
  speed: number(1, 0.01, 100),
  loop: choice('repeat', 'repeat', 'pingpong', 'once'),
  range: numbers([], 0, 2), // first and last frame of the loop; none: all
  subframes: flag(true),
  cell: numbers([0, 0], 2, 2), // outer, inner word of a node's 15
  all: flag(false), // every cell at once
  fill: flag(false), // an empty cell shows the nearest earlier one
  camera: numbers([], 0, 3), // yaw, pitch in degrees, distance
  target: numbers([], 0, 3),
  ortho: flag(false),
  surface: choice('shaded', 'shaded', 'rows', 'clay', 'uv', 'uv2', 'normals'),
  wire: flag(false),
  vnormals: flag(false),
  cull: flag(false),
  bones: flag(false),
  axes: flag(false),
  boxes: flag(false),
  spheres: flag(false),
  extent: flag(false),
  eye: flag(false), // through an animation's own camera
  header: flag(false),
  ball: flag(false),
  cylinder: flag(false),
  labels: choice('none', 'none', 'sockets', 'all'),
  grid: flag(true),
  shadow: flag(true),
  node: number(-1, -1, 65535),
  hide: numbers([], 0, 65536),
  theme: choice('auto', 'auto', 'light', 'dark'),
  ui: flag(true),
};

const same = (a, b) => (Array.isArray(a) ? a.join() === b.join() : a === b);

export class State {
  #listeners = [];
  #values = {};

  constructor() {
    for (const key in FIELDS) this.#values[key] = FIELDS[key].fallback;
  }

  get(key) {
    return this.#values[key];
  }

  /* Listeners hear the set of keys that changed. */
  set(changes) {
    const changed = new Set();
    for (const key in changes) {
      if (same(this.#values[key], changes[key])) continue;
      this.#values[key] = changes[key];
      changed.add(key);
    }
    if (changed.size > 0) for (const listener of this.#listeners) listener(changed);
  }

  toggle(key) {
    this.set({ [key]: !this.#values[key] });
  }

  listen(listener) {
    this.#listeners.push(listener);
  }

  /* Takes what a hash says; everything it does not name goes back to its default. */
  readHash(hash) {
    const changes = {};
    for (const key in FIELDS) changes[key] = FIELDS[key].fallback;
    for (const [word, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
      const key = word === 'time' ? 'frame' : word; // milliseconds, of an animation
      const read = FIELDS[key]?.read(value);
      if (read !== undefined) changes[key] = read;
    }
    this.set(changes);
  }

  writeHash() {
    const words = [];
    for (const key in FIELDS) {
      if (key !== 'play' && !same(this.#values[key], FIELDS[key].fallback)) {
        words.push(`${key}=${FIELDS[key].write(this.#values[key])}`);
      }
    }
    return words.length > 0 ? `#${words.join('&')}` : '';
  }
}
