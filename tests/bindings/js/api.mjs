/* The interface by examples, compared with what the native command says of the same files. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { trapping } from './trapping.mjs';
import { PARTS, bitsOf, command, corpus, errorOf, library, read, samples, wasm, written } from './helpers.mjs';

const { checkSlerp, instantiate, load, ulpsBetween } = library;
const retropose = instantiate(wasm);
const archive = retropose.openArchive(read(PARTS));
const HERO = `${PARTS}::R_H_02.msh`;
const hero = retropose.openModel(archive.member('R_H_02.msh'));
const numbers = (list) => bitsOf(list);

/* ---- the library ---- */

test('load finds the module beside the files', async () => {
  const other = await load();
  assert.equal(other.version, command('--version').match(/\d+\.\d+\.\d+/)[0]);
  assert.equal(other.simd, process.env.RETROPOSE_JS_SCALAR !== '1');
  assert.equal(instantiate(new WebAssembly.Module(wasm)).version, other.version);
});

test('readings are those of the library', () => {
  const order = retropose.readings.find(({ name }) => name === 'key-order');
  assert.deepEqual(order.choices, ['xyzw', 'wxyz']);
  assert.ok(order.files && order.runtime && order.source.includes('seed 000'));
  assert.deepEqual(retropose.readings.map(({ name }) => name).length, new Set(retropose.readings.map(({ name }) => name)).size);
});

test('files are known by what they hold', () => {
  const kinds = {
    [PARTS]: 'nres', [corpus('libraries/methods.lib')]: 'rsli', [samples('bird.ani')]: 'ani',
    [samples('03000001.bin')]: 'ac-animation', [samples('09000001.bin')]: 'ac-motion-table',
  };
  for (const [name, kind] of Object.entries(kinds)) assert.equal(retropose.identify(read(name)), kind, name);
  assert.equal(retropose.identify(hero.bytes()), 'model');
  assert.equal(retropose.identify(hero.exportGlb().bytes), 'gltf');
  assert.equal(retropose.identify(new Uint8Array([1, 2, 3])), null);
});

/* ---- textures and materials ---- */

/* An NRes archive of members [type, attr1, attr2, name, bytes]. */
function nres(members) {
  const parts = [], places = [];
  let at = 16;
  for (const [, , , , bytes] of members) {
    places.push(at);
    parts.push(bytes, new Uint8Array(-bytes.length & 7));
    at += bytes.length + (-bytes.length & 7);
  }
  const order = members.map((_, i) => i).sort((a, b) => (members[a][3].toLowerCase() < members[b][3].toLowerCase() ? -1 : 1));
  const records = Buffer.alloc(64 * members.length);
  members.forEach(([type, attr1, attr2, name, bytes], i) => {
    [type, attr1, attr2, bytes.length, 0].forEach((value, k) => records.writeUInt32LE(value, 64 * i + 4 * k));
    records.write(name, 64 * i + 20, 'latin1');
    records.writeUInt32LE(places[i], 64 * i + 56);
    records.writeUInt32LE(order[i], 64 * i + 60);
  });
  const head = Buffer.alloc(16);
  head.write('NRes', 'latin1');
  [0x100, members.length, at + records.length].forEach((value, k) => head.writeUInt32LE(value, 4 + 4 * k));
  return new Uint8Array(Buffer.concat([head, ...parts, records]));
}

function texm(width, height, format, pixels, page) {
  const head = Buffer.alloc(32);
  head.write('Texm', 'latin1');
  [width, height, 1, 0, 0, 0, format].forEach((value, k) => head.writeUInt32LE(value, 4 + 4 * k));
  const pages = Buffer.alloc(page ? 16 : 0);
  if (page) {
    pages.write('Page\x01', 'latin1');
    page.forEach((value, k) => pages.writeInt16LE(value, 8 + 2 * k));
  }
  return new Uint8Array(Buffer.concat([head, Buffer.from(pixels), pages]));
}

