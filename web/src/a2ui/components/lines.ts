/** GraficoLineas: how amounts go from one label to the next, with all of them in a table. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing, svg} from 'lit';
import type {TemplateResult} from 'lit';

import {amounts, pointsOf, rowsOf} from '../amounts.ts';
import type {Point} from '../amounts.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {FIGURE, renderFigure} from '../figure.ts';

/** `series` is a list of `{nombre, campo}`: which fields of the data, and their names. */
const LinesApi = {
  name: 'GraficoLineas',
  schema: FIGURE.extend({series: CommonSchemas.DynamicValue.optional()}),
};

type Props = PropsOf<typeof LinesApi>;

interface Line {
  nombre: string;
  points: Point[];
}

/** The style sheet has as many kinds of line; more would not be told apart. */
const MOST_LINES = 4;

class LinesElement extends SurfaceElement<typeof LinesApi> {
  protected override readonly api = LinesApi;

  protected override draw(props: Props): unknown {
    const {language} = this.host;
    const lines = linesOf(props);
    return renderFigure(props, lines.length ? this.#renderLines(lines, props) : null, language);
  }

  #renderLines(lines: Line[], {moneda}: Props): TemplateResult {
    const {locale, t} = this.host.language;
    const write = amounts(locale, moneda);
    const values = lines.flatMap(({points}) => points.map(({valor}) => valor));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const labels = lines[0]?.points.map(({etiqueta}) => etiqueta) ?? [];
    return html`<div class="a2-plot" aria-hidden="true">
        <span>${write(most)}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" focusable="false">
          ${lines.map(
            ({points}, index) =>
              svg`<polyline class="c${index}" points=${drawn(points, least, most)}></polyline>`,
          )}
        </svg>
        <span>${least < most ? write(least) : nothing}</span>
        <p>
          <span>${labels[0]}</span><span>${labels.length > 1 ? labels.at(-1) : nothing}</span>
        </p>
      </div>
      ${lines.length > 1 ? renderKey(lines) : nothing}
      <p class="sr-only">${lines.map((line) => t('surface.line', wordsOf(line, write))).join(' ')}</p>
      <details class="more">
        <summary>${t('surface.data')}</summary>
        ${renderData(lines, labels, write)}
      </details>`;
  }
}

function linesOf({datos, series}: Props): Line[] {
  const declared = rowsOf(series).map(({nombre, campo}) => ({
    nombre: String(nombre ?? campo),
    points: pointsOf(datos, String(campo)),
  }));
  const lines = declared.length ? declared : [{nombre: '', points: pointsOf(datos)}];
  return lines.filter(({points}) => points.length).slice(0, MOST_LINES);
}

/** A flat line stands in the middle, and a single point is a flat line. */
function drawn(points: Point[], least: number, most: number): string {
  const steps = Math.max(1, points.length - 1);
  const all = points.length === 1 ? [...points, ...points] : points;
  return all
    .map(({valor}, index) => {
      const height = most === least ? 0.5 : (valor - least) / (most - least);
      return `${(index / steps) * 100},${96 - height * 92}`;
    })
    .join(' ');
}

function wordsOf({nombre, points}: Line, write: (value: number) => string): Record<string, string> {
  const [first, last] = [points[0], points.at(-1)];
  return {
    name: nombre && `${nombre}: `,
    from: `${write(first?.valor ?? 0)} (${first?.etiqueta})`,
    to: `${write(last?.valor ?? 0)} (${last?.etiqueta})`,
  };
}

function renderKey(lines: Line[]): TemplateResult {
  return html`<ul class="a2-keys" aria-hidden="true">
    ${lines.map(
      ({nombre}, index) => html`<li>
        <svg viewBox="0 0 24 4">${svg`<line class="c${index}" x2="24" y1="2" y2="2"></line>`}</svg>
        ${nombre}
      </li>`,
    )}
  </ul>`;
}

function renderData(
  lines: Line[],
  labels: string[],
  write: (value: number) => string,
): TemplateResult {
  const isNamed = lines.some(({nombre}) => nombre);
  return html`<table>
    ${isNamed
      ? html`<thead>
          <tr>
            <td></td>
            ${lines.map(({nombre}) => html`<th scope="col">${nombre}</th>`)}
          </tr>
        </thead>`
      : nothing}
    <tbody>
      ${labels.map(
        (label, row) => html`<tr>
          <th scope="row">${label}</th>
          ${lines.map(({points}) => {
            const point = points[row];
            return html`<td class="a2-amount">${point ? write(point.valor) : nothing}</td>`;
          })}
        </tr>`,
      )}
    </tbody>
  </table>`;
}

export const LINES = define(LinesApi, 'maya-a2-lines', LinesElement);
