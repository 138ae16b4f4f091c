// Reads traces with a reader that kaitai-struct-compiler makes from docs/formats/trace.ksy, and compares
// every field with what the C reader says (tests/tracefile/dump_trace.c).
//
//     node test.mjs TRACE_KSY DUMP_TRACE TRACE...
//
// Modules are resolved from the working directory, where `npm ci` has put them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";

const require = createRequire(path.join(process.cwd(), "package.json"));
const KaitaiStream = require("kaitai-struct/KaitaiStream");

async function compile(ksyPath) {
  const compiler = require("kaitai-struct-compiler");
  const schema = require("yaml").parse(readFileSync(ksyPath, "utf8"));
  const files = await compiler.compile("javascript", schema, null, false);
  const module = { exports: {} };
  vm.runInThisContext(`(function (module, exports, require) {${files["Trace.js"]}\n})`)(
    module, module.exports, (name) => {
      if (!name.endsWith("KaitaiStream")) throw new Error(`unexpected import ${name}`);
      return KaitaiStream;
    });
  return module.exports.Trace ?? module.exports;
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

function word(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
}

function outputsOf(call) {
  const outputs = call.outputs;
  if (outputs instanceof Uint8Array) return hex(outputs);
  if ("bytes" in outputs) return hex(outputs.bytes);
  if ("module" in outputs) return word(outputs.code) + word(outputs.address) + word(outputs.module);
  return word(outputs.code);
}

function violationsOf(call) {
  return [call.stackPointerWrong, call.savedRegisterChanged, call.x87StackUnbalanced,
    call.directionFlagSet, call.wroteOutside].reduce((bits, set, i) => bits | (set << i), 0);
}

function callRecord(call, functions) {
  const { key, signature } = functions.get(call.function);
  return {
    kind: "call", key, signature,
    outcome: call.outcome, violations: violationsOf(call), sequence: call.sequence,
    control: [call.controlIn, call.controlOut], mxcsr: [call.mxcsrIn, call.mxcsrOut],
    inputs: hex(call.inputs), outputs: outputsOf(call),
  };
}

function memoryRecord(memory) {
  if (memory.padding.some((byte) => byte !== 0)) throw new Error("padding is not zero");
  return {
    kind: "memory", id: memory.id,
    relocations: memory.relocations.map((r) => [r.offset, r.target, r.targetOffset]),
    bytes: hex(memory.bytes),
  };
}

// The records of a trace in the order of the dump: header, calls, memories, end.
function recordsOf(trace) {
  const { major, minor, text } = trace.header;
  const functions = new Map(), calls = [], memories = [], ends = [];
  for (const { payload, type } of trace.chunks) {
    for (const f of payload.functions ?? []) functions.set(f.id, f);
    for (const m of payload.memories ?? []) memories.push(memoryRecord(m));
    for (const c of payload.calls ?? []) calls.push(callRecord(c, functions));
    if (type === "END ") ends.push(payload.end);
  }
  if (ends.length !== 1) throw new Error(`${ends.length} end chunks`);
  if (ends[0].numMemories !== memories.length) throw new Error("end chunk: number of memories");
  return [{ kind: "header", major, minor, text }, ...calls, ...memories,
    { kind: "end", calls: ends[0].numCalls }];
}

// Checksums are beyond the description: CRC-32 of the header and of every chunk.
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(...parts) {
  let crc = ~0;
  for (const part of parts)
    for (const byte of part) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function checkChecksums(bytes, trace) {
  let at = 20 + trace.header.lenText;
  if (crc32(bytes.subarray(0, 16), bytes.subarray(20, at)) !== trace.header.crc)
    throw new Error("header: CRC-32");
  for (const chunk of trace.chunks) {
    const stored = bytes.subarray(at + 24, at + 24 + chunk.lenStored);
    if (crc32(bytes.subarray(at, at + 20), stored) !== chunk.crc)
      throw new Error(`chunk at ${at}: CRC-32`);
    at += 24 + chunk.lenStored;
  }
}

function dump(program, trace) {
  const run = spawnSync(program, [trace], { encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${program}: ${run.stderr || run.error}`);
  return run.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

// Paths of all fields that differ, in both directions.
function differences(a, b, where = "") {
  if (Object.is(a, b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || !a || !b)
    return [`${where}: ${String(a)} in the ksy reader, ${String(b)} in the C reader`];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differences(a[key], b[key], `${where}/${key}`));
}

// The comparison sees a change of any single field of the first record of each kind.
function checkComparison(records) {
  for (const kind of ["header", "call", "memory", "end"]) {
    const at = records.findIndex((record) => record.kind === kind);
    for (const key of Object.keys(records[at] ?? {})) {
      const changed = structuredClone(records);
      changed[at][key] = Array.isArray(changed[at][key]) ? [[-1]] : `${changed[at][key]}?`;
      if (differences(records, changed).length === 0)
        throw new Error(`a change of ${kind}.${key} is not seen`);
    }
  }
}

const [ksy, dumper, ...traces] = process.argv.slice(2);
if (traces.length === 0) throw new Error("no traces given");
const Trace = await compile(ksy);
let failed = false;
for (const path of traces) {
  const bytes = readFileSync(path);
  // A small Buffer is a window of a shared pool; the stream is to end where the file ends.
  const trace = new Trace(new KaitaiStream(Uint8Array.from(bytes).buffer));
  checkChecksums(bytes, trace);
  const records = recordsOf(trace), expected = dump(dumper, path);
  const found = differences(records, expected);
  if (path === traces[0]) checkComparison(records);
  console.log(`${path}: ${records.length} records, ${found.length} fields differ`);
  for (const line of found.slice(0, 10)) console.log(`  ${line}`);
  failed ||= found.length > 0;
}
process.exit(failed ? 1 : 0);
