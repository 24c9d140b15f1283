/** Image: of this site or its owner's, so that nobody else learns who reads what. */

import {ImageApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {renderRefusal} from '../refusal.ts';

class ImageElement extends SurfaceElement<typeof ImageApi> {
  protected override readonly api = ImageApi;

  protected override draw(props: PropsOf<typeof ImageApi>): unknown {
    const {url, description, accessibility, variant, fit} = props;
    const address = addressOf(url);
    if (!address || !this.host.mayLoad(address.origin)) {
      const host = address?.host || String(url ?? '');
      return renderRefusal(this.host.language.t('surface.image', {host}));
    }
    return html`<img
      class="a2-image ${variant ?? 'mediumFeature'}"
      data-fit=${fit ?? 'fill'}
      src=${address.href}
      alt=${description ?? accessibility?.label ?? ''}
      title=${accessibility?.description ?? nothing}
      loading="lazy"
      decoding="async"
    />`;
  }
}

function addressOf(url: unknown): URL | null {
  try {
    return new URL(String(url ?? ''), location.href);
  } catch {
    return null;
  }
}

export const IMAGE = define(ImageApi, 'maya-a2-image', ImageElement);
