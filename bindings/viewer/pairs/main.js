/* The page on which somebody drops Ngi32.dll and AniMesh.dll and reads which functions are the same as ours,
 * bit for bit. worker.js does the work. */
import { $, bytesText, make, pairs, plain, save } from '../dom.js';

const FILES = ['Ngi32.dll', 'AniMesh.dll'];
const MOST_BYTES = 64 * 1048576; // a file of the game has less than one
const page = document.documentElement;
const given = new Map(); // name in small letters: { name, bytes }
let worker = null, report = '', sides = [], verdicts = new Map();

/* ---- what is inside of the page ---- */

function decoded(text) {
  const letters = atob(text);
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

const inside = (kind) => [...document.querySelectorAll(`script[data-kind="${kind}"]`)]
  .map((element) => ({ name: element.dataset.name, bytes: decoded(element.textContent) }));

const ours = () => {
  const dlls = inside('dll');
  return dlls.length === 2 ? { ngi32: dlls[0].bytes, animesh: dlls[1].bytes } : null;
};
const hasOurs = document.querySelectorAll('script[data-kind="dll"]').length === 2;
const leftOut = document.querySelector('script[data-kind="left-out"]')?.textContent.trim();
const traceCount = document.querySelectorAll('script[data-kind="trace"]').length;

/* ---- complaints ---- */

function complain({ what, where = '', expected = '', found = '' }) {
  const lines = [where ? `${where}: ${what}` : what];
  if (expected) lines.push(`expected: ${expected}`);
  if (found) lines.push(`found: ${found}`);
  $('complaint').textContent = lines.join('\n');
  $('complaint').hidden = false;
}

/* The states: empty, working (calls are compared), done (and formulas are being read while there is a worker),
 * stopped and failed. */
function end(state) {
  worker?.terminate();
  worker = null;
  page.dataset.state = state;
  page.dataset.formulas = '';
  $('work').hidden = true;
  $('files').disabled = false;
}

/* ---- results ---- */

const notCompared = (counts) => counts.failedAlike + counts.wroteOutside + counts.notComparable + counts.notCalled + counts.unsupported;
const isBad = (counts) => counts.different > 0;

const share = (reached, all) => (all ? `${Math.floor(100 * reached / all)} %` : '–');

/* What stands in the cell of a formula's verdict, in the words of docs/use/lift.md. */
const FORMULAS = {
  same: 'same for every input',
  'same on paths': 'same on all paths seen',
  differs: 'DIFFERS',
  'cannot say': 'cannot say',
  'not read': 'not read',
};

function row({ key, name, standing, counts, difference, coverage }, reasons) {
  const rest = notCompared(counts);
  const first = make('td', { className: 'first' });
  if (difference) {
    first.append(`call ${difference.sequence} of ${difference.trace}, ${difference.field}: yours ${difference.a}, ${hasOurs ? 'ours' : 'recorded'} ${difference.b}`);
  } else if (counts.unsupported) {
    first.append(reasons[key] ? `unsupported: ${reasons[key]}` : 'unsupported: a side does not have this function');
  }
  return make('tr', { className: isBad(counts) ? 'bad' : rest ? 'partly' : '' },
    make('th', { scope: 'row' }, key, make('small', {}, name)),
    make('td', { className: 'verdict' }, standing),
    make('td', { className: 'number' }, plain(counts.compared - counts.different)),
    make('td', { className: 'number' }, plain(counts.different)),
    make('td', { className: 'number' }, plain(counts.crashed)),
    make('td', { className: 'number' }, plain(rest)),
    make('td', { className: 'number', title: `${plain(coverage.blocksReached)} of ${plain(coverage.blocks)} blocks, ${plain(coverage.sidesReached)} of ${plain(coverage.sides)} sides of branches` },
      share(coverage.blocksReached, coverage.blocks)),
    make('td', { className: 'formula', data: { key }, hidden: !hasOurs }),
    first);
}

function tellFormulas() {
  const count = (verdict) => [...verdicts.values()].filter((one) => one.verdict === verdict && !one.hasExceptions).length;
  const all = [...verdicts.values()].filter((one) => one.verdict !== 'not read').length;
  const differing = [...verdicts.values()].filter((one) => one.verdict === 'differs').length;
  $('formulas').textContent = `Of the ${all} functions that can be read as formulas, ${count('same')} have the same one for every input` +
    `, ${count('same on paths')} on all paths that were seen, and ${differing} have another one.`;
}

function showFormula({ key, verdict, hasExceptions, words }) {
  verdicts.set(key, { verdict, hasExceptions });
  const cell = [...document.querySelectorAll('td.formula')].find((one) => one.dataset.key === key);
  cell.textContent = FORMULAS[verdict] + (hasExceptions ? ', with exceptions' : '');
  cell.classList.toggle('differs', verdict === 'differs');
  cell.append(make('details', {}, make('summary', {}, 'why'), make('pre', {}, words)));
  tellFormulas();
}

function show({ totals, functions, reasons, coverage, json }) {
  report = json;
  const same = functions.filter(({ counts }) => counts.compared && !counts.different).length;
  $('verdict').textContent = `${plain(totals.compared)} calls compared, ${plain(totals.different)} different: ` +
    `${same} of ${functions.length} functions are the same, bit for bit`;
  const original = sides[0];
  const who = original.kind === 'original' && !original.isPublished ? `${original.description} (a build of which nothing is published)` : original.description;
  verdicts = new Map();
  $('formulas').textContent = '';
  pairs($('sides'), [
    ['Yours', who],
    ...FILES.map((name) => [`SHA-256 of ${name}`, original.sha256[name]]),
    ['Compared with', sides[1]?.description ?? 'the outcomes that the traces hold, which were recorded from the stand-in and our library'],
    ['Engine', `${original.engine}, in WebAssembly`],
    ['Arithmetic', original.isSoftware
      ? 'software: fsin, fcos, fptan, fpatan, f2xm1, fyl2x and fyl2xp1 may differ from a processor’s in the last bits, for both sides alike'
      : 'the processor’s'],
    ['Reached', `${plain(coverage.blocksReached)} of ${plain(coverage.blocks)} blocks of your functions’ code, ${plain(coverage.sidesReached)} of ${plain(coverage.sides)} sides of branches`],
  ]);
  const rank = ({ counts }) => (counts.crashed ? 0 : isBad(counts) ? 1 : notCompared(counts) ? 2 : 3);
  const sorted = functions.map((item, at) => ({ item, at })).sort((a, b) => rank(a.item) - rank(b.item) || a.at - b.at);
  $('rows').replaceChildren(...sorted.map(({ item }) => row(item, reasons)));
  $('left-out').textContent = leftOut ? `Left out: ${leftOut}, which ask for another reading of the files than an original has.` : '';
  $('result').hidden = false;
  $('status').textContent = '';
  $('files').disabled = false;
  page.dataset.state = 'done';
  if (!hasOurs) end('done');
  $('verdict').focus();
}

/* ---- work ---- */

function begin() {
  end('working'); // formulas of the pair before may still be read
  const [ngi32, animesh] = FILES.map((name) => given.get(name.toLowerCase()).bytes);
  $('result').hidden = true;
  $('work').hidden = false;
  $('files').disabled = true;
  $('progress').value = 0;
  $('doing').textContent = 'Loading the DLLs…';
  page.dataset.state = 'working';
  const address = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
  worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }) => {
    if (data.sides) sides = data.sides;
    if (data.done !== undefined) {
      $('progress').value = data.done;
      $('doing').textContent = `${data.reading ? `Reading formulas: ${data.reading}` : `Comparing: ${data.trace}`}, ${Math.floor(100 * data.done)} %`;
    }
    if (data.error) {
      complain({ what: data.error.what ?? data.error.message, ...data.error, where: data.error.where });
      given.clear();
      list();
      end('failed');
    }
    if (data.result) show(data.result);
    if (data.formula) showFormula(data.formula);
    if (data.read) {
      end('done');
      page.dataset.formulas = 'read';
    }
  };
  worker.onerror = (event) => {
    complain({ what: event.message || 'the worker has ended' });
    end('failed');
  };
  worker.postMessage({ wasm: inside('wasm')[0].bytes, pairs: [{ ngi32, animesh }, ours()], traces: inside('trace') });
}

