/* A looping picture: the PNGs of a canvas as one APNG (PNG, third edition, section 11.3.6). The
 * frames' own compressed data is taken over as it is. */
const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(name, ...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(size + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, size);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  view.setUint32(at, crc(bytes.subarray(4, at)));
  return bytes;
}

function numbers(...words) { // [value, bytes]
  const bytes = new Uint8Array(words.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of words) {
    if (size === 4) view.setUint32(at, value);
    else if (size === 2) view.setUint16(at, value);
    else view.setUint8(at, value);
    at += size;
  }
  return bytes;
}

function chunksOf(png) {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = [];
  for (let at = 8; at + 12 <= png.length;) {
    const size = view.getUint32(at);
    chunks.push({ name: String.fromCharCode(...png.subarray(at + 4, at + 8)), data: png.subarray(at + 8, at + 8 + size) });
    at += size + 12;
  }
  return chunks;
}

/* `frames`: PNG files of one size. `delay`: of each, in milliseconds. */
export function animate(frames, delay) {
  const first = chunksOf(frames[0]);
  const header = first.find(({ name }) => name === 'IHDR').data;
  const size = new DataView(header.buffer, header.byteOffset);
  const [width, height] = [size.getUint32(0), size.getUint32(4)];
  const out = [Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('acTL', numbers([frames.length, 4], [0, 4]))];
  let sequence = 0;
  frames.forEach((png, i) => {
    out.push(chunk('fcTL', numbers([sequence++, 4], [width, 4], [height, 4], [0, 4], [0, 4], [Math.round(delay), 2], [1000, 2], [0, 1], [0, 1])));
    for (const { name, data } of chunksOf(png)) {
      if (name !== 'IDAT') continue;
      out.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers([sequence++, 4]), data));
    }
  });
  out.push(chunk('IEND'));
  return new Blob(out, { type: 'image/png' });
}
