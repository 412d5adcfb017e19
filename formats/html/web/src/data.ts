// The report's JSON, which the page carries along: as it is where it is small, else deflated.

export type Json = null | boolean | number | string | Json[] | Struct;
export interface Struct {
  [field: string]: Json | undefined;
}

async function inflate(base64: string): Promise<string> {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

/** The text of the JSON. */
export async function dataText(): Promise<string> {
  const block = document.getElementById('data') as HTMLScriptElement;
  const text = block.textContent ?? '';
  return block.type === 'application/json' ? text : inflate(text);
}

/** What stands at a path such as "overview.histogram.3.class". */
export function at(root: Json | undefined, path: string): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object') {
      return undefined;
    }
    value = Array.isArray(value) ? value[Number(key)] : value[key];
  }
  return value;
}

export function rows(root: Json | undefined, path: string): Struct[] {
  const value = at(root, path);
  return Array.isArray(value) ? (value as Struct[]) : [];
}

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
