// Answers what ask.c asked, by brute force in binary64, and compares.
//
//     ask SEED SCENES | node check.mjs [LEAST_QUERIES]
//
// Every number carries a bound of its error (ball.mjs), so that an answer is expected to lie within
// the bound of its own arithmetic, and a decision is yes, no or too close to tell. Of a decision that
// is too close both outcomes are followed: an answer must be one of those that follow from the
// published rules. Where there are several, a tie, the answer of plain binary64 may be another one
// than ours; these are counted, and there must be few.
import { chunks } from "./chunks.mjs";
import { readModel } from "./model.mjs";
import { SceneObject } from "./object.mjs";
import { comparePose, compareBounds } from "./compare_state.mjs";
import { compareSegments } from "./segment.mjs";
import { compareWalks, compareMargins } from "./walk.mjs";
import { comparePushes } from "./push.mjs";
import { comparePoints } from "./inside.mjs";
import { Tally } from "./tally.mjs";

const COMPARISONS = {
  pose: comparePose, bnds: compareBounds, segm: compareSegments, walk: compareWalks,
  marg: compareMargins, push: comparePushes, insd: comparePoints,
};

function settingsOf({ build, readings }) {
  const chosen = Object.fromEntries(readings.split(",").filter(Boolean).map((item) => item.split("=")));
  return {
    sse: build === "sse",
    keyOrder: chosen["key-order"] ?? "xyzw",
    tiltOrder: chosen["tilt-order"] ?? "after",
    worldProduct: chosen["world-product"] ?? "placement",
    rootTranslation: chosen["root-translation"] ?? "zeroed",
  };
}

function perform(models, scene) {
  const object = new SceneObject(models, settingsOf(scene));
  for (const [name, ...operands] of scene.operations)
    if (name !== "nothing") object[name](...operands);
  return object;
}

const tally = new Tally();
let models = [], object = null;
for (const { tag, payload } of chunks(0)) {
  if (tally.isLost) break;
  if (tag === "modl") {
    if (object) [models, object] = [[], null];
    models.push(readModel(payload.bytes));
  } else if (tag === "scen") {
    const scene = JSON.parse(payload.bytes.toString("utf8"));
    tally.beginScene(scene);
    object = perform(models, scene);
    object.exact = scene.exact;
  } else {
    COMPARISONS[tag](object, payload, tally.of(tag));
  }
}
process.exitCode = tally.report(Number(process.argv[2] ?? 0)) ? 0 : 1;
