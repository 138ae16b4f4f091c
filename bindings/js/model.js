/* Models: what is in them, how they are posed, and what becomes of them in other formats. */
import { Handle, MODULE, POINTER, choice, decodeName, index, invalid, number, room, time as timeOf } from './module.js';
import { isMember } from './archive.js';
import { MeshObject } from './object.js';

const CELLS = 15;
const INNER = 5; // words of a block of slot words
const MATRIX = 16;
const SAMPLE = 7;

/* ---- poses ----------------------------------------------------------------------------------- */

const SPACES = ['model', 'local'];

function poseOptions({ space = 'model', zeroRoot = false } = {}) {
  return [choice(space, SPACES, 'space'), Boolean(zeroRoot)];
}

class PoseBatch extends Handle {
  #model;
  #options;
  #floats;

  constructor(model, count, options) {
    const module = model[MODULE];
    if (!Number.isInteger(count) || count < 0 || count > 1e6) throw invalid('a batch has no such size', '0 to 1000000', count);
    const [local, zeroRoot] = poseOptions(options);
    const nodes = model.nodeCount;
    const at = module.allocate(4 * count * (3 + MATRIX * nodes));
    super(module, at, 'JsMemory_Free');
    module.calls.JsModel_Take(model[POINTER]);
    this.#model = new Handle(module, model[POINTER], 'JsModel_Release');
    this.#options = [local, zeroRoot];
    this.#floats = { times: [at, 3 * count], matrices: [at + 12 * count, MATRIX * nodes * count] };
    this.count = count;
    const times = this.times;
    for (let i = 0; i < count; i++) times.set([0, -1, 0], 3 * i);
  }

