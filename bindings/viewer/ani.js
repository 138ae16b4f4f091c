/* Animations of LEGO Island: a tree of joints and a camera, sampled by the library. */
import { Matrix4, Vector3 } from 'three';
import { library } from './library.js';
import { bounded, measure, Subject } from './subject.js';

/* The game's space is left-handed: z is mirrored. */
const MIRRORED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];
const TRACKS = ['translation', 'rotation', 'scale', 'morph'];

export class AniSubject extends Subject {
  constructor(item, { policy = 'S', form = 'file' } = {}) {
    const ani = library().openAni(item.bytes(), { form });
    super({
      kind: 'ani', name: item.name, source: item.source, axes: MIRRORED, unit: ' ms', step: 50, fps: 1000, frames: Math.max(0, ani.duration) + 1,
    });
    Object.assign(this, { item, ani, policy });
    for (const node of ani.nodes) {
      const keys = [...new Set(TRACKS.flatMap((track) => [...node.keys[track]]))].sort((a, b) => a - b);
      this.addNode({ name: node.name || '(unnamed)', parent: node.parent, keys, tracks: TRACKS.map((track) => node.keys[track].length) });
    }
    this.link();
    this.#describe();
    this.bounds = this.#measure();
    this.setTime({ frame: 0 });
  }

  #describe() {
    const { ani } = this;
    const count = (track) => ani.nodes.reduce((sum, node) => sum + node.keys[track].length, 0);
    this.info = {
      counts: {
        nodes: ani.nodes.length, actors: ani.actors.length, 'translation keys': count('translation'), 'rotation keys': count('rotation'),
        'scale keys': count('scale'), 'morph keys': count('morph'),
      },
      facts: [['duration', `${ani.duration} ms`], ['camera', ani.hasCamera ? 'yes' : 'none'], ['arithmetic', `policy ${this.policy}`],
        ...ani.actors.map(({ name, type }) => ['actor', `${name} (type ${type})`])],
    };
  }

  /* Where the joints come to, at a hundred times. A root without keys sits in the origin, wherever
   * the rest is, and does not count. */
  #measure() {
    const idle = (node) => node.keys.length === 0 && (node.parent < 0 || idle(this.nodes[node.parent]));
    const moving = this.nodes.filter((node) => !idle(node));
    const points = [];
    for (let i = 0; i <= 100; i++) {
      this.setTime({ frame: Math.round((this.lastFrame * i) / 100) });
      for (const node of moving.length > 0 ? moving : this.nodes) points.push({ object: { matrixWorld: node.object.matrixWorld.clone() } });
    }
    return bounded(measure([], points));
  }

  setTime({ frame }) {
    this.time = { frame };
    const { world, visible } = this.ani.sample(Math.floor(frame), { policy: this.policy });
    this.matrices = world;
    for (const node of this.nodes) {
      // Row-major for row vectors is column-major for column vectors.
      node.object.matrix.fromArray(world, node.index * 16);
      node.faint = visible[node.index] === 0;
    }
    this.root.updateMatrixWorld(true);
  }

  /* What the animation's own camera sees; null where there is none, or where it has no direction. */
  get eye() {
    if (!this.ani.hasCamera) return null;
    const { matrix: m } = this.ani.sampleCamera(this.time.frame, { policy: this.policy });
    const of = (row) => new Vector3(m[row * 4], m[row * 4 + 1], -m[row * 4 + 2]);
    const [right, up, ahead, place] = [0, 1, 2, 3].map(of);
    if (![right, up, ahead, place].every((vector) => Number.isFinite(vector.x + vector.y + vector.z))) return null;
    return new Matrix4().makeBasis(right, up, ahead.negate()).setPosition(place);
  }

  close() {
    this.ani.close();
  }
}