function list() {
  $('given').replaceChildren(...FILES.filter((name) => given.has(name.toLowerCase()))
    .map((name) => make('li', {}, `${name}: ${bytesText(given.get(name.toLowerCase()).bytes.length)}`)));
}

async function take(files) {
  if (page.dataset.state === 'working') return;
  $('complaint').hidden = true;
  for (const file of files) {
    const name = file.name.toLowerCase();
    if (!FILES.some((known) => known.toLowerCase() === name)) {
      complain({ what: 'this is neither of the two files', where: file.name, expected: FILES.join(' and '), found: file.name });
      continue;
    }
    if (file.size > MOST_BYTES) {
      complain({ what: 'the file is too large', where: file.name, expected: `at most ${bytesText(MOST_BYTES)}`, found: bytesText(file.size) });
      continue;
    }
    given.set(name, { bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  list();
  const missing = FILES.filter((name) => !given.has(name.toLowerCase()));
  $('status').textContent = missing.length === 1 ? `Now ${missing[0]}, too.` : '';
  if (missing.length === 0 && page.dataset.state !== 'working') begin(); // another drop may have begun while this one was read
}

/* ---- the page ---- */

$('against').textContent = hasOurs ? 'ours' : 'compares them with recorded outcomes,';
for (const element of document.querySelectorAll('.of-formulas')) element.hidden = !hasOurs;
$('amount').textContent = `the calls of ${traceCount} traces`;
$('files').onclick = () => $('choose').click();
$('choose').onchange = () => {
  take([...$('choose').files]);
  $('choose').value = '';
};
$('stop').onclick = () => {
  const isShown = page.dataset.state === 'done';
  end('stopped');
  given.clear();
  list();
  $('status').textContent = isShown ? 'Stopped: the other formulas were not read.' : 'Stopped.';
};
$('save').onclick = () => save(report, 'retropose-report.json', 'application/json');
$('theme').onclick = () => {
  const isDark = page.dataset.theme ? page.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  page.dataset.theme = isDark ? 'light' : 'dark';
};
addEventListener('dragover', (event) => {
  event.preventDefault();
  $('drop').hidden = false;
});
addEventListener('dragleave', (event) => { if (!event.relatedTarget) $('drop').hidden = true; });
addEventListener('drop', (event) => {
  event.preventDefault();
  $('drop').hidden = true;
  take([...event.dataTransfer.files]);
});
