/* The stage with its panels: shows one subject, and follows the state. */
import { Vector3 } from 'three';
import { Attached } from './attached.js';
import { commandOfHit, stem } from './commands.js';
import { $, make, pairs } from './dom.js';
import { Exports } from './exports.js';
import { showFindings } from './findings.js';
import { drawnUnder, hitUnder, rayAt } from './hits.js';
import { listenToKeys } from './keys.js';
import { Complaint } from './library.js';
import { Model } from './model.js';
import { Overlays } from './overlays.js';
import { Cells, showInfo, showLegend } from './panels.js';
import { showReadings } from './readings.js';
import { Stage } from './stage.js';
import { Surfaces } from './surfaces.js';
import { Timeline } from './timeline.js';
import { Tree } from './tree.js';

const page = document.documentElement;
const narrow = matchMedia('(max-width: 900px)');

export class Viewer {
  subject = null;
  #linkTimer = 0;

  constructor(whole, state) {
    this.page = whole;
    this.state = state;
    this.stage = new Stage($('canvas'));
    this.surfaces = new Surfaces();
    this.timeline = new Timeline(state);
    this.tree = new Tree(state);
    this.cells = new Cells(state);
    this.exports = new Exports(this);
    this.stage.beforeDraw.push(() => this.#guard(() => this.overlays?.follow()));
    this.stage.afterDraw.push(() => this.overlays?.followLabels());
    state.listen((changed) => this.subject && this.#guard(() => this.#changed(changed)));
    this.#wire();
    listenToKeys(this);
  }

  /* What the library refuses of a damaged subject is told, and the rest goes on. */
  #guard(action) {
    try {
      action();
    } catch (error) {
      if (!Complaint.isOne(error)) throw error;
      this.state.set({ play: false, extent: false });
      this.complain(this.subject?.name ?? '', error);
    }
  }

  /* ---- subjects ---- */

  /* Puts another subject on the stage. What the state says of the last one's cells and nodes is for
   * the caller to reset. */
  show(subject) {
    this.#clear();
    this.subject = subject;
    page.dataset.kind = subject.kind;
    if (subject.kind === 'model') new Attached(subject, (item) => this.#openPart(item));
    this.stage.scene.add(subject.root);
    this.stage.frame(subject.bounds);
    this.surfaces.show(subject);
    this.overlays = new Overlays(subject, this.stage);
    this.timeline.show(subject);
    this.tree.show(subject);
    this.cells.show(subject);
    showInfo(subject, this.page.data.producer);
    showReadings(subject, this.page);
    showFindings(subject, this.state);
    this.#listParts();
    this.#showHit(null);
    $('title').textContent = subject.name;
    $('subtitle').textContent = subject.item?.imported ? `imported from ${subject.item.imported}` : subject.source === subject.name ? '' : subject.source;
    this.#prepareControls();
    this.#fitState();
  }

  #clear() {
    if (!this.subject) return;
    this.overlays.close();
    this.subject.root.removeFromParent();
    this.subject.close();
    this.subject = null;
  }

  leave() {
    this.state.set({ play: false });
    this.#clear();
    this.stage.asleep = true;
  }

  /* A page that opens without a cell shows the first that is not empty. */
  #fitState() {
    const { state, subject } = this;
    if (!/[#&]cell=/.test(location.hash)) state.set({ cell: subject.firstCell() });
    state.set({ frame: Math.min(state.get('frame'), subject.lastFrame), blend: Math.min(state.get('blend'), subject.lastFrame) });
  }

  start() {
    const { state, stage } = this;
    stage.asleep = false;
    stage.resize();
    this.applyTheme();
    this.#applyPanels();
    stage.resize();
    stage.setOrthographic(state.get('ortho'));
    stage.place(state.get('camera'), state.get('target'));
    this.#applyTime();
    this.#applyGeometry();
    this.#applyGround();
    this.#showControls();
    this.tree.update(true);
    this.timeline.drawTicks();
    this.exports.show();
    if (state.get('play')) this.#play();
    stage.draw();
  }

  /* Shows all of a state that was read anew. */
  restart() {
    this.#fitState();
    this.start();
  }

  /* ---- state to picture ---- */

  #view() {
    const keys = ['cell', 'all', 'fill', 'boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'extent', 'labels', 'node'];
    return Object.fromEntries(keys.map((key) => [key, this.state.get(key)]));
  }

  #changed(changed) {
    const has = (...keys) => keys.some((key) => changed.has(key));
    if (has('readings')) return this.page.reopen();
    if (has('cell', 'all', 'fill', 'hide', 'surface', 'wire', 'vnormals', 'cull', 'node')) this.#applyGeometry();
    else if (has('boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'extent', 'labels')) this.overlays.show(this.#view());
    if (has('grid', 'shadow')) this.#applyGround();
    if (has('ortho')) this.stage.setOrthographic(this.state.get('ortho'));
    if (has('theme')) this.applyTheme();
    if (has('ui')) this.#applyPanels();
    if (has('node', 'hide')) this.tree.update(has('node'));
    if (has('node')) this.#listParts();
    if (has('frame', 'blend', 'weight', 'root', 'eye')) this.#applyTime();
    if (has('frame', 'blend', 'weight', 'root', 'cell', 'hide')) this.#showHit(null);
    if (has('range', 'node')) this.timeline.drawTicks();
    if (has('play', 'fps', 'speed', 'loop', 'range')) this.timeline.restart();
    if (has('play') && this.state.get('play')) this.#play();
    this.timeline.update();
    if (!(changed.size === 1 && has('frame'))) this.#showControls();
    if (!this.state.get('play')) this.#exportsSoon();
    this.stage.invalidate();
    this.#linkSoon();
    return undefined;
  }

  #applyTime() {
    const of = (key) => this.state.get(key);
    this.subject.setTime({ frame: of('frame'), blend: of('blend'), weight: of('weight'), root: of('root') });
    this.stage.eye = of('eye') ? (this.subject.eye ?? null) : null;
    this.tree.showPosition();
    this.timeline.update();
    $('weight-value').textContent = of('blend') < 0 ? 'off' : `${Math.round(of('weight') * 100)} %`;
  }

  #applyGeometry() {
    const { subject, state, surfaces } = this;
    const hidden = new Set(state.get('hide'));
    for (const node of subject.nodes) node.hidden = hidden.has(node.index);
    subject.showCell(this.#view());
    surfaces.apply(state.get('surface'), state.get('cull'));
    surfaces.showWires(state.get('wire'));
    surfaces.showVertexNormals(state.get('vnormals'), this.stage.radius * 0.03);
    surfaces.select(state.get('node'));
    this.overlays.show(this.#view());
    showLegend(subject, state.get('surface'));
    this.cells.update();
    const triangles = subject.triangles();
    const words = { model: `${this.cells.name()} · ${triangles.toLocaleString('en-GB')} triangles`, ani: 'joints: models are in other files', ac: 'parts: models are in other files' };
    $('badge').textContent = words[subject.kind];
    $('badge').classList.toggle('nothing', subject.kind === 'model' && triangles === 0);
  }

  #applyGround() {
    this.stage.grid.visible = this.state.get('grid');
    this.stage.shade.visible = this.state.get('shadow');
    this.stage.sun.castShadow = this.state.get('shadow');
  }

  #applyPanels() {
    page.classList.toggle('bare', !this.state.get('ui'));
  }

  applyTheme() {
    this.page.applyTheme();
    if (!this.subject) return;
    const style = getComputedStyle(page);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.stage.setColours({ grid: colour('grid'), shade: Number(colour('shade')) });
    this.surfaces.setColours({ accent: colour('accent'), wire: colour('wire') });
    this.overlays.setColours(Object.fromEntries(['bone', 'socket', 'accent', 'box', 'ball', 'header', 'shell', 'key'].map((name) => [name, colour(name)])));
    this.overlays.show(this.#view());
    this.timeline.colours = { tick: colour('dim'), key: colour('key'), range: colour('range') };
    this.timeline.drawTicks();
  }

  #play() {
    this.timeline.restart();
    const tick = () => {
      if (!this.state.get('play') || !this.subject) return;
      this.timeline.advance();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /* ---- controls ---- */

  #prepareControls() {
    const has = (name) => [...this.subject.parts()].some(([, part]) => part.mesh.geometry.hasAttribute(name));
    const allow = (selector, allowed, why) => {
      const input = document.querySelector(selector);
      input.disabled = !allowed;
      input.parentElement.title = allowed ? '' : why;
    };
    allow('input[value=uv]', has('uv'), 'this model has no texture coordinates');
    allow('input[value=uv2]', has('uv1'), 'this model has no second texture coordinates (stream 18)');
    for (const [key, object] of [['header', 'headerBox'], ['ball', 'headerBall'], ['cylinder', 'cylinder']]) {
      allow(`[data-flag=${key}]`, this.overlays[object], 'the header of stream 2 is absent or not finite');
    }
    allow('[data-flag=extent]', this.subject.object, this.subject.objectComplaint?.message ?? 'only models have bounds');
    allow('[data-flag=eye]', this.subject.eye, 'this has no camera of its own');
    for (const id of ['geometry-box', 'surface-box', 'blend-row', 'parts-box']) $(id).hidden = this.subject.kind !== 'model';
    $('gallery-back').hidden = this.page.collection.items.length < 2;
  }

  #showControls() {
    const { state } = this;
    for (const input of document.querySelectorAll('[data-flag]')) input.checked = state.get(input.dataset.flag);
    for (const select of document.querySelectorAll('[data-select]')) select.value = state.get(select.dataset.select);
    for (const input of document.querySelectorAll('[data-choice] input')) {
      input.checked = input.value === state.get(input.closest('[data-choice]').dataset.choice);
    }
    if (document.activeElement !== $('blend')) $('blend').value = state.get('blend') < 0 ? '' : String(state.get('blend'));
    $('weight').value = String(state.get('weight'));
    $('weight').disabled = state.get('blend') < 0;
  }

  #wire() {
    const { state, stage } = this;
    document.addEventListener('change', ({ target }) => {
      if (target.dataset.flag) state.set({ [target.dataset.flag]: target.checked });
      else if (target.dataset.select) state.set({ [target.dataset.select]: target.value });
      else if (target.closest('[data-choice]')) state.set({ [target.closest('[data-choice]').dataset.choice]: target.value });
    });
    for (const button of document.querySelectorAll('button[data-view]')) {
      button.addEventListener('click', () => this.look(...button.dataset.view.split(',').map(Number)));
    }
    const click = (id, action) => $(id).addEventListener('click', action);
    click('fit', () => this.fit());
    click('copy', () => this.copyLink());
    click('save', () => this.exports.picture(this.pictureName));
    click('help', () => $('shortcuts').showModal());
    click('toggle-left', () => this.togglePanel('left'));
    click('toggle-right', () => this.togglePanel('right'));
    click('attach', () => this.#attachChosen());
    click('skip', (event) => {
      event.preventDefault();
      $('slider').focus();
    });
    $('blend').addEventListener('change', () => {
      const frame = $('blend').valueAsNumber;
      state.set({ blend: Number.isFinite(frame) && frame >= 0 ? Math.min(Math.round(frame), this.subject.lastFrame) : -1 });
    });
    $('weight').addEventListener('input', () => state.set({ weight: $('weight').valueAsNumber }));
    this.#wireCanvas();
    stage.controls.addEventListener('end', () => this.takeCamera());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.applyTheme();
      this.#exportsSoon();
    });
    new ResizeObserver(() => {
      if (!this.subject || !stage.resize()) return;
      stage.draw();
      this.#exportsSoon(); // the size is in their commands
    }).observe($('view'));
    if (narrow.matches) for (const side of ['left', 'right']) this.togglePanel(side, false);
  }

  #wireCanvas() {
    const canvas = $('canvas');
    let down = null;
    canvas.addEventListener('pointerdown', (event) => {
      $('view').classList.remove('aiming');
      down = [event.clientX, event.clientY];
    });
    canvas.addEventListener('pointerup', (event) => {
      const still = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4;
      if (still && event.button === 0) this.#pick(event);
    });
    canvas.addEventListener('wheel', () => this.#takeCameraSoon(), { passive: true });
    canvas.addEventListener('dblclick', (event) => this.#centre(event));
    canvas.addEventListener('webglcontextlost', () => this.page.note('The graphics context was lost; it comes back by itself or on reload.'));
  }

  /* ---- what is under the pointer ---- */

  #pick(event) {
    const ray = rayAt(this.stage, event);
    let hit = null;
    try {
      hit = hitUnder(this.subject, ray, this.stage.radius * 200);
    } catch (error) {
      this.complain(this.subject.name, error);
    }
    const node = hit?.node ?? drawnUnder(this.subject, ray)?.object.userData.owner ?? -1;
    this.state.set({ node: node === this.state.get('node') && !hit ? -1 : node });
    this.#showHit(hit);
    this.stage.invalidate();
  }

  /* What a click and a double click do under the pointer, keys do in the middle of the picture, where a cross
   * shows. */
  #middle() {
    const { left, top, width, height } = $('canvas').getBoundingClientRect();
    $('view').classList.add('aiming');
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }

  pickMiddle() {
    this.#pick(this.#middle());
    if (!this.hit) this.page.note('The game hits nothing in the middle of the picture.');
  }

  centreMiddle() {
    this.#centre(this.#middle());
  }

  #showHit(hit) {
    if (Boolean(hit) !== Boolean(this.hit)) this.#exportsSoon(); // no command draws the mark
    this.hit = hit;
    this.overlays.showHit(hit?.corners ?? null);
    $('hit').hidden = !hit;
    if (!hit) return;
    const list = make('dl');
    pairs(list, [
      ['piece', hit.piece], ['batch', hit.batch], ['triangle', `${hit.triangle} (${hit.batchTriangle} of the batch)`],
      ['point', [...hit.point].map((value) => value.toFixed(3)).join('  ')], ['distance', Math.sqrt(hit.distance).toFixed(3)],
    ]);
    const command = commandOfHit(this, hit);
    const copy = make('button', { type: 'button', className: 'text', 'aria-label': `Copy the command: ${command}` }, 'Copy the query');
    copy.addEventListener('click', () => this.copy(command, 'The command is copied.'));
    $('hit').replaceChildren(make('h3', {}, 'The face that the game would hit'), list, copy);
  }

  #centre(event) {
    const hit = drawnUnder(this.subject, rayAt(this.stage, event));
    if (!hit) return;
    this.stage.place(this.stage.placement().camera, hit.point.toArray());
    this.takeCamera();
  }

  /* ---- attached parts ---- */

  #openPart(item) {
    return new Model(item, { readings: this.page.readings });
  }

  /* What is attached: { item, node }. */
  get parts() {
    return this.subject.attached?.list ?? [];
  }

  #attachChosen() {
    const item = this.page.collection.models[Number($('part').value)];
    if (item) this.attach(item, Math.max(0, this.state.get('node')));
  }

  attach(item, node) {
    try {
      this.subject.attached.attach(item, node);
      this.#partsChanged(`${item.name} hangs on ${this.subject.nodes[node].name}.`);
    } catch (error) {
      this.complain(item.name, error);
    }
  }

  #partsChanged(words) {
    this.#listParts();
    this.#applyTime();
    this.#applyGeometry();
    this.#exportsSoon();
    this.stage.invalidate();
    this.page.note(words);
  }

  #listParts() {
    if (this.subject.kind !== 'model') return;
    const { models } = this.page.collection;
    const node = this.subject.nodes[Math.max(0, this.state.get('node'))];
    if ($('part').options.length !== models.length || $('part').collection !== this.page.collection) {
      $('part').replaceChildren(...models.map((item, index) => new Option(item.source, String(index))));
      $('part').collection = this.page.collection;
    }
    $('attach').disabled = models.length === 0 || !this.subject.object;
    $('attach').textContent = `Attach to ${node?.name ?? 'node 0'}`;
    $('parts').replaceChildren(...this.subject.attached.list.map((one) => {
      const remove = make('button', { type: 'button', className: 'text' }, 'Remove');
      remove.setAttribute('aria-label', `Remove ${one.item.name}`);
      remove.addEventListener('click', () => {
        this.subject.attached.detach(one.part);
        this.#partsChanged(`${one.item.name} is taken off.`);
      });
      return make('li', {}, make('span', {}, `${one.item.name} on ${this.subject.nodes[one.node].name}`), remove);
    }));
  }

  /* ---- camera ---- */

  takeCamera() {
    this.state.set(this.stage.placement());
  }

  #takeCameraSoon() {
    clearTimeout(this.cameraTimer);
    this.cameraTimer = setTimeout(() => this.subject && this.takeCamera(), 200);
  }

  look(yaw, pitch) {
    const { target } = this.stage.placement();
    this.stage.place([yaw, pitch, this.stage.placement().camera[2]], target);
    this.takeCamera();
  }

  /* The selected node, or all that is shown. */
  fit() {
    this.stage.fit(this.subject.measureShown(this.state.get('node')));
    this.takeCamera();
  }

  openingView() {
    this.stage.place([], []);
    this.state.set({ camera: [], target: [] });
  }

  isolate() {
    const selected = this.state.get('node');
    if (selected < 0) return;
    const others = this.subject.nodes.map((node) => node.index).filter((index) => index !== selected);
    const isolated = this.state.get('hide').join() === others.join();
    this.state.set({ hide: isolated ? [] : others });
  }

  unselect() {
    this.#showHit(null);
    this.state.set({ node: -1 });
    this.stage.invalidate();
  }

  togglePanel(side, open = page.classList.contains(`no-${side}`)) {
    page.classList.toggle(`no-${side}`, !open);
    $(`toggle-${side}`).setAttribute('aria-expanded', String(open));
    // Two drawers do not fit a narrow screen.
    if (open && narrow.matches) this.togglePanel(side === 'left' ? 'right' : 'left', false);
  }

  /* ---- links ---- */

  get pictureName() {
    return `${stem(this.subject.name)}-${this.state.get('frame')}.png`;
  }

  #exportsSoon() {
    clearTimeout(this.exportTimer);
    this.exportTimer = setTimeout(() => this.subject && this.exports.show(), 150);
  }

  #linkSoon() {
    clearTimeout(this.#linkTimer);
    if (this.state.get('play')) return; // once it stops
    this.#linkTimer = setTimeout(() => this.subject && this.link(), 250);
  }

  hash() {
    // A page without a hash opens with the first cell that holds something, and with an animation's joints.
    const hash = this.state.writeHash();
    const cell = this.state.get('cell').join();
    const more = [];
    if (!/[#&]cell=/.test(hash) && this.subject.firstCell().join() !== cell) more.push(`cell=${cell}`);
    if (this.subject.kind !== 'model' && !/[#&](bones|axes|labels)=/.test(hash)) more.push('bones=0');
    return more.length === 0 ? hash : `${hash || '#'}${hash ? '&' : ''}${more.join('&')}`;
  }

  link() {
    const hash = this.hash();
    if (location.hash === hash) return;
    this.page.written = hash;
    history.replaceState(history.state, '', hash || location.href.split('#')[0]);
  }

  copyLink() {
    this.link();
    this.copy(location.href.split('#')[0] + this.hash(), 'The link is copied.', 'The link is in the address bar.');
  }

  copy(text, words, otherwise = text) {
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copied.then(() => this.page.note(words), () => this.page.note(otherwise));
  }

  complain(name, error) {
    this.page.complain(name, error);
  }

  /* For tests: where a node is in the picture, -1 to 1. */
  project(node) {
    return new Vector3().setFromMatrixPosition(this.subject.nodes[node].object.matrixWorld).project(this.stage.seen).toArray();
  }
}
