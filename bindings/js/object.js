/* Mesh objects. */
import { Handle, MODULE, POINTER, choice, index, invalid, number, room } from './module.js';

const SPACES = ['local', 'object', 'world'];
const FLAGS = { hidden: 1, flying: 4, own: 8, tilted: 0x10 };
const STAGES = 3;

const filterWords = ({ requiredBatch = 0, excludedBatch = 0, requiredTriangle = 0, excludedTriangle = 0 } = {}) =>
  [requiredBatch, excludedBatch, requiredTriangle, excludedTriangle].map((word) => number(word, 'a filter'));

function flagBits(flags) {
  return [...flags].reduce((bits, flag) => {
    if (!Object.hasOwn(FLAGS, flag)) throw invalid('unknown flag of a piece', Object.keys(FLAGS).join(', '), flag);
    return bits | FLAGS[flag];
  }, 0);
}

export class MeshObject extends Handle {
  #models = new Map(); // by pointer

  constructor(model) {
    const module = model[MODULE];
    super(module, module.open(module.calls.JsObject_New(model[POINTER])), 'JsObject_Close');
    this.#models.set(model[POINTER], model);
  }

  #call(name, ...values) { return this[MODULE].calls[name](this[POINTER], ...values); }
  #piece(piece) { return index(piece, this.pieceCount, 'piece'); }
  /* A piece, or all of them. */
  #under(piece) { return piece === undefined || piece === -1 ? -1 : this.#piece(piece); }

