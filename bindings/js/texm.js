/* Images, and what batches of models show. */
import { Handle, MODULE, POINTER, index, invalid } from './module.js';

const MATCHES = ['named', 'default', 'first'];
const FACTORS = ['zero', 'one', 'source-alpha', 'inverse-source-alpha', 'source-colour', 'destination-colour'];
const WHOLE = { u0: 0, uSize: 1, v0: 0, vSize: 1 };
const DARK = [0, 0, 0];

export class Texture extends Handle {
  constructor(module, bytes) {
    super(module, module.open(module.calls.JsTexm_Open(module.image(bytes))), 'JsTexm_Close');
    const facts = module.result(module.calls.JsTexm_Facts(this[POINTER]));
    [this.width, this.height, this.levels] = [facts.u32(), facts.u32(), facts.u32()];
    [this.format, this.hasAlpha] = [facts.text(), facts.u32() !== 0];
    this.pages = Array.from({ length: facts.u32() }, () => {
      const page = { x: facts.i32(), y: facts.i32(), width: facts.i32(), height: facts.i32() };
      const [u0, uSize, v0, vSize] = facts.floats(4);
      return { ...page, cell: { u0, uSize, v0, vSize } };
    });
  }

  cell(page) { return this.pages[page]?.cell ?? WHOLE; }

  pixels(level = 0) {
    const module = this[MODULE];
    const result = module.result(module.calls.JsTexm_Level(this[POINTER], index(level, this.levels, 'level')));
    const width = result.u32(), height = result.u32();
    return { width, height, data: new Uint8ClampedArray(result.raw(4 * width * height).buffer) };
  }
}

/* Where names of materials, textures and lightmaps lead: a .wea, and the three libraries. */
export class Surfaces extends Handle {
  #libraries;

  constructor(module, { wear, materials = null, textures = null, lightmaps = null } = {}) {
    for (const library of [materials, textures, lightmaps]) {
      if (library && library.kind !== 'nres') throw invalid('a library of surfaces is no NRes archive', 'NRes', library.kind);
      if (library && library[MODULE] !== module) throw invalid('the library is of another instance', 'one of this', 'another');
    }
    super(module, module.open(module.calls.JsWear_Open(module.image(wear ?? new Uint8Array()))), 'JsWear_Close');
    this.#libraries = { materials, textures, lightmaps };
  }

  find(model, batch, { time = 0, track = 0 } = {}) {
    const module = this[MODULE], { materials, textures, lightmaps } = this.#libraries;
    const milliseconds = Math.floor(time);
    if (!Number.isFinite(milliseconds) || milliseconds < 0) throw invalid('a time is no number', 'milliseconds from 0 up', time);
    const [first, second, third] = [materials, textures, lightmaps].map((library) => (library ? library[POINTER] : 0));
    const result = module.result(module.calls.JsSurface_Find(this[POINTER], first, second, third, model[POINTER],
      index(batch, 65536, 'batch'), index(track, 32768, 'track'), milliseconds % 2 ** 32));
    const member = (library, at) => (at < 0 ? null : library.members[at]);
    const name = result.name(), material = member(materials, result.i32()), match = MATCHES[result.u32()];
    const look = { selfLight: [...result.floats(3)], diffuse: [...result.floats(3)], specular: [...result.floats(3)],
      opacity: result.f32(), power: result.u32(), phase: result.u32(), page: result.i32(), texture: result.name() };
    const blend = { mode: result.text(), source: FACTORS[result.u32()], destination: FACTORS[result.u32()],
      testsAlpha: result.u32() !== 0 };
    const [ignoresAlpha, isTranslucent] = [result.u32() !== 0, result.u32() !== 0];
    const texture = member(textures, result.i32()), isLightmapped = result.u32() !== 0;
    const lightmapName = result.name(), lightmap = member(lightmaps, result.i32());
    return { name, material, match: material ? match : null, look, blend, ignoresAlpha, isTranslucent, texture,
      isLightmapped, lightmapName, lightmap };
  }

  colour(surface, { scene = DARK, light = DARK, highlight = DARK, texel = null, lightmap = null } = {}) {
    const module = this[MODULE], { look } = surface;
    const parts = [[look.selfLight, 3], [look.diffuse, 3], [look.specular, 3], [[look.opacity], 1], [scene, 3], [light, 3],
      [highlight, 3], [texel ?? [0, 0, 0, 0], 4], [lightmap ?? DARK, 3]];
    let at = 0;
    for (const [values, count] of parts) {
      module.put(values, count, at);
      at += count;
    }
    module.calls.JsSurface_Colour(surface.ignoresAlpha, surface.isLightmapped, texel !== null, lightmap !== null);
    return [...module.take(4)];
  }
}
