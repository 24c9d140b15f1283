/** Reads the lines of `POST /api/agente` as the frames that the other transports carry. */

import type {Envelope, Frame, Json} from './events.ts';

export type Line =
  | {kind: 'frame'; frame: Frame; conversation: string | null}
  | {kind: 'error'; code: string; detail: string}
  | {kind: 'end'}
  | {kind: 'other'};

type Raw = Record<string, Json>;

const STATUS: Record<string, string> = {
  pensando: 'thinking',
  usando_herramienta: 'using_tool',
  respondiendo: 'answering',
  listo: 'done',
  fallido: 'failed',
  detenido: 'stopped',
};

const FACTS: Record<string, (raw: Raw) => Pick<Envelope, 'type' | 'payload'>> = {
  estado: (raw) => {
    const value = String(raw['valor']);
    return {type: 'run.status', payload: {...raw, status: STATUS[value] ?? value}};
  },
  tool: ({nombre, params, ...raw}) => ({
    type: 'tool.started',
    payload: {...raw, name: nombre ?? '', params: params ?? {}},
  }),
  a2ui: ({payload}) => ({type: 'surface.updated', payload: {message: payload ?? {}}}),
  razon: ({texto, ...raw}) => ({
    type: 'message.completed',
    payload: {...raw, text: texto ?? ''},
  }),
  snapshot: ({payload}) => ({type: 'snapshot', payload: (payload ?? {}) as Raw}),
  propuesta: ({propuesta}) => ({
    type: 'proposal.created',
    payload: (propuesta ?? {}) as Raw,
  }),
};

/** Returns what a line says; `other` for blank, broken or newer lines. */
export function readLine(line: string): Line {
  const raw = parse(line);
  if (!raw) return {kind: 'other'};
  const kind = String(raw['tipo']);
  if (kind === 'fin') return {kind: 'end'};
  if (kind === 'error') {
    const {code, detail} = raw;
    return {kind, code: String(code ?? 'error'), detail: String(detail ?? '')};
  }
  const frame = kind === 'delta' ? readDelta(raw) : readFact(kind, raw);
  if (!frame) return {kind: 'other'};
  const conversation = raw['conversacion'];
  return {
    kind: 'frame',
    frame,
    conversation: typeof conversation === 'string' ? conversation : null,
  };
}

/** A line without a position is not durable: there is no place for it in a view. */
function readFact(kind: string, raw: Raw): Envelope | null {
  const {id, run_id, seq, position} = raw;
  const fact = FACTS[kind]?.(raw);
  if (!fact || typeof position !== 'number' || typeof run_id !== 'string') return null;
  return {...fact, id: String(id), run_id, seq: Number(seq), position};
}

function readDelta(raw: Raw): Frame {
  return {
    type: 'delta',
    run_id: String(raw['turno']),
    attempt: Number(raw['intento'] ?? 1),
    offset: Number(raw['desde'] ?? 0),
    text: String(raw['texto'] ?? ''),
  };
}

function parse(line: string): Raw | null {
  if (!line.trim()) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Raw) : null;
  } catch {
    return null;
  }
}
