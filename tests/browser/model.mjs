// The report's JSON as the tests see it, and how its values are written; on purpose not shared with the page.
import { readFileSync } from 'node:fs';

/** Numbers that JavaScript would round stay texts of digits. */
export function readReport(path) {
  return JSON.parse(readFileSync(path, 'utf8').replace(/([:,[]\s*)(\d{16,})(?=\s*[,}\]])/g, '$1"$2"'));
}

export function at(root, path) {
  return path === '' ? root : path.split('.').reduce((value, key) => (value == null ? undefined : value[key]), root);
}

const kUnseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

export function shown(name) {
  if (/^ *$/.test(name)) {
    return '(no name)';
  }
  const characters = [...name];
  const cut = characters.length > 300 ? `${characters.slice(0, 300).join('')}…` : name;
  return cut.replace(kUnseen, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, ',');

/** Every number of a text, "1,234" and "5.9" taken for one. */
export function numbers(text) {
  return new Set([...text.matchAll(/\d[\d.,]*/g)].map(([number]) => number.replace(/[.,]+$/, '')));
}

/** "1,234 bytes", "+1,234 to +2,345 bytes", and what a damaged dump leaves of it. */
const kTitle = /^(?:at (?:least|most) )?\+?([\d,]+) (?:to [+−]?[\d,]+ )?bytes(?: at least| were read| in what was read)?$/;

const kFigures = new Set(['count', 'bytes', 'share', 'time', 'tag', 'plain']);

/** What is wrong with a cell that shows a value of the JSON; undefined where nothing is. */
export function wrongCell({ kind, field }, cell, row, what) {
  const value = at(row, field);
  if (value === undefined) {
    return undefined;
  }
  if (kFigures.has(kind)) {
    const missing = cell.v === null && cell.text === '';
    const allowed = missing && field === 'max_instance_shallow' && String(row.instances) === '0';
    const titled = kind !== 'bytes' || BigInt(value) < 1024n || kTitle.exec(cell.title)?.[1] === grouped(value);
    return allowed || (cell.v === String(value) && titled) ? undefined : `${what}.${field}: ${value} is ${JSON.stringify(cell)}`;
  }
  if (kind === 'code' || kind === 'object' || kind === 'class' || kind === 'address' || kind === 'thread') {
    const expected = field === 'name' && row.thread === '0x0' ? '(no thread)' : shown(String(value));
    return cell.text === expected ? undefined : `${what}.${field}: ${expected} is ${cell.text}`;
  }
  if (kind === 'list') {
    const [name] = cell.more.split(' ');
    const every = value.every((item) => cell.text.includes(shown(item[name])));
    return every ? undefined : `${what}.${field}: a list without some of its items: ${cell.text}`;
  }
  return undefined;
}
