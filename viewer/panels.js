/* The panels: node tree, cells, legend, facts about the model. Every text comes in as text, never as
 * markup: names in a file may be anything. */
import { INNER, OUTER } from './model.js';
import { rowColour } from './surfaces.js';

const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('aria-') || key === 'role') element.setAttribute(key, value);
    else if (key === 'data') Object.assign(element.dataset, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

function pairs(list, entries) {
  list.replaceChildren(...entries.flatMap(([term, value]) => [make('dt', {}, term), make('dd', {}, String(value))]));
}

const plain = (number) => Number(number).toLocaleString('en-GB');

/* ---- nodes ---- */

export class Tree {
  #items = new Map(); // node -> li
  #kept = new Set(); // nodes that the filter lets through

  constructor(model, state) {
    this.model = model;
    this.state = state;
    this.#kept = new Set(model.nodes);
    this.list = $('tree');
    $('node-count').textContent = plain(model.nodes.length);
    this.list.append(...this.#rows());
    this.list.addEventListener('keydown', (event) => this.#key(event));
    $('filter').addEventListener('input', () => this.#applyFilter($('filter').value.trim().toLowerCase()));
    $('show-all').addEventListener('click', () => state.set({ hide: [] }));
  }

  /* Depth first, as one flat list: a chain may be as deep as a model has nodes. */
  #rows() {
    const rows = [];
    const open = this.model.nodes.filter((node) => node.parent < 0).map((node) => [node, 1]).reverse();
    while (open.length > 0) {
      const [node, level] = open.pop();
      rows.push(this.#row(node, level));
      open.push(...node.children.map((child) => [child, level + 1]).reverse());
    }
    return rows;
  }

  #row(node, level) {
    const eye = make('button', { type: 'button', className: 'icon eye', tabIndex: -1, title: 'Hide or show (H); with Shift the branch' }, icon('eye'));
    eye.addEventListener('click', (event) => {
      event.stopPropagation();
      this.hide(node, event.shiftKey);
    });
    const row = make('div', { className: 'node' }, make('span', { className: 'twig' }), make('span', { className: 'name' }, node.name));
    row.style.setProperty('--level', String(Math.min(level - 1, 12)));
    if (node.label) row.append(make('span', { className: 'tag', title: `socket label: ${node.label}` }, node.label));
    if (node.keys.length > 1) row.append(make('span', { className: 'animated', title: `${node.keys.length} keys` }, '◆'));
    row.append(eye);
    const item = make('li', { role: 'treeitem', 'aria-level': String(level), tabIndex: -1, data: { node: String(node.index) } }, row);
    item.setAttribute('aria-label', `${node.name}${node.label ? `, socket ${node.label}` : ''}`);
    if (node.children.length > 0) item.setAttribute('aria-expanded', 'true');
    row.classList.toggle('empty', node.parts.length === 0);
    row.addEventListener('click', (event) => {
      if (event.target.className === 'twig' && node.children.length > 0) this.#expand(item, item.getAttribute('aria-expanded') !== 'true');
      else this.state.set({ node: this.state.get('node') === node.index ? -1 : node.index });
      item.focus({ preventScroll: true });
    });
    this.#items.set(node, item);
    return item;
  }

  #expand(item, open) {
    if (!item.hasAttribute('aria-expanded')) return;
    item.setAttribute('aria-expanded', String(open));
    this.#refresh();
  }

  /* A row is there unless it is filtered out or below one that is closed. */
  #refresh() {
    const gone = new Set();
    for (const [node, item] of this.#items) {
      const parent = this.model.nodes[node.parent];
      const closed = parent && (gone.has(parent) || this.#items.get(parent).getAttribute('aria-expanded') === 'false');
      if (closed) gone.add(node);
      item.hidden = closed || !this.#kept.has(node);
    }
  }

  hide(node, branch) {
    const hidden = new Set(this.state.get('hide'));
    const on = !hidden.has(node.index);
    const open = [node];
    while (open.length > 0) {
      const next = open.pop();
      if (on) hidden.add(next.index);
      else hidden.delete(next.index);
      if (branch) open.push(...next.children);
    }
    this.state.set({ hide: [...hidden].sort((a, b) => a - b) });
  }

  #visibleItems() {
    return [...this.list.children].filter((item) => !item.hidden);
  }

  #key(event) {
    const item = event.target.closest?.('[role=treeitem]');
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const items = this.#visibleItems();
    const at = items.indexOf(item);
    const expanded = item.getAttribute('aria-expanded');
    const move = { ArrowDown: items[at + 1], ArrowUp: items[at - 1], Home: items[0], End: items.at(-1) };
    if (event.key in move) move[event.key]?.focus();
    else if (event.key === 'ArrowRight') expanded === 'false' ? this.#expand(item, true) : expanded && items[at + 1]?.focus();
    else if (event.key === 'ArrowLeft') expanded === 'true' ? this.#expand(item, false) : this.#items.get(this.model.nodes[this.model.nodes[Number(item.dataset.node)].parent])?.focus();
    else if (event.key === 'Enter' || event.key === ' ') item.firstChild.click();
    else if (event.key.toLowerCase() === 'h') this.hide(this.model.nodes[Number(item.dataset.node)], event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* Ancestors of a match stay, so that it is seen where it hangs. */
  #applyFilter(text) {
    const matches = (node) => `${node.name} ${node.label}`.toLowerCase().includes(text);
    this.#kept = new Set();
    for (const node of this.model.nodes) {
      if (!matches(node)) continue;
      for (let at = node; at && !this.#kept.has(at); at = this.model.nodes[at.parent]) this.#kept.add(at);
    }
    for (const [node, item] of this.#items) item.classList.toggle('match', text !== '' && matches(node));
    this.#refresh();
  }

  update(reveal) {
    const selected = this.state.get('node');
    const hidden = new Set(this.state.get('hide'));
    for (const [node, item] of this.#items) {
      const on = node.index === selected;
      item.setAttribute('aria-selected', String(on));
      item.tabIndex = on || (node.index === 0 && selected < 0) ? 0 : -1;
      const off = hidden.has(node.index);
      item.classList.toggle('off', off);
      const eye = item.firstChild.querySelector('.eye');
      eye.setAttribute('aria-label', `${off ? 'Show' : 'Hide'} ${node.name}`);
      eye.querySelector('use').setAttribute('href', off ? '#i-hidden' : '#i-eye');
      if (on && reveal) item.firstChild.scrollIntoView({ block: 'nearest' });
    }
    this.#describe(this.model.nodes[selected]);
  }

  #describe(node) {
    const box = $('selected');
    box.hidden = !node;
    if (!node) return;
    const list = make('dl');
    const slots = node.slots.map((slot, cell) => [cell, slot]).filter(([, slot]) => slot >= 0);
    pairs(list, [
      ['number', node.index],
      ['parent', node.parent < 0 ? 'none' : `${node.parent} ${this.model.nodes[node.parent].name}`],
      ['flags', `0x${node.flags.toString(16).toUpperCase().padStart(4, '0')}`],
      ['label', node.label || 'none'],
      ['keys', node.keys.length > 1 ? `${node.keys.length}, frames ${node.keys[0]} to ${node.keys.at(-1)}` : 'one: static'],
      ['slots', slots.map(([cell, slot]) => `${Math.floor(cell / INNER)},${cell % INNER}: ${slot}`).join('  ') || 'none'],
      ['position', ''],
    ]);
    list.lastChild.id = 'node-position';
    box.replaceChildren(make('h3', {}, node.name), list);
    this.showPosition();
  }

  /* In the game's axes, in model space, at the frame shown. */
  showPosition() {
    const node = this.model.nodes[this.state.get('node')];
    const cell = $('node-position');
    if (!node?.object || !cell) return;
    const e = node.object.matrixWorld.elements;
    cell.textContent = [e[12], -e[14], e[13]].map((value) => value.toFixed(3)).join('  ');
  }
}

/* ---- cells ---- */

/* What a row and a column of the 15 words mean, in each reading (facts/formats.md C4). */
const MEANINGS = {
  'lod-group': { rows: ['LOD 0', 'LOD 1', 'LOD 2'], columns: ['0', '1', '2', '3', '4'], corner: 'group' },
  'state-lod': { rows: ['intact', 'damaged', 'wrecked'], columns: ['0', '1', '2', '3', 'own'], corner: 'LOD' },
};

export class Cells {
  constructor(model, state) {
    this.model = model;
    this.state = state;
    this.meaning = MEANINGS[model.info.cells] ?? MEANINGS['lod-group'];
    const { rows, columns, corner } = this.meaning;
    const grid = $('cells');
    grid.append(make('span', { className: 'head corner' }, corner));
    for (const column of columns) grid.append(make('span', { className: 'head' }, column));
    this.buttons = [];
    for (let outer = 0; outer < OUTER; outer++) {
      grid.append(make('span', { className: 'head row' }, rows[outer]));
      for (let inner = 0; inner < INNER; inner++) grid.append(this.#button(outer, inner));
    }
    grid.addEventListener('keydown', (event) => this.#key(event));
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
      rows.set(part.row, (rows.get(part.row) ?? 0) + 1);
    }
  }
  $('legend').replaceChildren(...[...rows].sort((a, b) => a[0] - b[0]).map(([row, batches]) => {
    const swatch = make('i');
    swatch.style.background = `#${rowColour(row).getHexString()}`;
    return make('span', { title: `material row ${row}: ${batches} parts shown` }, swatch, row < 0 ? 'none' : `row ${row}`);
  }));
}

export function showInfo(model) {
  const { info } = model;
  $('title').textContent = info.name || 'model';
  $('subtitle').textContent = info.source ?? '';
  const counts = Object.entries(info.counts ?? {}).map(([name, count]) => [name, plain(count)]);
  pairs($('counts'), [
    ...counts,
    ['frames', `${plain(model.frames)} at ${Number(model.fps.toFixed(3))} per second`],
    ['poses', model.frames > 1 ? `sampled by Retropose, ${info.samples ?? 1} a frame; between samples by the page` : 'one: nothing moves'],
    ...(info.producer ? [['written by', info.producer]] : []),
  ]);
  $('readings').replaceChildren(...(info.readings ?? []).map((reading) => {
    const others = String(reading.choices ?? '').split('|').filter((choice) => choice !== reading.value);
    return make('div', { className: 'reading' }, make('b', {}, reading.name), make('span', { className: 'chosen' }, reading.value),
      make('small', {}, others.length > 0 ? `not ${others.join(', ')}` : ''));
  }));
  showFindings(info.findings ?? [], info.findings_left_out ?? 0);
}

const SEVERITIES = ['error', 'warning', 'canonical', 'info'];

function showFindings(findings, leftOut) {
  const sorted = [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const total = findings.length + leftOut;
  $('finding-count').textContent = total > 0 ? plain(total) : 'none';
  $('finding-count').className = sorted[0]?.severity ?? 'clean';
  $('findings-box').open = sorted[0]?.severity === 'error';
  const items = sorted.map((finding) => {
    const details = [finding.where, finding.expected && `expected ${finding.expected}`, finding.found && `found ${finding.found}`];
    return make('div', { className: `finding ${SEVERITIES.includes(finding.severity) ? finding.severity : 'info'}` },
      make('b', { title: finding.severity }, finding.rule), make('span', {}, finding.what, make('small', {}, details.filter(Boolean).join(' · '))));
  });
  if (leftOut > 0) items.push(make('p', { className: 'more' }, `and ${plain(leftOut)} more: see retropose msh check`));
  if (items.length === 0) items.push(make('p', { className: 'more' }, 'The checker has nothing to say.'));
  $('findings').replaceChildren(...items);
}
