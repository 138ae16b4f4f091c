/* The readings of a model: each with its choices, and beside it what speaks for the one that is taken. */
import { $, make } from './dom.js';
import { library } from './library.js';

/* All readings of files as a list, as `--readings` takes it. */
export function readingsText(model) {
  return library().readings.filter(({ files }) => files).map(({ name }) => `${name}=${model.readings[name]}`).join(',');
}

export function showReadings(subject, { state, data, readings }) {
  const box = $('readings');
  $('readings-box').hidden = subject.kind !== 'model';
  if (subject.kind !== 'model') return box.replaceChildren();
  const evidence = new Map(subject.model.evidence().map((one) => [one.name, one]));
  const change = (name, choice) => {
    const list = library().readings.filter(({ files }) => files).map((one) => `${one.name}=${one.name === name ? choice : subject.model.readings[one.name]}`);
    state.set({ readings: list.join(',') });
  };
  const rows = library().readings.filter(({ files }) => files).map((reading) => {
    const known = evidence.get(reading.name);
    const chosen = subject.model.readings[reading.name];
    const select = make('select', { data: { reading: reading.name } }, ...reading.choices.map((choice) => new Option(choice, choice, false, choice === chosen)));
    select.addEventListener('change', () => change(reading.name, select.value));
    const words = known ? `${known.choice} is ${known.certainty}: ${known.why}` : 'nothing in a model tells this';
    const row = make('div', { className: 'reading' }, make('label', {}, reading.name, select), make('p', { className: known?.certainty ?? 'undecided' }, words));
    if (known && known.certainty === 'certain' && known.choice !== chosen) row.classList.add('against');
    row.append(make('details', {}, make('summary', {}, 'Sources'), make('p', {}, reading.source)));
    return row;
  });
  const auto = make('button', { type: 'button', className: 'text', id: 'readings-auto' }, 'What the model itself tells');
  auto.disabled = readings === 'evidence';
  auto.addEventListener('click', () => state.set({ readings: data.readings ? 'auto' : '' }));
  return box.replaceChildren(auto, ...rows);
}
