// A small player of glTF animations: nodes, translation, rotation, scale, linear samplers.
export function open(text) {
  const json = JSON.parse(text);
  const uri = json.buffers?.[0].uri;
  const bytes = Buffer.from(uri ? uri.slice(uri.indexOf(",") + 1) : "", "base64");
  return { json, bytes };
}

function numbers({ json, bytes }, index) {
  const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView];
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
  const list = [];
  for (let i = 0; i < accessor.count; i++) {
    const row = [];
    for (let k = 0; k < width; k++) row.push(bytes.readFloatLE(view.byteOffset + 4 * (i * width + k)));
    list.push(row);
  }
  return list;
}

function slerp(a, b, t) {
  let dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, dot * sign);
  const angle = Math.acos(dot), sine = Math.sin(angle);
  const [u, v] = sine < 1e-6 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
  return a.map((x, i) => u * x + v * sign * b[i]);
}

function valueAt(times, values, seconds, path) {
  if (seconds <= times[0][0]) return values[0];
  const next = times.findIndex(([time]) => time > seconds);
  if (next < 0) return values.at(-1);
  const t = (seconds - times[next - 1][0]) / (times[next][0] - times[next - 1][0]);
  const [a, b] = [values[next - 1], values[next]];
  return path === "rotation" ? slerp(a, b, t) : a.map((x, i) => x + (b[i] - x) * t);
}

// Matrices consist of columns, as in glTF.
function compose([tx, ty, tz], [x, y, z, w], [sx, sy, sz]) {
  return [
    sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + w * z), sx * 2 * (x * z - w * y), 0,
    sy * 2 * (x * y - w * z), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + w * x), 0,
    sz * 2 * (x * z + w * y), sz * 2 * (y * z - w * x), sz * (1 - 2 * (x * x + y * y)), 0,
    tx, ty, tz, 1];
}

function multiply(a, b) {
  const c = new Array(16).fill(0);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return c;
}

// Returns the world matrices of all nodes, by index.
export function pose(document, seconds) {
  const { json } = document;
  const parts = json.nodes.map((node) => ({
    translation: node.translation ?? [0, 0, 0], rotation: node.rotation ?? [0, 0, 0, 1],
    scale: node.scale ?? [1, 1, 1] }));
  for (const animation of json.animations ?? [])
    for (const { sampler, target } of animation.channels) {
      const { input, output } = animation.samplers[sampler];
      document.cache ??= new Map();
      for (const index of [input, output])
        if (!document.cache.has(index)) document.cache.set(index, numbers(document, index));
      parts[target.node][target.path] =
        valueAt(document.cache.get(input), document.cache.get(output), seconds, target.path);
    }
  const worlds = [];
  const walk = (index, parent) => {
    const { translation, rotation, scale } = parts[index];
    worlds[index] = multiply(parent, compose(translation, rotation, scale));
    for (const child of json.nodes[index].children ?? []) walk(child, worlds[index]);
  };
  for (const root of json.scenes[0].nodes) walk(root, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  return worlds;
}
