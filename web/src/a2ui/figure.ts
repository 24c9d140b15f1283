/** What all charts share: their frame, their properties, and what they say of no data. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';
import {z} from 'zod';

import type {Language} from '../strings/index.ts';

/** `datos` is a list of `{etiqueta, valor}`; `moneda` is an ISO 4217 code. */
export const FIGURE = z
  .object({
    accessibility: CommonSchemas.AccessibilityAttributes.optional(),
    weight: z.number().optional(),
    titulo: CommonSchemas.DynamicString,
    datos: CommonSchemas.DynamicValue,
    descripcion: CommonSchemas.DynamicString.optional(),
    moneda: CommonSchemas.DynamicString.optional(),
  })
  .strict();

export function renderFigure(
  {titulo, descripcion}: {titulo?: unknown; descripcion?: unknown},
  content: TemplateResult | null,
  {t}: Language,
): TemplateResult {
  return html`<figure class="a2-chart">
    <figcaption>${titulo}</figcaption>
    ${content ?? html`<p>${t('surface.noData')}</p>`}
    ${descripcion ? html`<p class="a2-caption">${descripcion}</p>` : nothing}
  </figure>`;
}
