// Reads what ask.c writes (its head describes the chunks), one chunk at a time.
import { readSync } from "node:fs";

const BLOCK = 1 << 20;

function* bytesOf(descriptor) {
  for (;;) {
    const block = Buffer.allocUnsafe(BLOCK);
    let count = 0;
    try {
      count = readSync(descriptor, block, 0, BLOCK, null);
    } catch (error) {
      if (error.code === "EAGAIN") continue; // a pipe that has nothing yet
      if (error.code !== "EOF") throw error;
    }
    if (count === 0) return;
    yield block.subarray(0, count);
  }
}

export function* chunks(descriptor) {
  const blocks = bytesOf(descriptor);
  let held = Buffer.alloc(0);
  const take = (size) => {
    const parts = [held];
    for (let have = held.length; have < size;) {
      const next = blocks.next();
      if (next.done) {
        if (have === 0) return null;
        throw new Error("the answers end within a chunk");
      }
      parts.push(next.value);
      have += next.value.length;
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts);
    held = all.subarray(size);
    return all.subarray(0, size);
  };
  for (let head = take(8); head; head = take(8)) {
    const payload = take(head.readUInt32LE(4));
    yield { tag: head.toString("latin1", 0, 4), payload: new Reader(payload ?? Buffer.alloc(0)) };
  }
}

export class Reader {
  constructor(bytes) { Object.assign(this, { bytes, at: 0 }); }
  get more() { return this.at < this.bytes.length; }
  u32() { return this.bytes.readUInt32LE((this.at += 4) - 4); }
  i32() { return this.bytes.readInt32LE((this.at += 4) - 4); }
  float() { return this.bytes.readFloatLE((this.at += 4) - 4); }
  floats(count) {
    const found = [];
    for (let i = 0; i < count; i++) found.push(this.float());
    return found;
  }
  filter() {
    const [requiredBatch, excludedBatch, requiredTriangle, excludedTriangle] =
      [this.u32(), this.u32(), this.u32(), this.u32()];
    return { requiredBatch, excludedBatch, requiredTriangle, excludedTriangle };
  }
  hit() {
    const found = this.u32() !== 0;
    const hit = { piece: this.i32(), batch: this.u32(), batchTriangle: this.u32(), triangle: this.u32(),
      point: this.floats(3), distance: this.float() };
    return found ? hit : null;
  }
}