/* The beam of the game's buoys: a track of cells that step while their light glides. */
function beam() {
  const phases = [[220, 20, 20], [240, 0, 25], [255, 185, 125]];
  const record = Buffer.alloc(14 + 34 * phases.length + 6 + 24);
  record.writeUInt16LE(phases.length, 0);
  record.writeUInt16LE(1, 2);
  phases.forEach((colour, i) => {
    record.set([...colour, 100], 14 + 34 * i);
    record.writeInt8(i, 14 + 34 * i + 17);
    record.write('SUN4.0', 14 + 34 * i + 18, 'latin1');
  });
  const track = 14 + 34 * phases.length;
  record.writeUInt32LE(0 | 1 << 3, track);
  record.writeUInt16LE(4, track + 4);
  [[0, 50], [1, 100], [2, 150], [1, 200]].forEach(([phase, end], i) => {
    record.writeUInt16LE(phase, track + 6 + 6 * i);
    record.writeUInt16LE(end, track + 8 + 6 * i);
  });
  return new Uint8Array(record);
}

test('an image gives its pixels, levels and cells', () => {
  const image = retropose.openTexture(texm(2, 1, 4444, [0x34, 0x12, 0xFF, 0xFF], [1, 1, 0, 1]));
  assert.deepEqual([image.width, image.height, image.levels, image.format, image.hasAlpha], [2, 1, 1, 'a4r4g4b4', true]);
  assert.deepEqual([...image.pixels().data], [0x22, 0x33, 0x44, 0x11, 255, 255, 255, 255]);
  assert.deepEqual(image.cell(0), { u0: 0.5, uSize: 0.5, v0: 0, vSize: 1 });
  assert.deepEqual(image.cell(-1), { u0: 0, uSize: 1, v0: 0, vSize: 1 });
  assert.equal(errorOf(() => image.pixels(1)).status, 'invalid');
  assert.equal(errorOf(() => retropose.openTexture(new Uint8Array(40))).status, 'corrupt');
  image.close();
});

test('surfaces lead from a batch to a texture, a look and a colour', () => {
  const { batch, material: row } = hero.slotMesh(0).batches[0];
  const wear = Buffer.from(`${row + 1}\n${row} RAY\n`, 'latin1');
  const materials = retropose.openArchive(nres([[0x3054414D, 4, 6, 'RAY', beam()]]));
  const textures = retropose.openArchive(nres([[0x6D786554, 0, 0, 'sun4.0', texm(1, 1, 565, [0, 0])]]));
  const surfaces = retropose.openSurfaces({ wear, materials, textures });
  const at = (time) => surfaces.find(hero, batch, { time });
  assert.deepEqual([at(0).name, at(0).match, at(0).material.name, at(0).texture.name], ['RAY', 'named', 'RAY', 'sun4.0']);
  assert.deepEqual([0, 60, 120, 160, 260].map((time) => at(time).look.page), [0, 1, 2, 1, 1]);
  assert.ok(Math.abs(at(25).look.selfLight[0] - 230 / 255) < 1e-6);
  assert.deepEqual(at(0).blend, { mode: 'over', source: 'source-alpha', destination: 'inverse-source-alpha', testsAlpha: true });
  const colour = surfaces.colour(at(0), { scene: [0.1, 0.1, 0.1], light: [9, 9, 9], texel: [1, 0.5, 0.5, 0.25] });
  [220 / 255 + 0.1, (20 / 255 + 0.1) / 2, (20 / 255 + 0.1) / 2, 0.25].forEach((wanted, i) =>
    assert.ok(Math.abs(colour[i] - wanted) < 1e-6, `${colour}`));
  assert.equal(retropose.openSurfaces().find(hero, batch).material, null);
  assert.equal(errorOf(() => surfaces.find(hero, 60000)).status, 'invalid');
  assert.equal(errorOf(() => surfaces.find(hero, batch, { time: -1 })).status, 'invalid');
  textures.close();
  assert.equal(errorOf(() => at(0)).status, 'invalid');
});

/* ---- archives ---- */

