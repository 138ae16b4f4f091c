/* Files as they come to the page: dropped, chosen, or fetched from where the page is served. A page
 * that was opened from a disk gets some of the ways to a folder refused; then the next is tried. */
import { Complaint } from './library.js';
import { decoded, endsIn, OURS } from './opening.js';

const MOST_FILES = 20000;

async function bytesOf(file, path) {
  try {
    return { name: file.name, path, inFolder: path.includes('/'), bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch (error) {
    throw new Complaint(path, 'the browser cannot read this file', { found: error.message });
  }
}

/* Everything in a folder, with the path from the folder on. */
async function* filesOfEntry(entry, path = '') {
  if (entry.isFile) {
    yield [await new Promise((done, fail) => entry.file(done, fail)), path + entry.name];
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const entries = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (entries.length === 0) return;
    for (const next of entries) yield* filesOfEntry(next, `${path}${entry.name}/`);
  }
}

async function* filesOfHandle(handle, path = '') {
  if (handle.kind === 'file') {
    yield [await handle.getFile(), path + handle.name];
    return;
  }
  for await (const next of handle.values()) yield* filesOfHandle(next, `${path}${handle.name}/`);
}

const isFolder = (way) => way.entry?.isDirectory || (!way.entry && !way.file);

async function* filesOfWay(way) {
  if (way.file && !isFolder(way)) return yield [way.file, way.file.name];
  let given = 0;
  try {
    if (way.entry) for await (const found of filesOfEntry(way.entry)) yield (given++, found);
    if (way.entry) return undefined;
  } catch (error) {
    if (given > 0) throw error;
  }
  const handle = await way.handle?.catch(() => null);
  if (!handle) throw new Complaint(way.entry?.name ?? 'folder', 'the browser does not let a page look into this folder', { expected: 'Open folder, or the files themselves', found: 'a folder' });
  return yield* filesOfHandle(handle);
}

/* Reads what was dropped. The list of a drop is emptied when its event is over, so that all ways to
 * an item are asked for at once. */
export function takeDrop(transfer) {
  const ways = [...transfer.items].filter((item) => item.kind === 'file').map((item) => ({
    file: item.getAsFile(),
    entry: item.webkitGetAsEntry?.() ?? null,
    handle: item.getAsFileSystemHandle?.() ?? null,
  }));
  for (const { handle } of ways) handle?.catch(() => {});
  return readAll((async function* all() {
    for (const way of ways) yield* filesOfWay(way);
  })());
}

/* Reads what was chosen in a dialogue for files or for a folder. */
export function takeChosen(list) {
  return readAll((async function* all() {
    for (const file of list) yield [file, file.webkitRelativePath || file.name];
  })());
}

/* `passed` is the number of files in folders that are not even read: a folder of a game is large, and
 * most of it is of no use here. */
async function readAll(found) {
  const files = [];
  const complaints = [];
  let passed = 0;
  try {
    for await (const [file, path] of found) {
      if (path.includes('/') && !endsIn(path, ...OURS)) {
        passed++;
        continue;
      }
      if (files.length >= MOST_FILES) throw new Complaint(path, 'there are too many files', { expected: `up to ${MOST_FILES}`, found: 'more' });
      try {
        files.push(await bytesOf(file, path));
      } catch (error) {
        complaints.push(Complaint.of(path, error));
      }
    }
  } catch (error) {
    complaints.push(Complaint.of('files', error));
  }
  return { files, complaints, passed };
}

/* Fetches what `?file=` names from where the page is served; the page's policy lets it go nowhere else. */
async function fetchFile(name) {
  if (!/^https?:$/.test(location.protocol)) {
    throw new Complaint(name, 'a page that was opened from a disk cannot fetch a file', { expected: 'the file to be dropped on the page, or a page that a web server gives', found: location.protocol });
  }
  if (name === '') throw new Complaint('?file=', 'there is no name of a file', { expected: '?file=parts.rlb' });
  const url = new URL(name, location.href);
  if (url.origin !== location.origin) {
    throw new Complaint(name, 'a page fetches files only from where it is served', { expected: location.origin, found: url.origin });
  }
  const answer = await fetch(url).catch((error) => {
    throw new Complaint(name, 'the file cannot be fetched', { where: url.href, found: error.message });
  });
  if (!answer.ok) {
    throw new Complaint(name, answer.status === 404 ? 'the server has no such file' : 'the server does not give this file', { where: url.href, expected: 'status 200', found: `${answer.status} ${answer.statusText}`.trim() });
  }
  const path = decoded(name.split(/[?#]/)[0]);
  return { name: path.split('/').pop(), path, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

export async function takeAddresses(names) {
  const files = [];
  const complaints = [];
  for (const name of names) {
    try {
      files.push(await fetchFile(name));
    } catch (error) {
      complaints.push(Complaint.of(name, error));
    }
  }
  return { files, complaints };
}

/* The files that the page was written with. */
export function takeInside(data) {
  return (data.files ?? []).map(({ name, bytes }) => ({ name, bytes: decode(bytes) }));
}

function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
