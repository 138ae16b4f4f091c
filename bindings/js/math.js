/* The mathematics of Ngi32.dll, and poses over streams that are not in a file. */
import { bytesOf, choice, number } from './module.js';

const NODE_BYTES = 38;

export class Mathematics {
  #module;

  constructor(module) {
    this.#module = module;
  }

  /* Calls a function of js_math.c under these settings, with numbers that lie one behind the other. */
  #call(name, how, inputs, ...values) {
    const module = this.#module;
    module.settings(how);
    let first = 0;
    for (const [input, count] of inputs) {
      module.put(input, count, first);
      first += count;
    }
    return module.calls[name](...values);
  }

  slerp(q0, q1, t, how) {
    this.#call('JsMath_Slerp', how, [[q0, 4], [q1, 4], [[t], 1]]);
    return this.#module.take(4);
  }

  quaternionToMatrix(quaternion, how) {
    this.#call('JsMath_ToMatrix', how, [[quaternion, 4]]);
    return this.#module.take(16, 4);
  }

  poseProduct(a, b, how) {
    this.#call('JsMath_PoseProduct', how, [[a, 16], [b, 16]]);
    return this.#module.take(16, 32);
  }

  reciprocalSquareRoot(x, how) { return this.#call('JsMath_ReciprocalSquareRoot', how, [], number(x, 'x')); }

  sineCosine(angle, how) {
    this.#call('JsMath_SineCosine', how, [], number(angle, 'the angle'));
    const [sine, cosine] = this.#module.take(2);
    return { sine, cosine };
  }

  /* Puts three streams one behind the other, and `room` bytes for a result behind them. */
  #streams({ nodes, keys, frameMap, frameCount }, room = 0) {
    const streams = [nodes, keys, frameMap].map(bytesOf);
    const sizes = streams.map((stream) => stream.length);
    const size = sizes.reduce((a, b) => a + b, 0);
    const padded = size + 3 & ~3;
    const at = this.#module.work(padded + room);
    streams.reduce((place, stream) => {
      this.#module.bytes(place, stream.length).set(stream);
      return place + stream.length;
    }, at);
    return { words: [at, ...sizes, number(frameCount, 'the number of frames')], result: at + padded };
  }

  sample(skeleton, time, how) {
    const { words } = this.#streams(skeleton);
    this.#call('JsMath_Sample', how, [], ...words, number(skeleton.node, 'the node'), number(time, 'a time'));
    return { quaternion: this.#module.take(4), position: this.#module.take(3, 4) };
  }

  blend(skeleton, timeA, timeB, weight, how) {
    const { words } = this.#streams(skeleton);
    this.#call('JsMath_Blend', how, [], ...words, number(skeleton.node, 'the node'),
      ...[timeA, timeB, weight].map((value) => number(value, 'a time or weight')));
    return this.#module.take(16);
  }

  pose(skeleton, timeA, timeB = -1, weight = 0, how = {}) {
    const count = Math.floor(bytesOf(skeleton.nodes).length / NODE_BYTES);
    const { words, result } = this.#streams(skeleton, 64 * count);
    const local = choice(how.space ?? 'model', ['model', 'local'], 'space');
    const times = [timeA, timeB, weight].map((value) => number(value, 'a time or weight'));
    this.#module.check(this.#call('JsMath_Pose', how, [], ...words, ...times, local, Boolean(how.zeroRoot), result));
    return this.#module.copyFloats(result, new Float32Array(16 * count));
  }
}
