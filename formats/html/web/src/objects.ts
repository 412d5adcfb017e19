// What the page knows of an object, gathered from all sections, in a card with a permanent link (#obj-0x…).
import { classLink, figure, objectLink } from './cells';
import { number, text, at, rows, type Json, type Struct } from './data';
import { h, show } from './dom';
import { grouped, shown, visible } from './format';

interface Known {
  label: string;
  className: string;
  shallow?: number;
  retained?: number;
  places: Set<string>;
  children: Struct[];
}

const kMostSteps = 12;

function isStruct(value: Json | undefined): value is Struct {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class Objects {
  private readonly known = new Map<string, Known>();
  private readonly dialog = h('dialog', { 'aria-labelledby': 'card-title' });
  private readonly classes = new Map<string, string>();

  constructor(private readonly data: Json, private readonly copyButton: (what: string, value: string, label?: string) => HTMLElement) {
    for (const row of rows(data, 'overview.histogram')) {
      this.classes.set(text(row['class']), text(row['class_address']));
    }
    this.gather();
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) {
        this.dialog.close();
      }
    });
    document.body.append(this.dialog);
  }

  /** All objects with labels, by address. */
  entries(): IterableIterator<[string, Known]> {
    return this.known.entries();
  }

  private gather(): void {
    const pending: [Json | undefined, string][] = [[this.data, '']];
    while (pending.length > 0) {
      const [value, place] = pending.pop() as [Json | undefined, string];
      if (Array.isArray(value)) {
        value.forEach((item, i) => pending.push([item, place === 'leaks.suspects' ? `suspect-${i + 1}` : place]));
      } else if (isStruct(value)) {
        this.note(value, place);
        for (const [field, inner] of Object.entries(value)) {
          if (typeof inner === 'object') {
            pending.push([inner, place === '' || place === 'leaks' ? `${place}${place ? '.' : ''}${field}` : place]);
          }
        }
      }
    }
  }

  private note(row: Struct, place: string): void {
    const address = text(row['address']);
    const label = text(row['label']) || (row['retained'] !== undefined ? text(row['name']) || text(row['class']) : '');
    if (!/^0x[0-9a-f]+$/.test(address) || address === '0x0' || label === '') {
      return;
    }
    const known = this.known.get(address) ?? { label, className: '', places: new Set<string>(), children: [] };
    known.className ||= text(row['class']);
    known.label = known.label.includes('@') ? known.label : label;
    known.shallow ??= typeof row['shallow'] === 'number' ? row['shallow'] : undefined;
    known.retained ??= typeof row['retained'] === 'number' ? row['retained'] : undefined;
    if (Array.isArray(row['children']) && row['children'].length > known.children.length) {
      known.children = row['children'] as Struct[];
    }
    known.places.add(place.split('.')[0]);
    this.known.set(address, known);
  }

  private fact(title: string, ...value: (Node | string)[]): HTMLElement {
    return h('tr', {}, h('th', { scope: 'row' }, title), h('td', {}, ...value));
  }

  private facts(address: string, known: Known): HTMLElement {
    const classAddress = this.classes.get(known.className);
    const whole = number(at(this.data, 'overview.total_shallow'));
    return h('table', { class: 'facts' }, h('tbody', {},
      this.fact('Address', h('code', {}, address), ' ', this.copyButton('the address', address)),
      ...(known.className === '' ? [] : [this.fact('Class',
        classAddress ? classLink(known.className, classAddress) : h('code', {}, shown(known.className)), ' ',
        this.copyButton('the class', known.className))]),
      ...(known.shallow === undefined ? [] : [this.fact('Shallow heap', figure('bytes', known.shallow))]),
      ...(known.retained === undefined ? [] : [this.fact('Retained heap', figure('bytes', known.retained), ' (',
        figure('share', whole > 0 ? Math.floor((known.retained / whole) * 10000) : 0), ')')])));
  }

  private places(known: Known): HTMLElement {
    const links = [...known.places].filter((id) => document.getElementById(id)).map((id) => {
      const target = document.getElementById(id) as HTMLElement;
      const title = target.querySelector('h2, h3')?.textContent ?? target.textContent ?? id;
      return h('li', {}, h('a', { href: `#${id}`, click: () => this.dialog.close() }, visible(title)));
    });
    return h('div', {}, h('h3', {}, 'In the sections'), h('ul', { class: 'places' }, ...links));
  }

  /** Paths from GC roots that lead to the object or through it, as far as to it. */
  private paths(address: string): HTMLElement | undefined {
    const chains: Struct[][] = [];
    const collect = (steps: Json | undefined) => {
      const chain = Array.isArray(steps) ? (steps as Struct[]) : [];
      const end = chain.findIndex((step) => step['address'] === address);
      if (end > 0 && chains.length < 1) {
        chains.push(chain.slice(0, end + 1));
      }
    };
    rows(this.data, 'leaks.suspects').forEach((s) => collect(at(s, 'why_alive.steps')));
    rows(this.data, 'top.biggest_objects').forEach((s) => collect(at(s, 'why_alive.steps')));
    if (chains.length === 0) {
      return undefined;
    }
    const [chain] = chains;
    const steps = chain.slice(-kMostSteps).map((step) => h('li', {},
      h('span', { class: 'ref' }, h('code', {}, shown(text(step['reference'])))), ' ',
      h('span', { class: 'to' }, objectLink(text(step['label']), text(step['address'])))));
    return h('div', {}, h('h3', {}, 'Why it is alive'), h('ol', { class: 'path' }, ...steps));
  }

  private dominated(known: Known): HTMLElement | undefined {
    if (known.children.length === 0) {
      return undefined;
    }
    const items = known.children.slice(0, kMostSteps).map((child) => h('li', {},
      objectLink(text(child['label']), text(child['address'])), ' ', figure('bytes', number(child['retained']))));
    const left = known.children.length - items.length;
    return h('div', {}, h('h3', {}, 'The largest objects that it dominates directly'),
      h('ul', { class: 'places' }, ...items, left > 0 && h('li', {}, `${grouped(left)} more`)));
  }

  /** Opens the card of an object; false where nothing is known of it. */
  open(address: string): boolean {
    const known = this.known.get(address);
    if (!known) {
      return false;
    }
    const first = document.getElementById(`obj-${address}`);
    this.dialog.replaceChildren(
      h('form', { method: 'dialog' }, h('button', { class: 'close', 'aria-label': 'Close' }, '×')),
      h('h2', { id: 'card-title' }, h('code', {}, shown(known.label))),
      this.facts(address, known),
      h('p', {}, first && h('button', { type: 'button', click: () => {
        this.dialog.close();
        show(first);
      } }, 'Show in the page'), ' ', this.copyButton('a link to this', `#obj-${address}`, 'Copy link')),
      this.paths(address) ?? '', this.dominated(known) ?? '', this.places(known));
    if (!this.dialog.open) {
      this.dialog.showModal();
    }
    return true;
  }

  close(): void {
    this.dialog.close();
  }
}
