/** Says in words what the agent is doing. */

import type {Draft} from '../drafts.ts';
import type {Key} from '../strings/index.ts';
import type {Turn, View} from '../view.ts';

/** Words for tools by what their names speak of; owners name their own actions. */
const TOOL_WORDS: [RegExp, Key][] = [
  [/^(change_|propose_|prepare_|preparar_)/, 'phase.prepare'],
  [/polic|polit/, 'phase.policy'],
  [/order|pedido|shipment|envio/, 'phase.order'],
  [/simul/, 'phase.simulate'],
  [/account|card|cuenta|tarjeta|panorama|balance|saldo/, 'phase.account'],
];

export function toolPhase(name: string): Key {
  return TOOL_WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'phase.tool';
}

/** Returns the phase of a turn that goes on. */
export function phaseOf(runId: string, turn: Turn, view: View, draft?: Draft): Key {
  if (draft?.preparing) return toolPhase(draft.preparing);
  const running = view.tools.findLast((tool) => tool.run_id === runId && tool.ok === null);
  if (turn.status === 'using_tool' && running) return toolPhase(running.name);
  if (turn.status === 'using_tool') return 'phase.tool';
  return turn.status === 'answering' ? 'phase.answering' : 'phase.thinking';
}
