/** Row, Column, List, Card and Divider: where the others stand. */

import {CardApi, ColumnApi, DividerApi, ListApi, RowApi} from '@a2ui/web_core/v0_9';
import {html, nothing} from 'lit';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';

class RowElement extends SurfaceElement<typeof RowApi> {
  protected override readonly api = RowApi;

  protected override draw({children, justify, align}: PropsOf<typeof RowApi>): unknown {
    return html`<div class="a2-row" data-justify=${justify ?? 'start'} data-align=${align ?? 'stretch'}>
      ${(children ?? []).map((ref) => this.child(ref))}
    </div>`;
  }
}

class ColumnElement extends SurfaceElement<typeof ColumnApi> {
  protected override readonly api = ColumnApi;

  protected override draw({children, justify, align}: PropsOf<typeof ColumnApi>): unknown {
    return html`<div class="a2-column" data-justify=${justify ?? 'start'} data-align=${align ?? 'stretch'}>
      ${(children ?? []).map((ref) => this.child(ref))}
    </div>`;
  }
}

class ListElement extends SurfaceElement<typeof ListApi> {
  protected override readonly api = ListApi;

  protected override draw(props: PropsOf<typeof ListApi>): unknown {
    const {children, direction, align, listStyle, accessibility} = props;
    const refs = children ?? [];
    if (!refs.length) return nothing;
    const items = refs.map((ref) => html`<li>${this.child(ref)}</li>`);
    const isAcross = direction === 'horizontal';
    const label = accessibility?.label ?? nothing;
    // A list that scrolls sideways must be reachable by keyboard.
    return html`<ul
      class="a2-list ${isAcross ? 'across' : 'down'} ${listStyle ?? 'none'}"
      role="list"
      data-align=${align ?? 'stretch'}
      aria-label=${label}
      tabindex=${isAcross ? 0 : nothing}
    >
      ${items}
    </ul>`;
  }
}

class CardElement extends SurfaceElement<typeof CardApi> {
  protected override readonly api = CardApi;

  protected override draw({child, accessibility}: PropsOf<typeof CardApi>): unknown {
    const label = accessibility?.label;
    return html`<div
      class="a2-card"
      role=${label ? 'group' : nothing}
      aria-label=${label ?? nothing}
    >
      ${this.child(child)}
    </div>`;
  }
}

class DividerElement extends SurfaceElement<typeof DividerApi> {
  protected override readonly api = DividerApi;

  protected override draw({axis}: PropsOf<typeof DividerApi>): unknown {
    const isUpright = axis === 'vertical';
    return html`<hr
      class="a2-divider ${isUpright ? 'upright' : ''}"
      aria-orientation=${isUpright ? 'vertical' : nothing}
    />`;
  }
}

export const ROW = define(RowApi, 'maya-a2-row', RowElement);
export const COLUMN = define(ColumnApi, 'maya-a2-column', ColumnElement);
export const LIST = define(ListApi, 'maya-a2-list', ListElement);
export const CARD = define(CardApi, 'maya-a2-card', CardElement);
export const DIVIDER = define(DividerApi, 'maya-a2-divider', DividerElement);
