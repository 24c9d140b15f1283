/**
 * Leaves out of the bundle what the A2UI engine carries and this page never uses.
 *
 * Some of it serves only functions that we do not call (reading and writing a catalogue as
 * JSON Schema; its own English dates), its schemas describe themselves in prose for the
 * prompts of language models, and of zod it uses a tenth. Together a third of the weight.
 */

import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

/** Reached only through code that is never called: calling it is an error, not silence. */
const NEVER_CALLED = {
  'date-fns': ['format'],
  'zod-to-json-schema': ['zodToJsonSchema'],
  './schema_loader.js': ['loadCatalogFromSchema'],
};

/** The part of zod that the engine uses. */
const ZOD = resolve(import.meta.dirname, '../src/a2ui/schemas.ts');

export const trimEngine = {
  name: 'trim-engine',
  setup(build) {
    build.onResolve({filter: /^zod$/}, () => ({path: ZOD}));
    const names = Object.keys(NEVER_CALLED).join('|').replaceAll('.', '\\.');
    build.onResolve({filter: new RegExp(`^(${names})$`)}, ({path}) => ({
      path,
      namespace: 'never-called',
    }));
    build.onLoad({filter: /.*/, namespace: 'never-called'}, ({path}) => ({
      contents: NEVER_CALLED[path]
        .map((name) => `export const ${name} = () => { throw new Error('${path}'); };`)
        .join('\n'),
    }));
    build.onLoad({filter: /@a2ui\/web_core\/src\/v0_9\/.*\.js$/}, async ({path}) => ({
      contents: withoutProse(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** The engine reads a description only where it begins with `REF:`, up to a `|`. */
export function withoutProse(source) {
  return source
    .replace(/(describe\(|description: )(['"])((?:\\.|(?!\2).)*)\2/gs, shortened)
    .replaceAll(/= (createFunctionImplementation\()/g, '= /* @__PURE__ */ $1');
}

function shortened(_whole, before, quote, text) {
  const [reference] = text.split('|');
  const kept = text.startsWith('REF:') ? reference : '';
  return `${before}${quote}${kept}${quote}`;
}
