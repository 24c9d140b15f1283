/**
 * Leaves out of the bundle what the A2UI engine carries and this page never uses.
 *
 * Two of its dependencies serve only functions that we do not call (writing a catalogue as
 * JSON Schema; its own English dates), and its schemas describe themselves in prose for
 * the prompts of language models. Together a fifth of the page's weight.
 */

import {readFile} from 'node:fs/promises';

/** Reached only through code that is never called: calling it is an error, not silence. */
const NEVER_CALLED = {
  'date-fns': ['format'],
  'zod-to-json-schema': ['zodToJsonSchema'],
};

export const trimEngine = {
  name: 'trim-engine',
  setup(build) {
    const names = Object.keys(NEVER_CALLED).join('|');
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
