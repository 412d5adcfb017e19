// Makes the page that the program wrote, which is whole without this, easier to use: search, sorting, maps, cards.
import { copyButton, enhanceCopying } from './copy';
import { at, dataText, number, type Json, type Struct } from './data';
import { all, h, show } from './dom';
import { dominated, HeapMap, heapMap } from './map';
import { Objects } from './objects';
import { searchBox } from './search';
import { enhanceTables, type Table } from './tables';
import { applyTheme, themeButton } from './theme';
import { Tree } from './trees';

function spyOnSections(): void {
  const links = new Map(all<HTMLAnchorElement>('#nav a').map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        links.forEach((link, id) => (id === entry.target.id
          ? link.setAttribute('aria-current', 'true')
          : link.removeAttribute('aria-current')));
      }
    }
  }, { rootMargin: '-20% 0px -75% 0px' });
  all('main > section').forEach((section) => seen.observe(section));
}

function saveButton(json: string): HTMLElement {
  return h('button', {
    type: 'button', title: 'Save the report as JSON', click: () => {
      const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
      h('a', { href: url, download: 'report.json' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    },
  }, 'Save JSON');
}

/** Printing shows what is folded. */
function unfoldForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = all<HTMLDetailsElement>('main details:not([open], .tree details, .fold)');
    opened.forEach((details) => (details.open = true));
  });
  addEventListener('afterprint', () => opened.forEach((details) => (details.open = false)));
}

/** Goes where #… points, opening the card of an object or finding the row of a class. */
function follow(hash: string, objects: Objects, tables: Map<string, Table>): boolean {
  const id = decodeURIComponent(hash.slice(1));
  if (id.startsWith('obj-')) {
    return objects.open(id.slice(4));
  }
  objects.close();
  if (id.startsWith('class-')) {
    const histogram = tables.get('overview.histogram');
    const row = histogram?.find('class_address', id.slice(6)) ?? -1;
    if (row >= 0) {
      histogram?.reveal(row);
      return true;
    }
  }
  return false;
}

function followLinks(objects: Objects, tables: Map<string, Table>): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link && /^#(obj|class)-/.test(link.hash) && follow(link.hash, objects, tables)) {
      event.preventDefault();
      history.pushState(null, '', link.hash);
    }
  });
  addEventListener('popstate', () => follow(location.hash, objects, tables));
  if (location.hash.length > 1) {
    const target = document.getElementById(location.hash.slice(1));
    if (target) {
      show(target);
    }
    follow(location.hash, objects, tables);
  }
}

function suspectMaps(data: Json, objects: Objects): void {
  const whole = number(at(data, 'overview.total_shallow'));
  for (const tree of all('ul.tree[data-tree=object]')) {
    const root = at(data, tree.dataset.json ?? '') as Struct | undefined;
    if (!root) {
      continue;
    }
    const place = h('div');
    const details = h('details', { class: 'fold' }, h('summary', {}, 'As a map'), place);
    details.addEventListener('toggle', () => new HeapMap(place, whole, [['Dominator tree', dominated(root)]],
      (node) => objects.open(node.address ?? '')), { once: true });
    (tree.previousElementSibling ?? tree).before(details);
  }
}

function enhance(json: string): void {
  const data = JSON.parse(json) as Json;
  const tools = document.getElementById('tools') as HTMLElement;
  const objects = new Objects(data, copyButton);
  const tables = enhanceTables(data);
  let map: HeapMap | undefined;
  let packageTree: Tree | undefined;
  for (const element of all('ul.tree')) {
    const packages = element.dataset.tree === 'package';
    const tree = new Tree(element, data, packages ? (path) => h('button', {
      type: 'button', class: 'in-map', title: 'Show in the map', 'aria-label': 'Show in the map', click: (event) => {
        event.preventDefault();
        map?.showPackage(path);
      },
    }, 'Map') : undefined);
    packageTree = packages && element.dataset.json === 'top.biggest_packages' ? tree : packageTree;
  }
  const place = document.getElementById('map');
  if (place) {
    map = heapMap(place, data, (node) => objects.open(node.address ?? ''), (path) => packageTree?.reveal(path));
  }
  suspectMaps(data, objects);
  const reveal = (path: string) => (row: number) => tables.get(path)?.reveal(row);
  searchBox(tools, data, {
    classRow: reveal('overview.histogram'),
    threadRow: reveal('threads.threads'),
    packagePath: (path) => packageTree?.reveal(path),
    object: (address) => objects.open(address),
    objects: () => objects.entries(),
    tableRow: (path, row) => reveal(path)(row),
    tables: () => tables.values(),
  });
  themeButton(tools);
  tools.append(saveButton(json));
  enhanceCopying();
  followLinks(objects, tables);
}

async function main(): Promise<void> {
  performance.mark('report:begin');
  performance.measure('report:parsed', { start: 0, end: 'report:begin' });
  document.documentElement.classList.add('js');
  applyTheme();
  spyOnSections();
  unfoldForPrint();
  enhance(await dataText());
  performance.mark('report:ready');
  performance.measure('report:interactive', { start: 0, end: 'report:ready' });
  document.documentElement.dataset.ready = 'true';
}

void main();
