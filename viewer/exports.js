/* What can be taken away from the page, each beside the command that does the same. */
import { $, make, save } from './dom.js';
import { animate } from './apng.js';
import { commandOf, commandOfLoop, stem } from './commands.js';

const MOST_PICTURES = 240;
const WIDEST = 640;

export class Exports {
  constructor(view) {
    this.view = view;
    this.state = view.state;
  }

  get #ways() {
    const { subject, state } = this.view;
    const name = stem(subject.name);
    const loop = this.#frames();
    const of = (id, label, file, action, command = commandOf(id, subject, state, file)) => ({ id, label, file, action, command });
    const options = () => ({ name: subject.name, framesPerSecond: subject.fps });
    const png = of('png', 'Picture (PNG)', `${name}-${state.get('frame')}.png`, (file) => this.picture(file));
    const animation = of('loop', 'Loop (APNG)', `${name}.png`, (file) => this.loop(file), commandOfLoop(subject, state, loop.length));
    if (subject.kind === 'model') {
      return [
        of('glb', 'glTF (GLB)', `${name}.glb`, (file) => save(subject.model.exportGlb(options()).bytes, file, 'model/gltf-binary')),
        of('obj', 'Wavefront (OBJ)', `${name}.obj`, (file) => this.#obj(file)),
        png, animation,
        of('msh', 'The model (MSH)', subject.name, (file) => save(subject.model.bytes(), file, 'application/octet-stream'), ''),
      ];
    }
    const glb = subject.kind === 'ani' ? [of('glb', 'glTF (GLB)', `${name}.glb`, (file) => save(subject.ani.exportGlb({ policy: subject.policy }), file, 'model/gltf-binary'))] : [];
    return [...glb, png, animation];
  }

  #obj(file) {
    const { subject, state } = this.view;
    const [outer, inner] = state.get('cell');
    const materials = file.replace(/\.obj$/, '.mtl');
    const made = subject.model.exportObj({ cell: outer * 5 + inner, frame: state.get('frame'), materials });
    save(made.text, file, 'model/obj');
    save(made.materials, materials, 'model/mtl');
  }

  show() {
    const rows = this.#ways.map(({ id, label, file, action, command }) => {
      const button = make('button', { type: 'button', className: 'way', data: { export: id } }, label);
      button.addEventListener('click', () => this.#run(button, () => action(file)));
      const row = make('div', { className: 'export' }, button);
      if (command) row.append(this.#command(command));
      return row;
    });
    $('exports').replaceChildren(...rows);
  }

  #command(command) {
    const copy = make('button', { type: 'button', className: 'text copy', title: 'Copy the command that does the same' }, 'Copy');
    copy.setAttribute('aria-label', `Copy the command: ${command}`);
    copy.addEventListener('click', () => this.view.copy(command, 'The command is copied.'));
    return make('div', { className: 'command' }, make('code', {}, command), copy);
  }

  async #run(button, action) {
    button.disabled = true;
    try {
      await action();
    } catch (error) {
      this.view.complain(this.view.subject.name, error);
    }
    button.disabled = false;
  }

  async picture(file) {
    this.view.stage.draw();
    save(await blobOf(this.view.stage.canvas), file, 'image/png');
  }

  /* The times of a loop's pictures: every frame of the range, the last one left out where it would be
   * the first again. */
  #frames() {
    const { timeline, subject } = this.view;
    const [from, to] = timeline.range;
    const step = Math.max(subject.step, Math.ceil((to - from) / MOST_PICTURES / subject.step) * subject.step);
    const times = [];
    for (let time = from; time < to || times.length === 0; time += step) times.push(time);
    return Object.assign(times, { step });
  }

  async loop(file) {
    const { stage, state, subject, timeline } = this.view;
    const times = this.#frames();
    const before = state.get('frame');
    const scale = Math.min(1, WIDEST / stage.canvas.width);
    const canvas = make('canvas', { width: Math.round(stage.canvas.width * scale), height: Math.round(stage.canvas.height * scale) });
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    const background = getComputedStyle(document.documentElement).getPropertyValue('--back').trim();
    const pictures = [];
    state.set({ play: false });
    for (const time of times) {
      state.set({ frame: time });
      stage.draw();
      pen.fillStyle = background;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(stage.canvas, 0, 0, canvas.width, canvas.height);
      pictures.push(new Uint8Array(await (await blobOf(canvas)).arrayBuffer()));
    }
    state.set({ frame: before });
    save(animate(pictures, (1000 * times.step) / (subject.unit ? 1000 : timeline.fps * state.get('speed'))), file, 'image/png');
  }
}

const blobOf = (canvas) => new Promise((done, fail) => {
  canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser makes no picture of this size'))), 'image/png');
});
