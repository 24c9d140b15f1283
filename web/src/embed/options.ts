/** Reads what a page says about its chat: the attributes of the script. */

const COLOUR = /^#[0-9a-f]{6}$/i;
const PLAIN_COLOUR = '#0d5f4a';

export interface Options {
  site: string;
  /** Where the chat is: the script's own origin. */
  origin: string;
  side: 'left' | 'right';
  colour: string;
  greeting: string;
  lang: string;
}

export function readOptions({dataset, src}: HTMLScriptElement): Options {
  const lang = (dataset['lang'] || document.documentElement.lang).slice(0, 2).toLowerCase();
  const colour = dataset['color'] ?? '';
  return {
    site: dataset['site'] ?? '',
    origin: new URL(src, location.href).origin,
    side: dataset['position'] === 'left' ? 'left' : 'right',
    colour: COLOUR.test(colour) ? colour : PLAIN_COLOUR,
    greeting: dataset['greeting'] ?? '',
    lang: lang === 'en' || lang === 'es' ? lang : '',
  };
}

export type Words = Record<'open' | 'close' | 'chat' | 'shut', string>;

const WORDS: Record<'es' | 'en', Words> = {
  es: {open: 'Abrir el chat', close: 'Cerrar el chat', chat: 'Chat', shut: 'Quitar el saludo'},
  en: {open: 'Open the chat', close: 'Close the chat', chat: 'Chat', shut: 'Dismiss'},
};

export function wordsFor(lang: string): Words {
  return lang === 'en' ? WORDS.en : WORDS.es;
}
