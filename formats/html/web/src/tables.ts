// Tables that sort, filter, grow and can be made wider. The rows that the program wrote are used as they are; what a
// long table lacks is made from the data.
import { cell, isNumeric, type Column } from './cells';
import { at, number, rows as rowsAt, text, type Json, type Struct } from './data';
import { all, announce, h, show } from './dom';
import { grouped } from './format';

const kFirstRows = 20;
const kMoreRows = 100;
const kFilterFrom = 8;
const kStep = 24;
const kLeastWidth = 48;

let counter = 0;

export class Table {
  readonly path: string;
  /** What the search calls a row; empty where the search has its own way to the rows. */
  readonly what: string;
  private readonly body: HTMLTableSectionElement;
  private readonly columns: Column[];
  private readonly heads: HTMLTableCellElement[];
  private readonly data: Struct[];
  private readonly elements: (HTMLTableRowElement | undefined)[];
  private readonly ids: string;
  private largest: number[] = [];
  private order: number[] = [];
  private filter = '';
  private sorted = -1;
  private descending = false;
  private limit = kFirstRows;
  private readonly footer = h('p', { class: 'more' });
  private input: HTMLInputElement | undefined;

  constructor(private readonly table: HTMLTableElement, data: Json | undefined) {
    this.path = table.dataset.json ?? '';
    this.what = table.dataset.search ?? '';
    this.ids = table.dataset.ids ?? '';
    this.body = table.tBodies[0];
    this.heads = all<HTMLTableCellElement>('thead th', table);
    this.columns = this.heads.map((th) => ({
      title: th.textContent ?? '',
      kind: th.dataset.k ?? 'text',
      field: th.dataset.f ?? '',
      more: (th.dataset.g ?? '').split(' ').filter((word) => word !== ''),
      bar: th.dataset.bar !== undefined,
    }));
    this.elements = [...this.body.rows];
    this.data = this.path === '' ? [] : rowsAt(data, this.path);
    table.parentElement?.parentElement?.querySelectorAll(':scope > .rest').forEach((note) => {
      if (note.previousElementSibling === table.parentElement) {
        note.remove();
      }
    });
    this.reorder();
    this.controls();
    this.render();
  }

  private get count(): number {
    return Math.max(this.data.length, this.elements.length);
  }

  private controls(): void {
    const scroll = this.table.parentElement as HTMLElement;
    const title = this.title();
    scroll.setAttribute('role', 'group');
    scroll.setAttribute('aria-label', title);
    if (this.count > 1) {
      this.heads.forEach((th, i) => this.sortable(th, i));
    }
    if (this.count >= kFilterFrom) {
      this.input = h('input', {
        type: 'search', placeholder: `Filter ${grouped(this.count)} rows`, 'aria-label': `Filter ${title}`,
        input: () => this.setFilter(this.input?.value ?? ''),
      });
      scroll.before(h('div', { class: 'filter' }, this.input));
    }
    scroll.after(this.footer);
  }

  private title(): string {
    let at: Element | null = this.table.parentElement;
    while (at) {
      for (let before: Element | null = at.previousElementSibling; before; before = before.previousElementSibling) {
        if (/^H[2-4]$/.test(before.tagName)) {
          return `${before.textContent} ${++counter}`;
        }
      }
      at = at.parentElement;
    }
    return `Table ${++counter}`;
  }

  private sortable(th: HTMLTableCellElement, column: number): void {
    const button = h('button', {
      type: 'button', title: th.title || undefined, click: () => this.sort(column),
      keydown: (event) => this.resizeByKey(event as KeyboardEvent, th),
    }, th.textContent ?? '');
    const grip = h('span', { class: 'grip', 'aria-hidden': 'true' });
    grip.addEventListener('pointerdown', (event) => this.resizeByPointer(event, th));
    grip.addEventListener('dblclick', () => this.unfreeze());
    th.replaceChildren(button, grip);
    th.removeAttribute('title');
  }

