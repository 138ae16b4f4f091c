/* Which face of the object the game would hit with a segment through a point of the picture. */
import { Raycaster, Vector2 } from 'three';
import { slotMesh } from './library.js';

/* From the stage's axes into the game's. */
const game = ({ x, y, z }) => [x, -z, y];

export function rayAt(stage, event) {
  const box = stage.canvas.getBoundingClientRect();
  const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  const ray = new Raycaster();
  ray.setFromCamera(at, stage.seen);
  return ray;
}

/* What is drawn under a ray: the nearest surface, whether the game would hit it or not. */
export function drawnUnder(subject, ray) {
  const meshes = [...subject.visibleParts()].map(([, part]) => part.mesh);
  return ray.intersectObjects(meshes, false)[0] ?? null;
}

/* The face that the game's own query gives, as { node, piece, batch, triangle, point, corners, start,
 * end }, all in the model's space; null for none. */
export function hitUnder(subject, ray, reach) {
  const object = subject.poseObject?.();
  if (!object) return null;
  const moved = subject.rootMotion;
  const beside = (point) => point.map((value, k) => value - moved[k]);
  const start = beside(game(ray.ray.origin));
  const end = beside(game(ray.ray.at(reach, ray.ray.origin.clone())));
  const hit = object.segment(start, end);
  if (!hit) return null;
  return { ...hit, node: subject.attached?.nodeOf(hit.piece) ?? hit.piece, start, end, corners: cornersOf(subject, object, hit) };
}

/* The three corners of a face at the present pose. */
function cornersOf(subject, object, hit) {
  const { node, model } = object.piece(hit.piece);
  const matrix = object.matrix(hit.piece, 'object');
  const [x, y, z] = subject.rootMotion;
  for (const slot of new Set(model.cells.map((cell) => model.slot(node, cell.index)))) {
    if (slot < 0) continue;
    const mesh = slotMesh(model, slot);
    const batch = mesh?.batches.find((one) => one.batch === hit.batch);
    if (!batch) continue;
    return [0, 1, 2].map((corner) => {
      const at = mesh.indices[batch.first + hit.batchTriangle * 3 + corner] * 3;
      const p = mesh.positions.subarray(at, at + 3);
      return [0, 4, 8].map((row, k) => matrix[row] * p[0] + matrix[row + 1] * p[1] + matrix[row + 2] * p[2] + matrix[row + 3] + [x, y, z][k]);
    });
  }
  return null;
}
