/* Archives of both kinds. */
import { Handle, MODULE, POINTER, RetroposeError, bytesOf, choice, encodeName, index, invalid } from './module.js';

export const READ_MODES = ['tolerant', 'strict'];

/* A type word as text, where it is four printable characters. */
function typeText(type) {
  const letters = [0, 8, 16, 24].map((shift) => type >>> shift & 0xFF);
  return letters.every((letter) => letter > 0x20 && letter < 0x7F) ? String.fromCharCode(...letters) : '';
}

class Member {
  constructor(archive, at, facts) {
    Object.assign(this, { archive, index: at, ...facts });
  }

  get isModel() {
    return this.archive[MODULE].calls.JsArchive_IsModel(this.archive[POINTER], this.index) !== 0;
  }

  read() { return this.archive.read(this); }
}

export class Archive extends Handle {
  constructor(module, bytes, { mode = 'tolerant' } = {}) {
    const strict = choice(mode, READ_MODES, 'mode');
    super(module, module.open(module.calls.JsArchive_Open(module.image(bytes), strict)), 'JsArchive_Close');
    this.kind = module.calls.JsArchive_IsRsLi(this[POINTER]) ? 'rsli' : 'nres';
    const list = module.result(module.calls.JsArchive_List(this[POINTER]));
    this.members = Array.from({ length: list.u32() }, (_, at) => {
      const name = list.name(), size = list.u32(), type = list.u32();
      const attributes = [list.u32(), list.u32(), list.u32()];
      const method = list.text();
      return new Member(this, at, { name, size, type, typeName: method || typeText(type), attributes });
    });
  }

  [Symbol.iterator]() { return this.members[Symbol.iterator](); }

  find(name) {
    const bytes = encodeName(name);
    if (!bytes) return null;
    const at = this[MODULE].with([bytes], (text) => this[MODULE].calls.JsArchive_Find(this[POINTER], text));
    return at < 0 ? null : this.members[at];
  }

  member(nameOrIndex) {
    if (typeof nameOrIndex === 'number') return this.members[index(nameOrIndex, this.members.length, 'member')];
    const member = this.find(nameOrIndex);
    if (!member) throw new RetroposeError('not found', 'the archive has no such member', { found: String(nameOrIndex) });
    return member;
  }

  #at(member) {
    if (!(member instanceof Member)) return this.member(member).index;
    if (member.archive !== this) throw invalid('the member is of another archive', 'one of this', member.name);
    return member.index;
  }

  read(member) {
    const at = this.#at(member);
    return this[MODULE].resultBytes(this[MODULE].calls.JsArchive_Read(this[POINTER], at));
  }

  check() {
    return this[MODULE].result(this[MODULE].calls.JsArchive_Check(this[POINTER])).findings();
  }

  bytes() { return this[MODULE].imageBytes(this[MODULE].calls.JsArchive_Image(this[POINTER])); }

  withMember(name, data) {
    const encoded = encodeName(name), bytes = bytesOf(data);
    if (!encoded) throw invalid('the name cannot be stored', 'characters of Windows-1251', name);
    return this[MODULE].with([encoded, bytes], (text, at) =>
      this[MODULE].resultBytes(this[MODULE].calls.JsArchive_With(this[POINTER], text, at, bytes.length)));
  }
}

export const isMember = (value) => value instanceof Member;
