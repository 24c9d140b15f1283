/**
 * Carries out `ver_*` actions, which move about in a surface and are never sent.
 *
 * `ver_comparar` opens the tab whose child's id or title is "comparar", or the dialog or
 * component with that id. A context such as `{"/ui/pestana": 1}` writes to the data, for
 * whatever is bound there.
 */

import type {DataModel} from '@a2ui/web_core/v0_9';

import {SurfaceElement} from './element.ts';
import type {Fired} from './host.ts';

export function navigate(surface: HTMLElement, data: DataModel, fired: Fired): void {
  for (const [path, value] of Object.entries(fired.context)) {
    if (path.startsWith('/')) data.set(path, value);
  }
  const name = fired.name.replace(/^ver_/, '');
  const elements = [...surface.querySelectorAll<HTMLElement>('[data-component]')];
  const components = elements.filter((element) => element instanceof SurfaceElement);
  if (components.some((component) => component.reveal(name))) return;
  const target = components.find(({dataset}) => dataset['component'] === name);
  if (target) showAndFocus(target);
}

function showAndFocus(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({preventScroll: true});
  element.scrollIntoView({block: 'nearest'});
}
