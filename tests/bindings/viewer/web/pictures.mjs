/* Pictures that the command takes of the page. */
import assert from 'node:assert/strict';
import { executablePath, bytesOf, command, PNG, template, test } from './tools.mjs';

const take = (file, words) => {
  command(...words, '--template', template, '-q', '--browser', executablePath, '--png', file, '--size', '320x240');
  return PNG.sync.read(bytesOf(file));
};
const picture = (file, ...words) => take(file, ['msh', 'view', 'R_H_02.msh', ...words]);

const colours = ({ data }) => {
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data.readUInt32BE(i) >>> 8);
  return seen.size;
};
const differing = (a, b) => {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) count += a.data.readUInt32BE(i) !== b.data.readUInt32BE(i) ? 1 : 0;
  return count;
};

test('pictures show the model, the frame and nothing else', async () => {
  const first = picture('first.png', '--frame', '0');
  assert.deepEqual([first.width, first.height], [320, 240]);
  assert.ok(colours(first) > 200, `${colours(first)} colours`);
  const again = picture('again.png', '--frame', '0');
  assert.equal(differing(first, again), 0, 'the same picture twice');
  const later = picture('later.png', '--frame', '40');
  assert.ok(differing(first, later) > 500, `${differing(first, later)} pixels between two frames`);
  const turned = picture('turned.png', '--frame', '0', '--camera', '120,30');
  assert.ok(differing(first, turned) > 2000);
  const nothing = picture('nothing.png', '--frame', '0', '--cell', '2,4', '--view', 'grid=0&shadow=0');
  assert.ok(colours(nothing) < colours(first) / 2, 'nothing but the ground');
  // No panel, no bar: the corners are background.
  const dark = picture('dark.png', '--view', 'theme=dark&grid=0');
  const corner = (x, y) => dark.data.readUInt8((y * 320 + x) * 4);
  for (const [x, y] of [[2, 2], [317, 2], [2, 237], [317, 237]]) assert.ok(corner(x, y) < 64, `corner ${x},${y}: ${corner(x, y)}`);
});

test('galleries and animations have pictures, too', async () => {
  assert.ok(colours(take('gallery.png', ['msh', 'gallery', 'corpus/libraries/parts.rlb'])) > 100);
  const start = take('ani-0.png', ['ani', 'view', 'samples/bird.ani']);
  const later = take('ani-400.png', ['ani', 'view', 'samples/bird.ani', '--time', '400']);
  assert.ok(differing(start, later) > 50);
});