test('members of an NRes archive are those that the command lists', () => {
  const listed = JSON.parse(command('nres', 'ls', PARTS, '--json')).archives[0].members;
  const found = archive.members.map(({ name, size, typeName, attributes }) => [name, size, typeName, ...attributes]);
  assert.deepEqual(found, listed.map((m) => [m.name, m.size, m.type, m.attr1, m.attr2, m.attr3]));
  assert.equal(archive.find('r_h_02.MSH').index, 1);
  assert.equal(archive.find('nobody'), null);
  assert.equal(archive.find('\u4e00'), null);
  assert.equal([...archive].filter(({ isModel }) => isModel).length, listed.filter((m) => m.type === 'MESH').length);
  assert.equal(errorOf(() => archive.member('nobody')).status, 'not found');
  assert.equal(errorOf(() => archive.member(archive.members.length)).status, 'invalid');
});

test('members of an RsLi library have the bytes that the command extracts', () => {
  const name = corpus('libraries/methods.lib');
  const folder = mkdtempSync(join(tmpdir(), 'retropose-js-'));
  after(() => rmSync(folder, { recursive: true }));
  command('rsli', 'extract', name, '--all', '--output', join(folder, 'out'));
  const extracted = new Set(readdirSync(join(folder, 'out')).map((file) => Buffer.from(read(join(folder, 'out', file))).toString('hex')));
  const lib = retropose.openArchive(read(name));
  assert.equal(lib.kind, 'rsli');
  let unpacked = 0;
  for (const member of lib) {
    const bytes = member.read();
    assert.equal(bytes.length, member.size);
    assert.ok(extracted.has(Buffer.from(bytes).toString('hex')), member.name);
    unpacked += member.typeName !== 'stored';
  }
  assert.ok(unpacked > 10);
  assert.ok(retropose.openModel(lib.member('POINT_L.MSH')).nodeCount > 0);
  assert.equal(errorOf(() => lib.withMember('A', new Uint8Array(1))).status, 'unsupported');
  lib.close();
});

test('a member is replaced and added without a change to the others', () => {
  assert.deepEqual(archive.withMember('R_H_02.msh', hero.bytes()), archive.bytes());
  const more = retropose.openArchive(archive.withMember('new.msh', hero.bytes()), { mode: 'strict' });
  assert.equal(more.members.length, archive.members.length + 1);
  assert.equal(more.member('NEW.MSH').typeName, 'MESH');
  for (const { index } of archive) assert.deepEqual(more.read(index), archive.read(index));
  assert.deepEqual(archive.check(), []);
});

test('an archive may be closed before its models', () => {
  const short = retropose.openArchive(read(PARTS));
  const model = retropose.openModel(short.member(1));
  short.close();
  short.close();
  assert.ok(short.closed);
  assert.equal(errorOf(() => short.read(0)).status, 'invalid');
  assert.equal(bitsOf(model.skeleton.pose(3)), bitsOf(hero.skeleton.pose(3)));
  model.close();
  assert.equal(errorOf(() => model.skeleton).status, 'invalid');
});

/* ---- models ---- */

test('describe and check say what the command says', () => {
  const told = JSON.parse(command('msh', 'check', HERO, '--json')).files[0].findings;
  const found = hero.check();
  assert.deepEqual(found.map(({ rule, what, found: f }) => [rule, what, f]), told.map((t) => [t.rule, t.what, t.found]));
  assert.equal(found[0].stream, 2);
  assert.equal(found[0].node, null);
  const said = hero.describe();
  assert.equal(said.nodes.length, hero.nodeCount);
  assert.equal(said.frames, hero.frameCount);
  assert.deepEqual(said.nodes.map(({ parent }) => parent), [...hero.skeleton.parents]);
  const cells = said.nodes.map(({ slots }) => slots);
  cells.forEach((slots, node) => slots.forEach((slot, cell) => assert.equal(hero.slot(node, cell), slot)));
});

