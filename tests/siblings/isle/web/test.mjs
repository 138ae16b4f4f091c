// Reads animations with a reader that kaitai-struct-compiler makes from the seed's description, and
// compares every field with `retropose ani dump`; then validates the glTF of `ani convert`, and
// plays it against `ani sample`.
//
//     node test.mjs RETROPOSE DESCRIPTION FILE...
//
// Modules are resolved from the working directory, where `npm ci` has put them.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";
import * as gltf from "./gltf.mjs";
import { parseSeed } from "./seed.mjs";

const require = createRequire(path.join(process.cwd(), "package.json"));
const KaitaiStream = require("kaitai-struct/KaitaiStream");
const { validateBytes } = require("gltf-validator");
const [retropose, description, ...files] = process.argv.slice(2);

function run(...words) {
  return execFileSync(retropose, ["ani", ...words], { maxBuffer: 1 << 28, encoding: "utf8" });
}

async function compile() {
  const compiler = require("kaitai-struct-compiler");
  const schema = parseSeed(readFileSync(description, "utf8"));
  const made = await compiler.compile("javascript", schema, null, false);
  const module = { exports: {} };
  vm.runInThisContext(`(function (module, exports, require) {${made["Animation.js"]}\n})`)(
    module, module.exports, () => KaitaiStream);
  return module.exports.Animation ?? module.exports;
}

// ---- fields -------------------------------------------------------------------------------------

let compared = 0;
function same(where, expected, found) {
  compared++;
  if (!Object.is(expected, found)) throw new Error(`${where}: kaitai ${expected}, ours ${found}`);
}

function sameKeys(where, count, theirs, ours = [], values) {
  same(`${where} count`, count, ours.length);
  same(`${where} count`, theirs.length, ours.length);
  theirs.forEach((key, i) => {
    same(`${where}[${i}].time`, key.key.time, ours[i].time);
    same(`${where}[${i}].flags`, key.key.flags, ours[i].flags);
    values.forEach((name, k) => same(`${where}[${i}].${name}`, key[name],
      name === "visible" ? ours[i].visible : Math.fround(ours[i].value[k])));
  });
}

function sameNode(where, theirs, ours, depth) {
  const node = ours.shift(), data = theirs.data, xyz = ["x", "y", "z"];
  same(`${where} depth`, depth, node.depth);
  same(`${where} name`, data.name ?? "", node.name);
  same(`${where} name length`, data.nameLength, node.name.length);
  sameKeys(`${where} translation`, data.numTranslationKeys, data.translationKeys, node.translation, xyz);
  sameKeys(`${where} rotation`, data.numRotationKeys, data.rotationKeys, node.rotation, ["angle", ...xyz]);
  sameKeys(`${where} scale`, data.numScaleKeys, data.scaleKeys, node.scale, xyz);
  sameKeys(`${where} morph`, data.numMorphKeys, data.morphKeys, node.morph, ["visible"]);
  same(`${where} children`, theirs.numChildren, theirs.children.length);
  theirs.children.forEach((child, i) => sameNode(`${where}/${i}`, child, ours, depth + 1));
}

function sameCamera(theirs, ours) {
  const xyz = ["x", "y", "z"];
  sameKeys("eye", theirs.numTranslationKeys, theirs.translationKeys, ours.eye, xyz);
  sameKeys("target", theirs.numTargetKeys, theirs.targetKeys, ours.target, xyz);
  sameKeys("roll", theirs.numRotationKeys, theirs.rotationKeys, ours.roll, ["z"]);
}

