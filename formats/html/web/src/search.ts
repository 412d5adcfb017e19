// One search box for classes, packages, threads, objects, fields, properties and headings.
import { number, rows, text, type Json, type Struct, at } from './data';
import { all, h, show } from './dom';
import { bytes, plural, shown } from './format';
import type { Table } from './tables';

interface Entry {
  kind: string;
  name: string;
  lower: string;
  detail: string;
  weight: number;
  go: () => void;
}

export interface Targets {
  classRow: (row: number) => void;
  threadRow: (row: number) => void;
  packagePath: (path: number[]) => void;
  object: (address: string) => void;
  objects: () => Iterable<[string, { label: string; retained?: number }]>;
  tableRow: (path: string, row: number) => void;
  tables: () => Iterable<Table>;
}

const kMost = 60;

function entry(kind: string, name: string, detail: string, weight: number, go: () => void): Entry {
  return { kind, name, lower: name.toLowerCase(), detail, weight, go };
}

function packages(data: Json, go: (path: number[]) => void): Entry[] {
  const out: Entry[] = [];
  const pending: [Struct, string, number[]][] = [[(at(data, 'top.biggest_packages') as Struct) ?? {}, '', []]];
  while (pending.length > 0) {
    const [node, name, path] = pending.pop() as [Struct, string, number[]];
    if (path.length > 0) {
      out.push(entry('package', name, bytes(number(node['retained'])), number(node['retained']), () => go(path)));
    }
    ((node['children'] as Struct[]) ?? []).forEach((child, i) =>
      pending.push([child, name === '' ? text(child['name']) : `${name}.${text(child['name'])}`, [...path, i]]));
  }
  return out;
}

function collect(data: Json, targets: Targets): Entry[] {
  const named = (kind: string, path: string, field: string) => rows(data, path).map((row, i) =>
    entry(kind, text(row[field]), row['retained'] === undefined ? '' : bytes(number(row['retained'])),
      number(row['retained']), () => targets.tableRow(path, i)));
  return [
    ...all('main h2, main h3').map((heading) =>
      entry('heading', heading.textContent ?? '', '', Number.MAX_SAFE_INTEGER, () => show(heading))),
    ...rows(data, 'overview.histogram').map((row, i) => entry('class', text(row['class']),
      `${plural(number(row['instances']), 'instance', 'instances')}, retains ${bytes(number(row['retained']))}`,
      number(row['retained']), () => targets.classRow(i))),
    ...packages(data, targets.packagePath),
    ...rows(data, 'threads.threads').map((row, i) => entry('thread',
      typeof row['name'] === 'string' ? row['name'] : `${text(row['class'])} @ ${text(row['address'])}`,
      `retains ${bytes(number(row['retained']))}`, number(row['retained']), () => targets.threadRow(i))),
    ...[...targets.objects()].map(([address, known]) => entry('object',
      known.label.includes(address) ? known.label : `${known.label} @ ${address}`,
      known.retained === undefined ? '' : `retains ${bytes(known.retained)}`, known.retained ?? 0,
      () => targets.object(address))),
    ...named('field', 'collections.by_field', 'field'),
    ...named('field', 'strings.holders', 'holder'),
    ...rows(data, 'overview.system_properties').map((row, i) => entry('property', text(row['key']), '', 0,
      () => targets.tableRow('overview.system_properties', i))),
    ...[...targets.tables()].filter((table) => table.what !== '').flatMap((table) => table.names().map((row, i) =>
      entry(table.what, row.name, row.change, row.amount, () => table.reveal(i)))),
  ];
}

function rank(found: Entry, words: string): number {
  const at = found.lower.indexOf(words);
  const short = found.lower.slice(found.lower.lastIndexOf('.') + 1);
  return found.lower === words || short === words ? 0 : at === 0 || short.startsWith(words) ? 1 : 2;
}

export function searchBox(place: HTMLElement, data: Json, targets: Targets): void {
  let entries: Entry[] | undefined;
  let found: Entry[] = [];
  let chosen = -1;
  const list = h('ul', { id: 'found', role: 'listbox', 'aria-label': 'Found', hidden: true });
  const input = h('input', {
    type: 'search', id: 'search', role: 'combobox', placeholder: 'Search classes, packages, threads, 0x…  ( / )',
    'aria-label': 'Search the report', 'aria-controls': 'found', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
    autocomplete: 'off', spellcheck: 'false',
  });

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const go = (index: number) => {
    const target = found[index];
    if (target) {
      close();
      target.go();
    }
  };
  const choose = (index: number) => {
    chosen = found.length === 0 ? -1 : (index + found.length) % found.length;
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === chosen)));
    input.setAttribute('aria-activedescendant', `found-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const search = () => {
    const words = input.value.trim().toLowerCase();
    if (words === '') {
      close();
      return;
    }
    entries ??= collect(data, targets);
    found = entries.filter((e) => e.lower.includes(words))
      .map((e) => ({ e, rank: rank(e, words) }))
      .sort((a, b) => a.rank - b.rank || b.e.weight - a.e.weight)
      .slice(0, kMost).map(({ e }) => e);
    list.replaceChildren(...found.map((e, i) => h('li', {
      id: `found-${i}`, role: 'option', 'aria-selected': 'false', mousedown: (event) => {
        event.preventDefault();
        go(i);
      },
    }, h('span', { class: 'badge' }, e.kind), ' ', h('code', {}, shown(e.name)), ' ', h('span', { class: 'unit' }, e.detail))));
    if (found.length === 0) {
      list.append(h('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing found'));
    }
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(0);
  };

  input.addEventListener('input', search);
  input.addEventListener('focus', search);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      go(chosen);
    } else if (event.key === 'Escape') {
      input.value = '';
      close();
    } else {
      return;
    }
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as HTMLElement).closest('input, textarea, dialog');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  place.append(h('div', { class: 'search', role: 'search' }, input, list));
}
