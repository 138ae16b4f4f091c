// Makes a static site of the Markdown pages of a tree: node build.mjs TREE SITE PACKAGES COMMANDS [VIEWER]
//
// The site needs no server and no network: search works on an index that is a script, because a page
// that was opened from a disk may not fetch anything. Each page X.md becomes X.html in the same place,
// README.md of the tree becomes index.html. A file that a page links to and that is no page becomes a
// page that shows it (nres.h -> nres.h.html); a folder becomes a list of its files (index.html in it);
// pictures are copied. COMMANDS is the page of all commands, which scripts/help-texts makes. VIEWER, the page for
// models (bindings/viewer/build), is put beside them as viewer.html, if it is there, and docs/use/view.md leads to it.
import { createRequire } from 'node:module';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [tree, site, packages, commands, viewer] = process.argv.slice(2).map(path => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(packages, 'package.json'));
const MarkdownIt = require('markdown-it');
const MiniSearch = require('minisearch');
const COMMANDS = posix.join('docs', 'reference', 'commands.md');
const PICTURES = ['.png', '.jpg', '.svg'];
const MODELS = { file: 'viewer.html', linkedFrom: 'docs/use/view.md' };
const PAIRS = { file: 'compare.html', linkedFrom: 'docs/use/browser.md' }; // bindings/viewer/pairs/build
const pairs = process.argv[6] && resolve(process.argv[6], '..', PAIRS.file);
const LEFT_OUT = ['build', 'node_modules', '.git'];

// ---- which pages there are ------------------------------------------------------------------------

function* pagesBelow(folder) {
    for (const entry of readdirSync(join(tree, folder), { withFileTypes: true })) {
        const path = posix.join(folder, entry.name);
        if (entry.isDirectory() && !LEFT_OUT.includes(entry.name))
            yield* pagesBelow(path);
        else if (entry.name.endsWith('.md'))
            yield path;
    }
}

const pages = new Map(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'tests/README.md', 'tests/last-full-run.md']
    .filter(path => existsSync(join(tree, path))).concat([...pagesBelow('docs')])
    .map(path => [path, { path, file: join(tree, path) }]));
pages.set(COMMANDS, { path: COMMANDS, file: commands });
const shown = new Set(); // files and folders that pages link to, and that are no pages

// Where a file of the tree is in the site.
function placeOf(path) {
    if (path === 'README.md')
        return 'index.html';
    if (pages.has(path))
        return path.replace(/\.md$/, '.html');
    if (PICTURES.includes(extname(path)))
        return path;
    return statSync(join(tree, path)).isDirectory() ? posix.join(path, 'index.html') : `${path}.html`;
}

// ---- Markdown -------------------------------------------------------------------------------------

const escape = text => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

// The anchors are those that GitHub makes, which tests/docs/check.py holds the links against.
function anchorOf(heading, seen) {
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count ? `${slug}-${count}` : slug;
}

const plain = inline => inline.children.filter(token => ['text', 'code_inline', 'softbreak'].includes(token.type))
    .map(token => token.type === 'softbreak' ? ' ' : token.content).join('');

// A link of a page as one of the site; links that lead out of the tree stay.
function linkFrom(page, target) {
    if (/^[a-z]+:/.test(target) || target.startsWith('#'))
        return target;
    const [file, anchor] = target.split('#');
    const path = posix.normalize(posix.join(posix.dirname(page.path), decodeURI(file))).replace(/\/$/, '');
    if (path.startsWith('..') || !existsSync(join(tree, path)))
        throw new Error(`${page.path}: the link ${target} leads nowhere`);
    if (!pages.has(path))
        shown.add(path);
    return relative(posix.dirname(placeOf(page.path)), placeOf(path)) + (anchor ? `#${anchor}` : '');
}

