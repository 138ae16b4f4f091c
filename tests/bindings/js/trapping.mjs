/* A copy of a WebAssembly module in which one exported function traps at once: nothing that the library's
 * users can do makes it trap. */

const EXPORTS = 7, CODE = 10, IMPORTS = 2;
const UNREACHABLE_BODY = [3, 0, 0, 0x0B]; // its size, no locals, unreachable, end

function leb(value) {
  const bytes = [];
  do bytes.push(value & 0x7F | (value > 0x7F ? 0x80 : 0));
  while ((value >>>= 7));
  return bytes;
}

function reader(bytes, at = 0) {
  return {
    get at() { return at; },
    u() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80) return value >>> 0;
      }
    },
    skip(size) { return bytes.subarray(at, at += size); },
  };
}

export function trapping(wasm, name) {
  const sections = [], file = reader(wasm, 8);
  while (file.at < wasm.length) {
    const id = wasm[file.at];
    file.skip(1);
    sections.push({ id, bytes: file.skip(file.u()) });
  }
  const section = (id) => reader(sections.find((one) => one.id === id).bytes);
  const imports = section(IMPORTS).u(); // all of them are functions
  const exported = section(EXPORTS);
  let index = -1;
  for (let left = exported.u(); left > 0; left--) {
    const found = new TextDecoder().decode(exported.skip(exported.u()));
    exported.skip(1);
    const number = exported.u();
    if (found === name) index = number - imports;
  }
  const code = section(CODE), count = code.u(), bodies = [leb(count)];
  for (let i = 0; i < count; i++) {
    const size = code.u(), body = code.skip(size);
    bodies.push(i === index ? UNREACHABLE_BODY : [...leb(size), ...body]);
  }
  sections.find((one) => one.id === CODE).bytes = Uint8Array.from(bodies.flat());
  return Uint8Array.from([...wasm.subarray(0, 8), ...sections.flatMap(({ id, bytes }) => [id, ...leb(bytes.length), ...bytes])]);
}
