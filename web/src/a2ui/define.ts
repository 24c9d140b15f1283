/** Registers a component's element under its tag, and names both to the engine. */

import type {ComponentApi, WebComponentImplementation} from '@a2ui/web_core/v0_9';

export function define<Api extends ComponentApi>(
  api: Api,
  tagName: string,
  element: CustomElementConstructor,
): WebComponentImplementation {
  customElements.define(tagName, element);
  return {name: api.name, schema: api.schema, tagName};
}
