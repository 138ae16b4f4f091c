/* How surfaces look: lit, flat by material row, clay, UV checkers, normals; and lines on them. */
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, DoubleSide, FrontSide, LineBasicMaterial,
  LineSegments, MeshBasicMaterial, MeshNormalMaterial, MeshStandardMaterial, RepeatWrapping,
  SRGBColorSpace, Vector3, WireframeGeometry,
} from 'three';

/* Neighbouring rows get hues far apart: multiples of the golden angle. */
export function rowColour(row) {
  const hue = ((row * 137.50776) % 360) / 360;
  return new Color().setHSL(hue, 0.5 + 0.16 * ((row >> 1) % 2), 0.5 + 0.1 * ((row % 3) - 1));
}

function checker() {
  const size = 512;
  const cells = 8;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d');
  const step = size / cells;
  context.font = `600 ${step * 0.36}px ui-monospace, monospace`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const hue = (column / cells) * 320;
      const light = 88 - (row / cells) * 26;
      context.fillStyle = (row + column) % 2 ? `hsl(${hue} 60% ${light}%)` : `hsl(${hue} 40% ${light * 0.62}%)`;
      context.fillRect(column * step, row * step, step, step);
      context.fillStyle = (row + column) % 2 ? '#0009' : '#fffb';
      context.fillText('ABCDEFGH'[row] + (column + 1), (column + 0.5) * step, (row + 0.53) * step);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  texture.flipY = false; // V grows downwards
  return texture;
}

export class Surfaces {
  #made = new Map();

  constructor() {
    // Seen through what is before it, so that a node inside others is found.
    this.highlight = new MeshBasicMaterial({ transparent: true, opacity: 0.42, depthTest: false, depthWrite: false });
    this.wires = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
    this.normals = new LineBasicMaterial({ color: 0x2ea3ff });
  }

  /* Forgets the lines of the last subject. */
  show(subject) {
    if (this.model) {
      for (const [, part] of this.model.parts()) {
        for (const helper of Object.values(part.helpers ?? {})) if (helper.isLineSegments) helper.geometry.dispose();
      }
    }
    this.model = subject;
  }

  #once(key, make) {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key);
  }

  #lit(key, settings) {
    return this.#once(key, () => new MeshStandardMaterial({ roughness: 0.78, metalness: 0.05, ...settings }));
  }

  #materialOf(part, index, surface, sides) {
    switch (surface) {
      case 'rows': {
        const row = part.batches[index].material;
        return this.#lit(`row ${row} ${sides}`, { color: rowColour(row), flatShading: true });
      }
      case 'clay':
        return this.#lit(`clay ${sides}`, { color: 0xc9c4ba });
      case 'uv':
        return this.#lit(`uv ${sides}`, { map: this.#once('checker', checker) });
      case 'uv2': {
        const map = this.#once('checker 1', () => Object.assign(this.#once('checker', checker).clone(), { channel: 1 }));
        return part.mesh.geometry.hasAttribute('uv1') ? this.#lit(`uv2 ${sides}`, { map }) : this.#lit(`clay ${sides}`, { color: 0xc9c4ba });
      }
      case 'normals':
        return this.#once(`normals ${sides}`, () => new MeshNormalMaterial());
      default:
        return part.originals[index];
    }
  }

  /* Batches that the game draws from both sides stay so when back faces are left out. */
  apply(surface, cull) {
    for (const [, part] of this.model.parts()) {
      part.mesh.material = part.batches.map(({ twoSided }, index) => {
        const material = this.#materialOf(part, index, surface, twoSided ? 2 : 1);
        material.side = cull && !twoSided ? FrontSide : DoubleSide;
        material.shadowSide = DoubleSide;
        return material;
      });
    }
  }

  /* Lines are made for a mesh when they are first shown. */
  #helper(part, kind, make) {
    part.helpers ??= {};
    if (!part.helpers[kind]) {
      part.helpers[kind] = make();
      part.helpers[kind].raycast = () => {};
      part.mesh.add(part.helpers[kind]);
    }
    return part.helpers[kind];
  }

  #show(kind, on, make) {
    for (const [, part] of this.model.parts()) {
      if (on && part.shown) this.#helper(part, kind, () => make(part.mesh.geometry)).visible = true;
      else if (part.helpers?.[kind]) part.helpers[kind].visible = false;
    }
  }

  showWires(on) {
    this.#show('wires', on, (geometry) => new LineSegments(new WireframeGeometry(geometry), this.wires));
  }

  showVertexNormals(on, length) {
    this.#show('normals', on, (geometry) => new LineSegments(normalLines(geometry, length), this.normals));
  }

  select(index) {
    for (const [node, part] of this.model.parts()) {
      const on = node.index === index && part.shown;
      if (on) {
        const overlay = this.#helper(part, 'highlight', () => {
          const mesh = part.mesh.clone(false);
          mesh.material = this.highlight;
          mesh.renderOrder = 5;
          mesh.castShadow = mesh.receiveShadow = false;
          mesh.userData = {};
          return mesh;
        });
        overlay.visible = true;
      } else if (part.helpers?.highlight) {
        part.helpers.highlight.visible = false;
      }
    }
  }

  setColours({ accent, wire }) {
    this.highlight.color.set(accent);
    this.wires.color.set(wire);
  }
}

function normalLines(geometry, length) {
  const { position, normal } = geometry.attributes;
  const count = normal ? position.count : 0;
  const points = new Float32Array(count * 6);
  const from = new Vector3();
  const to = new Vector3();
  for (let i = 0; i < count; i++) {
    from.fromBufferAttribute(position, i);
    to.fromBufferAttribute(normal, i).multiplyScalar(length).add(from);
    from.toArray(points, i * 6);
    to.toArray(points, i * 6 + 3);
  }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
}
