// Follows every link of a site that lies on a disk: node links.mjs [--external] SITE
//
// A link has to lead to a file of the site, and to an element with that id where it names one. Every
// page but the first has to be reached. Links that lead out of the site are counted only, or listed
// with --external. Knows nothing of what made the site.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const words = process.argv.slice(2);
const external = words[0] === '--external' && words.shift();
const site = resolve(words[0]);
const faults = [], outside = new Set(), reached = new Set(['index.html']);
let followed = 0;

const files = readdirSync(site, { recursive: true }).map(String).filter(path => path.endsWith('.html'));
const texts = new Map(files.map(path => [path, readFileSync(join(site, path), 'utf8')]));
const ids = new Map([...texts].map(([path, text]) => {
    const all = [...text.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
    for (const id of new Set(all.filter((id, index) => all.indexOf(id) !== index)))
        faults.push(`${path}: two elements have the id ${id}`);
    return [path, new Set(all)];
}));

function follow(page, link) {
    const [file, anchor] = link.replaceAll('&amp;', '&').split('#').map(decodeURIComponent);
    const target = file ? relative(site, resolve(join(site, dirname(page)), file)) : page;
    followed++;
    if (target.startsWith('..'))
        return faults.push(`${page}: ${link} leads out of the site`);
    if (!existsSync(join(site, target)) || statSync(join(site, target)).isDirectory())
        return faults.push(`${page}: ${link} leads to no file`);
    if (anchor && !ids.get(target)?.has(anchor))
        return faults.push(`${page}: ${link} leads to no element of ${target}`);
    if (target !== page)
        reached.add(target);
}

for (const [page, text] of texts)
    for (const [, link] of text.matchAll(/\s(?:href|src)="([^"]*)"/g))
        if (/^(data:|$)/.test(link))
            continue;
        else if (/^[a-z]+:/.test(link))
            outside.add(link);
        else
            follow(page, link);
for (const page of files)
    if (!reached.has(page))
        faults.push(`${page}: no page leads here`);
if (external)
    console.log([...outside].sort().join('\n'));
console.log([...faults, `${files.length} pages, ${followed} links followed, ${outside.size} lead elsewhere, ${faults.length} faults`].join('\n'));
process.exit(faults.length || followed === 0 ? 1 : 0);