test('readings change what a model means', () => {
  const other = hero.withOptions({ readings: { 'key-order': 'wxyz', 'slot-words': 'state-lod', dot4: 'pairs' } });
  assert.equal(other.readings['key-order'], 'wxyz');
  assert.equal(other.readings.dot4, 'pairs');
  assert.equal(other.cellFor({ stage: 2, level: 4 }), 14);
  assert.equal(hero.cellFor({ level: 2, group: 3 }), 13);
  assert.equal(hero.cellFor({ level: 3 }), null);
  assert.notEqual(bitsOf(other.skeleton.pose(1)), bitsOf(hero.skeleton.pose(1)));
  assert.equal(hero.withOptions({ readings: 'evidence' }).readings['key-order'], 'xyzw');
  assert.equal(hero.withOptions({ readings: 'drawn' }).readings.uv, 'unsigned');
  assert.equal(errorOf(() => hero.withOptions({ readings: 'key-order=zyxw' })).status, 'invalid');
  assert.equal(errorOf(() => hero.withOptions({ readings: 'nothing=1' })).what, 'unknown reading');
  assert.deepEqual(hero.evidence().map(({ name }) => name), ['key-order', 'rotation', 'slot-words', 'material']);
});

test('slots have the triangles that glTF has', () => {
  const { bytes } = hero.exportGlb();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true))));
  const shown = hero.describe().slots.map((_, slot) => hero.slotMesh(slot)).filter(({ triangleCount }) => triangleCount > 0);
  const primitives = gltf.meshes.flatMap((mesh) => mesh.primitives);
  assert.equal(primitives.length, shown.reduce((sum, { batches }) => sum + batches.length, 0));
  const indices = primitives.map((primitive) => gltf.accessors[primitive.indices].count);
  assert.deepEqual(indices, shown.flatMap(({ batches }) => batches.map(({ count }) => count)));
  for (const mesh of shown) {
    assert.equal(mesh.positions.length, 3 * mesh.vertexCount);
    assert.equal(mesh.normals.length, 3 * mesh.vertexCount);
    assert.equal(mesh.uvs.length, 2 * mesh.vertexCount);
    assert.ok(Math.max(...mesh.indices) === mesh.vertexCount - 1);
    const { low, high } = hero.describe().slots[mesh.slot];
    mesh.positions.forEach((value, i) => assert.ok(value >= low[i % 3] - 0.01 && value <= high[i % 3] + 0.01));
  }
  const { status, expected, found } = errorOf(() => hero.slotMesh(60000));
  assert.deepEqual([status, expected, found], ['invalid', `an index below the number of slots, ${hero.describe().slots.length}`, '60000']);
});

test('glTF and OBJ are the bytes that the command writes, and come back', () => {
  const glb = hero.exportGlb();
  assert.deepEqual(glb.bytes, written('hero.glb', (to) => ['msh', 'convert', HERO, to]));
  assert.deepEqual(glb.notes, []);
  assert.deepEqual(retropose.importGltf(glb.bytes).bytes, hero.bytes());
  const text = hero.exportGltf();
  assert.ok(retropose.isGltf(text.bytes));
  assert.deepEqual(retropose.importGltf(text.bytes).bytes, hero.bytes());
  assert.deepEqual(retropose.importGltf(glb.bytes, { onto: archive.member(1) }).bytes, archive.bytes());
  const obj = written('hero.obj', (to) => ['msh', 'convert', HERO, to]);
  assert.equal(hero.exportObj({ materials: 'hero.mtl' }).text, new TextDecoder().decode(obj));
  const few = hero.exportGlb({ cells: [0], animation: false, name: 'x' });
  assert.ok(few.bytes.length < glb.bytes.length);
  assert.equal(errorOf(() => hero.exportGlb({ subFrames: 65 })).status, 'invalid');
});

