/** GraficoDesglose: what a whole is made of, as one bar and its parts in words. */

import {html, svg} from 'lit';
import type {TemplateResult} from 'lit';

import {amounts, pointsOf} from '../amounts.ts';
import type {Point} from '../amounts.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {FIGURE, renderFigure} from '../figure.ts';

const BreakdownApi = {name: 'GraficoDesglose', schema: FIGURE};

/** The style sheet has as many colours; then they begin again, and the words tell. */
const COLOURS = 6;

class BreakdownElement extends SurfaceElement<typeof BreakdownApi> {
  protected override readonly api = BreakdownApi;

  protected override draw(props: PropsOf<typeof BreakdownApi>): unknown {
    const {language} = this.host;
    // A part of a whole is more than nothing.
    const parts = pointsOf(props.datos).filter(({valor}) => valor > 0);
    const content = parts.length ? this.#renderParts(parts, props.moneda) : null;
    return renderFigure(props, content, language);
  }

  #renderParts(parts: Point[], currency: unknown): TemplateResult {
    const {locale, t} = this.host.language;
    const write = amounts(locale, currency);
    const percent = new Intl.NumberFormat(locale, {style: 'percent', maximumFractionDigits: 1});
    const whole = parts.reduce((sum, {valor}) => sum + valor, 0);
    return html`<svg class="a2-whole" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        ${renderWhole(parts, whole)}
      </svg>
      <table>
        <tbody>
          ${parts.map(
            ({etiqueta, valor}, index) => html`<tr>
              <th scope="row"><i class="a2-key c${index % COLOURS}"></i>${etiqueta}</th>
              <td class="a2-amount">${write(valor)}</td>
              <td class="a2-share">${percent.format(valor / whole)}</td>
            </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${t('surface.total')}</th>
            <td class="a2-amount">${write(whole)}</td>
            <td></td>
          </tr>
        </tfoot>
      </table>`;
  }
}

function renderWhole(parts: Point[], whole: number): TemplateResult[] {
  let x = 0;
  return parts.map(({valor}, index) => {
    const width = (valor / whole) * 100;
    const part = svg`<rect class="c${index % COLOURS}" x=${x} width=${width} height="8"></rect>`;
    x += width;
    return part;
  }) as unknown as TemplateResult[];
}

export const BREAKDOWN = define(BreakdownApi, 'maya-a2-breakdown', BreakdownElement);
