/* The gallery of a library. */
import assert from 'node:assert/strict';
import { assemble, axeFinds, bytesOf, close, complaints, entriesOf, open, state, test, urlOf, view } from './tools.mjs';

const parts = () => urlOf('corpus-parts.html');
const names = (page) => page.locator('#cards .card b').allTextContents();
const known = (page) => page.waitForFunction(() => globalThis.retropose.page.gallery.known);

test('every model has a card, with a picture where it is in sight', async () => {
  const page = await open(parts());
  assert.equal(await view(page), 'gallery');
  const members = entriesOf(bytesOf('corpus/libraries/parts.rlb')).length;
  assert.equal((await names(page)).length, members);
  await page.evaluate(() => globalThis.retropose.page.gallery.settled());
  const drawn = await page.evaluate(() => [...document.querySelectorAll('#cards canvas')].map((canvas) => {
    if (canvas.width === 0) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let solid = 0;
    for (let i = 3; i < data.length; i += 4) solid += data[i] > 128 ? 1 : 0;
    return solid / (data.length / 4);
  }));
  assert.ok(drawn[0] > 0.02 && drawn[0] < 0.95, `${drawn[0]} of the first picture is model`);
  assert.ok(drawn.filter((share) => share > 0).length >= Math.min(6, members));
  assert.deepEqual(await complaints(page), []);
  assert.deepEqual(await axeFinds(page), []);
  page.complaints.length = 0;
  await close(page);
});

test('search and filters leave what fits', async () => {
  const page = await open(parts());
  await known(page);
  const items = await page.evaluate(() => globalThis.retropose.page.collection.items.map(({ name, frames, levels, size }) => ({ name, frames, levels, size })));
  const expect = async (words, fits) => assert.deepEqual((await names(page)).sort(), items.filter(fits).map(({ name }) => name).sort(), words);
  await page.locator('#search').fill('r_h');
  await expect('search', ({ name }) => name.toLowerCase().includes('r_h'));
  await page.locator('#search').fill('');
  await page.locator('#moves').selectOption('moving');
  await expect('moving', ({ frames }) => frames > 1);
  await page.locator('#moves').selectOption('static');
  await expect('static', ({ frames }) => frames <= 1);
  await page.locator('#moves').selectOption('');
  for (const levels of [1, 2, 3]) {
    await page.locator('#levels').selectOption(String(levels));
    await expect(`${levels} levels`, (item) => item.levels === levels);
  }
  await page.locator('#levels').selectOption('');
  await page.locator('#size').selectOption('large');
  await expect('large', ({ size }) => size >= 524288);
  await page.locator('#size').selectOption('middle');
  await expect('middle', ({ size }) => size >= 65536 && size < 524288);
  assert.match(await page.locator('#found').textContent(), / of /);
  await page.locator('#size').selectOption('');
  await page.locator('#order').selectOption('size');
  const sizes = await page.evaluate(() => [...document.querySelectorAll('.card')].map((card) => globalThis.retropose.page.collection.items.find(({ source }) => source === card.title).size));
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
  await close(page);
});

test('a card opens its model, and the way back leads to it', async () => {
  const page = await open(parts());
  const all = await names(page);
  await page.locator('.card').nth(1).click();
  assert.equal(await view(page), 'stage');
  assert.equal(await page.locator('#title').textContent(), all[1]);
  assert.equal(await state(page, 'model'), all[1]);
  await page.locator('#gallery-back').click();
  assert.equal(await view(page), 'gallery');
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('b')?.textContent), all[1]);
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('b')?.textContent), all[2]);
  await page.keyboard.press('Enter');
  assert.equal(await view(page), 'stage');
  assert.equal(await page.locator('#title').textContent(), all[2]);
  await page.keyboard.press('q');
  assert.equal(await view(page), 'gallery');
  await close(page);
});

test('a link opens one model of a library', async () => {
  const page = await open(parts(), { hash: '#model=R_H_02.msh&frame=3' });
  assert.equal(await view(page), 'stage');
  assert.equal(await page.locator('#title').textContent(), 'R_H_02.msh');
  assert.equal(await state(page, 'frame'), 3);
  await close(page);
});

