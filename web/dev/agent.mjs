/** A scripted agent: it says what the demo's agent says, with the same kinds of events. */

import {randomUUID} from 'node:crypto';

import {PLANS, planSurface} from './surface.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const SOURCES = [
  {
    reference: 'returns-policy:section-3',
    title: 'Política de devoluciones',
    section: '3',
    quote: 'Los productos sin abrir se pueden devolver en los 30 días siguientes a la entrega.',
  },
];

export class Agent {
  constructor(log, runs) {
    this.log = log;
    this.runs = runs;
  }

  async answer(turn, text) {
    this.#status(turn, 'thinking');
    await pause(250);
    if (/tarjeta/.test(text)) await this.#card(turn);
    else if (/sin abrir|^s[ií]\b/i.test(text)) await this.#propose(turn);
    else if (/pedido|reembolso/.test(text)) await this.#order(turn);
    else await this.#write(turn, 'Puedo revisar un **pedido** y preparar un reembolso, o mirar tu tarjeta.');
    this.#status(turn, 'done');
  }

  async act(turn, {name, surfaceId, sourceComponentId, context}) {
    this.log.append(turn, 'action.received', {
      name,
      surface_id: surfaceId,
      component_id: sourceComponentId,
      context,
    });
    if (name.startsWith('elegir_')) {
      const choice = {surface_id: surfaceId, component_id: sourceComponentId, name, context};
      this.log.append(turn, 'choice.recorded', choice);
      return;
    }
    await pause(80);
    if (name === 'simular_reestructura') this.#simulate(turn, surfaceId, context.plazoMeses);
    else if (name === 'aplicar_plan_pago') this.#apply(context);
    else await this.#write(turn, `Recibido: ${name}.`);
  }

  async #order(turn) {
    await this.#tool(turn, 'lookup_get_order', {order_id: '4821'}, 700);
    await this.#tool(turn, 'search_policy', {query: 'devoluciones'}, 500);
    await this.#write(
      turn,
      'El pedido **4821** se entregó hace 12 días y costó 79,00 €.\n\n' +
        'La política admite devolver productos *sin abrir* durante 30 días. ' +
        '¿Está el paquete sin abrir?',
      SOURCES,
    );
  }

  async #propose(turn) {
    await this.#tool(turn, 'prepare_refund', {order_id: '4821'}, 400);
    this.runs.propose(this.log, {
      input: [
        {name: 'order_id', label: 'Pedido', value: '4821', shown: '4821'},
        {name: 'reason', label: 'Motivo', value: 'sin abrir', shown: 'sin abrir'},
      ],
    });
    await this.#write(turn, 'Te propongo este reembolso. Revísalo y confírmalo si está bien.');
  }

  async #card(turn) {
    await this.#tool(turn, 'panorama_inicial', {clienteId: 'beto'}, 400);
    await this.#tool(turn, 'simular_reestructura', {tarjetaId: 'tc_4821'}, 400);
    for (const message of planSurface()) this.#surface(turn, message);
    await this.#write(
      turn,
      'Detectamos que tu tarjeta tiene 12 días de mora. Te recomendamos reestructurar a 18 meses.',
    );
  }

  #simulate(turn, surfaceId, months) {
    const value = PLANS[months] ?? 0;
    this.#surface(turn, {updateDataModel: {surfaceId, path: '/mensualidad', value}});
  }

  #apply({plazoMeses}) {
    this.runs.propose(this.log, {
      action: 'aplicar_plan_pago',
      title: 'Aplicar plan de pago',
      target: {kind: 'card', ref: 'tc_4821'},
      amount: null,
      approval: 'none',
      evidence: [],
      input: [
        {name: 'tarjetaId', label: 'Tarjeta', value: 'tc_4821', shown: 'tc_4821'},
        {name: 'plazoMeses', label: 'Plazo', value: plazoMeses, shown: String(plazoMeses)},
      ],
    });
  }

  async #tool(turn, name, params, took) {
    const call = {call_id: randomUUID(), operation_id: randomUUID()};
    this.#status(turn, 'using_tool');
    this.log.append(turn, 'tool.started', {...call, name, params});
    await pause(took);
    this.log.append(turn, 'tool.completed', {...call, artifact_id: null, ok: true});
  }

  async #write(turn, text, sources = []) {
    this.#status(turn, 'answering');
    let offset = 0;
    for (const piece of text.match(/\S+\s*/g)) {
      this.log.provisional({type: 'delta', run_id: turn, attempt: 1, offset, text: piece});
      offset += [...piece].length;
      await pause(40);
    }
    const message = {message_id: randomUUID(), text, attempt: 1, sources};
    this.log.append(turn, 'message.completed', message);
  }

  #surface(turn, message) {
    this.log.append(turn, 'surface.updated', {message: {version: 'v0.9', ...message}});
  }

  #status(turn, status) {
    this.log.append(turn, 'run.status', {status});
  }
}
