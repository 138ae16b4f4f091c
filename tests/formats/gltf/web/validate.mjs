// Runs Khronos' validator over every exported file. There may be no errors and no warnings. The
// only allowed hint is that texture coordinates are not used, because models name their textures
// elsewhere.
//
//     node validate.mjs WORK_DIR
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const work = process.argv[2];
const { validateBytes } = createRequire(join(work, 'packages/'))('gltf-validator');
const allowed = (message) =>
  message.severity >= 2 && message.code === 'UNUSED_OBJECT' && /\/TEXCOORD_[01]$/.test(message.pointer);

let files = 0;
let failures = 0;
for (const name of readdirSync(join(work, 'models')).filter((name) => /\.(glb|gltf)$/.test(name))) {
  const report = await validateBytes(readFileSync(join(work, 'models', name)), { maxIssues: 0 });
  files++;
  for (const message of report.issues.messages.filter((message) => !allowed(message))) {
    console.log(`${name}: ${message.code} ${message.pointer}: ${message.message}`);
    failures++;
  }
}

// A check that cannot fail is worthless, so the same file is tried with one index out of range.
const planted = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [7] }], nodes: [{}] };
const report = await validateBytes(Buffer.from(JSON.stringify(planted)));
if (report.issues.numErrors === 0) {
  console.log('the validator finds nothing wrong with a scene of a node that is not there');
  failures++;
}
console.log(`validator: ${files} files, ${failures} issues`);
process.exit(files > 100 && failures === 0 ? 0 : 1);