  #view([at, length]) {
    void this[POINTER];
    return this[MODULE].floats.subarray(at / 4, at / 4 + length);
  }

  get times() { return this.#view(this.#floats.times); }
  get matrices() { return this.#view(this.#floats.matrices); }

  pose(count = this.count) {
    index(count, this.count + 1, 'number of instances');
    const module = this[MODULE];
    void this[POINTER];
    this.times.subarray(0, 3 * count).forEach(timeOf);
    module.check(module.calls.JsPose_Many(this.#model[POINTER], count, this.#floats.times[0], ...this.#options,
      this.#floats.matrices[0]));
  }

  close() {
    this.#model.close();
    super.close();
  }
}
PoseBatch.prototype[Symbol.dispose ?? Symbol.for('Symbol.dispose')] = PoseBatch.prototype.close;

class Skeleton {
  #model;

  constructor(model) {
    this.#model = model;
    this.nodeCount = model.nodeCount;
    this.frameCount = model.frameCount;
    const module = model[MODULE];
    const at = module.work(4 * this.nodeCount);
    module.calls.JsPose_Parents(model[POINTER], at);
    this.parents = new Int32Array(module.bytes(at, 4 * this.nodeCount).slice().buffer);
  }

  pose(timeA, timeB = -1, weight = 0, out = null, options = undefined) {
    return this.#pose([timeA, timeB, weight], 1, out, options);
  }

  poseMany(times, out = null, options = undefined) {
    if (!(times instanceof Float32Array) || times.length % 3 !== 0) {
      throw invalid('times are three floats for each instance', 'a Float32Array', times?.length ?? typeof times);
    }
    return this.#pose(times, times.length / 3, out, options);
  }

  #pose(times, count, out, options) {
    const module = this.#model[MODULE], model = this.#model[POINTER];
    const [local, zeroRoot] = poseOptions(options);
    const length = MATRIX * this.nodeCount * count;
    const result = room(out, length);
    times.forEach(timeOf);
    const at = module.work(4 * (times.length + length));
    const matrices = at + 4 * times.length;
    module.floats.set(times, at / 4);
    module.check(module.calls.JsPose_Many(model, count, at, local, zeroRoot, matrices));
    return module.copyFloats(matrices, result);
  }

  batch(count, options) { return new PoseBatch(this.#model, count, options); }

  #samples(first, count, time, out) {
    const module = this.#model[MODULE];
    const at = module.work(4 * SAMPLE * count);
    module.calls.JsPose_Samples(this.#model[POINTER], first, count, timeOf(time), at);
    return module.copyFloats(at, out);
  }

  sample(node, time) {
    const sample = this.#samples(index(node, this.nodeCount, 'node'), 1, time, new Float32Array(SAMPLE));
    return { quaternion: sample.slice(0, 4), position: sample.slice(4) };
  }

  sampleAll(time, out = null) {
    return this.#samples(0, this.nodeCount, time, room(out, SAMPLE * this.nodeCount));
  }

  track(node) {
    const module = this.#model[MODULE];
    index(node, this.nodeCount, 'node');
    const result = module.result(module.calls.JsPose_Track(this.#model[POINTER], node));
    const first = result.u32(), count = result.u32();
    if (count === 0) return null;
    const track = {
      first, count,
      times: new Float32Array(count), positions: new Float32Array(3 * count), rotations: new Float32Array(4 * count),
    };
    for (let key = 0; key < count; key++) {
      track.times.set(result.floats(1), key);
      track.positions.set(result.floats(3), 3 * key);
      track.rotations.set(result.floats(4), 4 * key);
    }
    return track;
  }
}

/* ---- models ---------------------------------------------------------------------------------- */

const ROOT_MOTIONS = ['keep', 'drop', 'separate'];
const FRAMES_PER_SECOND = 20; // RP_GLTF_DEFAULT_FPS

function openPointer(module, source, options) {
  module.settings(options);
  if (!isMember(source)) {
    const image = module.image(source);
    return module.open(module.calls.JsModel_Open(image, 0, module.calls.JsImage_Size(image)));
  }
  if (source.archive[MODULE] !== module) throw invalid('the member is of another instance of the library', 'one of this', source.name);
  return module.open(module.calls.JsArchive_Model(source.archive[POINTER], source.index));
}

export class Model extends Handle {
  #known;
  #skeleton = null;
  #cells = null;

  /* `known` are the readings that the library knows; `pointer` is an open JsModel, or null. */
  constructor(module, known, source, options = {}, pointer = null) {
    super(module, pointer ?? openPointer(module, source, options), 'JsModel_Release');
    this.#known = known;
    const facts = module.result(module.calls.JsModel_Facts(this[POINTER]));
    const entry = decodeName(facts.data());
    this.name = options.name ?? (isMember(source) ? source.name : entry);
    this.nodeCount = module.calls.JsModel_NodeCount(this[POINTER]);
    this.frameCount = module.calls.JsModel_FrameCount(this[POINTER]) >>> 0;
    this.readings = Object.freeze(Object.fromEntries(known.map(({ name }) => [name, facts.text()])));
  }

  get skeleton() {
    void this[POINTER]; // a closed model has none
    return (this.#skeleton ??= new Skeleton(this));
  }

  withOptions(options) {
    const module = this[MODULE];
    module.settings(options);
    const pointer = module.open(module.calls.JsModel_Again(this[POINTER]));
    return new Model(module, this.#known, null, { name: this.name, ...options }, pointer);
  }

  bytes() { return this[MODULE].resultBytes(this[MODULE].calls.JsModel_Bytes(this[POINTER])); }

  describe() {
    const module = this[MODULE];
    return JSON.parse(module.resultText(module.calls.JsModel_Describe(this[POINTER])));
  }

  check({ repeats = 0 } = {}) {
    return this[MODULE].result(this[MODULE].calls.JsModel_Check(this[POINTER], number(repeats, 'repeats'))).findings();
  }

  evidence() {
    const result = this[MODULE].result(this[MODULE].calls.JsModel_Evidence(this[POINTER]));
    return Array.from({ length: result.u32() }, () => ({
      name: result.text(), choice: result.text(), certainty: result.text(), matters: result.u32() !== 0,
      why: result.text(),
    }));
  }

  /* ---- what nodes show ---- */

  get #byStage() { return this.readings['slot-words'] === 'state-lod'; }

  get cells() {
    if (!this.#cells) {
      const result = this[MODULE].result(this[MODULE].calls.JsModel_Cells(this[POINTER]));
      this.#cells = Array.from({ length: CELLS }, (_, cell) => {
        const outer = Math.floor(cell / INNER), inner = cell % INNER;
        return {
          index: cell, outer, inner,
          level: this.#byStage ? inner : outer,
          stage: this.#byStage ? outer : null,
          group: this.#byStage ? null : inner,
          nodes: result.u32(),
        };
      });
    }
    return this.#cells;
  }

  cellFor({ level = 0, stage = 0, group = 0 } = {}) {
    const wanted = this.#byStage ? { level, stage } : { level, group };
    const cell = this.cells.find((one) => Object.entries(wanted).every(([name, value]) => one[name] === value));
    return cell ? cell.index : null;
  }

  slot(node, cell) {
    index(node, this.nodeCount, 'node');
    return this[MODULE].calls.JsModel_Slot(this[POINTER], node, index(cell, CELLS, 'cell'));
  }

  slotMesh(slot) {
    const module = this[MODULE];
    const result = module.result(module.calls.JsModel_SlotMesh(this[POINTER], index(slot, 65536, 'slot')));
    const vertexCount = result.u32();
    const batches = Array.from({ length: result.u32() }, () => ({
      batch: result.u32(), first: result.u32(), count: result.u32(), material: result.u32(),
      flags: result.u32(), twoSided: result.u32() !== 0, lightmap: result.u32() !== 0, portal: result.i32(),
    }));
    const indices = result.words(result.u32());
    const [positions, normals, uvs, lightmapUvs] = Array.from({ length: 4 }, () => result.floats(result.u32()));
    return {
      slot, vertexCount, triangleCount: indices.length / 3, positions, normals, uvs, lightmapUvs, indices, batches,
    };
  }

  createObject() { return new MeshObject(this); }

  /* ---- other formats ---- */

  exportGlb(options) { return this.#exportGltf(options, false); }
  exportGltf(options) { return this.#exportGltf(options, true); }

  #exportGltf(options = {}, text) {
    const module = this[MODULE];
    const { name = this.name, framesPerSecond = FRAMES_PER_SECOND, subFrames = 1, cells, rootMotion = 'keep' } = options;
    const { animation = true, restore = animation && !cells } = options;
    const bits = cells ? [...cells].reduce((sum, cell) => sum | 1 << index(cell, CELLS, 'cell'), 0) : (1 << CELLS) - 1;
    const motion = choice(rootMotion, ROOT_MOTIONS, 'root motion');
    const result = module.with([name], (at) => module.result(module.calls.JsGltf_Export(this[POINTER], at,
      number(framesPerSecond, 'the frame rate'), number(subFrames, 'the number of samples'), bits, motion,
      Boolean(animation), Boolean(restore), text)));
    return { bytes: result.data(), notes: result.findings() };
  }

  exportObj({ cell = 0, frame = -1, zeroRoot = false, yUp = true, materials = '' } = {}) {
    const module = this[MODULE];
    index(cell, CELLS, 'cell');
    const result = module.with([materials], (at) => module.result(module.calls.JsObj_Export(this[POINTER], cell,
      timeOf(frame), Boolean(zeroRoot), Boolean(yUp), at)));
    return { text: result.text(), materials: result.text(), notes: result.findings() };
  }
}