const markdown = new MarkdownIt({ html: true });
const plainFence = markdown.renderer.rules.fence;
const plainCode = markdown.renderer.rules.code_block;
// What may be wider than a phone can be scrolled with the keyboard, too.
const scrollable = (html, name) => html.replace('<pre', `<pre tabindex="0" role="region" aria-label="${name}"`);
let regions = 0;
markdown.renderer.rules.fence = (...words) => scrollable(plainFence(...words), `code ${++regions}`);
markdown.renderer.rules.code_block = (...words) => scrollable(plainCode(...words), `code ${++regions}`);
markdown.renderer.rules.table_open = () => `<div class="table" tabindex="0" role="region" aria-label="table ${++regions}"><table>\n`;
markdown.renderer.rules.table_close = () => '</table></div>\n';
// A table whose first column has no title has no header cell there.
markdown.renderer.rules.th_open = (tokens, index) => tokens[index + 1].content ? '<th scope="col">' : '<td>';
markdown.renderer.rules.th_close = (tokens, index) => tokens[index - 1].content ? '</th>' : '</td>';

function linkTokens(page, tokens) {
    for (const token of tokens) {
        if (token.type === 'link_open')
            token.attrSet('href', linkFrom(page, token.attrGet('href')));
        else if (token.type === 'image')
            token.attrSet('src', linkFrom(page, token.attrGet('src')));
        if (token.children)
            linkTokens(page, token.children);
    }
}

// Fills in a page: its title, its headings, its HTML, and the sections that are searched.
function readPage(page) {
    const tokens = markdown.parse(readFileSync(page.file, 'utf8'), {});
    const seen = new Map();
    page.headings = [];
    page.sections = [];
    linkTokens(page, tokens);
    regions = 0;
    tokens.forEach((token, index) => {
        if (token.type === 'heading_open') {
            const title = plain(tokens[index + 1]);
            const anchor = anchorOf(title, seen);
            token.attrSet('id', anchor);
            page.headings.push({ title, anchor, level: Number(token.tag[1]) });
            page.sections.push({ title, anchor, text: [] });
        } else if (token.type === 'inline' && tokens[index - 1].type !== 'heading_open') {
            page.sections.at(-1)?.text.push(plain(token));
        } else if (token.type === 'fence') {
            page.sections.at(-1)?.text.push(token.content);
        }
    });
    page.title = page.headings.find(heading => heading.level === 1)?.title ?? page.path;
    page.html = markdown.renderer.render(tokens, markdown.options, {});
}

// ---- the site -------------------------------------------------------------------------------------

const template = readFileSync(join(here, 'template.html'), 'utf8');

