/** GraficoBarras: bars to compare amounts, in the table that says them in words. */

import {html, svg} from 'lit';
import type {TemplateResult} from 'lit';

import {amounts, pointsOf} from '../amounts.ts';
import type {Point} from '../amounts.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {FIGURE, renderFigure} from '../figure.ts';

const BarsApi = {name: 'GraficoBarras', schema: FIGURE};

class BarsElement extends SurfaceElement<typeof BarsApi> {
  protected override readonly api = BarsApi;

  protected override draw(props: PropsOf<typeof BarsApi>): unknown {
    const {language} = this.host;
    const bars = pointsOf(props.datos);
    const table = bars.length ? renderBars(bars, amounts(language.locale, props.moneda)) : null;
    return renderFigure(props, table, language);
  }
}

/** The bars stand in the table itself: one text, one order, for eyes and ears. */
function renderBars(bars: Point[], write: (value: number) => string): TemplateResult {
  const most = Math.max(...bars.map((bar) => Math.abs(bar.valor)), Number.MIN_VALUE);
  return html`<table>
    <tbody>
      ${bars.map(
        ({etiqueta, valor}) => html`<tr>
          <th scope="row">${etiqueta}</th>
          <td class="a2-bar" aria-hidden="true">
            ${renderBar(Math.abs(valor) / most, valor < 0)}
          </td>
          <td class="a2-amount">${write(valor)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderBar(share: number, isNegative: boolean): TemplateResult {
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
    ${svg`<rect class=${isNegative ? 'negative' : ''} width=${share * 100} height="10"></rect>`}
  </svg>`;
}

export const BARS = define(BarsApi, 'maya-a2-bars', BarsElement);
