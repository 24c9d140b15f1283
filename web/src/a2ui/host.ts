/** What a component may ask of the surface that it stands in. */

import type {Language} from '../strings/index.ts';

/** An action as a component fires it. */
export interface Fired {
  /** The component and the data it stands on. */
  key: string;
  name: string;
  sourceComponentId: string;
  context: Record<string, unknown>;
}

export interface SurfaceHost {
  readonly language: Language;
  /** Carries an action out: here where it only navigates, else by the agent. */
  act(fired: Fired): void;
  isBusy(key: string): boolean;
  /** True where an action of this name has to wait for what is under way. */
  mustWait(name: string): boolean;
  /** Calls back whenever an action leaves or ends; returns how to stop that. */
  watchActions(changed: () => void): () => void;
  /** Somebody typed or chose `value` for the data at `path`. */
  edited(path: string, value: unknown): void;
  /** True where what is at this origin may be shown. */
  mayLoad(origin: string): boolean;
  headingLevel(componentId: string): number;
}
