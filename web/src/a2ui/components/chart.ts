/** GraficoBarras: bars to compare amounts, with a table for whoever does not see them. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing, svg} from 'lit';
import {z} from 'zod';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

const ChartApi = {
  name: 'GraficoBarras',
  schema: z
    .object({
      accessibility: CommonSchemas.AccessibilityAttributes.optional(),
      weight: z.number().optional(),
      titulo: CommonSchemas.DynamicString,
      datos: CommonSchemas.DynamicValue,
      descripcion: CommonSchemas.DynamicString.optional(),
      moneda: CommonSchemas.DynamicString.optional(),
    })
    .strict(),
};

interface Bar {
  etiqueta: string;
  valor: number;
}

class ChartElement extends SurfaceElement<typeof ChartApi> {
  protected override readonly api = ChartApi;

  protected override draw(props: PropsOf<typeof ChartApi>): unknown {
    const {titulo, descripcion, moneda} = props;
    const bars = barsOf(props.datos);
    const {locale, t} = this.host.language;
    const format = formatFor(locale, moneda as string | undefined);
    return html`<figure class="a2-chart">
      <figcaption>${titulo}</figcaption>
      ${bars.length ? renderTable(bars, format) : html`<p>${t('surface.noData')}</p>`}
      ${descripcion ? html`<p class="a2-caption">${descripcion}</p>` : nothing}
    </figure>`;
  }
}

/** The bars stand in the table itself: one text, one order, for eyes and ears. */
function renderTable(bars: Bar[], format: (value: number) => string): unknown {
  const most = Math.max(...bars.map((bar) => Math.abs(bar.valor)), Number.MIN_VALUE);
  return html`<table>
    <tbody>
      ${bars.map(
        ({etiqueta, valor}) => html`<tr>
          <th scope="row">${etiqueta}</th>
          <td class="a2-bar" aria-hidden="true">
            ${renderBar(Math.abs(valor) / most, valor < 0)}
          </td>
          <td class="a2-amount">${format(valor)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderBar(share: number, isNegative: boolean): unknown {
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
    ${svg`<rect class=${isNegative ? 'negative' : ''} width=${share * 100} height="10"></rect>`}
  </svg>`;
}

function formatFor(locale: string, currency?: string): (value: number) => string {
  const money = {style: 'currency', currency, maximumFractionDigits: 2} as const;
  try {
    const format = new Intl.NumberFormat(locale, currency ? money : {});
    return (value) => format.format(value);
  } catch {
    return (value) => `${new Intl.NumberFormat(locale).format(value)} ${currency}`;
  }
}

function barsOf(data: unknown): Bar[] {
  if (!Array.isArray(data)) return [];
  return data.flatMap((item: Partial<Bar> | null) => {
    const valor = Number(item?.valor);
    return Number.isFinite(valor) ? [{etiqueta: String(item?.etiqueta ?? ''), valor}] : [];
  });
}

export const CHART = define(ChartApi, 'maya-a2-chart', ChartElement);
