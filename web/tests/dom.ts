/** Puts surfaces and templates into a page, for tests that need one. */

import {render} from 'lit';

import {Gate} from '../src/a2ui/gate.ts';
import type {Action} from '../src/a2ui/gate.ts';
import {typingPath} from '../src/a2ui/surface.ts';
import type {SurfaceView} from '../src/a2ui/surface.ts';
import {Surfaces} from '../src/a2ui/surfaces.ts';
import {languageFor} from '../src/strings/index.ts';
import type {Json} from '../src/events.ts';
import type {Surface} from '../src/view.ts';

type Message = Record<string, Json>;

export const SPANISH = languageFor('es', '', ['es-ES']);

/** Lets all elements draw, and those inside them. */
export async function drawn(): Promise<void> {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

export function draw(template: unknown): HTMLElement {
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  render(template, place);
  return place;
}

/** A surface in the page, what it sent, and a way to send it more. */
export class Stage {
  readonly sent: Action[] = [];
  readonly element = document.createElement('maya-surface') as SurfaceView;
  readonly #surfaces: Surfaces;
  #messages: Surface['messages'] = [];
  #answer: () => Promise<void> = () => Promise.resolve();

  constructor(components: Json[], data: Json = {}) {
    const send = (action: Action): Promise<void> => (this.sent.push(action), this.#answer());
    this.#surfaces = new Surfaces(SPANISH, new Gate(send), ['https://tienda.example']);
    const ours = {surfaceId: 's1', catalogId: '/catalogo/v1.json'};
    this.#add({createSurface: ours});
    this.#add({updateDataModel: {surfaceId: 's1', value: data}});
    this.#add({updateComponents: {surfaceId: 's1', components}});
    this.element.surfaces = this.#surfaces;
    this.element.surfaceId = 's1';
    this.element.language = SPANISH;
    this.#sync();
    document.body.replaceChildren(this.element);
  }

  get model() {
    return this.#surfaces.model('s1')!.dataModel;
  }

  /** From now on, actions are answered as `answer` says. */
  answering(answer: () => Promise<void>): void {
    this.#answer = answer;
  }

  async update(message: Message): Promise<void> {
    this.#add(message);
    this.#sync();
    await drawn();
  }

  find<E extends HTMLElement>(selector: string): E {
    const found = this.element.querySelector<E>(selector);
    if (!found) throw new Error(`no ${selector} in ${this.element.innerHTML}`);
    return found;
  }

  get text(): string {
    return (this.element.textContent ?? '').replace(/\s+/g, ' ').trim();
  }

  #add(message: Message): void {
    const position = this.#messages.length + 1;
    this.#messages = [...this.#messages, {position, message}];
  }

  #sync(): void {
    const surface = {surface_id: 's1', run_id: 't', position: 1, messages: this.#messages};
    this.#surfaces.sync([surface], typingPath);
    this.element.version = this.#messages.length;
  }
}

export const text = (id: string, value: Json, more = {}) => ({
  id,
  component: 'Text',
  text: value,
  ...more,
});

export const event = (name: string, context: object = {}) => ({event: {name, context}});

/** Puts a surface into the page, drawn. */
export async function stage(components: unknown[], data: unknown = {}): Promise<Stage> {
  const made = new Stage(components as Json[], data as Json);
  await drawn();
  return made;
}
