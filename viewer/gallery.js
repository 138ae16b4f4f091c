/* All that a collection holds, as cards. The cards are plain elements, of which the browser lays out
 * only those in sight (content-visibility), so that thousands stay smooth, are found by the browser's own
 * search, and are read by a screen reader. */
import { $, bytesText, icon, make, plain } from './dom.js';
import { library } from './library.js';
import { factsOf, Thumbs } from './thumbs.js';

const SLICE = 8; // milliseconds of looking into models at a time
const KINDS = { model: 'model', ani: 'animation', 'ac-animation': 'animation of Asheron\'s Call', 'ac-motion-table': 'motion table of Asheron\'s Call' };
const SIZES = { small: [0, 65536], middle: [65536, 524288], large: [524288, Infinity] };

export class Gallery {
  #cards = [];
  #of = new Map(); // canvas or button -> card
  #timer = 0;
  #asked = 0;

  constructor(open) {
    this.open = open;
    this.thumbs = new Thumbs();
    this.list = $('cards');
    this.seen = new IntersectionObserver((entries) => this.#inSight(entries), { root: $('gallery-scroll'), rootMargin: '200px 0px' });
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
    this.seen.disconnect();
    this.#cards = collection.items.map((item, index) => this.#card(item, index));
    this.#of = new Map(this.#cards.flatMap((card) => [[card.canvas, card], [card.button, card]]));
    for (const id of ['moves', 'levels', 'size', 'order']) $(id).selectedIndex = 0;
    $('search').value = '';
    this.#sort();
    for (const { canvas } of this.#cards) this.seen.observe(canvas);
    this.#look();
  }

  #card(item, index) {
    const canvas = make('canvas', { width: 0, height: 0 });
    canvas.setAttribute('aria-hidden', 'true');
    const facts = make('small', {}, bytesText(item.size));
    const button = make('button', { type: 'button', className: 'card', tabIndex: -1, title: item.source }, canvas, make('b', {}, item.name), facts);
    if (item.kind !== 'model') {
      button.classList.add('moving');
      button.insertBefore(icon('moving'), canvas);
      facts.textContent = `${KINDS[item.kind]} · ${bytesText(item.size)}`;
    }
    return { item, index, canvas, facts, button, element: make('li', {}, button) };
  }

  #inSight(entries) {
    for (const { target, isIntersecting } of entries) {
      const card = this.#of.get(target);
      if (!card) continue;
      if (isIntersecting) this.#want(card);
      else this.thumbs.leave(target);
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
    card.facts.textContent = [frames > 1 ? `${plain(frames)} frames` : 'static', levels > 1 ? `${levels} levels` : '', bytesText(item.size)].filter(Boolean).join(' · ');
  }

  /* What filters ask for is read out of every model, a little at a time; a card that was drawn is known
   * already. */
  #look(from = 0) {
    clearTimeout(this.#timer);
    const end = performance.now() + SLICE;
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
    if (!this.known) this.#timer = setTimeout(() => this.#look(at), 4);
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
    let count = 0;
    for (const { item, element } of this.#cards) {
      const fits = this.#fits(item);
      if (element.hidden === fits) element.hidden = !fits;
      count += fits;
    }
    const all = this.#cards.length;
    $('found').textContent = count === all ? `${plain(all)} in all` : `${plain(count)} of ${plain(all)}`;
    this.#reachable();
  }

  /* One card can be reached by Tab, the others from there by arrows. */
  #reachable(button = null) {
    const all = this.#cards.filter(({ element }) => !element.hidden).map((card) => card.button);
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
    this.list.replaceChildren(...this.#cards.map(({ element }) => element));
    this.#filter();
  }

  #key(event) {
    const cards = this.#cards.filter(({ element }) => !element.hidden).map(({ button }) => button);
    const at = cards.indexOf(event.target);
    if (at < 0) return;
    const top = cards[0].getBoundingClientRect().top;
    const columns = Math.max(1, cards.findIndex((card) => card.getBoundingClientRect().top > top + 4));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: cards.length - 1 }[event.key];
    if (to === undefined || !cards[to]) return;
    event.preventDefault();
    this.#reachable(cards[to]);
    cards[to].focus();
  }

  /* When every card in sight has its picture. What is in sight is asked of the layout: a browser that takes
   * a picture by a clock of its own may end before its observer says anything. */
  settled() {
    for (const card of this.#cards) {
      const { top, bottom } = card.button.getBoundingClientRect();
      if (top >= innerHeight) break;
      if (bottom > 0) this.#want(card); // a card that a filter hides has its bottom at 0
    }
    return this.thumbs.settled();
  }

  /* Where the keyboard goes on when a model is left. */
  focus(item) {
    const card = this.#cards.find((one) => one.item === item) ?? this.#cards[0];
    if (!card) return;
    this.#reachable(card.button);
    card.button.focus({ preventScroll: true });
    card.element.scrollIntoView({ block: 'nearest' });
  }
}
