/* The command that does what the page does. */
import { readingsText } from './readings.js';

const word = (text) => (/^[\w./:,=+@%-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`);
const line = (...words) => words.filter((part) => part !== '').map(word).join(' ');
const stem = (name) => name.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '_') || 'model';
const rounded = (value) => Number(value.toFixed(6));

/* Where readings are not those that the command itself would take. */
const readings = (subject, state) => (state.get('readings') === '' ? [] : ['--readings', readingsText(subject.model)]);

/* What has to be done first: the model of a glTF file is made by an import. */
const before = (subject) => (subject.item.imported ? `${line('retropose', 'msh', 'convert', subject.item.imported, subject.source)} && ` : '');

export function commandOf(what, subject, state, name) {
  const { source } = subject;
  if (subject.kind === 'ani') {
    const of = { glb: ['convert', source, name], page: ['view', source, '-o', name], png: ['view', source, '--png', name, '--time', String(Math.floor(state.get('frame')))] }[what];
    return of ? line('retropose', 'ani', ...of, ...(subject.policy === 'S' ? [] : ['--policy', subject.policy])) : '';
  }
  if (subject.kind === 'ac') return what === 'dump' ? line('retropose', 'ac', 'dump', source) : '';
  const cell = state.get('cell');
  const frame = String(rounded(state.get('frame')));
  const of = {
    glb: ['msh', 'convert', source, name],
    obj: ['msh', 'convert', source, name, '--cells', cell.join('.'), '--frame', frame],
    png: ['msh', 'view', source, '--png', name, '--frame', frame, '--cell', cell.join(',')],
    page: ['msh', 'view', source, '-o', name],
  }[what];
  return of ? before(subject) + line('retropose', ...of, ...readings(subject, state)) : '';
}

/* A loop of pictures; the command writes them one by one. */
export function commandOfLoop(subject, state, frames) {
  if (subject.kind !== 'model') return '';
  const base = stem(subject.name);
  return `for f in $(seq 0 ${Math.max(0, frames - 1)}); do ${line('retropose', 'msh', 'view', subject.source, ...readings(subject, state))} --frame $f --png ${base}-$f.png; done`;
}

/* The query that found a face. */
export function commandOfHit(subject, hit, state) {
  const frame = state.get('frame');
  const numbers = (values) => [...values].map((value) => rounded(value)).join(',');
  const side = state.get('blend') >= 0 && state.get('weight') > 0 ? `,${state.get('blend')},${state.get('blend')}` : '';
  const weight = side ? `,${rounded(state.get('weight'))}` : '';
  return before(subject) + line('retropose', 'mesh', 'query', subject.source, 'segment', `${numbers(hit.start)},${numbers(hit.end)}`,
    '--frames', `${Math.floor(frame)},${Math.ceil(frame)}${side}`, '--phase', `${rounded(frame - Math.floor(frame))}${weight}`,
    ...(subject.attached?.list ?? []).flatMap(({ item, node }) => ['--attach', `${item.source}@${node}`]));
}

export { stem };
