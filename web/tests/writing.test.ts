import {describe, expect, it} from 'vitest';

import {formatDate} from '../src/a2ui/format-date.ts';
import {slug} from '../src/a2ui/slug.ts';
import {en} from '../src/strings/en.ts';
import {es} from '../src/strings/es.ts';
import {languageFor} from '../src/strings/index.ts';
import {formatMoney} from '../src/view/money.ts';
import {formatCountdown, formatMoment} from '../src/view/time.ts';

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formatMoney', () => {
  it.each([
    [7900, 'EUR', 2, 'es-ES', '79,00 €'],
    [7900, 'EUR', 2, 'en-GB', '€79.00'],
    [5, 'EUR', 2, 'es-ES', '0,05 €'],
    [-1250, 'USD', 2, 'en-US', '-$12.50'],
    [500, 'JPY', 0, 'es-ES', '500 JPY'],
    [1234567, 'KWD', 3, 'en-US', 'KWD 1,234.567'],
    [Number.MAX_SAFE_INTEGER, 'EUR', 2, 'en-GB', '€90,071,992,547,409.91'],
    [7900, 'puntos', 2, 'es-ES', '79.00 puntos'],
  ])('%i %s / %i in %s is %s', (minor, currency, exponent, locale, written) => {
    expect(plain(formatMoney({minor, currency, exponent}, locale))).toBe(written);
  });
});

describe('time', () => {
  it.each([
    [900_000, '15:00'],
    [899_001, '15:00'],
    [61_000, '1:01'],
    [1, '0:01'],
    [0, '0:00'],
    [-5_000, '0:00'],
  ])('%i ms left is %s', (span, written) => expect(formatCountdown(span)).toBe(written));

  it('leaves the date out today, and says it on another day', () => {
    const now = new Date('2026-09-12T12:00:00');
    expect(formatMoment('2026-09-12T09:05:00', 'es-ES', now)).toBe('09:05');
    expect(formatMoment('2026-09-01T09:05:00', 'es-ES', now)).toMatch(/1 sept? 2026, 09:05/);
    expect(formatMoment('pronto', 'es-ES', now)).toBe('pronto');
  });
});

describe('formatDate', () => {
  it.each([
    ['2026-09-02T08:03:07', 'dd/MM/yyyy HH:mm:ss', 'es-ES', '02/09/2026 08:03:07'],
    ['2026-09-02', "EEEE d 'de' MMMM 'de' yyyy", 'es-ES', 'miércoles 2 de septiembre de 2026'],
    ['2026-09-02T15:30:00', 'MMM d, yy, h:mm a', 'en-US', 'Sep 2, 26, 3:30 PM'],
    ['2026-09-02', "'día' d", 'es-ES', 'día 2'],
    ['2026-09-02T00:00:00Z', 'ISO', 'es-ES', '2026-09-02T00:00:00.000Z'],
    ['no', 'd', 'es-ES', ''],
    [null, 'd', 'es-ES', ''],
  ])('%s as %s in %s is %s', (value, pattern, locale, written) => {
    expect(formatDate(value, pattern, locale)).toBe(written);
  });
});

describe('languages', () => {
  it('have the same words to fill, and none empty', () => {
    const blanks = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const key of Object.keys(es) as (keyof typeof es)[]) {
      expect(en[key].length, key).toBeGreaterThan(0);
      expect(blanks(en[key]), key).toEqual(blanks(es[key]));
    }
    expect(Object.keys(en)).toEqual(Object.keys(es));
  });

  it('never begin a sentence with the name of the site, which may be small', () => {
    for (const text of [...Object.values(es), ...Object.values(en)]) {
      expect(text).not.toMatch(/(^|[.:] )\{site\}/);
    }
  });

  it('take the reader’s region where it speaks the page’s language', () => {
    expect(languageFor('es', '', ['en-US', 'es-MX']).locale).toBe('es-MX');
    expect(languageFor('es', '', ['en-US']).locale).toBe('es');
    expect(languageFor('en-GB', '', ['es-MX'])).toMatchObject({code: 'en', locale: 'en-GB'});
    expect(languageFor('fr', '', []).code).toBe('es');
  });

  it('name the site, count, and leave unknown blanks alone', () => {
    const {t, plural} = languageFor('es', 'Aurora', []);
    expect(t('says.rejected')).toBe('Lo ha rechazado Aurora. No se ha hecho nada.');
    expect(languageFor('es', '', []).t('says.rejected')).toContain('el propietario');
    expect(plural('says.knownSent', 1)).toContain('una vez');
    expect(plural('says.knownSent', 3)).toContain('3 veces');
    expect(t('app.signedIn')).toBe('Hablas como {name}');
  });
});

describe('slug', () => {
  it('is small, plain and joined', () => {
    expect(slug('  Comparar opciones (año) ')).toBe('comparar_opciones_ano');
  });
});
