/** Gives the words of the page's language, and its way of writing money and time. */

import {en} from './en.ts';
import {es} from './es.ts';

export type Key = keyof typeof es;
export type Strings = Record<Key, string>;
/** The keys that have a form per plural category, without the category. */
type Counted = Key extends infer K ? (K extends `${infer Stem}.other` ? Stem : never) : never;

export interface Language {
  /** `es` or `en`: for the `lang` attribute. */
  code: 'es' | 'en';
  /** For `Intl`: the reader's own region where it speaks the page's language. */
  locale: string;
  t(key: Key, values?: Record<string, string | number>): string;
  /** The form of `stem` for a count, which is also given as `{count}`. */
  plural(stem: Counted, count: number): string;
}

const TABLES: Record<Language['code'], Strings> = {es, en};

/**
 * Returns the language for a tag such as `es` or `en-GB`; Spanish where unknown.
 *
 * `site` is what people call the site, for sentences that name it.
 */
export function languageFor(
  tag: string,
  site = '',
  readerTags: readonly string[] = navigator.languages,
): Language {
  const code = tag.toLowerCase().startsWith('en') ? 'en' : 'es';
  const table = TABLES[code];
  const region = readerTags.find((reader) => reader.toLowerCase().startsWith(code));
  const locale = region ?? (tag || code);
  const rules = new Intl.PluralRules(code);
  const named = {site: site || table['app.owner']};
  const t: Language['t'] = (key, values) => filled(table[key], {...named, ...values});
  return {
    code,
    locale,
    t,
    plural(stem, count) {
      const exact = `${stem}.${rules.select(count)}`;
      const key = (exact in table ? exact : `${stem}.other`) as Key;
      return t(key, {count});
    },
  };
}

function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
