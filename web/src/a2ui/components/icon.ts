/** Icon: a drawing; it speaks only where nothing else does. */

import {IconApi} from '@a2ui/web_core/v0_9';
import {html} from 'lit';
import type {TemplateResult} from 'lit';

import {drawing, icon, isIconName} from '../../icons.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {iconWord} from '../icon-words.ts';

class IconElement extends SurfaceElement<typeof IconApi> {
  protected override readonly api = IconApi;

  protected override draw({name, accessibility}: PropsOf<typeof IconApi>): unknown {
    const label = accessibility?.label ?? this.#wordWhereAlone(name);
    const picture = pictureOf(name);
    return label
      ? html`<span class="a2-icon" role="img" aria-label=${label}>${picture}</span>`
      : html`<span class="a2-icon">${picture}</span>`;
  }

  /** A button that is nothing but this drawing needs a name, and has no other. */
  #wordWhereAlone(name: unknown): string | null {
    const button = this.closest('button');
    if (!button || button.hasAttribute('aria-label') || typeof name !== 'string') return null;
    const parent = this.parentElement;
    return parent === button ? iconWord(name, this.host.language.code) : null;
  }
}

function pictureOf(name: unknown): TemplateResult {
  if (isIconName(name)) return icon(name);
  const path = (name as {svgPath?: unknown} | null)?.svgPath;
  return typeof path === 'string' ? drawing(path, 'filled') : icon('info');
}

export const ICON = define(IconApi, 'maya-a2-icon', IconElement);