test('a glTF of several parts asks for them', () => {
  const parts = JSON.parse(new TextDecoder().decode(hero.exportGltf().bytes));
  const buffer = Uint8Array.from(Buffer.from(parts.buffers[0].uri.split(',')[1], 'base64'));
  parts.buffers[0].uri = 'hero.bin';
  const text = new TextEncoder().encode(JSON.stringify(parts));
  const asked = [];
  const load = (uri) => (asked.push(uri), buffer);
  assert.deepEqual(retropose.importGltf(text, { load }).bytes, hero.bytes());
  assert.deepEqual(asked, ['hero.bin']);
  assert.equal(errorOf(() => retropose.importGltf(text, { load: () => null })).status, 'not found');
  assert.ok(['unsupported', 'not found'].includes(errorOf(() => retropose.importGltf(text)).status));
  assert.throws(() => retropose.importGltf(text, { load() { throw new TypeError('mine'); } }), /mine/);
});

/* ---- poses ---- */

test('poses come one at a time, many at once and without copies, with the same bits', () => {
  const { skeleton } = hero;
  const times = new Float32Array(3 * 50);
  for (let i = 0; i < 50; i++) times.set([i * 1.37, i * 2.5, i / 49], 3 * i);
  const many = skeleton.poseMany(times);
  const batch = skeleton.batch(50);
  batch.times.set(times);
  batch.pose();
  assert.equal(bitsOf(batch.matrices), bitsOf(many));
  for (let i = 0; i < 50; i++) {
    const one = skeleton.pose(...times.subarray(3 * i, 3 * i + 3));
    assert.equal(bitsOf(one), bitsOf(many.subarray(one.length * i, one.length * (i + 1))));
  }
  batch.close();
  assert.equal(errorOf(() => batch.pose()).status, 'invalid');
  const out = new Float32Array(16 * skeleton.nodeCount);
  assert.equal(skeleton.pose(2, -1, 0, out), out);
  assert.equal(errorOf(() => skeleton.pose(2, -1, 0, new Float32Array(3))).status, 'invalid');
  const zeroed = skeleton.pose(0, -1, 0, null, { zeroRoot: true, space: 'local' });
  assert.deepEqual([zeroed[3], zeroed[7], zeroed[11]], [0, 0, 0]);
});

test('samples and tracks are those of the poses', () => {
  const { skeleton } = hero;
  const all = skeleton.sampleAll(7.5);
  for (let node = 0; node < skeleton.nodeCount; node++) {
    const { quaternion, position } = skeleton.sample(node, 7.5);
    assert.equal(bitsOf([...quaternion, ...position]), bitsOf(all.subarray(7 * node, 7 * node + 7)));
  }
  const track = skeleton.track(2);
  assert.deepEqual([...track.times], hero.describe().nodes[2].keys);
  assert.equal(track.rotations.length, 4 * track.count);
  const middle = skeleton.sample(2, track.times[1]);
  assert.equal(bitsOf(middle.position), bitsOf(track.positions.subarray(3, 6)));
});

/* ---- mesh objects ---- */

test('an object is posed, bounded and hit as the command does it', () => {
  const said = (verb, ...words) => JSON.parse(command('object', verb, HERO, ...words, '--frames', '0,20,30,40', '--phase', '0.5,0.25', '--json'));
  const model = hero.withOptions({ build: 'sse', readings: 'evidence' });
  const object = model.createObject();
  object.setFrames(0, 20, 30, 40);
  object.setPhase(0.5, 0.25);
  object.pose();
  object.updateBounds();
  for (const [mine, theirs] of [['world', 'world'], ['object', 'model'], ['local', 'local']]) {
    const matrices = said('pose', '--space', theirs).pieces.flatMap(({ matrix }) => matrix);
    assert.equal(numbers(object.matrices(mine)), numbers(matrices), mine);
  }
  for (const { piece, corners, sphere, capsule } of said('bounds').pieces) {
    assert.equal(numbers(object.box(piece)), numbers(corners.flat()));
    assert.equal(numbers(object.sphere(piece)), numbers(sphere));
    assert.equal(numbers(object.capsule(piece)), numbers(capsule));
  }
  const segments = [[0, -5, 4, 0, 5, 4], [0, -5, 5.5, 0.2, 5, 5.5], [0, -5, 1, 0, 5, 1], [50, 0, 0, 60, 0, 0]];
  const answers = segments.map((ends) => {
    const text = command('object', 'query', HERO, '--frames', '0,20,30,40', '--phase', '0.5,0.25', 'segment', ends.join());
    const hit = object.segment(ends.slice(0, 3), ends.slice(3));
    assert.equal(text.startsWith('no\n'), hit === null);
    if (hit) assert.match(text, new RegExp(`^piece ${hit.piece}, batch ${hit.batch}, triangle ${hit.triangle} \\(${hit.batchTriangle} of`));
    return hit !== null;
  });
  assert.ok(answers.includes(true) && answers.includes(false));
  assert.ok(object.draw(0).length > 0);
  assert.ok(object.counters().byCore > 0);
});

