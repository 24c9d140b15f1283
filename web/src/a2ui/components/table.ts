/** Tabla: rows of data under named columns, each in its own way of writing. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {z} from 'zod';

import {amounts, rowsOf} from '../amounts.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {formatDate} from '../format-date.ts';

const FORMATS = ['texto', 'numero', 'moneda', 'fecha'] as const;

const TableApi = {
  name: 'Tabla',
  schema: z
    .object({
      accessibility: CommonSchemas.AccessibilityAttributes.optional(),
      weight: z.number().optional(),
      titulo: CommonSchemas.DynamicString,
      filas: CommonSchemas.DynamicValue,
      columnas: z
        .array(
          z
            .object({
              titulo: CommonSchemas.DynamicString,
              campo: z.string(),
              formato: z.enum(FORMATS).optional(),
              moneda: z.string().optional(),
            })
            .strict(),
        )
        .min(1),
    })
    .strict(),
};

type Props = PropsOf<typeof TableApi>;
type Column = Props['columnas'][number];

class TableElement extends SurfaceElement<typeof TableApi> {
  protected override readonly api = TableApi;

  protected override draw({titulo, filas, columnas}: Props): unknown {
    const rows = rowsOf(filas);
    const {t} = this.host.language;
    const id = `${this.uid}-title`;
    // What may scroll sideways must be reachable by keyboard.
    return html`<div class="a2-table" role="group" tabindex="0" aria-labelledby=${id}>
      <table>
        <caption id=${id}>${titulo}</caption>
        <thead>
          <tr>
            ${columnas.map(
              (column) =>
                html`<th scope="col" class=${lookOf(column)}>${column.titulo}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.length
            ? rows.map((row) => html`<tr>${columnas.map((column, index) => this.#cell(row, column, index))}</tr>`)
            : html`<tr><td colspan=${columnas.length}>${t('surface.noData')}</td></tr>`}
        </tbody>
      </table>
    </div>`;
  }

  /** The first column names its row. */
  #cell(row: Record<string, unknown>, column: Column, index: number): unknown {
    const words = this.#write(row[column.campo], column);
    return index === 0
      ? html`<th scope="row">${words}</th>`
      : html`<td class=${lookOf(column)}>${words}</td>`;
  }

  #write(value: unknown, {formato, moneda}: Column): unknown {
    if (value === undefined || value === null) return nothing;
    const {locale} = this.host.language;
    const isAmount = formato === 'numero' || formato === 'moneda';
    if (isAmount && typeof value === 'number') return amounts(locale, moneda)(value);
    if (formato === 'fecha') return formatDate(value, 'd MMM yyyy', locale) || String(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

const lookOf = ({formato}: Column): string =>
  formato === 'numero' || formato === 'moneda' ? 'a2-amount' : '';

export const TABLE = define(TableApi, 'maya-a2-table', TableElement);
