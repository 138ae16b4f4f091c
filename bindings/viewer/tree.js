/* The tree of nodes, and what is known of the one that is selected. */
import { $, icon, make, pairs, plain } from './dom.js';
import { INNER } from './model.js';

export class Tree {
  #items = new Map(); // node -> li
  #kept = new Set(); // nodes that the filter lets through

  constructor(state) {
    this.state = state;
    this.list = $('tree');
    this.list.addEventListener('keydown', (event) => this.#key(event));
    $('filter').addEventListener('input', () => this.#applyFilter($('filter').value.trim().toLowerCase()));
    $('show-all').addEventListener('click', () => state.set({ hide: [] }));
  }

  show(subject) {
    this.model = subject;
    this.#items.clear();
    this.#kept = new Set(subject.nodes);
    $('filter').value = '';
    $('node-count').textContent = plain(subject.nodes.length);
    this.list.replaceChildren(...this.#rows());
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
    row.classList.toggle('empty', this.model.kind === 'model' && node.parts.length === 0);
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
    const keys = ['keys', node.keys.length > 1 ? `${node.keys.length}, ${node.keys[0]} to ${node.keys.at(-1)}` : 'one: static'];
    const parent = ['parent', node.parent < 0 ? 'none' : `${node.parent} ${this.model.nodes[node.parent].name}`];
    const slots = node.slots.map((slot, cell) => [cell, slot]).filter(([, slot]) => slot >= 0);
    const facts = {
      model: [parent, ['flags', `0x${node.flags.toString(16).toUpperCase().padStart(4, '0')}`], ['label', node.label || 'none'], keys,
        ['slots', slots.map(([cell, slot]) => `${Math.floor(cell / INNER)},${cell % INNER}: ${slot}`).join('  ') || 'none']],
      ani: [parent, ['key times', node.keys.length], ...['translation', 'rotation', 'scale', 'morph'].map((track, i) => [track, `${node.tracks?.[i] ?? 0} keys`])],
      ac: [],
    };
    pairs(list, [['number', node.index], ...facts[this.model.kind], ['position', '']]);
    list.lastChild.id = 'node-position';
    $('selected-name').textContent = node.name;
    $('selected-facts').replaceChildren(list);
    this.showPosition();
  }

  /* In the file's axes, at the time shown. */
  showPosition() {
    const node = this.model.nodes[this.state.get('node')];
    const cell = $('node-position');
    if (!node?.object || !cell) return;
    const e = node.object.matrix.elements;
    cell.textContent = [e[12], e[13], e[14]].map((value) => value.toFixed(3)).join('  ');
  }
}

