// @vitest-environment happy-dom
import {describe, expect, it} from 'vitest';

import {stage} from './dom.ts';

const figure = (component: string, more = {}) =>
  ({id: 'root', component, titulo: 'Pagos', datos: {path: '/d'}, ...more});

const cells = (row: Element): string[] =>
  [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim());

describe('bars', () => {
  it('say in text what they draw, and leave out what is no number', async () => {
    const d = [{etiqueta: '12 meses', valor: 4480}, {etiqueta: 'raro', valor: 'x'}, null];
    const made = await stage([figure('GraficoBarras', {moneda: 'EUR'})], {d});
    expect(made.find('figcaption').textContent).toContain('Pagos');
    expect(made.element.querySelectorAll('tr').length).toBe(1);
    expect(made.find('th').textContent).toBe('12 meses');
    expect(made.find('.a2-amount').textContent).toMatch(/4480,00\s€/);
    expect(made.find('.a2-bar').getAttribute('aria-hidden')).toBe('true');
  });
});

describe('a line chart', () => {
  const d = [
    {etiqueta: 'ene', valor: 10, hoy: 30},
    {etiqueta: 'feb', valor: 20, hoy: 30},
  ];

  it('says where it begins and ends, and has all its data in a table', async () => {
    const made = await stage([figure('GraficoLineas')], {d});
    expect(made.text).toContain('de 10 (ene) a 20 (feb).');
    expect([...made.element.querySelectorAll('tr')].map(cells)).toEqual([
      ['ene', '10'],
      ['feb', '20'],
    ]);
    expect(made.find('polyline').getAttribute('points')).toBe('0,96 100,4');
    expect(made.find('.a2-plot').getAttribute('aria-hidden')).toBe('true');
  });

  it('draws several series by name, each in its own way', async () => {
    const series = [
      {nombre: 'Plan', campo: 'valor'},
      {nombre: 'Hoy', campo: 'hoy'},
      {nombre: 'Nada', campo: 'nada'},
    ];
    const made = await stage([figure('GraficoLineas', {series})], {d});
    const lines = [...made.element.querySelectorAll('polyline')];
    expect(lines.map((line) => line.getAttribute('class'))).toEqual(['c0', 'c1']);
    expect(cells(made.find('thead tr'))).toEqual(['', 'Plan', 'Hoy']);
    expect(made.text).toContain('Hoy: de 30 (ene) a 30 (feb).');
  });
});

describe('a breakdown', () => {
  it('says each part, its share and the whole; nothing is no part', async () => {
    const d = [
      {etiqueta: 'Capital', valor: 75},
      {etiqueta: 'Intereses', valor: 25},
      {etiqueta: 'Nada', valor: 0},
      {etiqueta: 'Menos', valor: -3},
    ];
    const made = await stage([figure('GraficoDesglose')], {d});
    expect([...made.element.querySelectorAll('tr')].map(cells)).toEqual([
      ['Capital', '75', '75 %'],
      ['Intereses', '25', '25 %'],
      ['Total', '100', ''],
    ]);
    const widths = [...made.element.querySelectorAll('rect')].map((part) => part.getAttribute('width'));
    expect(widths).toEqual(['75', '25']);
  });
});

describe('a chart without data', () => {
  it.each(['GraficoBarras', 'GraficoLineas', 'GraficoDesglose'])('%s says so', async (name) => {
    for (const d of [undefined, [], 'x', {a: 1}]) {
      const made = await stage([figure(name)], {d});
      expect(made.text).toContain('No hay datos.');
      expect(made.element.querySelector('svg, table')).toBeNull();
    }
  });
});

describe('a table', () => {
  const columnas = [
    {titulo: 'Concepto', campo: 'concepto'},
    {titulo: 'Fecha', campo: 'fecha', formato: 'fecha'},
    {titulo: 'Importe', campo: 'importe', formato: 'moneda', moneda: 'EUR'},
  ];
  const table = {id: 'root', component: 'Tabla', titulo: 'Cuotas', filas: {path: '/d'}, columnas};

  it('names its columns and rows, and writes each as its column says', async () => {
    const d = [{concepto: 'Cuota 1', fecha: '2026-10-01', importe: 1234.5}, {concepto: 'Vacía'}];
    const made = await stage([table], {d});
    expect(made.find('caption').textContent).toBe('Cuotas');
    const rows = [...made.element.querySelectorAll('tr')].map(cells);
    expect(rows[0]).toEqual(['Concepto', 'Fecha', 'Importe']);
    expect(rows[1]).toEqual(['Cuota 1', '1 oct 2026', '1234,50 €']);
    expect(rows[2]).toEqual(['Vacía', '', '']);
    expect(made.element.querySelectorAll('th[scope=row]').length).toBe(2);
    const label = made.find('[role=group]').getAttribute('aria-labelledby');
    expect(made.find(`#${label}`).tagName).toBe('CAPTION');
  });

  it('follows its data, and says where there is none', async () => {
    const made = await stage([table], {d: []});
    expect(made.text).toContain('No hay datos.');
    await made.update({updateDataModel: {surfaceId: 's1', path: '/d', value: [{concepto: 'Una'}]}});
    expect(made.text).not.toContain('No hay datos.');
    expect(made.find('tbody th').textContent).toBe('Una');
  });
});

describe('progress', () => {
  const bar = {id: 'root', component: 'Progreso', etiqueta: 'Pagado', valor: {path: '/n'}};

  it('has a name and says its share, within its bounds', async () => {
    const made = await stage([{...bar, maximo: 20}], {n: 5});
    const shown = made.find<HTMLProgressElement>('progress');
    expect(made.find<HTMLLabelElement>('label').htmlFor).toBe(shown.id);
    expect(shown.getAttribute('aria-valuetext')).toMatch(/^25\s%$/);
    await made.update({updateDataModel: {surfaceId: 's1', path: '/n', value: 50}});
    expect(shown.getAttribute('value')).toBe('20');
  });

  it('promises nothing where the value is not known', async () => {
    const made = await stage([bar], {});
    expect(made.find('progress').hasAttribute('value')).toBe(false);
    expect(made.find('.a2-value').textContent).toBe('');
  });
});

describe('an alert', () => {
  it('says its tone in words, and speaks when it changes', async () => {
    const alert = {id: 'root', component: 'Aviso', texto: {path: '/t'}, tono: {path: '/tono'}};
    const made = await stage([alert], {t: 'Se retrasa', tono: 'aviso'});
    const shown = made.find('[role=status]');
    expect(shown.className).toBe('a2-alert aviso');
    expect(made.text).toContain('Atención: Se retrasa');
    await made.update({updateDataModel: {surfaceId: 's1', path: '/tono', value: 'toString'}});
    expect(made.find('[role=status]')).toBe(shown);
    expect(shown.className).toBe('a2-alert info');
  });
});