// The groups of docs/README.md, each with the pages that its table names first.
function groupsOfIndex() {
    const groups = [{ title: 'Begin', pages: ['README.md', 'docs/README.md', 'docs/glossary.md', COMMANDS, 'CHANGELOG.md'] }];
    const known = new Set(groups[0].pages);
    for (const line of readFileSync(join(tree, 'docs/README.md'), 'utf8').split('\n')) {
        if (line.startsWith('## '))
            groups.push({ title: line.slice(3), pages: [] });
        for (const [, target] of line.startsWith('|') ? line.matchAll(/\]\(([^)#\s]+\.md)\)/g) : []) {
            const path = posix.join('docs', target);
            if (pages.has(path) && !known.has(path))
                groups.at(-1).pages.push(path);
            known.add(path);
        }
    }
    groups.push({ title: 'More', pages: [...pages.keys()].filter(path => !known.has(path)) });
    return groups.map(group => ({ ...group, pages: group.pages.filter(path => pages.has(path)) }))
        .filter(group => group.pages.length);
}

function navigation(groups, place, current) {
    const folder = posix.dirname(place);
    const item = path => {
        const page = pages.get(path);
        const mark = page === current ? ' aria-current="page"' : '';
        const inside = page === current ? page.headings.filter(heading => heading.level === 2) : [];
        const list = inside.map(heading => `<li><a href="#${heading.anchor}">${escape(heading.title)}</a></li>`).join('');
        return `<li><a href="${relative(folder, placeOf(path))}"${mark}>${escape(page.title)}</a>${list && `<ul>${list}</ul>`}</li>`;
    };
    return groups.map(group => `<h2>${escape(group.title)}</h2>\n<ul>${group.pages.map(item).join('\n')}</ul>`).join('\n');
}

function writePage(place, title, content, groups, current) {
    const root = relative(posix.dirname(place), '.') || '.';
    const values = { title: escape(title), root, content, navigation: navigation(groups, place, current) };
    const html = template.replace(/@([A-Z]+)@/g, (_, name) => values[name.toLowerCase()]);
    mkdirSync(dirname(join(site, place)), { recursive: true });
    writeFileSync(join(site, place), html);
}

// A folder shows its files, and has pages for them, too.
function listFolder(path) {
    const entries = readdirSync(join(tree, path), { withFileTypes: true }).filter(entry => !LEFT_OUT.includes(entry.name))
        .sort((a, b) => a.name < b.name ? -1 : 1);
    return entries.map(entry => {
        const file = posix.join(path, entry.name);
        if (!entry.isDirectory() && readFileSync(join(tree, file)).includes(0))
            return `<li>${escape(entry.name)} (not text)</li>`;
        shown.add(file);
        return `<li><a href="${relative(path, placeOf(file))}">${escape(entry.name)}</a></li>`;
    }).join('\n');
}

function writeShown(path, groups) {
    if (PICTURES.includes(extname(path))) {
        mkdirSync(dirname(join(site, path)), { recursive: true });
        copyFileSync(join(tree, path), join(site, path));
    } else if (statSync(join(tree, path)).isDirectory()) {
        writePage(placeOf(path), path, `<h1>${escape(path)}</h1>\n<ul>\n${listFolder(path)}\n</ul>`, groups);
    } else {
        const text = readFileSync(join(tree, path));
        const body = text.includes(0) ? '<p>This file is not text.</p>'
            : `<pre tabindex="0" role="region" aria-label="the file"><code>${escape(text.toString())}</code></pre>`;
        writePage(placeOf(path), path, `<h1>${escape(path)}</h1>\n${body}`, groups);
    }
}

// The page for models, waiting for files (its marks: include/retropose/view.h), and the way to it.
function writeViewer(page) {
    const data = JSON.stringify({ compare: existsSync(pairs) });
    const html = readFileSync(viewer, 'utf8').replace('@RETROPOSE_TITLE@', 'Retropose').replace('@RETROPOSE_DATA@', data);
    writeFileSync(join(site, MODELS.file), html);
    leadTo(page, MODELS.file);
}

function leadTo(page, file) {
    const link = relative(posix.dirname(placeOf(page.path)), file);
    page.html = page.html.replace('</h1>', `</h1>\n<p><a href="${link}">Open the page here</a>, and drop files on it.</p>`);
}

function writeIndex() {
    const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'link'] });
    for (const page of pages.values())
        page.sections.forEach(section => index.add({
            id: index.documentCount, title: section.title, page: page.title, text: section.text.join('\n'),
            link: `${placeOf(page.path)}#${section.anchor}`,
        }));
    writeFileSync(join(site, 'search-index.js'),
        `window.retroposeIndex = ${JSON.stringify(JSON.stringify(index)).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')};\n`);
    return index.documentCount;
}

for (const page of pages.values())
    readPage(page);
const groups = groupsOfIndex();
mkdirSync(site, { recursive: true });
if (viewer && existsSync(viewer) && pages.has(MODELS.linkedFrom))
    writeViewer(pages.get(MODELS.linkedFrom));
if (pairs && existsSync(pairs) && pages.has(PAIRS.linkedFrom)) {
    copyFileSync(pairs, join(site, PAIRS.file));
    leadTo(pages.get(PAIRS.linkedFrom), PAIRS.file);
}
for (const page of pages.values())
    writePage(placeOf(page.path), page.title, page.html, groups, page);
for (const path of shown) // a Set goes on to what is added while it is walked
    writeShown(path, groups);
const sections = writeIndex();
for (const file of ['style.css', 'site.js'])
    copyFileSync(join(here, file), join(site, file));
copyFileSync(join(packages, 'node_modules/minisearch/dist/umd/index.js'), join(site, 'minisearch.js'));
copyFileSync(join(packages, 'node_modules/minisearch/LICENSE.txt'), join(site, 'minisearch-LICENSE.txt'));
console.log(`${pages.size} pages, ${shown.size} files that they link to, ${sections} sections to search`);
