/* Elements of the page. Every text comes in as text, never as markup: names in a file may be
 * anything. */
export const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('aria-') || key === 'role') element.setAttribute(key, value);
    else if (key === 'data') Object.assign(element.dataset, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

/* A list of terms and what they are. */
export function pairs(list, entries) {
  list.replaceChildren(...entries.flatMap(([term, value]) => [make('dt', {}, term), make('dd', {}, String(value))]));
}

export const plain = (number) => Number(number).toLocaleString('en-GB');

export function bytesText(size) {
  if (size < 1024) return `${size} B`;
  return size < 1048576 ? `${(size / 1024).toFixed(size < 10240 ? 1 : 0)} KB` : `${(size / 1048576).toFixed(1)} MB`;
}

/* Hands a file to whoever looks at the page. */
export function save(content, name, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
