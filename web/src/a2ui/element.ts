/**
 * What all components of a surface share: bound properties, children, actions.
 *
 * They draw into the page itself (no shadow), so that one style sheet serves all, labels
 * find their fields, and a strict Content-Security-Policy holds.
 */

import {ComponentContext, GenericBinder} from '@a2ui/web_core/v0_9';
import type {Action, ComponentApi, ResolveA2uiProps} from '@a2ui/web_core/v0_9';
import {LitElement, nothing} from 'lit';
import type {PropertyValues} from 'lit';
import {html, unsafeStatic} from 'lit/static-html.js';
import type {z} from 'zod';

import type {SurfaceHost} from './host.ts';
import {renderRefusal} from './refusal.ts';

/** A child by its id, or by id and the data that a list gives it. */
export type ChildRef = string | {id: string; basePath: string};

type EventAction = Extract<Action, {event: unknown}>;

export type PropsOf<Api extends ComponentApi> = ResolveA2uiProps<z.infer<Api['schema']>>;

/** Weights go from 1 to this; the style sheet has a rule for each. */
const MOST_WEIGHT = 12;

let count = 0;

export abstract class SurfaceElement<Api extends ComponentApi = ComponentApi> extends LitElement {
  static override properties = {context: {attribute: false}};
  declare context: ComponentContext;
  /** Unique in the page, for labels and descriptions. */
  protected readonly uid = `a2-${++count}`;
  protected abstract readonly api: Api;
  #binder: GenericBinder<PropsOf<Api>> | null = null;
  #props: PropsOf<Api> | null = null;
  #unsubscribe: (() => void)[] = [];
  /** Values of fields that no data is bound to. */
  #own: Record<string, unknown> = {};
  readonly #children = new Map<string, ComponentContext>();

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#bind();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#release();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('context')) return;
    this.#release();
    this.#own = {};
    this.#children.clear();
    this.#bind();
    this.dataset['component'] = this.context.componentModel.id;
  }

  override render(): unknown {
    if (!this.#props) return nothing;
    const {weight} = this.#props as {weight?: number};
    if (weight) this.dataset['weight'] = String(clampWeight(weight));
    else delete this.dataset['weight'];
    return this.draw(this.#props);
  }

  protected abstract draw(props: PropsOf<Api>): unknown;

  /** The surface's element, which knows language and actions. */
  protected get host(): SurfaceHost {
    return this.closest('maya-surface') as unknown as SurfaceHost;
  }

  /** Names this component with the data it stands on: one of a list is not the others. */
  protected get key(): string {
    const {componentModel, dataContext} = this.context;
    return `${componentModel.id} ${dataContext.path}`;
  }

  /** Reads a property, or what was typed into it where no data is bound. */
  protected read<T>(name: string): T | undefined {
    const props = this.#props as Record<string, unknown> | null;
    return (name in this.#own ? this.#own[name] : props?.[name]) as T | undefined;
  }

  /** Writes what somebody typed or chose, and remembers that it is theirs. */
  protected write(name: string, value: unknown): void {
    const path = this.#boundPath(name);
    if (path === null) {
      this.#own[name] = value;
      this.requestUpdate();
      return;
    }
    this.host.edited(path, value);
    this.context.dataContext.dataModel.set(path, value);
  }

  /** Sends this component's action to the agent, or carries it out here. */
  protected fire(): void {
    const action = this.context.componentModel.properties['action'] as Action | undefined;
    if (!action) return;
    const resolved = this.context.dataContext.resolveAction(action);
    if (!resolved?.event) return;
    this.host.act({
      key: this.key,
      name: resolved.event.name,
      sourceComponentId: this.context.componentModel.id,
      context: resolved.event.context ?? {},
    });
  }

  /** True while another action of the surface is under way, which this one awaits. */
  protected get mustWait(): boolean {
    const action = this.context.componentModel.properties['action'] as Partial<EventAction>;
    return action?.event !== undefined && this.host.mustWait(action.event.name);
  }

  /** Draws a child; a missing one is simply not there yet. */
  protected child(ref: ChildRef | undefined): unknown {
    if (!ref) return nothing;
    const {surface, path: ownPath} = this.context.dataContext;
    const id = typeof ref === 'string' ? ref : ref.id;
    const path = typeof ref === 'string' ? ownPath : ref.basePath;
    const model = surface.componentsModel.get(id);
    if (!model) return nothing;
    if (this.#isInside(id, path)) return nothing; // A surface that contains itself.
    const tag = (surface.catalog.components.get(model.type) as {tagName?: string} | undefined)
      ?.tagName;
    const {t} = this.host.language;
    if (!tag) return renderRefusal(t('surface.unknown', {name: model.type}));
    const name = unsafeStatic(tag);
    return html`<${name} .context=${this.#contextOf(id, path)}></${name}>`;
  }

  /** The same context for the same child, so that it is not bound anew at each drawing. */
  #contextOf(id: string, path: string): ComponentContext {
    const {surface} = this.context.dataContext;
    const key = `${id} ${path}`;
    const known = this.#children.get(key);
    if (known && known.componentModel === surface.componentsModel.get(id)) return known;
    const context = new ComponentContext(surface, id, path);
    this.#children.set(key, context);
    return context;
  }

  #isInside(id: string, path: string): boolean {
    const wanted = `${id} ${path}`;
    for (let node: Element | null = this; node; node = node.parentElement) {
      if (node instanceof SurfaceElement && node.key === wanted) return true;
    }
    return false;
  }

  /** Shows what an action such as `ver_<name>` asks for; `false` where it is not here. */
  reveal(_name: string): boolean {
    return false;
  }

  /** Where the value that somebody types here is kept, if anywhere. */
  get valuePath(): string | null {
    return this.#boundPath('value');
  }

  #boundPath(name: string): string | null {
    const value = this.context.componentModel.properties[name] as unknown;
    if (typeof value !== 'object' || value === null || !('path' in value)) return null;
    return this.context.dataContext.nested(String(value.path)).path;
  }

  #bind(): void {
    const {surface} = this.context.dataContext;
    this.#binder = new GenericBinder(this.context, this.api.schema);
    this.#props = this.#binder.snapshot;
    const update = (): void => this.requestUpdate();
    const bound = this.#binder.subscribe((props) => {
      this.#props = props;
      update();
    });
    const created = surface.componentsModel.onCreated.subscribe(update);
    const acted = this.host?.watchActions(update);
    this.#unsubscribe = [
      () => bound.unsubscribe(),
      () => created.unsubscribe(),
      () => acted?.(),
    ];
  }

  #release(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    this.#binder?.dispose();
    this.#binder = null;
  }
}

function clampWeight(weight: number): number {
  return Math.min(MOST_WEIGHT, Math.max(1, Math.round(weight)));
}
