// The seed's Kaitai Struct description as an object for the compiler. Its page has lost the
// indentation, so that structure is told from words: docs are left out, a name with nothing behind
// it is an instance when `value` comes next, and else a type.
const attributes = /^(type|repeat|repeat-expr|if|size|encoding|enum|value): (.+)$/;

function lines(text) {
  const all = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const kept = all.slice(all.indexOf("meta:"));
  const structural = /^(- id: |doc:|seq:$|types:$|instances:$|enums:$|[a-z_0-9]+:$|\d+: )/;
  const result = [];
  let inDoc = false;
  for (const line of kept) {
    if (line.startsWith("doc:")) inDoc = true;
    else if (structural.test(line) || (!inDoc && line.includes(":")) || attributes.test(line)) {
      inDoc = false;
      result.push(line);
    }
  }
  return result;
}

export function parseSeed(text) {
  const schema = { meta: {}, seq: [], types: {}, enums: {} };
  const all = lines(text);
  let section = schema.meta, owner = schema, inEnums = false;
  all.forEach((line, i) => {
    let match;
    if (line === "meta:" || line === "types:") return;
    if (line === "seq:") owner.seq ??= [];
    else if (line === "instances:") owner.instances = {};
    else if (line === "enums:") inEnums = true;
    else if ((match = line.match(/^- id: (.+)$/))) owner.seq.push(section = { id: match[1] });
    else if ((match = line.match(/^([a-z_0-9]+):$/))) {
      const name = match[1];
      if (inEnums) section = schema.enums[name] = {};
      else if (all[i + 1].startsWith("value:")) section = owner.instances[name] = {};
      else owner = schema.types[name] = { seq: [] };
    } else if ((match = line.match(/^([a-z0-9-]+): (.+)$/))) section[match[1]] = match[2];
  });
  return schema;
}
