// Builds formats/html/bundle: the page's script and style, each one file, and the content security policy that allows
// exactly these two. build.mjs [FOLDER] writes elsewhere. The same sources and lock file give the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? join(here, '..', 'bundle');
const target = ['chrome100', 'firefox113', 'safari16.4'];

const license = readFileSync(join(here, 'node_modules/d3-hierarchy/LICENSE'), 'utf8').trim();
const script = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  bundle: true,
  minify: true,
  format: 'iife',
  charset: 'utf8',
  banner: { js: `/*! With d3-hierarchy:\n${license}\n*/` },
  target,
  write: false,
});

// Bars are classes, since the policy allows no style attributes: b1 to b100 for as many per cent.
const bars = Array.from({ length: 100 }, (_, i) => `.b${i + 1}{--part:${i + 1}%}`).join('\n');
const style = await esbuild.transform(readFileSync(join(here, 'src/page.css'), 'utf8') + bars, {
  loader: 'css',
  minify: true,
  target,
});

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const js = script.outputFiles[0].text.trim();
const css = style.code.trim();
if (/<\/script|<!--/i.test(js) || /<\/style/i.test(css)) {
  throw new Error('the bundle would end its own element');
}
const policy =
  `default-src 'none'; script-src ${hash(js)}; style-src ${hash(css)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.js'), js);
writeFileSync(join(out, 'report.css'), css);
writeFileSync(join(out, 'policy.txt'), policy);
console.log(`${js.length + css.length} bytes in ${out}`);