  private freeze(): void {
    if (this.table.style.tableLayout !== 'fixed') {
      const widths = this.heads.map((th) => th.offsetWidth);
      this.heads.forEach((th, i) => (th.style.width = `${widths[i]}px`));
      this.table.style.tableLayout = 'fixed';
      this.table.style.width = `${widths.reduce((a, b) => a + b, 0)}px`;
    }
  }

  private unfreeze(): void {
    this.heads.forEach((th) => (th.style.width = ''));
    this.table.style.tableLayout = '';
    this.table.style.width = '';
  }

  private setWidth(th: HTMLTableCellElement, width: number): void {
    this.freeze();
    const old = parseFloat(th.style.width);
    const wanted = Math.max(kLeastWidth, width);
    th.style.width = `${wanted}px`;
    this.table.style.width = `${parseFloat(this.table.style.width) + wanted - old}px`;
  }

  private resizeByPointer(down: PointerEvent, th: HTMLTableCellElement): void {
    const grip = down.target as HTMLElement;
    const from = down.clientX - th.offsetWidth;
    const move = (event: PointerEvent) => this.setWidth(th, event.clientX - from);
    grip.setPointerCapture(down.pointerId);
    grip.addEventListener('pointermove', move);
    grip.addEventListener('pointerup', () => grip.removeEventListener('pointermove', move), { once: true });
    down.preventDefault();
  }

  private resizeByKey(event: KeyboardEvent, th: HTMLTableCellElement): void {
    const step = event.key === 'ArrowRight' ? kStep : event.key === 'ArrowLeft' ? -kStep : 0;
    if (event.shiftKey && step !== 0) {
      this.setWidth(th, th.offsetWidth + step);
      event.preventDefault();
    }
  }

  /** What a row is sorted by: a number, or text in lower case; undefined goes last. */
  private key(row: number, column: number): number | string | undefined {
    const { kind, field, more } = this.columns[column];
    if (kind === 'number') {
      return row;
    }
    if (this.data.length > 0 && field !== '') {
      const value = at(this.data[row], field);
      if (kind === 'thread' && value === undefined) {
        return `${text(this.data[row]['class'])} @ ${text(this.data[row][more[0]])}`.toLowerCase();
      }
      if (kind === 'list') {
        return Array.isArray(value) ? value.length : undefined;
      }
      if (kind === 'address') {
        return typeof value === 'string' ? Number(value) : undefined;
      }
      return typeof value === 'string' ? value.toLowerCase() : value === undefined ? undefined : Number(value);
    }
    const td = this.elements[row]?.cells[column];
    return isNumeric(kind) && td?.dataset.v !== undefined ? Number(td.dataset.v) : (td?.textContent ?? '').toLowerCase();
  }

  sort(column: number): void {
    const numeric = isNumeric(this.columns[column].kind) || this.columns[column].kind === 'list';
    const first = numeric && this.columns[column].kind !== 'number';
    if (this.sorted !== column) {
      this.sorted = column;
      this.descending = first;
    } else if (this.descending === first) {
      this.descending = !first;
    } else {
      this.sorted = -1;
    }
    this.heads.forEach((th, i) => {
      th.setAttribute('aria-sort', i !== this.sorted ? 'none' : this.descending ? 'descending' : 'ascending');
    });
    this.reorder();
    this.render();
  }

  private setFilter(words: string): void {
    this.filter = words.trim().toLowerCase();
    this.limit = kFirstRows;
    this.reorder();
    this.render();
    announce(`${grouped(this.order.length)} rows`);
  }

  private matches(row: number): boolean {
    if (this.filter === '') {
      return true;
    }
    if (this.data.length === 0) {
      return (this.elements[row]?.textContent ?? '').toLowerCase().includes(this.filter);
    }
    return this.columns.some(({ kind, field, more }) => {
      const value = at(this.data[row], field);
      if (kind === 'list') {
        return Array.isArray(value) &&
          (value as Struct[]).some((item) => text(item[more[0]]).toLowerCase().includes(this.filter));
      }
      return typeof value === 'string' && value.toLowerCase().includes(this.filter);
    });
  }

