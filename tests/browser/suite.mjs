// suite.mjs PAGES PICTURES: opens the pages from file:// in headless Chromium as people do, with and without the script.
// A check is a function that throws, or returns what is wrong; several pages are one check. Ends with "N passed, M failed".
import { chromium } from 'playwright-core';
import { createRequire } from 'node:module';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, numbers, readReport, shown, wrongCell } from './model.mjs';

const [pages, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const names = readdirSync(pages).filter((f) => f.endsWith('.html')).map((f) => f.slice(0, -5));
const kFlags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const checks = [];
function check(what, run) {
  checks.push([what, run]);
}

// launch() gives the browser a fresh profile folder, and removes it.
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: kFlags });

/** Opens a page, runs `use(page)` and gives what it returns; what the browser complains about is a fault of any page. */
async function open(name, use, { script = true, hash = '', ...options } = {}) {
  const context = await browser.newContext({ javaScriptEnabled: script, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const url = pathToFileURL(join(pages, `${name}.html`)).href;
  page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => !request.url().startsWith(url) && !/^(data|blob):/.test(request.url()) && complaints.push(`request ${request.url()}`));
  page.on('dialog', (dialog) => { complaints.push('a dialog'); void dialog.dismiss(); });
  try {
    await page.goto(url + hash);
    if (script) {
      await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 15000 });
    }
    const result = await use(page);
    equal(complaints, []);
    return result;
  } finally {
    await context.close();
  }
}

function equal(is, expected) {
  const [a, b] = [JSON.stringify(is), JSON.stringify(expected)];
  if (a !== b) {
    throw new Error(`${a?.slice(0, 400)} instead of ${b?.slice(0, 400)}`);
  }
}
function ok(condition, what) {
  if (!condition) {
    throw new Error(what);
  }
}

/** All tables, facts, paths and trees of the page, by the part of the JSON that they say they show. */
function extract() {
  const cellOf = (td, more) => ({ v: td.dataset.v ?? null, title: td.title, text: td.textContent.trim(), more });
  const clean = (root) => root.querySelectorAll('.copy, .in-map, .card').forEach((button) => button.remove());
  clean(document);
  const columnOf = (th) => ({ kind: th.dataset.k, field: th.dataset.f ?? '', more: th.dataset.g ?? '' });
  // Other cells of a comparison's tables say more than one field.
  const plain = (column) => (['count', 'bytes', 'share'].includes(column.kind) ? column : { ...column, field: '' });
  const tables = [...document.querySelectorAll('main table[data-json], main table[data-table]')].map((table) => {
    const columns = [...table.tHead.rows[0].cells].map(columnOf).map(table.dataset.table ? plain : (column) => column);
    return {
      path: table.dataset.json ?? table.dataset.table, declared: Number(table.dataset.rows), columns,
      rows: [...table.tBodies[0].rows].map((tr) => [...tr.cells].map((td, i) => cellOf(td, columns[i].more))),
    };
  });
  const facts = [...document.querySelectorAll('main .facts tr[data-json]')].map((tr) => ({
    path: tr.dataset.json, column: columnOf(tr.cells[0]), cell: cellOf(tr.cells[1], tr.cells[0].dataset.g ?? ''),
  }));
  const paths = [...document.querySelectorAll('main ol.path[data-json]')].map((list) => ({
    path: list.dataset.json,
    rows: [...list.querySelectorAll('li[data-i]')].map((li) => ({
      index: Number(li.dataset.i), label: li.querySelector('.to code').textContent,
      figures: [...li.querySelectorAll('[data-f]')].map((span) => [span.dataset.f, span.dataset.v]),
    })),
  }));
  const trees = [...document.querySelectorAll('main ul.tree')].map((tree) => ({
    path: tree.dataset.json,
    nodes: [...tree.querySelectorAll('li[data-i]')].map((li) => {
      const place = [];
      for (let item = li; item && item.parentElement !== tree; item = item.parentElement.closest('li')) {
        place.unshift(Number(item.dataset.i));
      }
      const row = li.querySelector(':scope > .leaf, :scope > details > summary');
      return {
        place, label: row.querySelector('.name code').textContent,
        figures: [...row.querySelectorAll('.figures [data-v]')].map((span) => span.dataset.v),
      };
    }),
  }));
  return { tables, facts, paths, trees };
}

