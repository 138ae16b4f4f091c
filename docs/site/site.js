// The search, the theme and the menu of every page. Everything else works without this script.
'use strict';
(() => {
    const root = document.body.dataset.root;
    const byId = id => document.getElementById(id);
    const input = byId('search'), found = byId('found'), results = byId('results'), count = byId('count');
    const MOST = 12;

    // ---- theme: as the system has it, light, or dark -----------------------------------------------

    const themes = ['auto', 'light', 'dark'], button = byId('theme');
    const setTheme = theme => {
        document.documentElement.dataset.theme = theme;
        button.textContent = `Theme: ${theme}`;
        try { localStorage.retroposeTheme = theme; } catch { /* a page without storage forgets it */ }
    };
    const theme = () => document.documentElement.dataset.theme || 'auto';
    button.hidden = false;
    button.textContent = `Theme: ${theme()}`;
    button.onclick = () => setTheme(themes[(themes.indexOf(theme()) + 1) % themes.length]);

    // ---- the menu is closed at first where it would fill a phone -----------------------------------

    const narrow = matchMedia('(max-width: 860px)');
    const fold = () => { byId('menu').open = !narrow.matches; };
    narrow.addEventListener('change', fold);
    fold();

    // ---- search: the index is a script of its own, which is loaded when it is first needed ---------

    const load = name => new Promise((done, fail) => {
        const script = Object.assign(document.createElement('script'), { src: `${root}/${name}`, onload: done, onerror: fail });
        document.head.append(script);
    });
    let index = null;
    const open = () => index ??= Promise.all([load('minisearch.js'), load('search-index.js')]).then(() =>
        MiniSearch.loadJSON(window.retroposeIndex, { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'link'] }));

    const show = hits => {
        results.replaceChildren(...hits.slice(0, MOST).map(hit => {
            const link = Object.assign(document.createElement('a'), { href: `${root}/${hit.link}` });
            const page = Object.assign(document.createElement('small'), { textContent: hit.page });
            link.append(hit.title, ...(hit.page === hit.title ? [] : [page]));
            const item = document.createElement('li');
            item.append(link);
            return item;
        }));
        count.textContent = hits.length === 0 ? 'Nothing is found' : hits.length > MOST
            ? `${hits.length} places; the best ${MOST}:` : `${hits.length} place${hits.length === 1 ? '' : 's'}`;
        found.hidden = false;
    };
    const search = async () => {
        const words = input.value.trim();
        if (!words) {
            found.hidden = true;
            return;
        }
        const engine = await open();
        if (words === input.value.trim()) // else a later search is under way
            show(engine.search(words, { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } }));
    };
    const close = () => { found.hidden = true; };
    input.form.hidden = false;
    input.form.onsubmit = event => {
        event.preventDefault();
        results.querySelector('a')?.click();
    };
    input.oninput = search;
    input.onfocus = () => { open(); if (input.value) search(); };
    document.addEventListener('click', event => { if (!input.form.contains(event.target)) close(); });

    // ---- keys: / searches, arrows go through what is found, Escape closes it -----------------------

    const step = by => {
        const links = [input, ...results.querySelectorAll('a')];
        links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + by))].focus();
    };
    document.addEventListener('keydown', event => {
        const typing = event.target.matches('input, textarea, select');
        if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey)
            input.focus();
        else if (event.key === 'Escape' && !found.hidden)
            input.focus(), close();
        else if (!found.hidden && event.key === 'ArrowDown' && input.form.contains(event.target))
            step(1);
        else if (!found.hidden && event.key === 'ArrowUp' && input.form.contains(event.target))
            step(-1);
        else
            return;
        event.preventDefault();
    });

    // ---- each heading has a link to itself ---------------------------------------------------------

    for (const heading of document.querySelectorAll('main :is(h1, h2, h3, h4)[id]')) {
        const link = Object.assign(document.createElement('a'), { href: `#${heading.id}`, className: 'anchor', textContent: '#' });
        link.setAttribute('aria-label', `Link to: ${heading.textContent}`);
        heading.append(link);
    }
})();
