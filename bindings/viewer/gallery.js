/* All that a collection holds, as cards. The cards are plain elements, so that they are found by the
 * browser's own search and read by a screen reader. They stand in groups of a few whole rows, of which the
 * browser lays out only those in sight (content-visibility): what a step of scrolling costs goes with the
 * number of groups, and would go with that of cards if each stood by itself. */
import { $, bytesText, icon, make, plain } from './dom.js';
import { library } from './library.js';
import { factsOf, Thumbs, whenIdle } from './thumbs.js';

const SLICE = 8; // milliseconds of looking into models at a time, or what idle time there is
const ROWS = 4; // of cards in a group; their height is in style.css
const WIDTH = 160; // that a card has at least
const GAP = 8;
const KINDS = { model: 'model', ani: 'animation', 'ac-animation': 'animation of Asheron\'s Call', 'ac-motion-table': 'motion table of Asheron\'s Call' };
const SIZES = { small: [0, 65536], middle: [65536, 524288], large: [524288, Infinity] };

/* What is known of a model, in words that break only between two of them. */
const factsText = (...words) => words.filter(Boolean).map((text) => text.replaceAll(' ', '\u00a0')).join('\u00a0· ');

export class Gallery {
  #cards = [];
  #shown = []; // the cards that fit search and filters
  #laid = []; // those that stand in groups, and in how many columns
  #columns = 0;
  #of = new Map(); // button -> card
  #in = new Map(); // group -> its cards
  #round = 0;
  #asked = 0;

