/* Retropose's page for models: takes files, shows what they hold as a gallery, and one of them on the
 * stage. What it was written with lies in its element `data`. */
import { REVISION } from 'three';
import { AcSubject } from './asheron.js';
import { AniSubject } from './ani.js';
import { $, make } from './dom.js';
import { Gallery } from './gallery.js';
import { Complaint, library } from './library.js';
import { Model } from './model.js';
import { Collection } from './opening.js';
import { FIELDS, State } from './state.js';
import { takeAddresses, takeChosen, takeDrop, takeInside } from './taking.js';
import { Viewer } from './viewer.js';

const page = document.documentElement;
const MOST_COMPLAINTS = 200;

/* The page says how far it is: whoever takes its picture waits for `ready`. */
function say(condition, words = '') {
  page.dataset.viewer = condition;
  if (words) page.dataset.words = words;
}

function fail(error) {
  const words = error instanceof Error ? error.message : String(error);
  say('failed', words);
  const hint = /webgl|context/i.test(words) ? ' This browser has no WebGL 2, or it is switched off.' : '';
  document.body.append(make('p', { className: 'failure', role: 'alert' }, `Nothing can be shown: ${words}.${hint}`));
}

function readData() {
  const text = $('data').textContent;
  return text.startsWith('@') ? {} : JSON.parse(text);
}

/* What belongs to one subject, and does not pass to the next one. */
const OF_SUBJECT = ['frame', 'blend', 'range', 'cell', 'all', 'camera', 'target', 'node', 'hide', 'readings', 'play', 'eye', 'fps'];

class Page {
  #noteTimer = 0;
  #complaints = [];

  constructor(data) {
    this.data = data;
    this.collection = new Collection();
    this.state = new State();
    this.state.readHash(location.hash);
    this.gallery = new Gallery((item) => this.open(item, true));
    this.viewer = new Viewer(this, this.state);
    this.#wire();
    this.applyTheme();
  }

  /* ---- files ---- */

  /* Shows what came. A file that is bad is told about, and what was there before stays if nothing else
   * came. */
  async take(reading, settings = {}) {
    page.classList.add('busy');
    try {
      const { files, complaints, passed } = await reading;
      await new Promise((done) => setTimeout(done)); // so that the page is seen to be busy
      const next = new Collection();
      for (const complaint of complaints) next.complain('', complaint);
      next.add(files, settings, passed);
      this.#list(next.complaints);
      if (next.items.length > 1 || (next.items.length === 1 && this.#canShow(next.items[0]))) await this.#turnTo(next, settings);
      else next.close();
      return next;
    } catch (error) {
      this.complain('files', error);
      return null;
    } finally {
      page.classList.remove('busy');
    }
  }

  /* A lone file that cannot be shown does not take the place of what is. */
  #canShow(item) {
    if (this.collection.items.length === 0) return true; // then it is told about where it is opened
    try {
      this.#subject(item).close();
      return true;
    } catch (error) {
      this.complain(item.source, error);
      return false;
    }
  }

  async #turnTo(next, { keep = false }) {
    this.viewer.leave();
    this.collection.close();
    this.collection = next;
    if (!keep) this.#forget();
    this.gallery.show(next);
    const asked = next.items.find((item) => item.name === this.state.get('model') || item.source === this.state.get('model'));
    if (asked) this.open(asked);
    else if (next.items.length === 1) this.open(next.items[0]);
    else this.#turn('gallery');
  }

