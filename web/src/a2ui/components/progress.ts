/** Progreso: how much of something is done. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {z} from 'zod';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

const ProgressApi = {
  name: 'Progreso',
  schema: z
    .object({
      accessibility: CommonSchemas.AccessibilityAttributes.optional(),
      weight: z.number().optional(),
      etiqueta: CommonSchemas.DynamicString,
      valor: CommonSchemas.DynamicNumber,
      maximo: CommonSchemas.DynamicNumber.optional(),
      texto: CommonSchemas.DynamicString.optional(),
    })
    .strict(),
};

/** Where nothing else is said, the value is a percentage. */
const WHOLE = 100;

class ProgressElement extends SurfaceElement<typeof ProgressApi> {
  protected override readonly api = ProgressApi;

  protected override draw(props: PropsOf<typeof ProgressApi>): unknown {
    const {etiqueta, texto} = props;
    const most = Number(props.maximo ?? WHOLE) > 0 ? Number(props.maximo ?? WHOLE) : WHOLE;
    // A value that is not there yet is work whose end nobody knows.
    const isKnown = typeof props.valor === 'number' && Number.isFinite(props.valor);
    const value = isKnown ? Math.min(most, Math.max(0, Number(props.valor))) : 0;
    const percent = new Intl.NumberFormat(this.host.language.locale, {style: 'percent'});
    const words = texto || (isKnown ? percent.format(value / most) : '');
    return html`<div class="a2-field a2-progress">
      <label for=${this.uid}>${etiqueta}</label>
      <span class="a2-value" aria-hidden="true">${words}</span>
      <progress
        id=${this.uid}
        max=${most}
        value=${isKnown ? value : nothing}
        aria-valuetext=${words || nothing}
      ></progress>
    </div>`;
  }
}

export const PROGRESS = define(ProgressApi, 'maya-a2-progress', ProgressElement);