  constructor(open) {
    this.open = open;
    this.thumbs = new Thumbs();
    this.list = $('cards');
    this.seen = new IntersectionObserver((entries) => this.#inSight(entries), { root: $('gallery-scroll'), rootMargin: '200px 0px' });
    new ResizeObserver(() => this.lay()).observe($('gallery-scroll'));
    for (const id of ['search', 'moves', 'levels', 'size']) $(id).addEventListener('input', () => this.#filter());
    $('order').addEventListener('input', () => this.#sort());
    this.list.addEventListener('keydown', (event) => this.#key(event));
    this.list.addEventListener('click', (event) => {
      const card = event.target.closest('button.card');
      if (card) this.open(this.#of.get(card).item);
    });
  }

  show(collection) {
    this.collection = collection;
    this.thumbs.forget();
    this.#cards = collection.items.map((item, index) => this.#card(item, index));
    this.#of = new Map(this.#cards.map((card) => [card.button, card]));
    for (const id of ['moves', 'levels', 'size', 'order']) $(id).selectedIndex = 0;
    $('search').value = '';
    this.#sort();
    this.#look(0, ++this.#round);
  }

  #card(item, index) {
    const canvas = make('canvas', { width: 0, height: 0 });
    canvas.setAttribute('aria-hidden', 'true');
    const facts = make('small', {}, bytesText(item.size));
    const button = make('button', { type: 'button', className: 'card', tabIndex: -1, title: item.source }, canvas, make('b', {}, item.name), facts);
    if (item.kind !== 'model') {
      button.classList.add('moving');
      button.insertBefore(icon('moving'), canvas);
      facts.textContent = `${KINDS[item.kind]} · ${factsText(bytesText(item.size))}`;
    }
    return { item, index, canvas, facts, button, element: make('div', { role: 'listitem' }, button) };
  }

  /* The last that is asked for is drawn first: that is to be the nearest to what is in sight. */
  #inSight(entries) {
    for (const { target, isIntersecting, boundingClientRect, rootBounds } of entries.reverse()) {
      const cards = this.#in.get(target) ?? [];
      if (!isIntersecting) for (const { canvas } of cards) this.thumbs.leave(canvas);
      else for (const card of boundingClientRect.top < rootBounds?.top ? cards : cards.slice().reverse()) this.#want(card);
    }
  }

  #want(card) {
    if (card.item.kind === 'model') this.thumbs.want(card.canvas, card.item, (found) => this.#drawn(card, found));
  }

  #drawn(card, { facts, complaint, empty }) {
    if (facts) this.#know(card, facts);
    card.button.classList.toggle('broken', Boolean(complaint));
    card.button.classList.toggle('nothing', Boolean(empty));
    if (complaint) card.facts.textContent = complaint.what;
  }

  #know(card, { frames, levels, nodes }) {
    const { item } = card;
    if (item.frames !== null) return;
    Object.assign(item, { frames, levels, nodes });
    card.facts.textContent = factsText(frames > 1 ? `${plain(frames)} frames` : 'static', levels > 1 ? `${levels} levels` : '', bytesText(item.size));
  }

  /* What filters ask for is read out of every model, a little at a time; a card that was drawn is known
   * already. */
  #look(from, round, idle = 0) {
    if (round !== this.#round) return; // of what was shown before
    const end = performance.now() + Math.max(SLICE, idle);
    let at = from;
    for (; at < this.#cards.length && performance.now() < end; at++) {
      const card = this.#cards[at];
      if (card.item.kind !== 'model' || card.item.frames !== null) continue;
      let model = null;
      try {
        model = library().openModel(card.item.bytes());
        this.#know(card, factsOf(model));
      } catch {
        card.item.frames = 0; // its card says why, once it is seen
        card.item.levels = 0;
      } finally {
        model?.close();
      }
    }
    this.known = at >= this.#cards.length;
    if (!this.known) whenIdle((left) => this.#look(at, round, left));
    // Filters are asked again now and then, because the answers have come meanwhile.
    const asked = $('moves').value !== '' || $('levels').value !== '';
    if (this.known || (asked && performance.now() > this.#asked + 500)) {
      this.#filter();
      this.#asked = performance.now();
    }
  }

  #fits(item) {
    const words = $('search').value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const name = item.source.toLowerCase();
    if (!words.every((word) => name.includes(word))) return false;
    const [least, most] = SIZES[$('size').value] ?? [0, Infinity];
    if (item.size < least || item.size >= most) return false;
    const moves = item.kind === 'model' ? item.frames === null || item.frames > 1 : true;
    if ($('moves').value === 'moving' && !moves) return false;
    if ($('moves').value === 'static' && (item.frames === null || moves)) return false;
    const levels = Number($('levels').value || 0);
    return levels === 0 || (levels > 0 ? item.levels === levels || (levels === 4 && item.levels > 4) : false);
  }

  #filter() {
    this.#shown = this.#cards.filter(({ item }) => this.#fits(item));
    const all = this.#cards.length;
    const count = this.#shown.length;
    $('found').textContent = count === all ? `${plain(all)} in all` : `${plain(count)} of ${plain(all)}`;
    this.lay();
    this.#reachable();
  }

  /* Puts the cards that are shown into groups, where these or the number of columns have changed. */
  lay() {
    const width = $('gallery-scroll').clientWidth - 3 * GAP;
    if (width <= 0) return; // out of sight
    const columns = Math.max(1, Math.floor((width + GAP) / (WIDTH + GAP)));
    if (columns === this.#columns && this.#shown.length === this.#laid.length && this.#shown.every((card, i) => card === this.#laid[i])) return;
    this.#columns = columns;
    this.#laid = this.#shown;
    this.seen.disconnect();
    this.thumbs.leaveAll();
    this.#in.clear();
    for (let at = 0; at < this.#laid.length; at += ROWS * columns) {
      const cards = this.#laid.slice(at, at + ROWS * columns);
      const group = make('div', { className: 'group', role: 'none' }, ...cards.map(({ element }) => element));
      group.style.setProperty('--rows', String(Math.ceil(cards.length / columns)));
      this.#in.set(group, cards);
    }
    this.list.style.setProperty('--columns', String(columns));
    this.list.replaceChildren(...this.#in.keys());
    for (const group of this.#in.keys()) this.seen.observe(group);
  }

  /* One card can be reached by Tab, the others from there by arrows. */
  #reachable(button = null) {
    const all = this.#shown.map((card) => card.button);
    const one = button ?? all.find((other) => other.tabIndex === 0) ?? all[0];
    for (const { button: other } of this.#cards) if (other.tabIndex === 0 && other !== one) other.tabIndex = -1;
    if (one) one.tabIndex = 0;
  }

  #sort() {
    const order = $('order').value;
    const by = {
      library: (a, b) => a.index - b.index,
      name: (a, b) => a.item.name.localeCompare(b.item.name, 'en', { numeric: true }) || a.index - b.index,
      size: (a, b) => b.item.size - a.item.size || a.index - b.index,
    };
    this.#cards.sort(by[order] ?? by.library);
    this.#filter();
  }

  #key(event) {
    const cards = this.#shown.map(({ button }) => button);
    const at = cards.indexOf(event.target);
    if (at < 0) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + this.#columns, ArrowUp: at - this.#columns, Home: 0, End: cards.length - 1 }[event.key];
    if (to === undefined || !cards[to]) return;
    event.preventDefault();
    this.#reachable(cards[to]);
    cards[to].focus();
  }

  /* When every card in sight has its picture. What is in sight is asked of the layout: a browser that takes
   * a picture by a clock of its own may end before its observer says anything. */
  settled() {
    this.lay();
    this.thumbs.hurry();
    for (const [group, cards] of this.#in) {
      const { top, bottom } = group.getBoundingClientRect();
      if (top >= innerHeight) break;
      if (bottom > 0) for (const card of cards) this.#want(card);
    }
    return this.thumbs.settled();
  }

  /* Where the keyboard goes on when a model is left. */
  focus(item) {
    const card = this.#shown.find((one) => one.item === item) ?? this.#shown[0];
    if (!card) return;
    this.#reachable(card.button);
    card.button.focus({ preventScroll: true });
    card.element.scrollIntoView({ block: 'nearest' });
  }
}
