/* What can be taken away from the page, each beside the command that does the same, if there is one. */
import { $, make, save } from './dom.js';
import { animate } from './apng.js';
import { commandOf, commandOfLoop, commandOfPicture, stem } from './commands.js';

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
    const times = this.#frames();
    const of = (id, label, file, action, command = commandOf(id, this.view, file), words = '') => ({ id, label, file, action, command, words });
    const options = () => ({ name: '', framesPerSecond: subject.fps }); // the file's own name, as the command takes it
    const png = of('png', 'Picture (PNG)', `${name}-${state.get('frame')}.png`, (file) => this.picture(file), commandOfPicture(this.view, `${name}-${state.get('frame')}.png`));
    const animation = of('loop', 'Loop (APNG)', `${name}.png`, (file) => this.loop(file), commandOfLoop(this.view, times, times.step, this.#loopSize()), 'the pictures of the loop:');
    if (subject.kind === 'model') {
      return [
        of('glb', 'glTF (GLB)', `${name}.glb`, (file) => save(subject.model.exportGlb(options()).bytes, file, 'model/gltf-binary')),
        of('obj', 'Wavefront (OBJ)', `${name}.obj`, (file) => this.#obj(file)),
        png, animation,
        of('msh', 'The model (MSH)', subject.name, (file) => save(subject.model.bytes(), file, 'application/octet-stream'), commandOf('msh', this.view, `${name}.msh`)),
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
    const rows = this.#ways.map(({ id, label, file, action, command, words }) => {
      const button = make('button', { type: 'button', className: 'way', data: { export: id } }, label);
      button.addEventListener('click', () => this.#run(button, () => action(file)));
      const row = make('div', { className: 'export' }, button);
      if (command) row.append(...(words ? [make('small', {}, words)] : []), this.#command(command));
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
    const { width, height } = this.view.stage.canvas;
    const canvas = make('canvas', { width, height });
    this.#paint(canvas);
    save(await blobOf(canvas), file, 'image/png');
  }

  /* What is seen: the background, the stage, and the labels over it. */
  #paint(canvas) {
    const { stage, overlays } = this.view;
    const { width, height } = canvas;
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    stage.draw();
    // #view in style.css: an ellipse about the middle, of 90 and 80 percent of the sides
    const back = pen.createRadialGradient(0, 0, 0, 0, 0, 1);
    back.addColorStop(0, colour('back'));
    back.addColorStop(1, colour('back2'));
    pen.setTransform(width * 0.9, 0, 0, height * 0.8, width * 0.5, height * 0.42);
    pen.fillStyle = back;
    pen.fillRect(-1, -1, 2, 2);
    pen.resetTransform();
    pen.drawImage(stage.canvas, 0, 0, width, height);
    pen.scale(width / stage.size.width, height / stage.size.height);
    overlays.drawLabels(pen);
    pen.resetTransform();
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

  #loopSize() {
    const { width, height } = this.view.stage.canvas;
    const scale = Math.min(1, WIDEST / width);
    return { width: Math.round(width * scale), height: Math.round(height * scale) };
  }

  async loop(file) {
    const { state, subject, timeline } = this.view;
    const times = this.#frames();
    const before = state.get('frame');
    const canvas = make('canvas', this.#loopSize());
    const pictures = [];
    state.set({ play: false });
    for (const time of times) {
      state.set({ frame: time });
      this.#paint(canvas);
      pictures.push(new Uint8Array(await (await blobOf(canvas)).arrayBuffer()));
    }
    state.set({ frame: before });
    save(animate(pictures, (1000 * times.step) / (subject.unit ? 1000 : timeline.fps * state.get('speed'))), file, 'image/png');
  }
}

const blobOf = (canvas) => new Promise((done, fail) => {
  canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser makes no picture of this size'))), 'image/png');
});