/** Every figure of what was extracted that is not the JSON's, and how many were compared. */
function compare(found, report) {
  const wrong = [];
  let compared = 0;
  const cell = (column, value, row, what) => {
    compared += 1;
    const fault = wrongCell(column, value, row, what);
    if (fault) {
      wrong.push(fault);
    }
  };
  for (const { path, columns, rows } of found.tables) {
    const data = at(report, path);
    rows.forEach((cells, i) => columns.forEach((column, j) => column.field && cell(column, cells[j], data[i], `${path}.${i}`)));
  }
  for (const { path, column, cell: value } of found.facts) {
    cell(column, value, at(report, path), path);
  }
  for (const { path, rows } of found.paths) {
    const steps = at(report, path);
    equal(rows.map((row) => row.index), steps.map((_, i) => i));
    rows.forEach(({ index, label, figures }) => {
      equal(label, shown(steps[index].label));
      figures.forEach(([field, v]) => { compared += 1; equal([path, index, field, v], [path, index, field, String(steps[index][field])]); });
    });
  }
  for (const { path, nodes } of found.trees) {
    for (const { place, label, figures } of nodes) {
      const node = place.reduce((parent, i) => parent.children[i], at(report, path));
      const expected = node.label === undefined
        ? [node.retained, node.retained_bp, node.instances] : [node.retained, node.shallow];
      compared += figures.length;
      equal([path, place, label, ...figures], [path, place, shown(node.label ?? node.name), ...expected.map(String)]);
    }
  }
  return { wrong, compared };
}