test('parts are attached and taken off', () => {
  const object = hero.createObject();
  const before = object.pieceCount;
  const gun = retropose.openModel(archive.member(0));
  const part = object.attach(gun, { piece: 3 });
  assert.equal(part, 1);
  assert.equal(object.pieceCount, before + gun.nodeCount - 1);
  const first = object.firstPieceOfPart(part);
  assert.equal(object.piece(first).model, gun);
  gun.close();
  object.setFlags(first, ['hidden', 'own'], true, true);
  assert.equal(object.piece(first).flags & 9, 9);
  object.setStage(first, 2);
  assert.equal(object.piece(first).stage, 2);
  object.setScale(2);
  object.setPlacement([1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1]);
  object.pose();
  assert.equal(object.matrix(0)[3], 5);
  object.setFlags(0, ['flying']);
  object.setPieceMatrix(0, [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1]);
  object.tilt(1, [1, 0, 0], [0, 1, 0]);
  object.setPieceFrames(first, 0, 3);
  object.setPiecePhase(first, 0.25);
  object.pose();
  assert.equal(object.matrix(0)[11], 3);
  assert.equal(object.isInside([1000, 0, 0]), false);
  assert.equal(object.walkFace([1000, 0, 0]), null);
  object.detach(part);
  assert.equal(object.pieceCount, before);
  assert.equal(errorOf(() => object.detach(0)).status, 'invalid');
  assert.equal(errorOf(() => object.matrix(before)).status, 'invalid');
  assert.equal(errorOf(() => object.setFlags(0, ['shiny'])).status, 'invalid');
});

/* ---- LEGO Island and Asheron's Call ---- */

test('an .ani file is sampled as the command does it', () => {
  const bird = retropose.openAni(read(samples('bird.ani')), { mode: 'strict' });
  const node = bird.find('left');
  assert.equal(bird.nodes[node].name, 'LEFT');
  const said = JSON.parse(command('ani', 'sample', samples('bird.ani'), '--time', '250', '--node', 'LEFT', '--json')).samples[0].nodes[0];
  const { local, world, visible } = bird.sample(250);
  assert.equal(numbers(local.subarray(16 * node, 16 * node + 16)), numbers(said.local));
  assert.equal(numbers(world.subarray(16 * node, 16 * node + 16)), numbers(said.world));
  assert.equal(visible[node], said.visible);
  assert.equal(bird.sampleParts(node, 250).rotation.length, 4);
  assert.equal(bird.sampleCamera(250).matrix.length, 16);
  assert.deepEqual(bird.dump(), JSON.parse(command('ani', 'dump', samples('bird.ani'))));
  assert.deepEqual(bird.exportGlb(), written('bird.glb', (to) => ['ani', 'convert', samples('bird.ani'), to]));
  assert.ok(bird.check().every(({ severity }) => severity !== 'error'));
  assert.equal(errorOf(() => bird.sampleParts(99, 0)).status, 'invalid');
});

