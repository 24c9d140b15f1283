/** Aviso: something worth noticing; how grave it is, it says in words too. */

import {CommonSchemas} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';
import {z} from 'zod';

import {icon} from '../../icons.ts';
import type {IconName} from '../../icons.ts';
import type {Key} from '../../strings/index.ts';
import {renderInline} from '../../view/markdown.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

/** `tono` is `info`, `exito`, `aviso` or `error`; anything else is `info`. */
const AlertApi = {
  name: 'Aviso',
  schema: z
    .object({
      accessibility: CommonSchemas.AccessibilityAttributes.optional(),
      weight: z.number().optional(),
      texto: CommonSchemas.DynamicString,
      titulo: CommonSchemas.DynamicString.optional(),
      tono: CommonSchemas.DynamicString.optional(),
    })
    .strict(),
};

const TONES = {
  info: {icon: 'info', word: 'surface.info'},
  exito: {icon: 'check', word: 'surface.success'},
  aviso: {icon: 'warning', word: 'surface.warning'},
  error: {icon: 'error', word: 'surface.error'},
} as const satisfies Record<string, {icon: IconName; word: Key}>;

type Tone = keyof typeof TONES;

class AlertElement extends SurfaceElement<typeof AlertApi> {
  protected override readonly api = AlertApi;

  /** A status speaks when its words change, not when a history is read back. */
  protected override draw({texto, titulo, tono}: PropsOf<typeof AlertApi>): unknown {
    const name = Object.hasOwn(TONES, String(tono)) ? (String(tono) as Tone) : 'info';
    const {icon: drawing, word} = TONES[name];
    return html`<div class="a2-alert ${name}" role="status">
      ${icon(drawing)}
      <div>
        <span class="sr-only">${this.host.language.t(word)}</span>
        ${titulo ? html`<strong>${titulo}</strong>` : nothing}
        <p>${renderInline(String(texto ?? ''), null)}</p>
      </div>
    </div>`;
  }
}

export const ALERT = define(AlertApi, 'maya-a2-alert', AlertElement);
