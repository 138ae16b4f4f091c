// Runs in the browser. It loads each file, plays it, and compares the poses.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const tolerance = 1e-5;
const result = { revision: THREE.REVISION, files: 0, poses: 0, boxes: 0, worst: 0, failures: [] };

function fail(text) {
  result.failures.push(text);
}

// three.js only warns of a channel without its node, and of a name that is taken twice.
for (const kind of ['warn', 'error']) console[kind] = (...words) => fail(`three.js: ${words.join(' ')}`);

function nodesOf(scene) {
  const nodes = new Map();
  scene.traverse((object) => {
    const number = object.userData.retropose?.node;
    if (number !== undefined) nodes.set(number, object);
  });
  return nodes;
}

// q and -q are the same rotation. The sampler's quaternions need not have length 1.
function distance(object, place, sample) {
  const [x, y, z, w, px, py, pz] = sample;
  const length = Math.hypot(x, y, z, w);
  const expected = length > 1e-6 ? [x, y, z, w].map((value) => value / length) : [0, 0, 0, 1];
  const found = object.quaternion.toArray();
  const norm = Math.hypot(...found);
  const dot = expected.reduce((sum, value, i) => sum + value * found[i], 0);
  let worst = 0;
  for (let i = 0; i < 4; i++) worst = Math.max(worst, Math.abs(expected[i] - (Math.sign(dot) || 1) * (found[i] / norm)));
  const scale = Math.max(1, Math.abs(px), Math.abs(py), Math.abs(pz));
  [px, py, pz].forEach((value, i) => {
    worst = Math.max(worst, Math.abs(value - place.getComponent(i)) / scale);
  });
  return worst;
}

function placeOf(object, number, motion) {
  if (number !== 0 || motion === 'keep') return object.position;
  return motion === 'separate' ? object.parent.position : null;
}

function compare(name, poses, nodes, frame) {
  for (const [number, object] of nodes) {
    const sample = [...poses.samples[number][Math.min(frame, poses.samples[number].length - 1)]];
    const place = placeOf(object, number, poses.rootMotion) ?? object.position;
    if (number === 0 && poses.rootMotion === 'drop') sample.fill(0, 4);
    const found = distance(object, place, sample);
    result.poses++;
    result.worst = Math.max(result.worst, found);
    if (!(found <= tolerance)) fail(`${name}: node ${number}, frame ${frame}: ${found} away`);
  }
}

function play(name, poses, gltf, index) {
  const scene = gltf.scenes[index];
  const nodes = nodesOf(scene);
  const cell = gltf.parser.json.scenes[index].name;
  const clip = gltf.animations.find((animation, i) =>
    gltf.parser.json.animations[i].name === (index === 0 ? 'frames' : `frames ${cell}`));
  if (index === 0 && nodes.size !== poses.samples.length) fail(`${name}: ${nodes.size} nodes`);
  if (!clip) {
    if (index === 0 && poses.frames > 1) fail(`${name}: no animation`);
    compare(name, poses, nodes, 0);
    return;
  }
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  const { times } = clip.tracks[0];
  if (times.length !== (poses.frames - 1) * poses.subFrames + 1) fail(`${name}: ${times.length} times`);
  for (let frame = 0; frame < poses.frames; frame++) {
    action.reset().play();
    mixer.setTime(times[frame * poses.subFrames]);
    compare(name, poses, nodes, frame);
  }
}

// The box in which three.js draws what is visible at first, with axes and hierarchy applied.
function compareBox(name, poses, gltf) {
  if (!poses.box) return;
  gltf.scenes[0].updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(gltf.scenes[0], true);
  const found = [...box.min.toArray(), ...box.max.toArray()];
  const size = box.getSize(new THREE.Vector3()).length();
  result.boxes++;
  poses.box.forEach((value, i) => {
    if (!(Math.abs(value - found[i]) <= 1e-3 * size)) fail(`${name}: box ${found}, not ${poses.box}`);
  });
}

async function check(name) {
  const bytes = await (await fetch(`/models/${name}`)).arrayBuffer();
  const poses = await (await fetch(`/models/${name.replace(/\.\w+$/, '.json')}`)).json();
  const gltf = await new GLTFLoader().parseAsync(bytes, '');
  compareBox(name, poses, gltf);
  gltf.scenes.forEach((_, index) => play(name, poses, gltf, index));
  result.files++;
}

export async function checkAll(names) {
  for (const name of names) {
    try {
      await check(name);
    } catch (error) {
      fail(`${name}: ${error.stack}`);
    }
  }
  return result;
}