  get pieceCount() { return this.#call('JsObject_PieceCount'); }

  piece(piece) {
    const result = this[MODULE].result(this.#call('JsObject_Piece', this.#piece(piece)));
    return {
      part: result.u32(), node: result.u32(), parent: result.i32(), flags: result.u32(), material: result.u32(),
      stage: result.i32(), model: this.#models.get(result.u32()),
    };
  }

  firstPieceOfPart(part) { return this.#call('JsObject_FirstPiece', number(part, 'a part')); }

  attach(model, { piece, part, material = 0 }) {
    if (model?.[MODULE] !== this[MODULE]) throw invalid('the model is of another instance of the library', 'one of this');
    let free = part;
    for (free ??= 1; part === undefined && this.firstPieceOfPart(free) >= 0;) free++;
    this[MODULE].check(this.#call('JsObject_Attach', model[POINTER], number(free, 'a part'), this.#piece(piece),
      number(material, 'a material')));
    this.#models.set(model[POINTER], model);
    return free;
  }

  detach(part) { this[MODULE].check(this.#call('JsObject_Detach', number(part, 'a part'))); }

  /* ---- state ---- */

  setFrames(aFirst, aLast, bFirst = -1, bLast = -1) { this.#call('JsObject_SetFrames', -1, aFirst, aLast, bFirst, bLast); }
  setPhase(phase, weight = 0) { this.#call('JsObject_SetPhase', -1, number(phase, 'the phase'), number(weight, 'the weight')); }

  setPieceFrames(piece, aFirst, aLast, bFirst = -1, bLast = -1) {
    this.#call('JsObject_SetFrames', this.#piece(piece), aFirst, aLast, bFirst, bLast);
  }

  setPiecePhase(piece, phase, weight = 0) {
    this.#call('JsObject_SetPhase', this.#piece(piece), number(phase, 'the phase'), number(weight, 'the weight'));
  }

  setFlags(piece, flags, set = true, subtree = false) {
    this.#call('JsObject_SetFlags', this.#piece(piece), flagBits(flags), Boolean(set), Boolean(subtree));
  }

  setStage(piece, stage) { this.#call('JsObject_SetStage', this.#piece(piece), index(stage, STAGES, 'stage')); }

  setPlacement(placement) {
    this[MODULE].put(placement, 16);
    this.#call('JsObject_SetPlacement');
  }

  setScale(scale) {
    this[MODULE].put(typeof scale === 'number' ? [scale, scale, scale] : scale, 3);
    this.#call('JsObject_SetScale');
  }

  setPieceMatrix(piece, world) {
    this[MODULE].put(world, 16);
    this.#call('JsObject_SetMatrix', this.#piece(piece));
  }

  tilt(piece, from, to = null) {
    const turned = from !== null && to !== null;
    if (turned) {
      this[MODULE].put(from, 3);
      this[MODULE].put(to, 3, 3);
    }
    this.#call('JsObject_Tilt', this.#piece(piece), turned);
  }

  /* ---- the pose and its bounds ---- */

  pose() { this.#call('JsObject_Pose'); }

  #matrices(first, count, space, out) {
    const module = this[MODULE], at = module.work(64 * count);
    this.#call('JsObject_Matrices', first, count, choice(space, SPACES, 'space'), at);
    return module.copyFloats(at, out);
  }

  matrix(piece, space = 'world') { return this.#matrices(this.#piece(piece), 1, space, new Float32Array(16)); }

  matrices(space = 'world', out = null) {
    const count = this.pieceCount;
    return this.#matrices(0, count, space, room(out, 16 * count));
  }

  #bound(name, count, piece, space, subtree) {
    this.#call(name, this.#piece(piece), choice(space, SPACES, 'space'), Boolean(subtree));
    return this[MODULE].take(count);
  }

  box(piece, space = 'world', subtree = false) { return this.#bound('JsObject_Box', 24, piece, space, subtree); }
  sphere(piece, space = 'world', subtree = false) { return this.#bound('JsObject_Sphere', 4, piece, space, subtree); }
  capsule(piece, space = 'world', subtree = false) { return this.#bound('JsObject_Capsule', 7, piece, space, subtree); }
  updateBounds() { this.#call('JsObject_UpdateBounds'); }

  bounds() {
    const module = this[MODULE];
    this.#call('JsObject_Bounds');
    return {
      corners: module.take(24), agentSphere: module.take(4, 24), nodeSphere: module.take(4, 28), capsule: module.take(7, 32),
    };
  }

  /* ---- queries ---- */

  #hit(found) {
    const result = this[MODULE].result(0);
    if (!found) return null;
    result.u32();
    return {
      piece: result.i32(), batch: result.u32(), batchTriangle: result.u32(), triangle: result.u32(),
      point: result.floats(3), distance: result.f32(),
    };
  }

  segment(start, end, { piece, filter } = {}) {
    const under = this.#under(piece), words = filterWords(filter);
    this[MODULE].put(start, 3);
    this[MODULE].put(end, 3, 3);
    return this.#hit(this.#call('JsObject_Segment', under, ...words));
  }

  walkFace(point, { filter } = {}) {
    const words = filterWords(filter);
    this[MODULE].put(point, 3);
    return this.#hit(this.#call('JsObject_WalkFace', ...words));
  }

  isInside(point, { piece, filter } = {}) {
    const under = this.#under(piece), words = filterWords(filter);
    this[MODULE].put(point, 3);
    return this.#call('JsObject_IsInside', under, ...words) !== 0;
  }

  /* ---- drawing ---- */

  draw(level) {
    const result = this[MODULE].result(this.#call('JsObject_Draw', number(level, 'the level')));
    const batches = [];
    while (result.u32()) {
      const piece = result.i32(), mode = result.u32(), flags = result.u32(), material = result.u32();
      const lightmap = result.u32(), portal = result.i32();
      const [firstIndex, indexCount, baseVertex, vertexCount] = Array.from({ length: 4 }, () => result.u32());
      batches.push({ piece, mode, flags, material, lightmap, portal, firstIndex, indexCount, baseVertex, vertexCount });
    }
    return batches;
  }

  counters() {
    const result = this[MODULE].result(this.#call('JsObject_Counters'));
    const [outOfBounds, neither, byCore, byX87, refused] = Array.from({ length: 5 }, () => result.f64());
    return { outOfBounds, undefined: neither, byCore, byX87, refused };
  }
}
