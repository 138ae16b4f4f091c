/* Which node, slot and row the parts of the GLB stand for: its extras (docs/formats/gltf.md), brought to
 * where three.js keeps them, `userData`. */

const whole = (value) => (Number.isInteger(value) && value >= 0 && value <= 65535 ? value : undefined);
const extras = (thing) => thing.extras?.retropose ?? {};

/* Also gives everything a number for its name: three.js finds what an animation moves by name, and
 * makes names unique in a way that some names defeat. The page takes names from its own JSON. */
function tag(json, info) {
  // Who says where a batch has its row: facts/formats.md C3.
  const byByte = info.readings?.find((reading) => reading.name === 'material')?.value === 'byte4';
  const each = (kind, action) => json[kind]?.forEach((thing, index) => {
    const tags = action(thing, index);
    thing.name = `${kind}${index}`;
    thing.extras = JSON.parse(JSON.stringify(tags));
  });
  each('nodes', (node, index) => ({ glbNode: index, node: whole(extras(node).node) }));
  each('meshes', (mesh) => ({ slot: whole(extras(mesh).slot) }));
  each('materials', (material, index) => {
    const { row, material: word } = extras(material);
    return { row: whole(byByte ? row : word) ?? whole(row) ?? index };
  });
  each('animations', () => ({}));
  each('scenes', () => ({}));
}

/* Takes the hierarchy out of the JSON: GLTFLoader follows it with so deep a recursion that a chain
 * of 2000 nodes is too much. Returns the parent of each node, for nest(). */
function flatten(json) {
  const parents = [];
  json.nodes?.forEach((node, index) => {
    for (const child of node.children ?? []) parents[child] = index;
  });
  for (const scene of json.scenes ?? []) {
    const all = [...(scene.nodes ?? [])];
    const seen = new Set(all);
    for (let i = 0; i < all.length; i++) {
      for (const child of json.nodes[all[i]]?.children ?? []) {
        if (!seen.has(child)) all.push(child);
        seen.add(child);
      }
    }
    scene.nodes = all;
  }
  json.nodes?.forEach((node) => delete node.children);
  return parents;
}

/* A plug-in for GLTFLoader, which makes it once the JSON is read; `parents` is filled for nest(). */
export function tagger(info, parents) {
  return (parser) => {
    parents.push(...flatten(parser.json));
    tag(parser.json, info);
    return { name: 'RETROPOSE_tags' };
  };
}

/* Puts the objects of the scenes under their parents again. */
export function nest(scenes, parents) {
  for (const scene of scenes) {
    const objects = new Map(scene.children.map((object) => [object.userData.glbNode, object]));
    for (const [index, object] of objects) objects.get(parents[index])?.add(object);
  }
}
