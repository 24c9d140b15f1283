/** Builds `dist/` from `src/`, and says how much of it a browser fetches. */

import {readFileSync, rmSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {build, context} from 'esbuild';

import {trimEngine} from './trim-engine.mjs';

/** What the whole page may weigh, compressed. */
const LIMIT_KB = 70;
const FILES = ['dist/chat.js', 'dist/chat.css', 'dist/widget.js'];

const options = {
  entryPoints: [
    {in: 'src/main.ts', out: 'chat'},
    {in: 'src/styles/chat.css', out: 'chat'},
    {in: 'src/admin/main.ts', out: 'admin'},
  ],
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  plugins: [trimEngine],
};

/** The script that other people's pages name is no module, and leaves one name there. */
const loader = {
  ...options,
  entryPoints: [{in: 'src/embed/widget.ts', out: 'widget'}],
  format: 'iife',
  plugins: [],
};

if (process.argv.includes('--watch')) {
  for (const watched of [options, loader]) await (await context(watched)).watch();
} else {
  rmSync('dist', {recursive: true, force: true});
  await build(options);
  await build(loader);
  report();
}

/** Fails where the page grew beyond what it may weigh. */
function report() {
  const sizes = FILES.map((file) => {
    const bytes = readFileSync(file);
    const gzip = gzipSync(bytes, {level: 9}).length / 1024;
    console.log(`${file}: ${(bytes.length / 1024).toFixed(1)} KB, ${gzip.toFixed(1)} gzip`);
    return gzip;
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`total: ${total.toFixed(1)} KB gzip (at most ${LIMIT_KB})`);
  if (total > LIMIT_KB) process.exitCode = 1;
}