test('a motion table plays the events of the command', () => {
  const names = ['03000001.bin', '03000002.bin', '03000003.bin'].map(samples);
  const animations = names.map((name) => retropose.openAcAnimation(read(name), { mode: 'strict' }));
  const table = retropose.openAcMotionTable(read(samples('09000001.bin')));
  assert.deepEqual(animations.map(({ id }) => id), table.animations);
  assert.deepEqual(animations[1].dump(), JSON.parse(command('ac', 'dump', names[1])));
  assert.equal(animations[0].frame(0).length, 7 * animations[0].partCount);
  const motion = table.createMotion(animations);
  animations.forEach((animation) => animation.close());
  table.close();
  const entries = command('ac', 'simulate', samples('09000001.bin'), ...names, '--script', samples('walk.txt'), '--json')
    .trim().split('\n').map((line) => JSON.parse(line));
  const happened = [], places = [];
  const tick = (seconds, times) => {
    for (let i = 0; i < times; i++) {
      happened.push(...motion.tick(seconds).events.map(({ event }) => event));
      const { animation, position } = motion.current();
      places.push([animation, position, motion.substate]);
    }
  };
  assert.equal(motion.do(0x13000087), 'done');
  tick(0.25, 3);
  assert.equal(motion.do(0x45000005), 'done');
  tick(0.125, 4);
  assert.equal(motion.stopAll(), 'done');
  tick(0.125, 1);
  const ticks = entries.filter(({ kind }) => kind === 'tick');
  assert.deepEqual(places, ticks.map((t) => [Number(t.animation), t.frame_number, Number(t.substate)]));
  const kinds = { hook: 'hook', 'animation-done': 'animation done', ended: 'motion done' };
  assert.deepEqual(happened, entries.map(({ kind }) => kinds[kind]).filter(Boolean));
  assert.equal(motion.pose().length % 7, 0);
  assert.ok(motion.pose().length > 0);
});

/* ---- functions of one's own ---- */

test('a slerp in plain JavaScript is told from the game', () => {
  const trace = retropose.openTrace(read(process.env.RETROPOSE_ROOT + '/traces/slots.rptrace'));
  const own = (q0, q1, t) => {
    let dot = q0.reduce((sum, value, i) => sum + value * q1[i], 0);
    const sign = dot < 0 ? -1 : 1;
    dot *= sign;
    const angle = Math.acos(Math.min(1, dot)), sine = Math.sin(angle);
    const [a, b] = 1 - dot < 1e-5 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    return q0.map((value, i) => a * value + sign * b * q1[i]);
  };
  const agreement = checkSlerp(trace, own);
  assert.equal(agreement.calls, 1539);
  assert.ok(agreement.same > 100 && agreement.near > 100, String(agreement));
  assert.match(String(agreement), /^\d+ of 1539 calls differ, at most/);
  const exact = checkSlerp(trace, (q0, q1, t) => retropose.math.slerp(q0, q1, t, { build: 'sse' }));
  assert.deepEqual([exact.same, exact.far, exact.first], [1539, 0, null]);
  assert.equal(String(exact), '0 of 1539 calls differ');
  const [first, second] = trace;
  assert.equal(errorOf(() => first.input('q0')).status, 'invalid');
  assert.equal(second.function.startsWith('ngi32.'), true);
  assert.equal(trace.header('nothing'), null);
});

test('a distance is counted in floats', () => {
  assert.deepEqual([ulpsBetween(1, 1), ulpsBetween(0, -0), ulpsBetween(1, 1 + 2 ** -23), ulpsBetween(NaN, NaN)], [0, 1, 1, 0]);
  assert.equal(ulpsBetween(NaN, 1), Infinity);
  assert.equal(ulpsBetween(-(2 ** -149), 2 ** -149), 3);
});

/* ---- wrong use ---- */

