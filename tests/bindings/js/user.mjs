/* A program that has installed the package: the example of its README, and nothing else. */
import { load, RetroposeError } from 'retropose';
import { readFileSync } from 'node:fs';

const retropose = await load();
const archive = retropose.openArchive(readFileSync(process.argv[2]));
const model = retropose.openModel(archive.member('R_H_02.msh'));
const matrices = model.skeleton.pose(2.5);
console.log(`${archive.members.length} members, ${model.nodeCount} nodes, ${matrices.length} numbers`);
try {
  archive.member('nobody');
  process.exitCode = 1;
} catch (error) {
  if (!(error instanceof RetroposeError) || error.status !== 'not found') throw error;
}
