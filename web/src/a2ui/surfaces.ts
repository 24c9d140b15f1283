/** Holds the surfaces of a conversation: feeds the engine with their messages, in order. */

import {A2uiMessageSchema, MessageProcessor} from '@a2ui/web_core/v0_9';
import type {A2uiMessage, SurfaceModel, WebComponentImplementation} from '@a2ui/web_core/v0_9';

import type {Language} from '../strings/index.ts';
import type {Surface} from '../view.ts';
import {Edits} from './edits.ts';
import type {Gate} from './gate.ts';
import {headingLevels} from './headings.ts';
import {catalogsFor} from './registry.ts';

export type Model = SurfaceModel<WebComponentImplementation>;

interface Held {
  applied: Set<number>;
  last: number;
  edits: Edits;
  isBroken: boolean;
  levels: Map<string, number> | null;
}

export class Surfaces {
  readonly #processor: MessageProcessor<WebComponentImplementation>;
  readonly #held = new Map<string, Held>();

  constructor(
    language: Language,
    readonly gate: Gate,
    /** Whose images may show, besides this page's own. */
    readonly origins: readonly string[] = [],
  ) {
    this.#processor = new MessageProcessor(catalogsFor(language));
  }

  model(surfaceId: string): Model | undefined {
    return this.#processor.model.getSurface(surfaceId);
  }

  /** True where a message of this surface could not be applied. */
  isBroken(surfaceId: string): boolean {
    return this.#held.get(surfaceId)?.isBroken ?? false;
  }

  edits(surfaceId: string): Edits | undefined {
    return this.#held.get(surfaceId)?.edits;
  }

  headingLevel(surfaceId: string, componentId: string): number {
    const held = this.#held.get(surfaceId);
    const model = this.model(surfaceId);
    if (!held || !model) return 3;
    held.levels ??= headingLevels(model.componentsModel);
    return held.levels.get(componentId) ?? 3;
  }

  /**
   * Brings the surfaces to what the view says. `typing` tells where in a surface's data
   * somebody is typing at this moment.
   */
  sync(surfaces: readonly Surface[], typing: (surfaceId: string) => string | null): void {
    const wanted = new Set(surfaces.map((surface) => surface.surface_id));
    for (const surfaceId of this.#held.keys()) if (!wanted.has(surfaceId)) this.#drop(surfaceId);
    for (const surface of surfaces) this.#bring(surface, typing);
  }

  #bring(surface: Surface, typing: (surfaceId: string) => string | null): void {
    const {surface_id: surfaceId, messages} = surface;
    const known = this.#held.get(surfaceId);
    const isLate = messages.some(
      ({position}) => known && position < known.last && !known.applied.has(position),
    );
    if (isLate) this.#drop(surfaceId); // Something came between: begin again.
    const held = this.#held.get(surfaceId) ?? this.#hold(surfaceId);
    for (const {position, message} of messages) {
      if (held.applied.has(position)) continue;
      held.applied.add(position);
      held.last = position;
      held.levels = null;
      this.#apply(surfaceId, held, {version: 'v0.9', ...message}, typing(surfaceId));
    }
  }

  #apply(surfaceId: string, held: Held, raw: object, typing: string | null): void {
    try {
      const message: A2uiMessage = A2uiMessageSchema.parse(raw);
      const model = this.model(surfaceId);
      // A surface that exists is updated, never created over.
      if ('createSurface' in message && model) return;
      const write = (): void => this.#processor.processMessages([message]);
      if (!('updateDataModel' in message) || !model) write();
      else held.edits.around(model.dataModel, pathOf(message.updateDataModel), typing, write);
    } catch (error) {
      held.isBroken = true;
      console.warn('A surface message could not be applied.', String(error));
    }
  }

  #hold(surfaceId: string): Held {
    const held = {
      applied: new Set<number>(),
      last: 0,
      edits: new Edits(),
      isBroken: false,
      levels: null,
    };
    this.#held.set(surfaceId, held);
    return held;
  }

  #drop(surfaceId: string): void {
    this.#held.delete(surfaceId);
    this.#processor.model.deleteSurface(surfaceId);
  }
}

/** Without its last slash, so that paths compare. */
function pathOf({path}: {path?: string | undefined}): string {
  return path && path !== '/' ? path.replace(/\/$/, '') : '/';
}
