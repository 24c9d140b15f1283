/** `<maya-surface>`: one surface in the conversation, and what its components may ask. */

import {ComponentContext} from '@a2ui/web_core/v0_9';
import {LitElement, nothing} from 'lit';
import {html, unsafeStatic} from 'lit/static-html.js';

import type {Language} from '../strings/index.ts';
import {sentence} from '../view/problem.ts';
import {SurfaceElement} from './element.ts';
import type {Fired, SurfaceHost} from './host.ts';
import {navigate} from './navigate.ts';
import {renderRefusal} from './refusal.ts';
import type {Model, Surfaces} from './surfaces.ts';

/** Names that only move about in the surface; they never leave the page. */
const LOCAL = /^ver_/;

export class SurfaceView extends LitElement implements SurfaceHost {
  static override properties = {
    surfaces: {attribute: false},
    surfaceId: {attribute: false},
    language: {attribute: false},
    version: {attribute: false},
  };
  declare surfaces: Surfaces;
  declare surfaceId: string;
  declare language: Language;
  /** How many messages the surface had: another number draws it anew. */
  declare version: number;
  #unsubscribe: (() => void)[] = [];
  #root: ComponentContext | null = null;

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = [this.surfaces.gate.watch(() => this.requestUpdate())];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  act(fired: Fired): void {
    const model = this.#model;
    if (!model) return;
    if (LOCAL.test(fired.name)) {
      navigate(this, model.dataModel, fired);
      return;
    }
    this.surfaces.edits(this.surfaceId)?.acted();
    const type = model.componentsModel.get(fired.sourceComponentId)?.type;
    this.surfaces.gate.submit(this.surfaceId, fired, {keepLast: type !== 'Button'});
  }

  isBusy(key: string): boolean {
    return this.surfaces.gate.isBusy(this.surfaceId, key);
  }

  /** Moving about is always possible. */
  mustWait(name: string): boolean {
    return !LOCAL.test(name) && this.surfaces.gate.isUnsettled(this.surfaceId);
  }

  watchActions(changed: () => void): () => void {
    return this.surfaces.gate.watch(changed);
  }

  edited(path: string, value: unknown): void {
    this.surfaces.edits(this.surfaceId)?.edited(path, value);
  }

  mayLoad(origin: string): boolean {
    return origin === location.origin || this.surfaces.origins.includes(origin);
  }

  headingLevel(componentId: string): number {
    return this.surfaces.headingLevel(this.surfaceId, componentId);
  }

  override render(): unknown {
    const isBroken = this.surfaces.isBroken(this.surfaceId);
    if (!this.#model && !isBroken) return nothing; // Deleted.
    const {t} = this.language;
    const problem = this.surfaces.gate.problem(this.surfaceId);
    return html`
      <h2 class="sr-only">${t('surface.label')}</h2>
      ${this.#renderRoot()}
      ${isBroken ? renderRefusal(t('surface.broken')) : nothing}
      ${problem
        ? html`<p class="problem" role="alert">
            ${t('surface.refused')} ${sentence(problem, this.language)}
          </p>`
        : nothing}
    `;
  }

  get #model(): Model | undefined {
    return this.surfaces.model(this.surfaceId);
  }

  #renderRoot(): unknown {
    const model = this.#model;
    const root = model?.componentsModel.get('root');
    if (!model || !root) return nothing;
    if (this.#root?.componentModel !== root) {
      this.#root = new ComponentContext(model, 'root', '/');
    }
    const tag = model.catalog.components.get(root.type)?.tagName;
    if (!tag) return renderRefusal(this.language.t('surface.unknown', {name: root.type}));
    const name = unsafeStatic(tag);
    return html`<${name} .context=${this.#root}></${name}>`;
  }
}

/** Where in its surface's data somebody is typing right now. */
export function typingPath(surfaceId: string): string | null {
  for (let node = document.activeElement; node; node = node.parentElement) {
    if (node instanceof SurfaceView && node.surfaceId !== surfaceId) return null;
    if (node instanceof SurfaceElement && node.valuePath) return node.valuePath;
  }
  return null;
}

customElements.define('maya-surface', SurfaceView);