test('the gallery fits a telephone, and shows every card whole', async () => {
  for (const [colorScheme, width] of [['light', 390], ['dark', 390], ['light', 1000], ['light', 1180]]) {
    const page = await open(parts(), { size: { width, height: 780 }, colorScheme, touch: width < 400 });
    await known(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    const facts = await page.locator('.card small').evaluateAll((all) => all.map((one) => ({ words: one.textContent, cut: one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight })));
    assert.match(facts[0].words, /^[\d,]+.frames.· \d.levels.· \d+.KB$/);
    assert.deepEqual(facts.filter(({ cut }) => cut), [], `${width}`);
    if (width > 400) {
      await close(page);
      continue;
    }
    assert.deepEqual(await axeFinds(page), []);
    page.complaints.length = 0;
    await close(page);
  }
});

/* Five thousand members that share the bytes of a few models: the cost is that of the cards. */
function many(count) {
  const models = ['u_min_0_33.msh', 'fr_m_0_20.msh', 'a_a_l3.msh'].map(bytesOf);
  const offsets = [];
  let at = 16;
  for (const model of models) {
    offsets.push(at);
    at += model.length + ((8 - (model.length % 8)) % 8);
  }
  const image = Buffer.alloc(at + count * 64);
  image.write('NRes', 0, 'latin1');
  image.writeUInt32LE(0x100, 4);
  image.writeUInt32LE(count, 8);
  image.writeUInt32LE(image.length, 12);
  models.forEach((model, i) => model.copy(image, offsets[i]));
  for (let i = 0; i < count; i++) {
    const entry = at + i * 64;
    image.writeUInt32LE(0x4853454d, entry);
    image.writeUInt32LE(models[i % 3].length, entry + 12);
    image.write(`m${String(i).padStart(4, '0')}.msh`, entry + 20, 'latin1');
    image.writeUInt32LE(offsets[i % 3], entry + 56);
    image.writeUInt32LE(i, entry + 60);
  }
  return image;
}

/* Scrolls down by less than a page at a time; the time that the page's thread took, and the number of steps. */
async function scrolled(page, steps = 20) {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => (await tools.send('Performance.getMetrics')).metrics.find(({ name: one }) => one === 'TaskDuration').value * 1000;
  const before = await taken();
  await page.evaluate(async (count) => {
    const scroll = document.getElementById('gallery-scroll');
    scroll.scrollTop = 0;
    for (let i = 0; i < count; i++) {
      scroll.scrollTop += 540;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  }, steps);
  return [(await taken()) - before, steps];
}

test('five thousand models are as good as ten', async () => {
  const url = assemble('many', [['many.rlb', many(5000)]]);
  const started = performance.now(); // said, and never judged
  const page = await open(url);
  console.log(`        5,000 models, cards and the first pictures: ${Math.round(performance.now() - started)} ms`);
  assert.equal(await page.locator('.card').count(), 5000);
  await page.evaluate(() => globalThis.retropose.page.gallery.settled());
  const drawn = () => page.evaluate(() => globalThis.retropose.page.gallery.thumbs.kept);
  const first = await drawn();
  assert.ok(first < 200, `${first} pictures were drawn before anybody scrolled`);
  await page.evaluate(() => {
    const scroll = document.getElementById('gallery-scroll');
    scroll.scrollTop = scroll.scrollHeight;
  });
  await page.waitForFunction((before) => globalThis.retropose.page.gallery.thumbs.kept > before, first);
  await page.evaluate(() => globalThis.retropose.page.gallery.settled());
  assert.ok((await drawn()) < 400);
  // What a step costs goes with the groups that the browser has to look at.
  assert.ok((await page.locator('.group').count()) < 300);
  const [milliseconds, steps] = await scrolled(page);
  console.log(`        a step of scrolling: ${Math.round(milliseconds / steps)} ms of the page's own thread, pictures included`);
  await page.locator('#search').fill('m4999');
  assert.deepEqual(await names(page), ['m4999.msh']);
  await close(page);
});
