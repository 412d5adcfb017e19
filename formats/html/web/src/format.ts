// Figures and names as the program itself writes them (formats/report/units.cc, formats/html).

const kUnits = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const kMostCharacters = 300;

export function grouped(value: number): string {
  return BigInt(Math.trunc(value)).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

export function bytes(value: number): string {
  if (value < 1024) {
    return `${value} B`;
  }
  let unit = -1;
  let scale = 1;
  let tenths = 0;
  do {
    unit += 1;
    scale *= 1024;
    tenths = Math.floor((value * 10) / scale + 0.5);
  } while (tenths >= 10240 && unit + 1 < kUnits.length);
  return `${grouped(Math.floor(tenths / 10))}.${tenths % 10} ${kUnits[unit]}`;
}

export function share(basisPoints: number): string {
  return `${grouped(Math.floor(basisPoints / 100))}.${String(basisPoints % 100).padStart(2, '0')} %`;
}

export function range(least: number, most: number): string {
  if (least === most) {
    return grouped(least);
  }
  return most >= 0xffffffff ? `${grouped(least)} or more` : `${grouped(least)} – ${grouped(most)}`;
}

export function fill(mostBp: number, fullIsApart: boolean): string {
  if (mostBp === 0) {
    return 'nothing';
  }
  if (mostBp >= 9999) {
    return mostBp === 9999 || !fullIsApart ? 'more than 80 %' : '100 %';
  }
  return `up to ${Math.floor(mostBp / 100)} %`;
}

export function time(milliseconds: number): string {
  const date = new Date(Math.floor(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime())
    ? `${milliseconds} ms`
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const kUnseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** What cannot be seen as \uXXXX. */
export function visible(text: string): string {
  return text.replace(kUnseen, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A name as people read it: cut where it is very long, never empty. */
export function shown(name: string): string {
  if (/^ *$/.test(name)) {
    return '(no name)';
  }
  const characters = name.length > kMostCharacters ? [...name] : [];
  return visible(
    characters.length > kMostCharacters ? `${characters.slice(0, kMostCharacters).join('')}…` : name,
  );
}

/** The class of a bar for an amount, as the style has them. */
export function bar(amount: number, largest: number): string {
  return amount > 0 && largest > 0
    ? `b${Math.max(1, Math.floor((Math.min(amount, largest) / largest) * 100))}`
    : '';
}

export function plural(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