  /* Forgets what was said of the subject that was shown. */
  #forget() {
    this.state.set({ ...Object.fromEntries(OF_SUBJECT.map((key) => [key, FIELDS[key].fallback])), model: '' });
    history.replaceState(history.state, '', location.href.split('#')[0]);
  }

  #turn(view) {
    page.dataset.view = view;
    $('gallery').inert = $('gallery').hidden = view !== 'gallery';
    $('start').hidden = view !== 'start';
    $('app').hidden = view !== 'stage';
    if (view === 'gallery') this.gallery.lay();
    const names = [...new Set(this.collection.items.map((item) => item.source.split('::')[0]))];
    $('gallery-title').textContent = names.length === 1 ? names[0] : `${names.length} files`;
  }

  /* The readings in force: those of the link, or those that the page was written with, or what each model
   * itself tells. */
  get readings() {
    const text = this.state.get('readings') || this.data.readings || 'auto';
    return text === 'auto' ? 'evidence' : text;
  }

  #subject(item) {
    const { data, readings } = this;
    switch (item.kind) {
      case 'ani':
        return new AniSubject(item, { policy: data.policy, form: item.form });
      case 'ac-animation':
        return new AcSubject(item);
      case 'ac-motion-table':
        throw new Complaint(item.source, 'a motion table has no picture of its own', { expected: 'an animation (0x03......)', found: 'retropose ac dump shows it' });
      default:
        return new Model(item, { readings, fps: Number(data.fps) || 0 });
    }
  }

  /* Puts an item on the stage; where it cannot be shown, everything stays as it was. */
  open(item, chosen = false) {
    let subject;
    if (chosen) this.#remember();
    try {
      if (chosen) this.state.set(Object.fromEntries(OF_SUBJECT.map((key) => [key, FIELDS[key].fallback])));
      subject = this.#subject(item);
    } catch (error) {
      this.complain(item.source, error);
      if (!this.viewer.subject) this.#turn(this.collection.items.length > 1 ? 'gallery' : 'start');
      return false;
    }
    this.#turn('stage');
    this.state.set({ model: this.collection.items.length > 1 ? (this.collection.items.find((other) => other.name === item.name) === item ? item.name : item.source) : '' });
    if (subject.kind !== 'model' && !/[#&](bones|axes|labels)=/.test(location.hash)) this.state.set({ bones: true, axes: true, labels: 'all' });
    this.viewer.show(subject);
    this.viewer.start();
    if (chosen) {
      this.viewer.link();
      $('canvas').focus({ preventScroll: true });
    }
    return true;
  }

  /* The same item under other readings. */
  reopen() {
    const { subject } = this.viewer;
    if (!subject) return;
    let next;
    try {
      next = this.#subject(subject.item);
    } catch (error) {
      this.complain(subject.source, error);
      return;
    }
    const open = $('readings-box').open;
    const parts = this.viewer.parts;
    this.viewer.show(next);
    $('readings-box').open = open;
    this.viewer.start();
    this.viewer.link();
    for (const { item, node } of parts) this.viewer.attach(item, node);
  }

  #remember() {
    history.pushState({ stage: true }, '', location.href);
  }

  back() {
    if (this.collection.items.length < 2) return;
    const item = this.viewer.subject?.item;
    this.viewer.leave();
    this.#forget();
    this.#turn('gallery');
    this.gallery.focus(item);
  }

  /* ---- what is said ---- */

  complain(name, error) {
    this.#list([Complaint.of(name, error)]);
  }

  #list(complaints) {
    if (complaints.length === 0) return;
    this.#complaints.push(...complaints);
    this.#complaints = this.#complaints.slice(-MOST_COMPLAINTS);
    $('complaint-list').replaceChildren(...this.#complaints.map((complaint) => make('li', { className: `complaint ${complaint.severity}` },
      make('b', {}, complaint.file || 'files'), make('span', {}, `${complaint.rule ? `${complaint.rule}: ` : ''}${complaint.what}`), make('small', {}, complaint.details))));
    $('complaints').hidden = false;
    $('complaint-count').textContent = String(this.#complaints.length);
  }

  note(words) {
    $('note').textContent = words;
    $('note').classList.add('on');
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => $('note').classList.remove('on'), 3000);
  }

  /* ---- controls ---- */

  applyTheme() {
    const theme = this.state.get('theme');
    if (theme === 'auto') delete page.dataset.theme;
    else page.dataset.theme = theme;
  }

  /* Which of the two is seen. */
  get theme() {
    return getComputedStyle(page).getPropertyValue('--dark').trim() === '1' ? 'dark' : 'light';
  }

  switchTheme() {
    this.state.set({ theme: this.theme === 'dark' ? 'light' : 'dark' });
    this.applyTheme();
  }

  #wire() {
    for (const button of document.querySelectorAll('[data-do=theme]')) button.addEventListener('click', () => this.switchTheme());
    for (const button of document.querySelectorAll('[data-do=files]')) button.addEventListener('click', () => $('choose-files').click());
    for (const button of document.querySelectorAll('[data-do=folder]')) button.addEventListener('click', () => $('choose-folder').click());
    for (const id of ['choose-files', 'choose-folder']) {
      $(id).addEventListener('change', async () => {
        await this.take(takeChosen([...$(id).files]));
        $(id).value = '';
      });
    }
    $('gallery-back').addEventListener('click', () => this.back());
    $('complaints-close').addEventListener('click', () => {
      $('complaints').hidden = true;
      this.#complaints = [];
    });
    addEventListener('hashchange', () => this.#hashChanged());
    addEventListener('popstate', () => this.#hashChanged());
    this.#wireDrop();
  }

  #wireDrop() {
    let depth = 0;
    const over = (by) => {
      depth = Math.max(0, depth + by);
      page.classList.toggle('dragging', depth > 0);
    };
    const files = (event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragenter', (event) => files(event) && over(1));
    addEventListener('dragleave', (event) => files(event) && over(-1));
    addEventListener('dragover', (event) => files(event) && event.preventDefault());
    addEventListener('drop', (event) => {
      if (!files(event)) return;
      event.preventDefault();
      over(-Infinity);
      const reading = takeDrop(event.dataTransfer);
      if (this.viewer.subject && event.target.closest?.('#parts-box')) this.#dropPart(reading);
      else this.take(reading);
    });
  }

  /* Dropped on the list of parts, a model is attached to the node that is selected. */
  async #dropPart(reading) {
    const { files, complaints } = await reading;
    const dropped = new Collection();
    for (const complaint of complaints) dropped.complain('', complaint);
    dropped.add(files);
    this.#list(dropped.complaints);
    for (const item of dropped.models) this.viewer.attach(item, Math.max(0, this.state.get('node')));
  }

  #hashChanged() {
    if (location.hash === this.written) return;
    this.written = location.hash;
    const before = this.state.get('model');
    const readings = this.state.get('readings');
    const subject = this.viewer.subject;
    this.viewer.subject = null; // it hears of all at once, below
    this.state.readHash(location.hash);
    this.viewer.subject = subject;
    this.applyTheme();
    const asked = this.state.get('model');
    if (asked !== before || !subject) {
      const item = this.collection.items.find((one) => one.name === asked || one.source === asked);
      if (item) this.open(item);
      else if (subject && this.collection.items.length > 1) this.back();
      return;
    }
    if (this.state.get('readings') !== readings) this.reopen();
    else this.viewer.restart();
  }

  /* ---- the beginning ---- */

  /* The page that compares DLLs lies beside this one where whoever made this one says so. */
  #linkToComparison() {
    $('compare').hidden = this.data.compare !== true;
    $('compare').firstElementChild.href = 'compare.html';
  }

  async start() {
    const inside = takeInside(this.data);
    if (inside.length > 0) {
      const taken = await this.take({ files: inside, complaints: [] }, { keep: true, form: this.data.form, source: inside.length === 1 ? this.data.source : undefined });
      if (!taken || taken.items.length === 0) throw taken?.complaints[0] ?? new Error('the page holds nothing that can be shown');
    } else {
      this.#turn('start');
      this.#linkToComparison();
      const asked = new URLSearchParams(location.search).getAll('file');
      if (asked.length > 0) await this.take(takeAddresses(asked), { keep: true });
    }
    if (page.dataset.view === 'start' && inside.length > 0) throw this.#complaints.at(-1);
    if (page.dataset.view === 'gallery') await this.gallery.settled();
  }
}

/* For tests and for the console. */
function expose(whole) {
  const of = () => whole.viewer.subject;
  globalThis.retropose = {
    page: whole,
    state: whole.state,
    library,
    three: REVISION,
    get model() {
      return of();
    },
    get stage() {
      return whole.viewer.stage;
    },
    matrices: () => of().nodes.map((node) => node.object.matrixWorld.elements.slice()),
    bits: () => [...new Uint32Array(of().matrices.slice().buffer)],
    shown: () => [...of().visibleParts()].map(([node, part]) => ({ node: node.index, slot: part.slot })),
    project: (node) => whole.viewer.project(node),
  };
}

async function start() {
  const whole = new Page(readData());
  await whole.start();
  expose(whole);
  // Everything is drawn by now. To wait for a frame would be to lose a race: a browser that takes a picture
  // lets the page's clock run ahead while nothing but the next frame is left to do.
  say('ready');
}

start().catch(fail);
