/* What is checked in Node.js and in a browser alike: the vectors of x87.json and recorded
 * calls, bit for bit. Nothing of Node.js is used here. */

const buffer = new DataView(new ArrayBuffer(4));

const floats = (words) => Float32Array.from(words.split(' '), (word) => {
  buffer.setUint32(0, parseInt(word, 16));
  return buffer.getFloat32(0);
});

const hex = (values) => Array.from(values, (value) => {
  buffer.setFloat32(0, value);
  return buffer.getUint32(0).toString(16).padStart(8, '0');
}).join(' ');

const number = (word) => floats(word)[0];

class Tally {
  compared = 0;
  different = 0;
  first = null;

  take(where, expected, found) {
    const same = expected === found;
    this.compared++;
    if (same) return;
    this.different++;
    this.first ??= { where, expected, found };
  }
}

/* ---- vectors --------------------------------------------------------------------------------- */

const NODE = 38, KEY = 24, SLOT_WORDS = 15;

/* The streams of a model's file, as the vectors describe them. */
function streamsOf(skeleton) {
  const nodes = new DataView(new ArrayBuffer(NODE * skeleton.parents.length));
  skeleton.parents.forEach((parent, i) => {
    const words = [0, parent, skeleton.map_starts[i], skeleton.fallbacks[i], ...Array(SLOT_WORDS).fill(0xFFFF)];
    words.forEach((word, k) => nodes.setUint16(NODE * i + 2 * k, word, true));
  });
  const times = floats(skeleton.key_times), positions = floats(skeleton.key_positions);
  const keys = new DataView(new ArrayBuffer(KEY * times.length));
  times.forEach((time, i) => {
    const values = [...positions.subarray(3 * i, 3 * i + 3), time];
    values.forEach((value, k) => keys.setFloat32(KEY * i + 4 * k, value, true));
    const rotation = skeleton.key_rotations.slice(4 * i, 4 * i + 4);
    rotation.forEach((word, k) => keys.setInt16(KEY * i + 16 + 2 * k, word, true));
  });
  const map = new DataView(new ArrayBuffer(2 * skeleton.frame_map.length));
  skeleton.frame_map.forEach((word, i) => map.setUint16(2 * i, word, true));
  const bytes = (view) => new Uint8Array(view.buffer);
  return { nodes: bytes(nodes), keys: bytes(keys), frameMap: bytes(map), frameCount: skeleton.frame_count };
}

/* Compares every result of x87.json but `frame_index`, which the interface does not have. */
export function checkVectors(retropose, vectors) {
  const { math } = retropose;
  const tally = new Tally();
  const skeletons = vectors.skeletons.map(streamsOf);
  const answers = {
    slerp: (c) => ({ out: math.slerp(floats(c.q0), floats(c.q1), number(c.t)) }),
    sine_cosine: (c) => {
      const { sine, cosine } = math.sineCosine(number(c.angle));
      return { sine: [sine], cosine: [cosine] };
    },
    reciprocal_root: (c) => ({ out: [math.reciprocalSquareRoot(number(c.x))] }),
    matrix: (c) => {
      const matrix = math.quaternionToMatrix(floats(c.q));
      floats(c.translation).forEach((value, i) => { matrix[4 * i + 3] = value; });
      return { matrix, product: math.poseProduct(floats(c.before), matrix) };
    },
    sample: (c) => math.sample({ ...skeletons[c.skeleton], node: c.node }, number(c.t)),
    blend: (c) => ({
      matrix: math.blend({ ...skeletons[c.skeleton], node: c.node }, number(c.t_a), number(c.t_b), number(c.weight)),
    }),
    pose: (c) => ({
      matrices: math.pose({ ...skeletons[c.skeleton], node: 0 }, number(c.t), -1, 0, { zeroRoot: c.zero_root !== 0 }),
    }),
  };
  for (const [list, answer] of Object.entries(answers)) {
    vectors[list].forEach((vector, i) => {
      const found = answer(vector);
      const expected = Object.keys(found).map((name) => vector[name]).join(' ');
      tally.take(`${list} ${i}`, expected, Object.values(found).map(hex).join(' '));
    });
  }
  return tally;
}

/* ---- recorded calls -------------------------------------------------------------------------- */

/* The processor classes 3 and 7 have no SSE, so that the game takes the generic build there. */
const GENERIC_CLASSES = ['3', '7'];

function settingsOf(trace) {
  const byClass = GENERIC_CLASSES.includes(trace.header('force-cpu')) ? 'generic' : 'sse';
  return { readings: trace.header('hypotheses') ?? '', byClass, build: trace.header('slot-build') ?? byClass };
}

/* Compares the recorded calls of the functions that the interface has, under the trace's settings. */
export function checkTrace(retropose, bytes) {
  const { math } = retropose;
  const trace = retropose.openTrace(bytes);
  const { readings, byClass, build } = settingsOf(trace);
  const tally = new Tally();
  const interpolation = (call, how) =>
    [call.result('result', 4), math.slerp(call.input('q0', 4), call.input('q1', 4), call.input('t', 1)[0], how)];
  const answers = {
    'animesh.SampleNode': (call, how) => {
      const { quaternion, position } = math.sample(call.skeleton(), call.input('t', 1)[0], how);
      return [[...call.result('quaternion', 4), ...call.result('position', 3)], [...quaternion, ...position]];
    },
    'animesh.BlendPoses': (call, how) => [call.result('matrix', 16), math.blend(call.skeleton(),
      ...['t_a', 't_b', 'weight'].map((name) => call.input(name, 1)[0]), how)],
    'ngi32.slot14': (call, how) => [call.result('matrix', 16), math.quaternionToMatrix(call.input('quaternion', 4), how)],
    'ngi32.slot17': interpolation,
    'ngi32.slot22': interpolation,
    /* whose address is not published, so that a trace cannot choose its build */
    'ngi32.slot28': (call, how) => [call.result('product', 16),
      math.poseProduct(call.input('a', 16), call.input('b', 16), { ...how, build: byClass })],
    'ngi32.ngiGetSinCos': (call, how) => {
      const { sine, cosine } = math.sineCosine(call.input('angle', 1)[0], how);
      return [[call.result('sine', 1)[0], call.result('cosine', 1)[0]], [sine, cosine]];
    },
  };
  for (const call of trace) {
    if (call.outcome !== 'returned' || !answers[call.function]) continue;
    const [expected, found] = answers[call.function](call, { readings, build, controlWord: call.controlWord });
    tally.take(`call ${call.sequence} of ${call.function}`, hex(expected), hex(found));
  }
  trace.close();
  return tally;
}

/* The traces of the folder traces/ whose calls run under the game's control word. */
export const TRACES = [
  'poses', 'poses-wxyz', 'blends', 'blends-wxyz', 'slots', 'edges', 'builds-fxch', 'builds-generic', 'ties-generic',
  'classes-2', 'classes-3', 'classes-4', 'classes-5', 'classes-6', 'classes-7',
];
