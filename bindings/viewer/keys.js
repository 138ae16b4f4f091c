/* Keys of the stage, and the list of them that `?` shows. */
import { $, make } from './dom.js';

function shortcuts(view) {
  const { state, stage, timeline } = view;
  const flip = (key) => () => state.toggle(key);
  const surfaces = ['shaded', 'rows', 'clay', 'normals', 'uv', 'uv2'];
  const nextOf = (list, value) => list[(list.indexOf(value) + 1) % list.length];
  const turn = (yaw, pitch) => () => {
    stage.orbit(yaw, pitch);
    view.takeCamera();
  };
  const zoom = (factor) => () => {
    stage.zoom(factor);
    view.takeCamera();
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
    [['f'], 'Fit the selected node, or all, into view', () => view.fit()],
    [['t'], 'Ask for the face that the game hits in the middle, at the cross', () => view.pickMiddle()],
    [['z'], 'Turn about what is in the middle, at the cross', () => view.centreMiddle()],
    [['0'], 'The view that the page opens with', () => view.openingView()],
    [['1'], 'Front', () => view.look(0, 0)],
    [['2'], 'Right', () => view.look(90, 0)],
    [['3'], 'Back', () => view.look(180, 0)],
    [['4'], 'Left', () => view.look(270, 0)],
    [['5'], 'Top', () => view.look(180, 89.9)],
    [['o'], 'Orthographic', flip('ortho')],
    [['b'], 'Bones', flip('bones')],
    [['a'], 'Node axes', flip('axes')],
    [['x'], 'Slot boxes', flip('boxes')],
    [['r'], 'Slot spheres', flip('spheres')],
    [['m'], 'Model box', flip('header')],
    [['e'], 'Bounds at this pose', flip('extent')],
    [['v'], 'Through the animation\'s own camera', flip('eye')],
    [['l'], 'Labels: selected, sockets, all', () => state.set({ labels: nextOf(['none', 'sockets', 'all'], state.get('labels')) })],
    [['w'], 'Wireframe', flip('wire')],
    [['s'], 'Next surface', () => state.set({ surface: nextOf(surfaces, state.get('surface')) })],
    [['g'], 'Grid', flip('grid')],
    [['h'], 'Hide the selected node', () => state.get('node') >= 0 && view.tree.hide(view.subject.nodes[state.get('node')], false)],
    [['k'], 'Only the selected node, or all again', () => view.isolate()],
    [['Escape'], 'Select nothing', () => view.unselect()],
    [['n'], 'Node panel', () => view.togglePanel('left')],
    [['i'], 'Display panel', () => view.togglePanel('right')],
    [['u'], 'Only the picture', flip('ui')],
    [['d'], 'Light or dark', () => view.page.switchTheme()],
    [['c'], 'Copy a link to this view', () => view.copyLink()],
    [['p'], 'Save the picture', () => view.exports.picture(view.pictureName)],
    [['q', 'Backspace'], 'Back to the gallery', () => view.page.back()],
    [['?'], 'This list', () => $('shortcuts').showModal()],
  ];
}

export function listenToKeys(view) {
  const names = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
  const shown = (key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const actions = new Map();
  for (const [keys, words, action] of shortcuts(view)) {
    for (const key of keys) actions.set(key, action);
    $('shortcut-list').append(make('div', {}, make('dt', {}, make('kbd', {}, shown(keys[0]))), make('dd', {}, words)));
  }
  document.addEventListener('keydown', (event) => {
    if (view.subject && document.documentElement.dataset.view === 'stage') press(actions, event);
  });
}

/* Keys that a control has a use for stay with it. */
function press(actions, event) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
  const { target } = event;
  const tag = target.tagName;
  const typing = tag === 'INPUT' && target.type !== 'checkbox' && target.type !== 'radio' && target.type !== 'range';
  if (typing || tag === 'SELECT') return;
  const own = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
  if (own && (tag === 'INPUT' || target.getAttribute('role') === 'radio')) return;
  if (event.key === ' ' && ['BUTTON', 'SUMMARY', 'INPUT'].includes(tag) && target.type !== 'range') return;
  const action = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (!action) return;
  event.preventDefault();
  action();
}