  private reorder(): void {
    const order: number[] = [];
    for (let row = 0; row < this.count; ++row) {
      if (this.matches(row)) {
        order.push(row);
      }
    }
    if (this.sorted >= 0) {
      const keys = new Map(order.map((row) => [row, this.key(row, this.sorted)]));
      const sign = this.descending ? -1 : 1;
      order.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        if (x === undefined || y === undefined) {
          return Number(x === undefined) - Number(y === undefined) || a - b;
        }
        return (x < y ? -sign : x > y ? sign : 0) || a - b;
      });
    }
    this.order = order;
  }

  private largestOf(column: number): number {
    if (this.largest.length === 0) {
      this.largest = this.columns.map(({ bar, field }) =>
        bar ? this.data.reduce((most, row) => Math.max(most, number(at(row, field))), 0) : 0);
    }
    return this.largest[column];
  }

  private element(row: number): HTMLTableRowElement {
    const known = this.elements[row];
    if (known) {
      return known;
    }
    const numbered = this.columns[0].kind === 'number';
    const made = h('tr');
    this.columns.forEach((column, i) => {
      made.append(numbered && i === 0
        ? h('td', { class: 'n' }, grouped(row + 1))
        : cell(column, this.data[row], this.largestOf(i)));
    });
    const first = this.columns[numbered ? 1 : 0];
    if (this.ids !== '') {
      made.id = `${this.ids}-${text(at(this.data[row], first.more[0] ?? first.field))}`;
    }
    this.elements[row] = made;
    return made;
  }

  private render(): void {
    this.body.replaceChildren(...this.order.slice(0, this.limit).map((row) => this.element(row)));
    const left = this.order.length - this.limit;
    this.footer.replaceChildren();
    if (left > 0) {
      const more = (count: number, label: string) =>
        h('button', { type: 'button', click: () => this.grow(count) }, label);
      this.footer.append(`${grouped(this.limit)} of ${grouped(this.order.length)} rows `,
        more(kMoreRows, `Show ${grouped(Math.min(left, kMoreRows))} more`));
      if (left > kMoreRows) {
        this.footer.append(' ', more(left, 'Show all'));
      }
    }
  }

  private grow(count: number): void {
    const from = this.limit;
    this.limit += count;
    this.render();
    const first = this.body.rows[from]?.querySelector<HTMLElement>('a, button');
    first?.focus({ preventScroll: true });
  }

  /** What the search finds of the rows that the program wrote: the first name of each, and its first change. */
  names(): { name: string; change: string; amount: number }[] {
    const change = this.columns.findIndex(({ field }) => field.endsWith('.change'));
    return this.elements.map((row) => ({
      name: row?.querySelector('code')?.textContent ?? '',
      change: row?.cells[change]?.textContent ?? '',
      amount: Math.abs(Number(row?.cells[change]?.dataset.v ?? 0)),
    }));
  }

  /** The row with this value in a field; -1 where there is none. */
  find(field: string, value: string): number {
    return this.data.findIndex((row) => row[field] === value);
  }

  /** Shows a row whatever filter and length the table has now. */
  reveal(row: number): void {
    if (!this.order.includes(row)) {
      if (this.input) {
        this.input.value = '';
      }
      this.filter = '';
      this.reorder();
    }
    this.limit = Math.max(this.limit, this.order.indexOf(row) + 1);
    this.render();
    show(this.element(row));
  }
}

/** All tables of the page but lists of facts, by path where they have one; what they show as it stands has a name. */
export function enhanceTables(data: Json | undefined): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const element of all<HTMLTableElement>('main table:not(.facts)')) {
    const table = new Table(element, data);
    const key = table.path || element.dataset.table;
    if (key) {
      tables.set(key, table);
    }
  }
  return tables;
}
