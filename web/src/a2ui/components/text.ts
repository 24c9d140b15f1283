/** Text: a paragraph, a caption or a heading. */

import {TextApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';

import {renderBlocks, renderInline} from '../../view/markdown.ts';
import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

class TextElement extends SurfaceElement<typeof TextApi> {
  protected override readonly api = TextApi;

  protected override draw({text, variant}: PropsOf<typeof TextApi>): unknown {
    const words = String(text ?? '');
    if (this.closest('button')) return html`<span>${renderInline(words, null)}</span>`;
    if (variant === 'caption') {
      return html`<p class="a2-caption">${renderInline(words, null)}</p>`;
    }
    if (!words.trim()) return nothing; // A heading that says nothing is none.
    if (!variant || variant === 'body') {
      return html`<div class="a2-text">${renderBlocks(words, this.host.language)}</div>`;
    }
    return this.#heading(words, variant);
  }

  #heading(words: string, variant: string): unknown {
    const level = this.host.headingLevel(this.context.componentModel.id);
    return html`<div class="a2-heading ${variant}" role="heading" aria-level=${level}>
      ${renderInline(words, null)}
    </div>`;
  }
}

export const TEXT = define(TextApi, 'maya-a2-text', TextElement);
