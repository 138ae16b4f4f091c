/* Animations of Asheron's Call: frames of parts, each in the object's space. */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { library } from './library.js';
import { bounded, measure, Subject } from './subject.js';

/* x right, y forward, z up, as in the game's client. */
const UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
const FPS = 30; // what the client's tables mostly ask for; the resource has no such number

const place = new Vector3();
const turn = new Quaternion();
const ONE = new Vector3(1, 1, 1);

/* A frame of seven numbers, the origin and w, x, y, z, as a matrix. */
function compose(matrix, f, at) {
  turn.set(f[at + 4], f[at + 5], f[at + 6], f[at + 3]);
  return matrix.compose(place.set(f[at], f[at + 1], f[at + 2]), turn, ONE);
}

export class AcSubject extends Subject {
  constructor(item) {
    const animation = library().openAcAnimation(item.bytes());
    super({
      kind: 'ac', name: item.name, source: item.source, axes: UP, unit: '', step: 1, fps: FPS, frames: Math.max(1, animation.frameCount),
    });
    Object.assign(this, { item, animation });
    const hooks = [];
    for (let frame = 0; frame < animation.frameCount; frame++) for (const hook of animation.hooks(frame)) hooks.push([frame, hook]);
    for (let part = 0; part < animation.partCount; part++) this.addNode({ name: `part ${part}`, parent: -1 });
    this.link();
    this.times = [...new Set(hooks.map(([frame]) => frame))];
    this.info = {
      counts: { parts: animation.partCount, frames: animation.frameCount, hooks: hooks.length },
      facts: [['resource', `0x${animation.id.toString(16).toUpperCase().padStart(8, '0')}`], ['moves the object', animation.frameCount > 0 && animation.posFrame(0) ? 'yes' : 'no'],
        ...hooks.slice(0, 100).map(([frame, hook]) => [`frame ${frame}`, `hook ${hook.name || hook.type}`])],
    };
    this.#walk();
    const points = [];
    for (let frame = 0; frame < this.frames; frame++) {
      this.setTime({ frame });
      for (const node of this.nodes) points.push({ object: { matrixWorld: node.object.matrixWorld.clone() } });
    }
    this.bounds = bounded(measure([], points));
    this.setTime({ frame: 0 });
  }

  /* Where the object is after the movements of all frames before. */
  #walk() {
    const step = new Matrix4();
    let at = new Matrix4();
    this.path = [];
    for (let frame = 0; frame < this.frames; frame++) {
      this.path.push(at.clone());
      const moved = frame < this.animation.frameCount ? this.animation.posFrame(frame) : null;
      if (moved) at = at.multiply(compose(step, moved, 0));
    }
  }

  setTime({ frame, root = true }) {
    this.time = { frame, root };
    if (this.animation.frameCount === 0) return;
    // The client shows the frame at or below the cursor.
    const whole = Math.min(Math.floor(frame), this.lastFrame);
    const parts = this.animation.frame(whole);
    this.matrices = parts;
    for (const node of this.nodes) {
      compose(node.object.matrix, parts, node.index * 7);
      if (root) node.object.matrix.premultiply(this.path[whole]);
    }
    this.root.updateMatrixWorld(true);
  }

  close() {
    this.animation.close();
  }
}