test('wrong arguments are told', () => {
  for (const use of [
    () => retropose.openArchive('text'), () => retropose.openModel(5), () => retropose.openModel(hero),
    () => hero.skeleton.pose('2'), () => hero.skeleton.sample(-1, 0), () => hero.skeleton.sample(1.5, 0),
    () => hero.withOptions({ build: 'avx' }), () => retropose.openAni(new Uint8Array(0), { mode: 'lenient' }),
    () => retropose.math.slerp([1, 2, 3], [1, 0, 0, 0], 0.5), () => instantiate(wasm).openModel(archive.member(1)),
  ]) assert.equal(errorOf(use).status, 'invalid', String(use));
  const { skeleton } = hero, bird = retropose.openAni(read(samples('bird.ani'))), batch = skeleton.batch(2);
  for (const bad of [NaN, Infinity, -Infinity, 1e300]) {
    batch.times[4] = bad; // 1e300 is infinite here
    for (const use of [
      () => skeleton.pose(bad), () => skeleton.pose(1, bad), () => skeleton.pose(1, 2, bad), () => skeleton.sample(0, bad),
      () => skeleton.sampleAll(bad), () => skeleton.poseMany(Float32Array.of(1, -1, 0, 1, bad, 0)), () => batch.pose(),
      () => hero.exportObj({ frame: bad }),
      () => bird.sample(bad), () => bird.sampleParts(0, bad), () => bird.sampleCamera(bad),
    ]) {
      const refused = errorOf(use);
      assert.deepEqual([refused.status, refused.what, refused.expected], ['invalid', 'a time or a weight is no number', 'a finite number'], `${use} ${bad}`);
    }
    batch.pose(1); // the first one's times are fine
  }
  const error = errorOf(() => retropose.openArchive(new Uint8Array(3)));
  assert.equal(error.status, 'truncated');
  assert.match(error.message, /^N01: .*, at byte 3: expected 16 bytes, found 3$/);
  assert.ok(error instanceof Error && error.name === 'RetroposeError' && error.offset === 3);
});

/* ---- memory ---- */

test('ten thousand opened files leave nothing behind', () => {
  const fresh = instantiate(wasm);
  const bytes = hero.bytes();
  const ani = read(samples('bird.ani'));
  const once = () => {
    const model = fresh.openModel(bytes);
    model.skeleton.pose(1);
    model.close();
    const list = fresh.openArchive(bytes);
    list.close();
    const bird = fresh.openAni(ani);
    bird.sample(10);
    bird.close();
    errorOf(() => fresh.openModel(ani));
  };
  once();
  const before = fresh.memory();
  for (let i = 0; i < 10000; i++) once();
  assert.deepEqual(fresh.memory(), before);
  const object = fresh.openModel(bytes).createObject();
  const part = fresh.openModel(bytes);
  for (let i = 0; i < 100; i++) object.detach(object.attach(part, { piece: 1 }));
});

test('everything that is closed is freed', () => {
  const fresh = instantiate(wasm);
  const glb = hero.exportGlb().bytes;
  const once = () => {
    const list = fresh.openArchive(read(PARTS));
    const model = fresh.openModel(list.member(1));
    const object = model.createObject();
    const other = fresh.openModel(list.member(0));
    object.attach(other, { piece: 1 });
    const batch = model.skeleton.batch(10);
    batch.pose();
    const trace = fresh.openTrace(read(process.env.RETROPOSE_ROOT + '/traces/control.rptrace'));
    for (const call of trace) void call.inputs;
    model.exportGlb();
    fresh.importGltf(glb);
    errorOf(() => fresh.importGltf(new TextEncoder().encode('{"asset":{"version":"2.0"}}')));
    const open = fresh.memory().blocks;
    for (const one of [list, model, other, batch, trace, object]) one.close();
    return open;
  };
  once(); // after which the block that calls work in is there
  const before = fresh.memory().blocks;
  assert.ok(once() > before);
  assert.equal(fresh.memory().blocks, before);
});

test('a trap is told, and what follows it is refused', () => {
  const broken = instantiate(wasm);
  const model = broken.openModel(hero.bytes());
  const { skeleton } = model;
  const faulty = instantiate(trapping(wasm, 'JsImage_New'));
  assert.equal(errorOf(() => faulty.openArchive(new Uint8Array(4))).status, 'crashed');
  assert.ok(faulty.crashed);
  assert.equal(errorOf(() => faulty.memory()).status, 'crashed');
  assert.equal(skeleton.pose(0).length, 16 * model.nodeCount);
});
