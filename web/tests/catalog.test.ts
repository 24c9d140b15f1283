// @vitest-environment happy-dom
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

import {BASIC_COMPONENTS as OFFICIAL, scrapeSchemaBehavior} from '@a2ui/web_core/v0_9';
import {describe, expect, it} from 'vitest';

import {withoutProse} from '../build/trim-engine.mjs';
import {
  BASIC_COMPONENTS,
  EXTRA_PROPERTIES,
  FUNCTIONS,
  OWN_COMPONENTS,
} from '../src/a2ui/catalog.ts';
import {catalogsFor, COMPONENTS} from '../src/a2ui/registry.ts';
import {SPANISH} from './dom.ts';

type Shaped = {shape: Record<string, {isOptional(): boolean}>};

const shapeOf = (name: string): Shaped['shape'] => {
  const component = COMPONENTS.find((item) => item.name === name);
  return (component?.schema as unknown as Shaped).shape;
};

describe('the catalogue', () => {
  it('lists what the renderer has: all official components, and ours', () => {
    const names = COMPONENTS.map(({name}) => name);
    expect(names).toEqual([...BASIC_COMPONENTS, ...Object.keys(OWN_COMPONENTS)]);
    expect(OFFICIAL.map(({name}) => name).sort()).toEqual([...BASIC_COMPONENTS].sort());
  });

  it('lists the functions that the renderer has', () => {
    for (const catalog of catalogsFor(SPANISH)) {
      expect([...catalog.functions.keys()].sort()).toEqual([...FUNCTIONS].sort());
    }
  });

  it('adds to official components exactly the properties it lists, all optional', () => {
    for (const {name, schema} of OFFICIAL) {
      const official = Object.keys((schema as unknown as Shaped).shape);
      const added = Object.keys(shapeOf(name)).filter((key) => !official.includes(key));
      const listed: Record<string, object> = EXTRA_PROPERTIES;
      expect(added, name).toEqual(Object.keys(listed[name] ?? {}));
      for (const key of added) expect(shapeOf(name)[key]?.isOptional(), key).toBe(true);
    }
  });

  it('has the components of our own that the server publishes', () => {
    const file = `${import.meta.dirname}/own-components.json`;
    const names = Object.entries(OWN_COMPONENTS).map(([name, {required, optional}]) => [
      name,
      [Object.keys(required), Object.keys(optional)],
    ]);
    expect(Object.fromEntries(names)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    for (const [name, {required, optional}] of Object.entries(OWN_COMPONENTS)) {
      const shape = shapeOf(name);
      const common = ['accessibility', 'weight'];
      const listed = [...common, ...Object.keys(required), ...Object.keys(optional)];
      expect(Object.keys(shape).sort(), name).toEqual(listed.sort());
      for (const key of Object.keys(required)) expect(shape[key]?.isOptional()).toBe(false);
      for (const key of Object.keys(optional)) expect(shape[key]?.isOptional()).toBe(true);
    }
  });
});

describe('withoutProse', () => {
  const folder = createRequire(import.meta.url)
    .resolve('@a2ui/web_core/v0_9')
    .replace(/index\.js$/, '');

  it('leaves references, and every property bound as it was', async () => {
    const file = `${folder}basic_catalog/components/basic_components.js`;
    const source = readFileSync(file, 'utf8');
    const trimmed = withoutProse(source);
    expect(trimmed.length).toBeLessThan(source.length * 0.7);
    const absolute = trimmed.replace(
      /from '(\.\.?\/[^']+)'/g,
      (_whole: string, path: string) => `from '${new URL(path, `file://${file}`).href}'`,
    );
    const zod = createRequire(file).resolve('zod').replace(/index\.cjs$/, 'index.js');
    const module = absolute.replace("from 'zod'", `from 'file://${zod}'`);
    const url = `data:text/javascript,${encodeURIComponent(module)}`;
    const {BASIC_COMPONENTS: shortened} = await import(/* @vite-ignore */ url);
    for (const [index, {schema}] of OFFICIAL.entries()) {
      expect(scrapeSchemaBehavior(shortened[index].schema)).toEqual(scrapeSchemaBehavior(schema));
    }
  });

  it('cuts prose in both kinds of quotes, and keeps what stands before the bar', () => {
    expect(withoutProse(`a.describe('It\\'s prose')`)).toBe(`a.describe('')`);
    expect(withoutProse(`a.describe("don't")`)).toBe(`a.describe("")`);
    expect(withoutProse(`.describe('REF:x#/$defs/Y|prose')`)).toBe(`.describe('REF:x#/$defs/Y')`);
  });
});