async function forAll(list, use) {
  for (const name of list) {
    try {
      await use(name);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }
}
const report = (name) => readReport(join(pages, `${name}.json`));
const showAll = (page) => page.evaluate(() => {
  for (let left = 100; left > 0; --left) {
    const buttons = document.querySelectorAll('.more button:last-child, .grow button');
    buttons.forEach((button) => button.click());
    if (buttons.length === 0) {
      return;
    }
  }
});
const histogram = 'table[data-json="overview.histogram"]';
const column = (page, index) => page.$$eval(`${histogram} tbody tr`, (rows, i) => rows.map((tr) => Number(tr.cells[i].dataset.v)), index);

check('every page opens without a complaint', () => forAll(names, (name) => open(name, async (page) => {
  const marks = await page.evaluate(() => performance.getEntriesByType('measure').map((m) => `${m.name} ${Math.round(m.duration)} ms`));
  const bytes = readFileSync(join(pages, `${name}.html`)).length;
  console.log(`${name}: ${(bytes / 1024).toFixed(0)} KiB, ${marks.join(', ')}`);
  ok(bytes <= 3 * 1024 * 1024, `${bytes} bytes`);
})));

check('without the script every figure is that of the JSON', () => forAll(names, (name) => open(name, async (page) => {
  const { wrong, compared } = compare(await page.evaluate(extract), report(name));
  equal(wrong, []);
  ok(compared > 100, `only ${compared} cells`);
}, { script: false })));

check('with the script, all rows and nodes shown, every figure is that of the JSON', () => forAll(names, (name) => open(name, async (page) => {
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
  await showAll(page);
  const found = await page.evaluate(extract);
  const { wrong } = compare(found, report(name));
  equal(wrong, []);
  equal(found.tables.filter((t) => t.rows.length !== t.declared).map((t) => [t.path, t.rows.length, t.declared]), []);
})));

check('without the script every number of the Markdown can be read', () => forAll(names, (name) => open(name, async (page) => {
  const text = await page.evaluate(() => {
    document.querySelectorAll('details').forEach((d) => { d.open = true; });
    document.querySelectorAll('section').forEach((s) => { s.style.contentVisibility = 'visible'; });
    document.querySelectorAll('main td, main th, main li, main dt, main dd, main span').forEach((e) => e.append(' '));
    return document.querySelector('main').innerText;
  });
  const inPage = numbers(text);
  const lines = readFileSync(join(pages, `${name}.md`), 'utf8').split('\n');
  const shownOneByOne = /^\| *[\d,]+ others? +\|| in the JSON\.$|^And .* more\.$|further sites? /;
  const missing = lines.slice(lines.findIndex((line) => line.startsWith('## ')))
    .filter((line) => !shownOneByOne.test(line)).flatMap((line) => [...numbers(line.replace(/^\d+\. /, ''))]).filter((n) => !inPage.has(n));
  equal(missing, []);
}, { script: false })));

check('the search finds a class and goes to its row', () => open('sample', async (page) => {
  const rows = report('sample').overview.histogram;
  const last = rows.map((row) => row.class).lastIndexOf('java.util.concurrent.ConcurrentHashMap$Node[]');
  await page.keyboard.press('/');
  await page.keyboard.type(rows[last].class);
  equal(await page.textContent('#found [aria-selected="true"] code'), rows[last].class);
  await page.keyboard.press('Enter');
  ok(await page.isVisible(`#class-${rows[last].class_address}`), 'the row is not shown');
  equal(await page.$eval('#found', (list) => list.hidden), true);
}));

check('the search finds packages, threads, addresses and headings', () => open('sample', async (page) => {
  const data = report('sample');
  const found = async (words) => {
    await page.fill('#search', words);
    return page.$$eval('#found li', (items) => items.map((li) => li.textContent));
  };
  ok((await found(data.top.biggest_packages.children[0].name)).some((text) => text.startsWith('package')), 'no package');
  ok((await found(data.threads.threads[0].name)).some((text) => text.startsWith('thread')), 'no thread');
  ok((await found(data.top.biggest_objects[0].address)).some((text) => text.startsWith('object')), 'no object');
  ok((await found('Class Histogram')).some((text) => text.startsWith('heading')), 'no heading');
  equal(await found('no such thing anywhere'), ['Nothing found']);
  await page.fill('#search', data.top.biggest_objects[0].address);
  await page.keyboard.press('Enter');
  ok(await page.isVisible('dialog[open]'), 'no card of the object');
}));

check('sorting sorts, both ways and back', () => open('sample', async (page) => {
  const rows = report('sample').overview.histogram;
  const instances = rows.map((row) => row.instances);
  const header = page.locator(`${histogram} th button`, { hasText: 'Instances' });
  const before = await column(page, 2);
  await header.click();
  equal(await column(page, 2), [...instances].sort((a, b) => b - a).slice(0, before.length));
  equal(await page.$$eval(`${histogram} th[aria-sort="descending"]`, (heads) => heads.map((th) => th.textContent)), ['Instances']);
  await header.press('Enter');
  equal(await column(page, 2), [...instances].sort((a, b) => a - b).slice(0, before.length));
  await header.click();
  equal(await column(page, 2), before);
  await page.locator(`${histogram} th button`, { hasText: /^Class$/ }).click();
  const sorted = rows.map((row) => row.class.toLowerCase()).sort((a, b) => (a < b ? -1 : Number(a > b)));
  equal(await page.$$eval(`${histogram} tbody tr`, (trs) => trs.map((tr) => tr.cells[1].textContent.toLowerCase())), sorted.slice(0, before.length));
}));

check('a filter leaves the rows that match', () => open('sample', async (page) => {
  await page.fill('[aria-label^="Filter Class Histogram"]', 'hashmap');
  const expected = report('sample').overview.histogram
    .filter((row) => `${row.class} ${row.loader_label}`.toLowerCase().includes('hashmap')).map((row) => row.class);
  ok(expected.length > 3, 'too few rows to tell');
  equal(await page.$$eval(`${histogram} tbody tr`, (trs) => trs.map((tr) => tr.cells[1].textContent)), expected.slice(0, 20));
}));

check('a long table grows to all of its rows', () => open('sample', async (page) => {
  const rows = () => page.$$eval(`${histogram} tbody tr`, (trs) => trs.length);
  equal(await rows(), 20);
  const more = page.locator('.scroll', { has: page.locator(histogram) }).locator('xpath=following-sibling::p[1]');
  await more.locator('button').first().click();
  equal(await rows(), 120);
  await more.locator('button').last().click();
  equal(await rows(), report('sample').overview.histogram.length);
}));

check('columns can be made wider by key and by pointer', () => open('sample', async (page) => {
  const head = page.locator(`${histogram} th`).nth(1);
  const before = (await head.boundingBox()).width;
  await head.locator('button').press('Shift+ArrowRight');
  const after = (await head.boundingBox()).width;
  ok(Math.abs(after - before - 24) <= 2, `${before} → ${after}`);
  const grip = await head.locator('.grip').boundingBox();
  await page.mouse.move(grip.x + 3, grip.y + 5);
  await page.mouse.down();
  await page.mouse.move(grip.x + 63, grip.y + 5, { steps: 4 });
  await page.mouse.up();
  ok(Math.abs((await head.boundingBox()).width - after - 60) <= 3, 'dragging');
}));

check('the treemap goes down and back, by pointer and by key', () => open('sample', async (page) => {
  const crumbs = () => page.$$eval('#map .crumb, #map [aria-current]', (all) => all.map((e) => e.textContent));
  const tiles = () => page.$$eval('#map .tile', (all) => all.map((e) => e.title));
  const { name } = report('sample').top.biggest_packages.children.find((child) => child.children.length > 0);
  const tile = page.locator(`#map .tile.d1[title^="${name}: "]`);
  const first = await tiles();
  ok(first.length > 1, 'no tiles');
  await tile.click({ position: { x: 10, y: 8 } });
  const down = await crumbs();
  equal(down, ['<all>', name]);
  await page.click('#map .back');
  equal(await tiles(), first);
  await tile.focus();
  await page.keyboard.press('Enter');
  equal(await crumbs(), down);
  await page.keyboard.press('Backspace');
  equal((await crumbs()).length, 1);
}));

check('the areas of the treemap are as large as what they stand for', () => open('sample', async (page) => {
  const data = report('sample');
  const tiles = await page.$$eval('#map .tile.d1', (all) => all.map((e) => [e.title, e.offsetWidth * e.offsetHeight]));
  const whole = tiles.reduce((sum, [, area]) => sum + area, 0);
  const [child] = data.top.biggest_packages.children;
  const [, area] = tiles.find(([label]) => label.startsWith(`${child.name}: `));
  const expected = child.retained / data.top.biggest_packages.retained;
  ok(Math.abs(area / whole - expected) < 0.03, `${area / whole} instead of ${expected}`);
}));

check('the map shows layers and biggest objects; an object opens its card', () => open('sample', async (page) => {
  await page.click('#map button:has-text("Layers")');
  ok((await page.$$('#map .tile')).length > 3, 'no layers');
  await page.click('#map button:has-text("Biggest objects")');
  await page.click('#map button:has-text("Treemap")');
  const biggest = report('sample').top.biggest_objects[0];
  await page.locator(`#map .tile.d1[title^="${biggest.label}: "]`).click({ position: { x: 10, y: 8 } });
  if (!(await page.isVisible('dialog[open]'))) {
    await page.click('#map .crumbs button:has-text("Show the object")');
  }
  ok((await page.textContent('#card-title')).includes(biggest.address), 'no card');
}));

check('map and table lead to each other', () => open('sample', async (page) => {
  const { name } = report('sample').top.biggest_packages.children.find((child) => child.children.length > 0);
  await page.locator(`#map .tile.d1[title^="${name}: "]`).click({ position: { x: 10, y: 8 } });
  await page.click('#map button:has-text("Show in the table")');
  equal(await page.textContent('#top .tree .flash .name code'), name);
  await page.locator('#top .tree li:has(> details > .flash) > .in-map').click();
  equal(await page.textContent('#map [aria-current]'), name);
}));

check('a dominator subtree opens to nodes that the page did not have', () => open('hostile', async (page) => {
  const index = report('hostile').leaks.suspects.findIndex((s) => s.tree);
  const tree = page.locator(`ul.tree[data-json="leaks.suspects.${index}.tree"]`);
  await tree.scrollIntoViewIfNeeded();
  ok((await tree.locator('li[data-i]').count()) >= 50, 'few nodes');
  await tree.locator('.grow button').first().click();
  equal(await tree.locator(':scope > li > details > ul > li[data-i]').count(), 80);
}));

check('a package tree is opened by keys', () => open('sample', async (page) => {
  const tree = page.locator('#top ul.tree');
  await page.locator('#top .toolbar button:has-text("Close all")').click();
  const open_ = () => tree.locator('details[open]').count();
  equal(await open_(), 0);
  await tree.locator('summary').first().focus();
  await page.keyboard.press('ArrowRight');
  equal(await open_(), 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  equal(await open_(), 2);
  await page.keyboard.press('ArrowLeft');
  equal(await open_(), 1);
}));

check('links to objects and classes can be kept', async () => {
  const data = report('sample');
  const { address, label } = data.top.biggest_objects[1];
  await open('sample', async (page) => {
    ok((await page.textContent('#card-title')).includes(label), 'another card');
    await page.keyboard.press('Escape');
    ok(!(await page.isVisible('dialog')), 'the card stays');
  }, { hash: `#obj-${address}` });
  const last = data.overview.histogram[data.overview.histogram.length - 1].class_address;
  await open('sample', async (page) => ok(await page.isVisible(`#class-${last}`), 'no row'), { hash: `#class-${last}` });
  await open('sample', async (page) => {
    await page.locator('#leaks a[href^="#obj-"]').first().click();
    ok(/#obj-0x[0-9a-f]+$/.test(page.url()), page.url());
    ok(await page.isVisible('dialog[open]'), 'no card');
  });
});

check('names, paths and addresses can be copied', () => open('sample', async (page) => {
  await page.evaluate(() => {
    window.copied = [];
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => window.copied.push(text) } });
  });
  const code = page.locator('#leaks .path .to code').first();
  await code.locator('a').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#leaks .line .copy').first().click();
  equal(await page.evaluate(() => window.copied), [await code.textContent(), report('sample').leaks.suspects[0].why_alive.line]);
}));

