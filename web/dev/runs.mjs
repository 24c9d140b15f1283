/** Changes in memory: made, confirmed, decided and carried out after a moment. */

import {randomUUID} from 'node:crypto';

const WORDS = {
  requested: 'solicitado',
  awaiting_owner: 'esperando al propietario',
  queued: 'en ejecución',
  running: 'en ejecución',
  pending: 'pendiente',
  unknown: 'comprobando un resultado desconocido',
  done: 'completado',
  failed: 'fallido',
  rejected: 'rechazado',
  cancelled: 'cancelado',
  expired: 'caducado',
};
const FINAL = ['done', 'failed', 'rejected', 'cancelled', 'expired'];

export const EVIDENCE = [
  {
    kind: 'lookup',
    source: 'get_order',
    reference: 'order:4821',
    title: 'Pedido 4821',
    quote: 'Entregado el 31 de agosto, hace 12 días. Total: 79,00 EUR. Sin devoluciones.',
  },
  {
    kind: 'policy',
    source: 'returns-policy',
    reference: 'returns-policy:section-3',
    title: 'Política de devoluciones, sección 3',
    quote: 'Los productos sin abrir se pueden devolver en los 30 días siguientes a la entrega.',
  },
  {kind: 'statement', source: 'customer', reference: 'message:m-3', title: '«Sí, sin abrir»'},
];

export class Runs {
  #runs = new Map();

  get(id) {
    return this.#runs.get(id);
  }

  propose(log, card) {
    const now = Date.now();
    const run = {
      log,
      receipt: {
        run_id: randomUUID(),
        action: 'refund_order',
        title: 'Reembolsar el pedido 4821',
        state: 'requested',
        word: WORDS.requested,
        final: false,
        certain: null,
        reason: null,
        message: null,
        reference: null,
        card: null,
        effect: null,
        digest: '3f9a1c7e'.repeat(8),
        digest_short: '3f9a1c7e',
        input: [],
        target: {kind: 'order', ref: '4821'},
        amount: {minor: 7900, currency: 'EUR', exponent: 2},
        evidence: EVIDENCE,
        approval: 'owner',
        created: new Date(now).toISOString(),
        expires_at: new Date(now + 900_000).toISOString(),
        confirmed_at: null,
        decided_at: null,
        finished_at: null,
        confirmation: {token: 'dev-token', expires_at: new Date(now + 900_000).toISOString()},
        ...card,
      },
    };
    const {receipt} = run;
    this.#runs.set(receipt.run_id, run);
    const {run_id, action, title, input, target, amount, evidence} = receipt;
    const {digest_short, approval, expires_at} = receipt;
    const payload = {run_id, action, title, input, target, amount, evidence};
    log.append(run_id, 'proposal.created', {...payload, digest_short, approval, expires_at});
    return receipt;
  }

  move(id, state, change = {}) {
    const {log, receipt} = this.#runs.get(id);
    Object.assign(receipt, {state, word: WORDS[state], confirmation: null}, change);
    receipt.final = FINAL.includes(state);
    if (receipt.final) receipt.finished_at = new Date().toISOString();
    log.append(id, 'run.status', {status: state, ...change});
  }

  /** The customer's yes; then the owner and the endpoint, each after a moment. */
  confirm(id, pause) {
    const {receipt} = this.#runs.get(id);
    receipt.confirmed_at = new Date().toISOString();
    const isOwners = receipt.approval === 'owner';
    this.move(id, isOwners ? 'awaiting_owner' : 'queued');
    void this.#carryOut(id, isOwners, pause);
  }

  async #carryOut(id, isOwners, pause) {
    const {receipt} = this.#runs.get(id);
    await pause(1500);
    if (isOwners) {
      receipt.decided_at = new Date().toISOString();
      this.move(id, 'queued');
    }
    this.move(id, 'running', {attempt: 1});
    await pause(1000);
    this.move(id, 'done', {
      certain: true,
      message: 'Reembolso emitido a tu tarjeta.',
      reference: 'RF-4821-1',
      effect: 'verified',
      card: {
        title: 'Pedido 4821',
        status: {label: 'Reembolsado', tone: 'success'},
        fields: [
          {label: 'Importe', value: '79,00 EUR'},
          {label: 'Medio', value: 'Tarjeta terminada en 4242'},
        ],
        asOf: new Date().toISOString(),
        link: {label: 'Ver el pedido', url: 'https://tienda.example/pedidos/4821'},
      },
    });
  }
}
