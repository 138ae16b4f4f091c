/* The panels beside the picture: cells, legend, facts about the subject. */
import { $, make, pairs, plain } from './dom.js';
import { INNER, OUTER } from './model.js';
import { rowColour } from './surfaces.js';

/* ---- cells ---- */

/* What a row and a column of the 15 words mean, in each reading (facts/formats.md C4). */
const MEANINGS = {
  'lod-group': { rows: ['LOD 0', 'LOD 1', 'LOD 2'], columns: ['0', '1', '2', '3', '4'], corner: 'group' },
  'state-lod': { rows: ['intact', 'damaged', 'wrecked'], columns: ['0', '1', '2', '3', 'own'], corner: 'LOD' },
};

export class Cells {
  constructor(state) {
    this.state = state;
    this.meaning = MEANINGS['lod-group'];
    this.buttons = [];
    $('cells').addEventListener('keydown', (event) => this.#key(event));
  }

  show(subject) {
    this.model = subject;
    this.meaning = MEANINGS[subject.info.cells] ?? MEANINGS['lod-group'];
    const { rows, columns, corner } = this.meaning;
    const grid = $('cells');
    grid.replaceChildren();
    grid.append(make('span', { className: 'head corner' }, corner));
    for (const column of columns) grid.append(make('span', { className: 'head' }, column));
    this.buttons = [];
    for (let outer = 0; outer < OUTER; outer++) {
      grid.append(make('span', { className: 'head row' }, rows[outer]));
      for (let inner = 0; inner < INNER; inner++) grid.append(this.#button(outer, inner));
    }
  }

  #button(outer, inner) {
    const count = this.model.cellCount(outer, inner);
    const name = `${this.meaning.rows[outer]}, ${this.meaning.corner} ${this.meaning.columns[inner]}`;
    const button = make('button', {
      type: 'button', role: 'radio', className: count > 0 ? 'cell' : 'cell none', title: `${name}: ${count} nodes`,
      'aria-label': `${name}, ${count} nodes`, data: { cell: `${outer},${inner}` },
    }, count > 0 ? String(count) : '·');
    button.addEventListener('click', () => this.state.set({ cell: [outer, inner], all: false }));
    this.buttons.push(button);
    return button;
  }

  #key(event) {
    const at = this.buttons.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: INNER, ArrowUp: -INNER }[event.key];
    const next = this.buttons[at + step];
    if (at < 0 || !step || !next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.click();
  }

  name() {
    const [outer, inner] = this.state.get('cell');
    if (this.state.get('all')) return 'all cells';
    return `${this.meaning.rows[outer] ?? outer} · ${this.meaning.corner} ${this.meaning.columns[inner] ?? inner}`;
  }

  update() {
    const cell = this.state.get('cell').join();
    const all = this.state.get('all');
    for (const button of this.buttons) {
      const on = !all && button.dataset.cell === cell;
      button.setAttribute('aria-checked', String(on));
      button.tabIndex = button.dataset.cell === cell ? 0 : -1;
    }
  }
}

/* ---- facts ---- */

export function showLegend(model, surface) {
  const rows = new Map();
  if (surface === 'rows') {
    for (const [, part] of model.visibleParts()) {
      for (const { material } of part.batches) rows.set(material, (rows.get(material) ?? 0) + 1);
    }
  }
  $('legend').replaceChildren(...[...rows].sort((a, b) => a[0] - b[0]).map(([row, batches]) => {
    const swatch = make('i');
    swatch.style.background = `#${rowColour(row).getHexString()}`;
    return make('span', { title: `material row ${row}: ${batches} parts shown` }, swatch, row < 0 ? 'none' : `row ${row}`);
  }));
}

export function showInfo(subject, producer) {
  const counts = Object.entries(subject.info.counts ?? {}).map(([name, count]) => [name, plain(count)]);
  pairs($('counts'), [
    ...counts,
    ...(subject.kind !== 'model' ? [] : [['frames', `${plain(subject.frames)} at ${Number(subject.fps.toFixed(3))} per second`]]),
    ...(subject.item ? [['bytes', plain(subject.item.size)]] : []),
    ...(subject.info.facts ?? []),
    ['poses', 'by the library, at any time'],
    ...(producer ? [['written by', producer]] : []),
  ]);
}