check('dark and light, by the system and by the button', async () => {
  const luminance = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0));
  await open('sample', async (page) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await luminance(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    ok((await luminance(page)) < 150 && light > 600, 'the system');
    await page.click('#theme');
    ok((await luminance(page)) < 150, 'dark');
    await page.click('#theme');
    ok((await luminance(page)) > 600, 'light');
    await page.reload();
    ok((await luminance(page)) > 600, 'light is forgotten');
    await page.evaluate(() => localStorage.clear());
  });
});

check('axe finds nothing serious, light, dark and narrow', () => forAll(['sample', 'hostile', 'growth', 'growth-damaged'], (name) => open(name, async (page) => {
  for (const [colorScheme, width] of [['light', 1280], ['dark', 1280], ['light', 420]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary}`));
    equal(found, []);
  }
})));

check('landmarks, one first heading, none skipped, heads in all tables', () => open('sample', async (page) => {
  const outline = await page.$$eval('h1, h2, h3, h4', (all) => all.map((h) => Number(h.tagName[1])));
  equal(outline.filter((level) => level === 1).length, 1);
  ok(outline.every((level, i) => i === 0 || level <= outline[i - 1] + 1), outline.join());
  equal(await page.$$eval('main, nav, header', (all) => all.map((e) => e.tagName).sort()), ['HEADER', 'MAIN', 'NAV']);
  equal(await page.$$eval('main table', (all) => all.filter((t) => !t.querySelector('th[scope]')).length), 0);
}));

check('a narrow page scrolls down only', () => forAll(['sample', 'hostile', 'growth'], (name) => open(name, async (page) => {
  equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
}, { viewport: { width: 400, height: 800 } })));

check('print shows what is folded and leaves out what only a screen needs', () => open('sample', async (page) => {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  equal(await page.$$eval('main details:not([open], .tree details, .fold)', (all) => all.length), 0);
  ok(!(await page.isVisible('#nav')) && !(await page.isVisible('#tools')), 'navigation is printed');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  ok((await page.$$eval('main details:not([open])', (all) => all.length)) > 0, 'all stays open');
}));

check('hostile text executes nothing, with and without the script', () => forAll(['hostile', 'name', 'growth-hostile'], async (name) => {
  const unseen = /[\u0000-\u0008\u000e-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
  await open(name, async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await showAll(page);
    await page.evaluate(() => document.querySelectorAll('section').forEach((s) => { s.style.contentVisibility = 'visible'; }));
    for (const words of ['img', 'script', '0x', 'x']) {
      await page.fill('#search', words);
    }
    await page.keyboard.press('Enter');
    for (const link of (await page.$$('main a[href^="#obj-"]')).slice(0, 12)) {
      await link.evaluate((a) => a.click());
    }
    for (const button of await page.$$('#map .choices button')) {
      await button.evaluate((b) => b.click());
    }
    equal(await page.evaluate(() => window.harm ?? null), null);
    equal(await page.$$eval('img, iframe, object, embed, link, base, script', (all) => all.map((e) => e.tagName)), ['SCRIPT', 'SCRIPT']);
    const handlers = await page.$$eval('*', (all) => all.flatMap((e) => [...e.attributes]).filter((a) => /^on|^srcdoc$/.test(a.name)).length);
    equal(handlers, 0);
    ok(!unseen.test(await page.evaluate(() => document.body.innerText + document.title)), 'characters that cannot be seen');
  });
  await open(name, async (page) => {
    equal(await page.$$eval('img, iframe, script', (all) => all.length), 2);
    await page.evaluate(() => document.querySelectorAll('section').forEach((s) => { s.style.contentVisibility = 'visible'; }));
    ok(!unseen.test(await page.evaluate(() => document.body.innerText + document.title)), 'characters that cannot be seen');
  }, { script: false });
}));

check('the title and the heading name the file', () => open('name', async (page) => {
  equal(await page.title(), 'Heap report: <img src=x onerror=window.harm=1>.hprof');
  equal(await page.textContent('h1'), '<img src=x onerror=window.harm=1>.hprof');
}));

check('the policy holds: what a page tries to run or load is refused', async () => {
  const context = await browser.newPage();
  try {
    await context.goto(pathToFileURL(join(pages, 'sample.html')).href);
    const refused = await context.evaluate(() => new Promise((resolve) => {
      const seen = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        seen.push(event.effectiveDirective);
        if (seen.length === 3) {
          resolve(seen.sort());
        }
      });
      const script = document.createElement('script');
      script.append('window.harm = 1');
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'https://example.invalid/x.png';
      document.body.append(image);
      void fetch('https://example.invalid/').catch(() => undefined);
      setTimeout(() => resolve(seen.sort()), 2000);
    }));
    ok(refused.includes('img-src') && refused.includes('connect-src'), refused.join());
    equal(await context.evaluate(() => window.harm ?? null), null);
  } finally {
    await context.close();
  }
});

check('a comparison is sorted by change, filtered and searched', () => open('growth', async (page) => {
  const table = 'table[data-table="classes"]';
  const cells = (field) => page.$$eval(table, ([found], wanted) => {
    const index = [...found.tHead.rows[0].cells].findIndex((th) => th.dataset.f === wanted);
    return [...found.tBodies[0].rows].map((tr) => Number(tr.cells[index].dataset.v));
  }, field);
  const expected = report('growth').classes.map((row) => row.instances.change);
  await page.click(`${table} th[data-f="instances.change"] button`);
  equal(await cells('instances.change'), [...expected].sort((a, b) => b - a));
  await page.click(`${table} th[data-f="instances.change"] button`);
  equal(await cells('instances.change'), [...expected].sort((a, b) => a - b));
  await page.click(`${table} th[data-f="instances.change"] button`);
  equal(await cells('instances.change'), expected);
  await page.fill('#search', 'demo.Listener');
  await page.keyboard.press('Enter');
  equal(await page.$eval(`${table} tr.flash code`, (code) => code.textContent), 'demo.Listener');
  const lines = await page.$$eval('svg.spark', (all) => all.map((svg) => svg.getAttribute('aria-label').split(', ').length));
  ok(lines.length > 10 && lines.every((count) => count === 3), lines.join());
}));

check('figures of a damaged dump are marked in the tables', () => open('growth-damaged', async (page) => {
  const data = report('growth-damaged');
  for (const table of ['totals', 'classes', 'packages', 'loaders', 'threads', 'fields', 'paths', 'suspects']) {
    const found = await page.$$eval(`table[data-table="${table}"]`, (all) => all.flatMap((each) =>
      [...each.tHead.rows[0].cells].flatMap(({ dataset: { f } }, column) => [...each.tBodies[0].rows]
        .map((tr, row) => ({ f, row, text: tr.cells[column].textContent })))));
    for (const { f, row, text } of found.filter((cell) => /(values\.1|\.change)$/.test(cell.f ?? ''))) {
      const series = at(data[table][row], f.replace(/\.(values\.1|change)$/, ''));
      const expected = f.endsWith('.change') ? (series.unsure_in ? /^unknown$/ : /^≥ [+−]?\d/)
        : series.unsure_in ? /^(≷ \d|\?$)/ : /^≥ \d/;
      ok(series.unsure_in || series.at_least_in, `${table}.${row}.${f} is not marked in the data`);
      ok(expected.test(text), `${table}.${row}.${f}: ${text}`);
      ok(series.change_bp === undefined, `${table}.${row}.${f} has a share`);
    }
    ok(found.length !== 0 || (data[table] ?? []).length === 0, `no ${table}`);
  }
}));

check('the report can be saved as the JSON that it came from', () => open('sample', async (page) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("Save JSON")')]);
  equal(readFileSync(await download.path(), 'utf8') === readFileSync(join(pages, 'sample.json'), 'utf8'), true);
}));

check('pictures for people to look at', async () => {
  const pairs = [['sample', 'light', 1280, 900], ['sample', 'dark', 1280, 900], ['sample', 'light', 420, 900], ['hostile', 'light', 1280, 1600],
    ['growth', 'light', 1280, 1600]];
  for (const [name, colorScheme, width, height] of pairs) {
    await open(name, async (page) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      const path = join(pictures, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path });
      ok(existsSync(path), path);
    });
  }
});

let passed = 0;
for (const [what, run] of checks) {
  try {
    await run();
    passed += 1;
  } catch (error) {
    console.log(`FAIL ${what}\n  ${error.message}`);
  }
}
await browser.close();
console.log(`${passed} passed, ${checks.length - passed} failed`);
