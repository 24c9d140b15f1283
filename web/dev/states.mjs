/** Conversations in each state worth looking at, by the name of their site. */

import {randomUUID} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';

import {figuresSurface} from './figures.mjs';
import {gallerySurface} from './gallery.mjs';
import {planSurface} from './surface.mjs';

const INPUT = [
  {name: 'order_id', label: 'Pedido', value: '4821', shown: '4821'},
  {name: 'reason', label: 'Motivo', value: 'sin\u200babrir', shown: 'sin\\u200babrir'},
];

function said(log, text, status = 'done') {
  const turn = randomUUID();
  log.append(turn, 'message.received', {message_id: randomUUID(), text, author: 'customer'});
  log.append(turn, 'run.status', {status});
  return turn;
}

function answered(log, turn, text, sources = []) {
  log.append(turn, 'message.completed', {message_id: randomUUID(), text, attempt: 1, sources});
}

function run(state, change = {}, card = {}) {
  return (log, runs) => {
    said(log, 'Sí, está sin abrir');
    const {run_id} = runs.propose(log, {input: INPUT, ...card});
    if (state === 'requested') return;
    const receipt = runs.get(run_id).receipt;
    if (!['cancelled', 'expired'].includes(state)) {
      receipt.confirmed_at = new Date().toISOString();
      runs.move(run_id, 'awaiting_owner');
    }
    if (state === 'unknown' || change.certain === false) {
      for (const attempt of [1, 2]) runs.move(run_id, 'running', {attempt});
    }
    if (state !== 'awaiting_owner') runs.move(run_id, state, change);
  };
}

function shown(question, messages) {
  return (log) => {
    const turn = said(log, question);
    for (const message of messages) {
      log.append(turn, 'surface.updated', {message: {version: 'v0.9', ...message}});
    }
  };
}

export const STATES = {
  requested: run('requested'),
  instant: run('requested', {}, {approval: 'none', amount: null, evidence: []}),
  rehearsal: run('requested', {}, {rehearsal: true}),
  lapsed: run('requested', {}, {expires_at: new Date(0).toISOString()}),
  awaiting: run('awaiting_owner'),
  running: run('running'),
  pending: run('pending', {message: 'Lo revisa el almacén.', reference: 'A128'}),
  unknown: run('unknown'),
  done: run('done', {
    certain: true,
    effect: 'verified',
    message: 'Reembolso emitido.',
    reference: 'RF-4821-1',
    card: {
      title: 'Pedido 4821',
      status: {label: 'Reembolsado', tone: 'success'},
      fields: [{label: 'Importe', value: '79,00 EUR'}],
      link: {label: 'Ver el pedido', url: 'https://tienda.example/pedidos/4821'},
    },
  }),
  failed: run('failed', {certain: true, message: 'El pedido ya estaba reembolsado.'}),
  uncertain: run('failed', {certain: false, reason: 'exhausted'}),
  rejected: run('rejected', {reason: 'rejected'}),
  cancelled: run('cancelled', {reason: 'customer'}),
  replaced: run('cancelled', {reason: 'replaced'}),
  expired: run('expired'),
  sources(log) {
    const turn = said(log, 'revisa el pedido 4821');
    answered(
      log,
      turn,
      'El pedido **4821** llegó hace 12 días:\n\n1. Está entregado.\n2. Costó `79,00 EUR`.\n\n' +
        'Más en https://tienda.example/ayuda.',
      [
        {
          reference: 'returns-policy:section-3',
          title: 'Política de devoluciones',
          section: '3',
          quote: 'Los productos sin abrir se pueden devolver en 30 días.',
        },
        {reference: 'faq:12', title: 'Preguntas frecuentes'},
      ],
    );
  },
  thinking(log) {
    const turn = said(log, 'revisa el pedido 4821', 'using_tool');
    const call = {call_id: 'c', operation_id: 'o', name: 'lookup_get_order', params: {}};
    log.append(turn, 'tool.started', call);
  },
  broken(log) {
    said(log, 'revisa el pedido 4821', 'failed');
    said(log, 'hola', 'stopped');
  },
  plan(log) {
    const turn = said(log, '¿cómo voy con mi tarjeta?');
    for (const message of planSurface()) {
      log.append(turn, 'surface.updated', {message: {version: 'v0.9', ...message}});
    }
    answered(log, turn, 'Tu tarjeta tiene 12 días de mora. Te recomendamos 18 meses.');
  },
  gallery: shown('enséñame todo', gallerySurface()),
  figures: shown('enséñame las cifras', figuresSurface()),
};

/** Adds a state for each example surface (`{"messages": […]}`) in a folder. */
export function addExamples(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const {messages} = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    STATES[`example-${file.replace('.json', '')}`] = (log) => {
      const turn = said(log, file);
      for (const message of messages) log.append(turn, 'surface.updated', {message});
    };
  }
}
