/** Holds our part of zod to zod's own verdicts, over everything that the engine checks. */

import {readFileSync} from 'node:fs';

import * as official from '@a2ui/web_core/v0_9';
import {build} from 'esbuild';
import {beforeAll, describe, expect, it} from 'vitest';

import {trimEngine} from '../build/trim-engine.mjs';

type Checked = {safeParse(value: unknown): {success: boolean; data?: unknown}};

const NAMES = [
  'A2uiMessageSchema',
  'BASIC_COMPONENTS',
  'BASIC_FUNCTION_APIS',
  'scrapeSchemaBehavior',
] as const;
type Engine = Pick<typeof official, (typeof NAMES)[number]>;

/** One of each kind of value that a property may wrongly or rightly hold. */
const VALUES: unknown[] = [
  undefined,
  null,
  'text',
  '2026-09-12',
  1,
  -2.5,
  Number.NaN,
  true,
  [],
  ['a'],
  [1],
  {},
  {path: '/x'},
  {path: 1},
  {componentId: 'a', path: '/x'},
  {call: 'required', args: {}},
  {call: 'required', args: {}, returnType: 'nothing'},
  {event: {name: 'pagar', context: {a: {path: '/a'}}}},
  {event: {}},
  {functionCall: {call: 'openUrl', args: {url: 'https://a.example'}}},
  [{condition: true, message: 'm'}],
  [{label: 'a', value: 'b'}],
  [{title: 'a', child: 'b'}],
  {label: 'x', description: {path: '/d'}},
];

let ours: Engine;

beforeAll(async () => {
  const {outputFiles} = await build({
    stdin: {
      contents: `export {${NAMES.join()}} from '@a2ui/web_core/v0_9';`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    plugins: [trimEngine],
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  ours = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as Engine;
});

/** Both must say the same, and read the same where they say yes. */
function agree(name: string, mine: Checked, theirs: Checked, value: unknown): void {
  const [got, wanted] = [mine.safeParse(value), theirs.safeParse(value)];
  const words = `${name} ${JSON.stringify(value)}`;
  expect(got.success, words).toBe(wanted.success);
  if (wanted.success) expect(got.data, words).toEqual(wanted.data);
}

/** A value, and it with each of its properties in turn replaced or one too many. */
function* variants(value: Record<string, unknown>, names: string[]): Generator<unknown> {
  yield value;
  yield {...value, extra: 1};
  for (const name of names) {
    for (const other of VALUES) yield {...value, [name]: other};
    const {[name]: _left, ...rest} = value;
    yield rest;
  }
}

const shape = (schema: unknown): string[] =>
  Object.keys((schema as {shape?: object}).shape ?? {});

describe('our part of zod', () => {
  it('judges and binds every component as zod does', () => {
    for (const [index, {name, schema}] of official.BASIC_COMPONENTS.entries()) {
      const mine = ours.BASIC_COMPONENTS[index]!.schema;
      expect(ours.scrapeSchemaBehavior(mine), name).toEqual(official.scrapeSchemaBehavior(schema));
      const whole = Object.fromEntries(
        shape(schema).map((key) => [key, VALUES.find((value) => valid(schema, key, value))]),
      );
      for (const value of variants(whole, shape(schema))) agree(name, mine, schema, value);
      for (const value of VALUES) agree(name, mine, schema, value);
    }
  });

  it('judges the arguments of every function as zod does', () => {
    for (const [index, {name, schema}] of official.BASIC_FUNCTION_APIS.entries()) {
      const mine = ours.BASIC_FUNCTION_APIS[index]!.schema;
      const names = shape(schema).length ? shape(schema) : ['value', 'min', 'max'];
      const texts = Object.fromEntries(names.map((key) => [key, '3']));
      for (const value of variants(texts, names)) agree(name, mine, schema, value);
      const lists = Object.fromEntries(names.map((key) => [key, [true, false]]));
      for (const value of variants(lists, names)) agree(name, mine, schema, value);
    }
  });

  it('judges every message as zod does', () => {
    const {A2uiMessageSchema: mine} = ours;
    const {A2uiMessageSchema: theirs} = official;
    const bodies = {
      createSurface: {surfaceId: 's', catalogId: 'c', theme: {}, sendDataModel: true},
      updateComponents: {surfaceId: 's', components: [{id: 'root', component: 'Text', text: 'a'}]},
      updateDataModel: {surfaceId: 's', path: '/', value: {a: 1}},
      deleteSurface: {surfaceId: 's'},
    };
    for (const [kind, body] of Object.entries(bodies)) {
      for (const variant of variants(body, Object.keys(body))) {
        agree(kind, mine, theirs, {version: 'v0.9', [kind]: variant});
      }
      for (const value of variants({version: 'v0.9', [kind]: body}, ['version', kind])) {
        agree(kind, mine, theirs, value);
      }
    }
  });

  it('stands in the bundle in place of zod', () => {
    const bundle = readFileSync(new URL('../dist/chat.js', import.meta.url), 'utf8');
    expect(bundle).not.toContain('invalid_string');
    expect(bundle).toContain('ZodIntersection');
  });
});

function valid(schema: unknown, key: string, value: unknown): boolean {
  const property = (schema as {shape: Record<string, Checked>}).shape[key];
  return value !== undefined && (property?.safeParse(value).success ?? false);
}
