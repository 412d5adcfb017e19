// hostile.mjs IN OUT: a report in which every text tries to break out of its place; each sets window.harm where it
// succeeds. One text is 70 000 characters long.
import { readFileSync, writeFileSync } from 'node:fs';

const kTexts = [
  '<script>window.harm=1</script>',
  '</script><script>window.harm=1</script>',
  '</title><img src=x onerror=window.harm=1>',
  '</style></svg></textarea><svg onload=window.harm=1>',
  '<!--<script>window.harm=1//',
  '--><img src=x onerror=window.harm=1>',
  '"><img src=x onerror="window.harm=1">',
  "'><img src=x onerror='window.harm=1'>",
  '" autofocus onfocus="window.harm=1" x="',
  'javascript:window.harm=1',
  '&lt;img src=x onerror=window.harm=1&gt;&amp;',
  'line\u2028separator\u2029and\nline\r\nends',
  '\u202ebidi\u2066\u200b\u200f\ufeff',
  'nul\u0000\u0001\u001f\u007f',
  '\\u003cscript\\u003e ${window.harm=1} {{window.harm=1}}',
  '__proto__', 'constructor', '', ' ', '😀é\ud83d\ude00',
  `${'x'.repeat(70000)}<img src=x onerror=window.harm=1>`,
];
const kKept = new Set(['kind', 'severity', 'via', 'strength', 'out_of_memory', 'section', 'detail']);

let next = 0;
function replaced(value, key) {
  if (Array.isArray(value)) {
    return key === 'sections' ? value : value.map((item) => replaced(item, key));
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, name)]));
  }
  if (typeof value !== 'string' || kKept.has(key) || /^0x[0-9a-f]+$|^#\d{16,}$/.test(value)) {
    return value;
  }
  next += 1;
  return kTexts[next % kTexts.length];
}

const exact = /([:,[]\s*)(\d{16,})(?=\s*[,}\]])/g;
const [input, output] = process.argv.slice(2);
const report = JSON.parse(readFileSync(input, 'utf8').replace(exact, '$1"#$2"'));
// Enough rows and nodes that the script has to make some itself.
const row = report.overview.histogram[0];
for (let i = 0; i < 620; ++i) {
  report.overview.histogram.push({ ...row, class_address: `0x${(0x100000 + i * 8).toString(16)}` });
}
for (const suspect of report.leaks.suspects.filter((s) => s.tree)) {
  const [child] = suspect.tree.children;
  suspect.tree.children = Array.from({ length: 80 }, (_, i) => ({ ...child, address: `0x${(0x200000 + i * 8).toString(16)}` }));
}
const text = JSON.stringify(Object.fromEntries(Object.entries(report).map(([k, v]) => [k, k === 'schema_version' ? v : replaced(v, k)])));
writeFileSync(output, text.replace(/"#(\d{16,})"/g, '$1'));
