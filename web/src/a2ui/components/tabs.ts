/** Tabs: the tab pattern with arrow keys; which one is open may be bound to the data. */

import {CommonSchemas, TabsApi} from '@a2ui/web_core/v0_9';
import {html} from 'lit';

import {define} from '../define.ts';
import {SurfaceElement} from '../element.ts';
import type {PropsOf} from '../element.ts';
import {slug} from '../slug.ts';

const OurTabsApi = {
  name: TabsApi.name,
  schema: TabsApi.schema.extend({activa: CommonSchemas.DynamicNumber.optional()}),
};

type Props = PropsOf<typeof OurTabsApi>;

class TabsElement extends SurfaceElement<typeof OurTabsApi> {
  protected override readonly api = OurTabsApi;
  #tabs: Props['tabs'] = [];

  protected override draw({tabs, accessibility}: Props): unknown {
    this.#tabs = tabs;
    const open = this.#open;
    const label = accessibility?.label ?? this.host.language.t('surface.options');
    return html`<div class="a2-tabs" role="tablist" aria-label=${label} @keydown=${this.#keyed}>
        ${tabs.map(
          ({title}, index) => html`<button
            type="button"
            role="tab"
            id="${this.uid}-tab${index}"
            aria-selected=${index === open ? 'true' : 'false'}
            aria-controls="${this.uid}-panel${index}"
            tabindex=${index === open ? 0 : -1}
            @click=${() => this.#go(index)}
          >
            ${title}
          </button>`,
        )}
      </div>
      ${tabs.map(
        ({child}, index) => html`<div
          class="a2-panel"
          role="tabpanel"
          id="${this.uid}-panel${index}"
          aria-labelledby="${this.uid}-tab${index}"
          ?hidden=${index !== open}
        >
          ${this.child(child)}
        </div>`,
      )}`;
  }

  /** Opens the tab whose child's id or title is `name`. */
  override reveal(name: string): boolean {
    const index = this.#tabs.findIndex(
      ({child, title}) => child === name || slug(String(title ?? '')) === name,
    );
    if (index < 0) return false;
    this.#go(index);
    return true;
  }

  get #open(): number {
    const wanted = Math.round(Number(this.read('activa') ?? 0)) || 0;
    return Math.min(Math.max(wanted, 0), this.#tabs.length - 1);
  }

  #go(index: number): void {
    this.write('activa', index);
  }

  #keyed(event: KeyboardEvent): void {
    const last = this.#tabs.length - 1;
    const open = this.#open;
    const index = {
      ArrowRight: open === last ? 0 : open + 1,
      ArrowLeft: open === 0 ? last : open - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (index === undefined) return;
    event.preventDefault();
    this.#go(index);
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>(`#${this.uid}-tab${index}`)?.focus(),
    );
  }
}

export const TABS = define(OurTabsApi, 'maya-a2-tabs', TabsElement);
