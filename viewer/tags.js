/* Which node, slot and row the parts of the GLB stand for: its extras (docs/gltf.md), brought to
 * where three.js keeps them, `userData`. */

const whole = (value) => (Number.isInteger(value) && value >= 0 && value <= 65535 ? value : undefined);
const extras = (thing) => thing.extras?.retropose ?? {};

/* Also gives everything a number for its name: three.js finds what an animation moves by name, and
 * makes names unique in a way that some names defeat. The page takes names from its own JSON. */
function tag(json, info) {
  // Who says where a batch has its row: facts/formats.md, C3.
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

/* A plug-in for GLTFLoader, which makes it once the JSON is read. */
export function tagger(info) {
  return (parser) => {
    tag(parser.json, info);
    return { name: 'RETROPOSE_tags' };
  };
}
