/** The view that a history of events folds to. Its keys are those of the histories' files. */

import type {Card, Json, RunState, Source, StatusCard} from './events.ts';

export interface Message {
  id: string;
  run_id: string;
  position: number;
  author: 'customer' | 'agent';
  text: string;
  /** The inference that wrote it; `null` for a customer's message. */
  attempt: number | null;
  sources: Source[];
  created: string | null;
}

export interface Turn {
  position: number;
  status: string;
  agent: string | null;
  reason: string | null;
}

export interface Tool {
  call_id: string;
  run_id: string;
  position: number;
  name: string;
  params: Json;
  operation_id: string | null;
  artifact_id: string | null;
  /** `null` while the tool runs. */
  ok: boolean | null;
}

export interface Surface {
  surface_id: string;
  run_id: string;
  position: number;
  messages: {position: number; message: Record<string, Json>}[];
}

export interface Proposal extends Card {
  position: number;
}

/** What the events alone say of a change; the receipts endpoint knows more. */
export interface RunStatus {
  position: number;
  status: RunState;
  attempts: number;
  word: string | null;
  certain: boolean | null;
  reason: string | null;
  message: string | null;
  reference: string | null;
  card: StatusCard | null;
  effect: 'claimed' | 'verified' | null;
}

export interface Choice {
  position: number;
  surface_id: string;
  component_id: string;
  name: string;
  context: Json;
}

export interface View {
  /** The last position folded: where to continue from. */
  cursor: number;
  /** Set while positions are missing: ask again from `after`. */
  gap: {after: number; seen: number} | null;
  /** The status of the latest turn. */
  status: string | null;
  last_operation: string | null;
  messages: Message[];
  turns: Record<string, Turn>;
  tools: Tool[];
  surfaces: Surface[];
  proposals: Record<string, Proposal>;
  receipts: Record<string, RunStatus>;
  choices: Choice[];
}

export const EMPTY_VIEW: View = {
  cursor: 0,
  gap: null,
  status: null,
  last_operation: null,
  messages: [],
  turns: {},
  tools: [],
  surfaces: [],
  proposals: {},
  receipts: {},
  choices: [],
};
