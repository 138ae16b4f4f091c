/* Retropose's model viewer: puts the parts together. */
import { Raycaster, REVISION, Vector2, Vector3 } from 'three';
import { loadModel } from './model.js';
import { Overlays } from './overlays.js';
import { Cells, make, showInfo, showLegend, Tree } from './panels.js';
import { Stage } from './stage.js';
import { State } from './state.js';
import { Surfaces } from './surfaces.js';
import { Timeline } from './timeline.js';

const $ = (id) => document.getElementById(id);
const page = document.documentElement;

/* The page says how far it is: whoever takes its picture waits for `ready`. */
function say(condition, words = '') {
  page.dataset.viewer = condition;
  if (words) page.dataset.words = words;
}

function fail(error) {
  const words = error instanceof Error ? error.message : String(error);
  say('failed', words);
  const hint = /webgl|context/i.test(words) ? ' This browser has no WebGL 2, or it is switched off.' : '';
  document.body.append(make('p', { className: 'failure', role: 'alert' }, `The model cannot be shown: ${words}.${hint}`));
}

function decode(id) {
  const text = $(id).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

class Viewer {
  #linkTimer = 0;
  #noteTimer = 0;

  constructor(model) {
    this.model = model;
    this.state = new State();
    this.stage = new Stage($('canvas'), model.bounds);
    this.stage.scene.add(model.root);
    this.surfaces = new Surfaces(model);
    this.overlays = new Overlays(model, this.stage);
    this.timeline = new Timeline(model, this.state);
    this.tree = new Tree(model, this.state);
    this.cells = new Cells(model, this.state);
    this.stage.beforeDraw.push(() => this.#beforeDraw());
    this.stage.afterDraw.push(() => this.overlays.followLabels());
    showInfo(model);
    this.#prepareControls();
    this.#readHash();
    this.state.listen((changed) => this.#changed(changed));
    this.#wire();
  }

  /* ---- state to picture ---- */

  #view() {
    const keys = ['cell', 'all', 'fill', 'boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'labels', 'node'];
    return Object.fromEntries(keys.map((key) => [key, this.state.get(key)]));
  }

  #readHash() {
    this.state.readHash(location.hash);
    // A model whose first cell is empty opens at the first that is not.
    if (!/[#&]cell=/.test(location.hash)) this.state.set({ cell: this.model.firstCell() });
    this.state.set({ frame: Math.min(this.state.get('frame'), this.model.lastFrame) });
  }

  start() {
    const { state, stage } = this;
    stage.resize();
    this.#applyTheme();
    this.#applyPanels();
    stage.resize();
    stage.setOrthographic(state.get('ortho'));
    stage.place(state.get('camera'), state.get('target'));
    this.#applyGeometry();
    this.#applyGround();
    this.#applyFrame();
    this.#showControls();
    this.tree.update(true);
    if (state.get('play')) this.#play();
    stage.draw();
  }

  #changed(changed) {
    const has = (...keys) => keys.some((key) => changed.has(key));
    if (has('cell', 'all', 'fill', 'hide', 'surface', 'wire', 'vnormals', 'cull', 'node')) this.#applyGeometry();
    else if (has('boxes', 'spheres', 'bones', 'axes', 'header', 'ball', 'cylinder', 'labels')) this.overlays.show(this.#view());
    if (has('grid', 'shadow')) this.#applyGround();
    if (has('ortho')) this.stage.setOrthographic(this.state.get('ortho'));
    if (has('theme')) this.#applyTheme();
    if (has('ui')) this.#applyPanels();
    if (has('node', 'hide')) this.tree.update(has('node'));
    if (has('frame')) this.#applyFrame();
    if (has('range', 'node')) this.timeline.drawTicks();
    if (has('play', 'fps', 'speed', 'loop', 'range')) this.timeline.restart();
    if (has('play') && this.state.get('play')) this.#play();
    this.timeline.update();
    if (!(changed.size === 1 && has('frame'))) this.#showControls();
    this.stage.invalidate();
    this.#linkSoon();
  }

  #applyFrame() {
    this.model.setFrame(this.state.get('frame'));
    this.tree.showPosition();
    this.timeline.update();
  }

  #applyGeometry() {
    const { model, state, surfaces } = this;
    const hidden = new Set(state.get('hide'));
    for (const node of model.nodes) node.hidden = hidden.has(node.index);
    model.showCell(this.#view());
    surfaces.apply(state.get('surface'), state.get('cull'));
    surfaces.showWires(state.get('wire'));
    surfaces.showVertexNormals(state.get('vnormals'), this.stage.radius * 0.03);
    surfaces.select(state.get('node'));
    this.overlays.show(this.#view());
    showLegend(model, state.get('surface'));
    this.cells.update();
    const triangles = model.triangles();
    $('badge').textContent = `${this.cells.name()} · ${triangles.toLocaleString('en-GB')} triangles`;
    $('badge').classList.toggle('nothing', triangles === 0);
  }

  #applyGround() {
    this.stage.grid.visible = this.state.get('grid');
    this.stage.shade.visible = this.state.get('shadow');
    this.stage.sun.castShadow = this.state.get('shadow');
  }

  #applyPanels() {
    page.classList.toggle('bare', !this.state.get('ui'));
  }

  #applyTheme() {
    const theme = this.state.get('theme');
    if (theme === 'auto') delete page.dataset.theme;
    else page.dataset.theme = theme;
    const style = getComputedStyle(page);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.stage.setColours({ grid: colour('grid'), shade: Number(colour('shade')) });
    this.surfaces.setColours({ accent: colour('accent'), wire: colour('wire') });
    this.overlays.setColours({
      bone: colour('bone'), socket: colour('socket'), accent: colour('accent'), box: colour('box'),
      ball: colour('ball'), header: colour('header'), shell: colour('shell'),
    });
    this.overlays.show(this.#view());
    this.timeline.colours = { tick: colour('dim'), key: colour('key'), range: colour('range') };
    this.timeline.drawTicks();
  }

  #beforeDraw() {
    this.overlays.follow();
  }

  #play() {
    this.timeline.restart();
    const tick = () => {
      if (!this.state.get('play')) return;
      this.timeline.advance();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /* ---- controls ---- */

  #prepareControls() {
    const has = (name) => [...this.model.parts()].some(([, part]) => part.mesh.geometry.hasAttribute(name));
    const off = (selector, why) => {
      const input = document.querySelector(selector);
      input.disabled = true;
      input.parentElement.title = why;
    };
    if (!has('uv')) off('input[value=uv]', 'this model has no texture coordinates');
    if (!has('uv1')) off('input[value=uv2]', 'this model has no second texture coordinates (stream 18)');
    for (const [key, object] of [['header', 'headerBox'], ['ball', 'headerBall'], ['cylinder', 'cylinder']]) {
      if (!this.overlays[object]) off(`[data-flag=${key}]`, 'the header of stream 2 is absent or not finite');
    }
  }

  #showControls() {
    for (const input of document.querySelectorAll('[data-flag]')) input.checked = this.state.get(input.dataset.flag);
    for (const select of document.querySelectorAll('[data-select]')) select.value = this.state.get(select.dataset.select);
    for (const input of document.querySelectorAll('[data-choice] input')) {
      input.checked = input.value === this.state.get(input.closest('[data-choice]').dataset.choice);
    }
  }

  #wire() {
    const { state, stage } = this;
    document.addEventListener('change', ({ target }) => {
      if (target.dataset.flag) state.set({ [target.dataset.flag]: target.checked });
      else if (target.dataset.select) state.set({ [target.dataset.select]: target.value });
      else if (target.closest('[data-choice]')) state.set({ [target.closest('[data-choice]').dataset.choice]: target.value });
    });
    for (const button of document.querySelectorAll('[data-view]')) {
      button.addEventListener('click', () => this.#look(...button.dataset.view.split(',').map(Number)));
    }
    const click = (id, action) => $(id).addEventListener('click', action);
    click('fit', () => this.#fit());
    click('copy', () => this.#copyLink());
    click('save', () => this.#savePicture());
    click('theme', () => this.#switchTheme());
    click('help', () => $('shortcuts').showModal());
    click('toggle-left', () => this.#togglePanel('left'));
    click('toggle-right', () => this.#togglePanel('right'));
    click('skip', (event) => {
      event.preventDefault();
      $('slider').focus();
    });
    this.#wireCanvas();
    this.#listShortcuts();
    document.addEventListener('keydown', (event) => this.#key(event));
    stage.controls.addEventListener('end', () => this.#takeCamera());
    addEventListener('hashchange', () => this.#hashChanged());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#applyTheme());
    new ResizeObserver(() => stage.resize() && stage.draw()).observe($('view'));
    if (matchMedia('(max-width: 900px)').matches) for (const side of ['left', 'right']) this.#togglePanel(side, false);
  }

  #wireCanvas() {
    const canvas = $('canvas');
    let down = null;
    canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
    });
    canvas.addEventListener('pointerup', (event) => {
      const still = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4;
      if (still && event.button === 0) this.#pick(event);
    });
    canvas.addEventListener('wheel', () => this.#takeCameraSoon(), { passive: true });
    canvas.addEventListener('dblclick', (event) => this.#centre(event));
    canvas.addEventListener('webglcontextlost', () => this.#note('The graphics context was lost; it comes back by itself or on reload.'));
  }

  #hit(event) {
    const box = $('canvas').getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.stage.camera);
    const meshes = [...this.model.visibleParts()].map(([, part]) => part.mesh);
    return ray.intersectObjects(meshes, false)[0];
  }

  #pick(event) {
    const node = this.#hit(event)?.object.userData.owner ?? -1;
    this.state.set({ node: node === this.state.get('node') ? -1 : node });
  }

  #centre(event) {
    const hit = this.#hit(event);
    if (!hit) return;
    this.stage.place(this.stage.placement().camera, hit.point.toArray());
    this.#takeCamera();
  }

  #takeCamera() {
    this.state.set(this.stage.placement());
  }

  #takeCameraSoon() {
    clearTimeout(this.cameraTimer);
    this.cameraTimer = setTimeout(() => this.#takeCamera(), 200);
  }

  #look(yaw, pitch) {
    const { target } = this.stage.placement();
    this.stage.place([yaw, pitch, this.stage.placement().camera[2]], target);
    this.#takeCamera();
  }

  /* The selected node, or all that is shown. */
  #fit() {
    this.stage.fit(this.model.measureShown(this.state.get('node')));
    this.#takeCamera();
  }

  #openingView() {
    this.stage.place([], []);
    this.state.set({ camera: [], target: [] });
  }

  #isolate() {
    const selected = this.state.get('node');
    if (selected < 0) return;
    const others = this.model.nodes.map((node) => node.index).filter((index) => index !== selected);
    const isolated = this.state.get('hide').join() === others.join();
    this.state.set({ hide: isolated ? [] : others });
  }

  #switchTheme() {
    const dark = getComputedStyle(page).getPropertyValue('--dark').trim() === '1';
    this.state.set({ theme: dark ? 'light' : 'dark' });
  }

  #togglePanel(side, open = page.classList.contains(`no-${side}`)) {
    page.classList.toggle(`no-${side}`, !open);
    $(`toggle-${side}`).setAttribute('aria-expanded', String(open));
    // Two drawers do not fit a narrow screen.
    if (open && matchMedia('(max-width: 900px)').matches) this.#togglePanel(side === 'left' ? 'right' : 'left', false);
  }

  /* ---- links and pictures ---- */

  #linkSoon() {
    clearTimeout(this.#linkTimer);
    if (this.state.get('play')) return; // once it stops
    this.#linkTimer = setTimeout(() => this.#link(), 250);
  }

  #hash() {
    // The first cell that holds something is where a page without a hash opens.
    const hash = this.state.writeHash();
    const cell = `cell=${this.state.get('cell').join()}`;
    const named = /[#&]cell=/.test(hash);
    if (named || this.model.firstCell().join() === this.state.get('cell').join()) return hash;
    return hash ? `${hash}&${cell}` : `#${cell}`;
  }

  #link() {
    const hash = this.#hash();
    if (location.hash === hash) return;
    this.written = hash;
    history.replaceState(null, '', hash || location.href.split('#')[0]);
  }

  #hashChanged() {
    if (location.hash === this.written) return;
    this.#readHash();
    this.stage.place(this.state.get('camera'), this.state.get('target'));
  }

  #copyLink() {
    this.#link();
    const url = location.href.split('#')[0] + this.#hash();
    const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error('no clipboard'));
    copied.then(() => this.#note('The link is copied.'), () => this.#note('The link is in the address bar.'));
  }

  #savePicture() {
    this.stage.draw();
    const name = (this.model.info.name || 'model').replace(/[^\w.-]+/g, '_');
    $('canvas').toBlob((blob) => {
      const link = make('a', { href: URL.createObjectURL(blob), download: `${name}-${this.state.get('frame')}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  #note(words) {
    $('note').textContent = words;
    $('note').classList.add('on');
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => $('note').classList.remove('on'), 3000);
  }

  /* ---- keys ---- */

  #shortcuts() {
    const { state, stage, timeline } = this;
    const flip = (key) => () => state.toggle(key);
    const surfaces = ['shaded', 'rows', 'clay', 'normals', 'uv', 'uv2'];
    const nextOf = (list, value) => list[(list.indexOf(value) + 1) % list.length];
    const turn = (yaw, pitch) => () => {
      stage.orbit(yaw, pitch);
      this.#takeCamera();
    };
    const zoom = (factor) => () => {
      stage.zoom(factor);
      this.#takeCamera();
    };
    return [
      [[' '], 'Play or pause', () => timeline.togglePlay()],
      [[','], 'Frame before', () => timeline.step(-1)],
      [['.'], 'Next frame', () => timeline.step(1)],
      [['['], 'Key before, of the selected node or of any', () => timeline.stepKey(-1)],
      [[']'], 'Next key', () => timeline.stepKey(1)],
      [['Home'], 'First frame', () => timeline.seek(timeline.range[0])],
      [['End'], 'Last frame', () => timeline.seek(timeline.range[1])],
      [['ArrowLeft'], 'Turn left', turn(-10, 0)],
      [['ArrowRight'], 'Turn right', turn(10, 0)],
      [['ArrowUp'], 'Turn up', turn(0, 8)],
      [['ArrowDown'], 'Turn down', turn(0, -8)],
      [['+', '='], 'Closer', zoom(1 / 1.2)],
      [['-'], 'Farther', zoom(1.2)],
      [['f'], 'Fit the selected node, or all, into view', () => this.#fit()],
      [['0'], 'The view that the page opens with', () => this.#openingView()],
      [['1'], 'Front', () => this.#look(0, 0)],
      [['2'], 'Right', () => this.#look(90, 0)],
      [['3'], 'Back', () => this.#look(180, 0)],
      [['4'], 'Left', () => this.#look(270, 0)],
      [['5'], 'Top', () => this.#look(180, 89.9)],
      [['o'], 'Orthographic', flip('ortho')],
      [['b'], 'Bones', flip('bones')],
      [['a'], 'Node axes', flip('axes')],
      [['x'], 'Slot boxes', flip('boxes')],
      [['r'], 'Slot spheres', flip('spheres')],
      [['m'], 'Model box', flip('header')],
      [['l'], 'Labels: selected, sockets, all', () => state.set({ labels: nextOf(['none', 'sockets', 'all'], state.get('labels')) })],
      [['w'], 'Wireframe', flip('wire')],
      [['s'], 'Next surface', () => state.set({ surface: nextOf(surfaces, state.get('surface')) })],
      [['g'], 'Grid', flip('grid')],
      [['h'], 'Hide the selected node', () => state.get('node') >= 0 && this.tree.hide(this.model.nodes[state.get('node')], false)],
      [['k'], 'Only the selected node, or all again', () => this.#isolate()],
      [['Escape'], 'Select nothing', () => state.set({ node: -1 })],
      [['n'], 'Node panel', () => this.#togglePanel('left')],
      [['i'], 'Display panel', () => this.#togglePanel('right')],
      [['u'], 'Only the picture', flip('ui')],
      [['d'], 'Light or dark', () => this.#switchTheme()],
      [['c'], 'Copy a link to this view', () => this.#copyLink()],
      [['p'], 'Save the picture', () => this.#savePicture()],
      [['?'], 'This list', () => $('shortcuts').showModal()],
    ];
  }

  #listShortcuts() {
    const names = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
    const shown = (key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
    this.keys = new Map();
    for (const [keys, words, action] of this.#shortcuts()) {
      for (const key of keys) this.keys.set(key, action);
      $('shortcut-list').append(make('div', {}, make('dt', {}, make('kbd', {}, shown(keys[0]))), make('dd', {}, words)));
    }
  }

  /* Keys that a control has a use for stay with it. */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || $('shortcuts').open) return;
    const { target } = event;
    const tag = target.tagName;
    const typing = tag === 'INPUT' && target.type !== 'checkbox' && target.type !== 'radio' && target.type !== 'range';
    if (typing || tag === 'SELECT') return;
    const own = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
    if (own && (tag === 'INPUT' || target.getAttribute('role') === 'radio')) return;
    if (event.key === ' ' && ['BUTTON', 'SUMMARY', 'INPUT'].includes(tag) && target.type !== 'range') return;
    const action = this.keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }
}

/* For tests and for the console. */
function expose(viewer) {
  globalThis.retropose = {
    state: viewer.state,
    model: viewer.model,
    stage: viewer.stage,
    three: REVISION,
    matrices: () => viewer.model.nodes.map((node) => node.object?.matrixWorld.elements.slice() ?? null),
    shown: () => [...viewer.model.visibleParts()].map(([node, part]) => ({ node: node.index, slot: part.slot ?? null })),
    project: (node) => new Vector3().setFromMatrixPosition(viewer.model.nodes[node].object.matrixWorld).project(viewer.stage.camera).toArray(),
  };
}

async function start() {
  const info = JSON.parse($('info').textContent);
  const viewer = new Viewer(await loadModel(decode('glb'), info));
  viewer.start();
  expose(viewer);
  // Two frames later what was drawn has reached the compositor.
  requestAnimationFrame(() => requestAnimationFrame(() => say('ready')));
}

start().catch(fail);
