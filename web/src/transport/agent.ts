/** Speaks to the agent: a message, a surface's action, or "what came after". */

import type {Frame} from '../events.ts';
import {readLine} from '../jsonl.ts';
import {linesOf} from '../lines.ts';
import {asProblem, Problem} from './http.ts';
import type {Http} from './http.ts';

export interface MessageBody {
  sitio: string;
  conversacion?: string;
  mensajeId: string;
  mensaje: string;
}

export interface ActionBody {
  sitio: string;
  conversacion: string;
  version: 'v0.9';
  action: {
    name: string;
    surfaceId: string;
    sourceComponentId: string;
    timestamp: string;
    context: Record<string, unknown>;
    idempotencyKey: string;
  };
}

export interface ResumeBody {
  sitio: string;
  conversacion: string;
  despues: number;
}

/** What an `error` line may say that is no verdict on what was sent. */
export const CONTINUES = 'continues';
const PASSING = new Set([CONTINUES, 'unavailable']);

export interface AgentHandlers {
  frame(frame: Frame, conversation: string | null): void;
}

/**
 * Sends a body and reads its answer to the end.
 *
 * Resolves at `fin`. Rejects with a `Problem`: of the request, of an `error` line, or
 * `cut` where the stream ended early (the server goes on; the events will tell).
 */
export async function askAgent(
  http: Http,
  body: MessageBody | ActionBody | ResumeBody,
  handlers: AgentHandlers,
  signal?: AbortSignal,
): Promise<void> {
  const accept = 'application/x-ndjson';
  const options = {body, accept, ...(signal ? {signal} : {})};
  const stream = await http.stream('POST', '/api/agente', options);
  let problem: Problem | null = null;
  try {
    for await (const text of linesOf(stream)) {
      const line = readLine(text);
      if (line.kind === 'frame') handlers.frame(line.frame, line.conversation);
      else if (line.kind === 'error') {
        problem = new Problem(line.code, PASSING.has(line.code) ? 0 : 400, line.detail);
      }
      else if (line.kind === 'end') {
        if (problem) throw problem;
        return;
      }
    }
  } catch (error) {
    throw error === problem ? error : new Problem('cut', 0, asProblem(error).detail);
  }
  throw problem ?? new Problem('cut');
}
