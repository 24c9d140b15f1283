/** The functions of the catalogue, in the reader's language. */

import {
  AndImplementation,
  createFormatCurrencyImplementation,
  createFormatNumberImplementation,
  createFunctionImplementation,
  createPluralizeImplementation,
  EmailImplementation,
  FormatDateApi,
  FormatStringImplementation,
  LengthImplementation,
  NotImplementation,
  NumericImplementation,
  OpenUrlApi,
  OrImplementation,
  RegexImplementation,
  RequiredImplementation,
} from '@a2ui/web_core/v0_9';
import type {FunctionImplementation} from '@a2ui/web_core/v0_9';
import {z} from 'zod';

import type {Language} from '../strings/index.ts';
import {isSafeLink} from '../view/markdown.ts';
import {formatDate} from './format-date.ts';

const CAPITALIZE = {
  name: 'capitalize',
  returnType: 'string' as const,
  schema: z.object({value: z.any()}),
};

export function functionsFor({locale}: Language): FunctionImplementation[] {
  return [
    RequiredImplementation,
    RegexImplementation,
    LengthImplementation,
    NumericImplementation,
    EmailImplementation,
    FormatStringImplementation,
    createFormatNumberImplementation(locale),
    createFormatCurrencyImplementation(locale),
    createPluralizeImplementation(locale),
    AndImplementation,
    OrImplementation,
    NotImplementation,
    // The engine's own writes months and days in English only.
    createFunctionImplementation(FormatDateApi, ({value, format}) =>
      formatDate(value, format, locale),
    ),
    createFunctionImplementation(CAPITALIZE, ({value}) => {
      const text = String(value ?? '');
      return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
    }),
    // The engine's own opens any http address.
    createFunctionImplementation(OpenUrlApi, ({url}) => openUrl(url)),
  ];
}

function openUrl(url: string): void {
  if (isSafeLink(url)) window.open(url, '_blank', 'noopener,noreferrer');
  else console.warn('A surface asked to open an address that is not https.');
}