function compareFields(Animation, file) {
  const bytes = readFileSync(file), stream = new KaitaiStream(new Uint8Array(bytes).buffer);
  const theirs = new Animation(stream), ours = JSON.parse(run("dump", file));
  same("magic", theirs.magic, ours.header.magic);
  same("radius", theirs.boundingRadius, Math.fround(ours.header.radius));
  [theirs.centerX, theirs.centerY, theirs.centerZ].forEach((value, i) =>
    same(`centre ${i}`, value, Math.fround(ours.header.centre[i])));
  same("has_camera", theirs.hasCameraAnim, ours.header.has_camera);
  same("unused", theirs.unused, ours.header.unused);
  same("actors", theirs.numActors, ours.actors.length);
  theirs.actors.forEach((actor, i) => {
    same(`actor ${i} name`, actor.name, ours.actors[i].name);
    same(`actor ${i} type`, actor.actorType, ours.actors[i].type);
  });
  same("duration", theirs.duration, ours.duration);
  same("camera", theirs.cameraAnim !== undefined, ours.camera !== undefined);
  if (ours.camera) sameCamera(theirs.cameraAnim, ours.camera);
  sameNode("root", theirs.rootNode, ours.nodes, 0);
  same("nodes left", 0, ours.nodes.length);
  same("trailing", Buffer.from(bytes.subarray(stream.pos)).toString("hex"), ours.trailing);
}

// ---- glTF ---------------------------------------------------------------------------------------

// Rows for row vectors are columns for column vectors; z is mirrored on both sides. The game's camera
// looks along its third row, which thus becomes glTF's -z.
function mirrored(matrix) {
  return matrix.map((value, i) => ((i >> 2) === 2) !== (i % 4 === 2) ? -value : value);
}

function farthest(a, b) {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i])));
}

function comparePoses(file, document) {
  const duration = JSON.parse(run("info", "--json", file)).duration;
  // Times between the baked keys are compared, too, but not keys of a hold, where the pose jumps.
  const { samples } = JSON.parse(run("sample", "--json", "--time", `3:${duration}:17`, file));
  let most = 0, where = "";
  const take = (difference, place) => {
    if (difference > most) [most, where] = [difference, place];
  };
  for (const { time, nodes, camera } of samples) {
    const worlds = gltf.pose(document, time / 1000);
    for (const { node, name, world } of nodes)
      take(farthest(mirrored(world), worlds[node]), `${name} at ${time} ms`);
    if (camera?.result === "moved")
      take(farthest(mirrored(camera.world), worlds[nodes.length]), `the camera at ${time} ms`);
  }
  return [most, where];
}

// An animation without a model cannot avoid the hint that a node is empty.
const allowed = (message) => message.severity >= 2 && message.code === "NODE_EMPTY";

async function checkGltf(file) {
  for (const output of [`${file}.glb`, `${file}.gltf`]) {
    run("convert", file, output);
    const report = await validateBytes(readFileSync(output), { maxIssues: 0 });
    const messages = report.issues.messages.filter((message) => !allowed(message));
    for (const { code, pointer, message } of messages) console.log(`${output}: ${code} ${pointer}: ${message}`);
    if (messages.length > 0) throw new Error(`${output}: ${messages.length} issues`);
  }
  const [most, where] = comparePoses(file, gltf.open(readFileSync(`${file}.gltf`, "utf8")));
  console.log(`${file}: glTF poses differ by ${most.toExponential(2)} at most, ${where}`);
  if (!(most < 0.003)) throw new Error(`${file}: glTF poses are too far off`);
}

// A camera that looks all round, up and down, and stands on its head in between.
function writeTurning(file) {
  const key = (time, value) => ({ time, flags: 1, value });
  const target = [];
  for (let i = 0; i <= 40; i++)
    target.push(key(i * 250, [10 * Math.sin(i * 0.32), 7 * Math.sin(i * 0.5), 10 * Math.cos(i * 0.32)]));
  writeFileSync(`${file}.json`, JSON.stringify({
    format: "retropose ani", version: 1, actors: [], duration: 10000,
    header: { magic: 17, radius: 1, centre: [0, 0, 0], has_camera: 1, unused: 0 },
    camera: { eye: [key(0, [1, 0.5, 0.25])], target,
      roll: [0, 1.5, 3.1, 4.5].map((angle, i) => key(i * 2500, [angle])) },
    nodes: [{ depth: 0, name: "ROOT" }] }));
  run("assemble", `${file}.json`, file);
}

const Animation = await compile();
writeTurning("turning.ani");
files.push("turning.ani");
for (const file of files) {
  compared = 0;
  compareFields(Animation, file);
  console.log(`${file}: ${compared} fields agree`);
  await checkGltf(file);
}
