/* What dropped files hold: models of libraries and by themselves, animations, resources of Asheron's
 * Call, glTF. Nothing here stays open in the library longer than it takes. */
import { Complaint, library } from './library.js';

const DEEPEST = 8; // libraries in libraries, as the command follows them

export const lastPart = (path) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
export const endsIn = (name, ...endings) => endings.some((ending) => name.toLowerCase().endsWith(ending));

/* How files are called that are looked at in a folder; by themselves they may have any name. */
export const OURS = ['.rlb', '.lib', '.msh', '.ani', '.glb', '.gltf', '.bin'];
const EXPECTED = '.rlb, .lib, .msh, .ani, .glb, .gltf, or .bin of Asheron\'s Call';

/* A path as another file names it, which may go up; in small letters. */
function pathFrom(path, uri) {
  const parts = path.split('/').slice(0, -1);
  for (const part of uri.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').toLowerCase();
}

export function decoded(uri) {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/* One thing that the page can show. `source` is its name on a command line; `bytes()` are a copy. */
class Item {
  constructor(kind, name, source, size, bytes) {
    Object.assign(this, { kind, name, source, size, bytes, notes: [], frames: null, levels: null });
  }
}

export class Collection {
  constructor() {
    this.items = [];
    this.complaints = [];
    this.parts = new Map(); // files that others name: what a .gltf keeps beside it
    this.archives = [];
  }

  get models() {
    return this.items.filter((item) => item.kind === 'model');
  }

  close() {
    for (const archive of this.archives) archive.close();
    this.archives = [];
  }

  complain(file, error) {
    this.complaints.push(Complaint.of(file, error));
  }

  /* Adds files: { name, path, bytes, inFolder }. Those that others may name come first. Of what came with a
   * folder, only what is ours is told about; `passed` files in it were not even read. */
  add(files, settings = {}, passed = undefined) {
    for (const { name, path = name, bytes } of files) {
      this.parts.set(path.toLowerCase(), bytes);
      this.parts.set(lastPart(path).toLowerCase(), bytes);
    }
    this.#addAll(files, settings);
    if (passed !== undefined && this.items.length + this.complaints.length === 0) {
      this.complain('folder', new Complaint('folder', 'there is nothing in it that can be shown', { expected: EXPECTED, found: passed + files.length === 0 ? 'no file' : `${passed + files.length} other files` }));
    }
    return this;
  }

  #addAll(files, settings) {
    for (const file of files) {
      try {
        this.#addFile(file, settings);
      } catch (error) {
        this.complain(file.path ?? file.name, error);
      }
    }
  }

  #addFile({ name, path = name, bytes, inFolder = false }, settings) {
    if (bytes.byteLength === 0) throw new Complaint(path, 'the file is empty', { expected: 'a model, a library, an animation or glTF', found: '0 bytes' });
    if (settings.form === 'body') {
      this.items.push(Object.assign(this.#item('ani', name, settings.source ?? path, bytes), { form: 'body' }));
      return undefined;
    }
    const kind = library().identify(bytes);
    switch (kind) {
      case 'model':
        return void this.items.push(this.#item('model', name, settings.source ?? path, bytes));
      case 'nres':
      case 'rsli':
        return this.#addArchive(bytes, settings.source ?? path, 0, inFolder);
      case 'gltf':
        return this.#addGltf(name, path, bytes);
      case 'ani':
      case 'ac-animation':
      case 'ac-motion-table':
        return void this.items.push(this.#item(kind, name, settings.source ?? path, bytes));
      default:
        return this.#addByName({ name, path, bytes, inFolder }, kind);
    }
  }

  /* What is damaged is known by its name at best, and told by whoever reads it. */
  #addByName({ name, path, bytes, inFolder }, kind) {
    if (kind === 'trace') throw new Complaint(path, 'a trace holds calls, and nothing that can be shown', { expected: 'retropose show', found: 'a trace' });
    if (endsIn(name, '.bin', '.png', '.jpg', '.jpeg') && [...this.parts.keys()].some((part) => endsIn(part, '.gltf'))) return;
    if (endsIn(name, '.ani')) library().openAni(bytes, { mode: 'strict' }).close();
    else if (endsIn(name, '.msh')) library().openModel(bytes).close();
    else if (endsIn(name, '.rlb', '.lib')) library().openArchive(bytes, { mode: 'strict' }).close();
    else if (endsIn(name, '.glb', '.gltf')) library().importGltf(bytes);
    if (inFolder) return; // a .bin of something else
    throw new Complaint(path, 'nothing here knows this file', {
      expected: EXPECTED,
      found: [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' '),
    });
  }

  #item(kind, name, source, bytes) {
    return new Item(kind, name, source, bytes.byteLength, () => bytes);
  }

  #addArchive(bytes, source, depth, mayBeEmpty) {
    const archive = library().openArchive(bytes);
    this.archives.push(archive);
    const seen = new Map();
    const before = this.items.length;
    for (const member of archive.members) {
      const key = member.name.toLowerCase();
      const named = member.name !== '' && !member.name.startsWith('#') && !seen.has(key);
      seen.set(key, true);
      const place = `${source}::${named ? member.name : `#${member.index}`}`;
      try {
        this.#addMember(member, place, depth);
      } catch (error) {
        this.complain(place, error);
      }
    }
    if (this.items.length === before && !mayBeEmpty) throw new Complaint(source, 'there is no model in this archive', { expected: 'members that are models', found: `${archive.members.length} members` });
  }

  #addMember(member, place, depth) {
    if (member.isModel) {
      this.items.push(new Item('model', member.name || `#${member.index}`, place, member.size, () => member.read()));
    } else if (endsIn(member.name, '.rlb', '.lib') && depth < DEEPEST) {
      this.#addArchive(member.read(), place, depth + 1, true);
    } else if (endsIn(member.name, '.msh')) {
      library().openModel(member.read()).close(); // says why it is none
    }
  }

  #addGltf(name, path, bytes) {
    const missing = [];
    const load = (uri) => {
      const part = this.parts.get(pathFrom(path, uri)) ?? this.parts.get(lastPart(uri).toLowerCase());
      if (!part) missing.push(uri);
      return part ?? null;
    };
    let result;
    try {
      result = library().importGltf(bytes, { load });
    } catch (error) {
      if (missing.length === 0 || error.status !== 'not found') throw error;
      throw new Complaint(path, `${missing[0]} is named and is not there`, { expected: 'to be dropped together with it', found: 'nothing' });
    }
    const { bytes: model, notes } = result;
    const [own, imported] = [name, path].map((one) => one.replace(/\.(glb|gltf)$/i, ''));
    const taken = (source) => this.parts.has(source.toLowerCase()) || this.items.some((other) => other.source.toLowerCase() === source.toLowerCase());
    let source = `${imported}.msh`;
    for (let number = 2; taken(source); number++) source = `${imported}-${number}.msh`;
    const item = this.#item('model', `${own}.msh`, source, model);
    item.imported = path;
    item.notes = notes;
    this.items.push(item);
    for (const note of notes) if (note.severity !== 'info') this.complaints.push(Complaint.finding(path, note));
  }
}
