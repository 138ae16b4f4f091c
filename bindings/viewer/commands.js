/* The command that does what the page does, for a POSIX shell. It is cmd.exe's, too, unless it is a loop or has
 * single quotes: those stand about names with one of " $ ` ! in them only. */
import { lastPart } from './opening.js';
import { readingsText } from './readings.js';

const MOST_WORDS = 3000; // what --view takes: cli/viewer_page.c
const USUAL_FPS = 20; // without --fps

const needsSingle = /["$`!\r\n]|\\\\|\\$/; // what double quotes do not protect from a POSIX shell
function word(text) {
  if (/^[\w./:,=+@%-]+$/.test(text)) return text;
  return needsSingle.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
const line = (...words) => words.map(word).join(' ');

/* A file's name, which is no option whatever it begins with. */
const file = (name) => (name.startsWith('-') ? `./${name}` : name);
export const stem = (name) => name.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '_') || 'model';

/* A name in the current folder for what the command writes, which is none of the files that it reads. */
function output(name, ...read) {
  const taken = read.filter(Boolean).map((source) => lastPart(source.split('::')[0]).toLowerCase());
  const [start, end] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.'))];
  const free = (one) => !taken.includes(one.toLowerCase()) && !(end === '.obj' && taken.includes(one.toLowerCase().replace(/obj$/, 'mtl')));
  let number = 1;
  const numbered = () => (number === 1 ? name : `${start}-${number}${end}`);
  while (!free(numbered())) number++;
  return file(numbered());
}

/* The shortest decimals that are the same 32 bits again. */
const decimals = (value) => String(Number(Math.fround(value).toPrecision(9)));
const rounded = (value) => String(Number(value.toFixed(6)));

/* Where readings are not those that the command itself would take. */
const readings = ({ page, subject }) => (page.readings === 'evidence' ? [] : ['--readings', readingsText(subject.model)]);
const fps = ({ subject }) => (subject.fps === USUAL_FPS ? [] : ['--fps', String(subject.fps)]);
const form = ({ subject }) => [...(subject.policy === 'S' ? [] : ['--policy', subject.policy]), ...(subject.item.form === 'body' ? ['--body'] : [])];

/* What has to be done first: the model of a glTF file is made by an import. */
const before = (...items) => items.filter((item) => item.imported).map((item) => `${line('retropose', 'msh', 'convert', file(item.imported), file(item.source))} && `).join('');

/* ---- files ------------------------------------------------------------------------------------- */

/* The command for the file NAME, '' where there is none. */
export function commandOf(what, view, name) {
  const { subject, state } = view;
  const { item, source, kind } = subject;
  const to = output(name, source, item.imported);
  switch (`${kind} ${what}`) {
    case 'model glb':
      return before(item) + line('retropose', 'msh', 'convert', file(source), to, ...readings(view), ...fps(view));
    case 'model obj':
      return before(item) + line('retropose', 'msh', 'convert', file(source), to, '--cells', state.get('cell').join('.'), '--frame', String(state.get('frame')), ...readings(view));
    case 'model msh':
      return item.imported ? line('retropose', 'msh', 'convert', file(item.imported), output(name, item.imported)) : line('retropose', 'msh', 'extract', file(source), to);
    case 'ani glb':
      return line('retropose', 'ani', 'convert', file(source), to, ...form(view));
    default:
      return '';
  }
}

/* ---- pictures ---------------------------------------------------------------------------------- */

/* Of a link's words those that a picture of one model shows. */
const UNSEEN = ['model', 'readings', 'range', 'fps', 'speed', 'loop', 'subframes', 'ui'];

function pictureWords(view, unseen) {
  const words = new URLSearchParams(view.hash().slice(1));
  for (const key of unseen) words.delete(key);
  // Where no camera was asked for, it stands where the window's first size has put it.
  for (const [key, numbers] of Object.entries(view.stage.placement())) {
    if (numbers.length > 0) words.set(key, numbers.map((number) => Number(number.toPrecision(9))).join());
    else words.delete(key);
  }
  words.set('theme', view.page.theme);
  return [...words].map(([key, value]) => `${key}=${value}`).join('&');
}

/* Nothing but the page knows of attached parts and of a face that is marked. */
function picture(view, words, { width, height }) {
  const { subject } = view;
  if (subject.kind === 'ac' || subject.attached?.list.length > 0 || words.length > MOST_WORDS) return null;
  const start = subject.kind === 'ani' ? ['retropose', 'ani', 'view', file(subject.source), ...form(view)] : ['retropose', 'msh', 'view', file(subject.source), ...readings(view)];
  return line(...start, '--view', words, '--size', `${width}x${height}`);
}

export function commandOfPicture(view, name) {
  const { subject } = view;
  const command = view.hit ? null : picture(view, pictureWords(view, UNSEEN), view.stage.canvas);
  return command ? before(subject.item) + `${command} ${line('--png', output(name, subject.source, subject.item.imported))}` : '';
}

/* The pictures of a loop, one by one: `times` are evenly spaced, by `step`. */
export function commandOfLoop(view, times, step, size) {
  const { subject } = view;
  const command = picture(view, pictureWords(view, [...UNSEEN, 'frame']), size);
  if (!command) return '';
  const numbers = [times[0], step, times.at(-1)].map(rounded);
  const seq = numbers.every((number) => Number.isInteger(Number(number))) ? 'seq' : 'LC_ALL=C seq';
  const option = subject.kind === 'ani' ? '--time' : '--frame';
  return `${before(subject.item)}for f in $(${seq} ${numbers.join(' ')}); do ${command} ${option} $f --png ${file(stem(subject.name))}-$f.png; done`;
}

/* ---- queries ----------------------------------------------------------------------------------- */

/* The query that found a face. */
export function commandOfHit(view, hit) {
  const { subject, state } = view;
  const parts = subject.attached?.list ?? [];
  const numbers = (values) => [...values].map(decimals).join(',');
  const frame = state.get('frame');
  const [blend, weight] = [state.get('blend'), state.get('weight')];
  const two = blend >= 0 && weight > 0;
  const stage = subject.info.cells === 'state-lod' ? state.get('cell')[0] : 0;
  return before(subject.item, ...parts.map(({ item }) => item)) + line('retropose', 'object', 'query', file(subject.source), 'segment', `${numbers(hit.start)},${numbers(hit.end)}`,
    '--frames', [Math.floor(frame), Math.ceil(frame), ...(two ? [blend, blend] : [])].join(','),
    '--phase', numbers([frame - Math.floor(frame), ...(two ? [weight] : [])]),
    ...parts.flatMap(({ item, node }) => ['--attach', `${file(item.source)}@${node}`]),
    ...(stage > 0 ? ['--stage', `all=${stage}`] : []), ...readings(view));
}
