// Cells of table rows that the page does not have yet, made from the data as the program makes the others.
import { at, number, text, type Json, type Struct } from './data';
import { h } from './dom';
import { bar, bytes, fill, grouped, range, share, shown, time, visible } from './format';

export interface Column {
  title: string;
  kind: string;
  field: string;
  more: string[];
  bar: boolean;
}

const kFigures: Record<string, (value: number) => string> = {
  count: grouped,
  bytes,
  share,
  time,
  tag: (value) => `0x${value.toString(16)}`,
  plain: String,
};

export function isNumeric(kind: string): boolean {
  return kind in kFigures || kind === 'range' || kind === 'fill' || kind === 'number';
}

export function objectLink(label: string, address: string): HTMLElement {
  return address === '' || address === '0x0'
    ? h('code', {}, shown(label))
    : h('code', {}, h('a', { href: `#obj-${address}` }, shown(label)));
}

export function classLink(name: string, address: string): HTMLElement {
  return h('code', {}, h('a', { href: `#class-${address}` }, shown(name)));
}

export function figure(kind: string, value: number, largest = 0): HTMLElement {
  return h(
    'span',
    {
      class: `n ${bar(value, largest)}`.trim(),
      'data-v': value,
      title: kind === 'bytes' && value >= 1024 ? `${grouped(value)} bytes` : undefined,
    },
    kFigures[kind](value),
  );
}

function list(items: Json | undefined, [name, ...figures]: string[]): (Node | string)[] {
  return (Array.isArray(items) ? (items as Struct[]) : []).flatMap((item, i) => {
    const [count, part] = figures.map((field) => number(item[field]));
    const tail = (count === undefined ? '' : ` × ${grouped(count)}`) + (part === undefined ? '' : ` (${share(part)})`);
    return [i === 0 ? '' : ', ', h('code', {}, shown(text(item[name]))), tail];
  });
}

function named(column: Column, row: Struct): HTMLElement {
  const value = at(row, column.field);
  const address = text(at(row, column.kind === 'address' ? column.field : (column.more[0] ?? '')));
  if (column.kind === 'class') {
    return classLink(text(value), address);
  }
  if (column.kind === 'thread') {
    return objectLink(typeof value === 'string' ? value : `${text(row['class'])} @ ${address}`, address);
  }
  return objectLink(text(value), address);
}

/** The cell of a row; `largest` is the largest value of the column, for its bar. */
export function cell(column: Column, row: Struct, largest: number): HTMLTableCellElement {
  const value = at(row, column.field);
  const td = h('td');
  if (value === undefined && column.kind !== 'thread') {
    return td;
  }
  if (column.kind in kFigures) {
    td.className = `n ${column.bar ? bar(number(value), largest) : ''}`.trim();
    td.dataset.v = String(value);
    if (column.kind === 'bytes' && number(value) >= 1024) {
      td.title = `${grouped(number(value))} bytes`;
    }
    td.append(kFigures[column.kind](number(value)));
  } else if (column.kind === 'range' || column.kind === 'fill') {
    td.className = 'n';
    td.append(
      column.kind === 'range'
        ? range(number(value), number(at(row, column.more[0])))
        : fill(number(value), column.more.length > 0),
    );
  } else if (column.kind === 'list') {
    td.append(...list(value, column.more));
  } else if (column.kind === 'text') {
    td.append(typeof value === 'boolean' ? (value ? 'yes' : 'no') : visible(text(value)));
  } else if (column.kind === 'code') {
    td.append(h('code', {}, shown(text(value))));
  } else {
    td.append(named(column, row));
  }
  return td;
}
