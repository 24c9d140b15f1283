/** A small server that speaks the product's contract from memory, to look at the page. */

import {randomUUID} from 'node:crypto';
import {createReadStream, existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {WebSocketServer} from 'ws';

import {Agent, pause} from './agent.mjs';
import {Log} from './log.mjs';
import {Runs} from './runs.mjs';
import {STATES} from './states.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const TYPES = {'.js': 'text/javascript', '.css': 'text/css'};
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'self'; require-trusted-types-for 'script'";
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">' +
  '<rect width="10" height="10" fill="#b98"/><path d="M0 3h10" stroke="#642"/></svg>';

/** Starts on a port of this machine (0: any); `mood` can be changed to break things. */
export async function serve(port) {
  const logs = new Map();
  const runs = new Runs();
  const mood = {socket: true, sse: true, agent: true, session: true, decision: 200, lose: 0};
  const requests = [];
  const sockets = new Set();

  const logOf = (id) => [...logs.values()].find((log) => log.id === id);

  /** Each site has one visitor, and so one conversation. */
  function open(site) {
    if (!logs.has(site)) {
      const log = new Log();
      STATES[site]?.(log, runs);
      logs.set(site, log);
    }
    return logs.get(site);
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    const body = await bodyOf(request);
    requests.push({method: request.method, path: url.pathname, body});
    const parts = url.pathname.split('/').filter(Boolean);
    const json = (value, status = 200) => {
      response.writeHead(status, {'content-type': 'application/json'});
      response.end(JSON.stringify(value));
    };
    const problem = (status, code, more = {}) => json({status, code, detail: '', ...more}, status);

    if (parts[0] === 'chat') return page(response, parts[1], url.searchParams);
    if (parts[0] === 'static') return file(response, parts[1]);
    if (url.pathname === '/dev/picture.svg') {
      response.writeHead(200, {'content-type': 'image/svg+xml'});
      return response.end(PICTURE);
    }
    if (url.pathname === '/api/sessions') {
      if (!mood.session) return problem(503, 'unavailable');
      const log = open(body.sitio);
      const customer = {id: 'ana', name: 'Ana López'};
      const conversation = log.position ? log.id : null;
      return json({visitor: randomUUID(), customer, conversation});
    }
    if (url.pathname === '/api/agente') {
      if (!mood.agent) return request.socket.destroy();
      return agent(response, body);
    }
    if (parts[1] === 'conversations') {
      if (!mood.sse) return problem(503, 'unavailable');
      return events(response, logOf(parts[2]), Number(url.searchParams.get('after')));
    }
    if (url.pathname === '/api/runs') {
      const ids = url.searchParams.get('ids').split(',');
      return json({runs: ids.map((id) => runs.get(id)?.receipt).filter(Boolean)});
    }
    if (parts[1] === 'runs' && parts.length === 3) return json(runs.get(parts[2]).receipt);
    if (parts[1] === 'runs') {
      await pause(300);
      const {receipt} = runs.get(parts[2]);
      if (mood.decision !== 200) return problem(mood.decision, 'already_in_progress', {receipt});
      if (receipt.state !== 'requested') return problem(409, 'wrong_state', {receipt});
      if (parts[3] === 'confirm') runs.confirm(parts[2], pause);
      else runs.move(parts[2], 'cancelled', {reason: 'customer'});
      return json(receipt);
    }
    if (parts[1] === 'turns') return json({});
    return problem(404, 'not_found');
  });

  function agent(response, body) {
    response.writeHead(200, {'content-type': 'application/x-ndjson'});
    const log = open(body.sitio);
    const turn = randomUUID();
    const write = (frame) => {
      const line = lineOf(frame, log.id);
      if (line) response.write(`${JSON.stringify(line)}\n`);
    };
    const end = () => response.end('{"tipo":"fin"}\n');
    if ('despues' in body) {
      log.after(body.despues).forEach(write);
      return end();
    }
    const stop = log.read(write);
    const agent = new Agent(log, runs);
    const {mensajeId: message_id, mensaje: text} = body;
    if (text) log.append(turn, 'message.received', {message_id, text, author: 'customer'});
    const work = text ? agent.answer(turn, text) : agent.act(turn, body.action);
    return work.then(stop).then(end);
  }

  function events(response, log, after) {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    const write = (frame) => {
      const id = frame.position ? `id: ${log.id}:${frame.position}\n` : '';
      response.write(`${id}event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`);
    };
    log.after(after).forEach(write);
    response.on('close', log.read(write));
  }

  const gate = new WebSocketServer({noServer: true});
  server.on('upgrade', (request, socket, head) => {
    if (!mood.socket) return socket.destroy();
    return gate.handleUpgrade(request, socket, head, (client) => {
      const log = logOf(request.url.split('/').pop());
      sockets.add(client);
      client.once('message', (data) => {
        const {after} = JSON.parse(data);
        const send = (frame) => {
          if (frame.position && frame.position === mood.lose) mood.lose = 0;
          else client.send(JSON.stringify(frame));
        };
        client.send(JSON.stringify({type: 'opened', position: log.position}));
        log.after(after).forEach(send);
        client.on('close', log.read(send));
      });
    });
  });

  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    mood,
    requests,
    open,
    runs,
    cut: () => sockets.forEach((client) => client.terminate()),
    close: () => (server.close(), server.closeAllConnections()),
  };
}

function page(response, site, query) {
  const lang = query.get('lang') ?? 'es';
  const suggestions = [
    'Revisa el pedido 4821 y prepara un reembolso',
    '¿Cómo voy con mi tarjeta?',
  ];
  const list = JSON.stringify(suggestions).replaceAll('"', '&quot;');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CSP,
  });
  response.end(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Chat</title>
<link rel="icon" href="/dev/picture.svg"><link rel="stylesheet" href="/static/chat.css">
<script type="module" src="/static/chat.js"></script></head><body>
<main id="chat" data-site="${site}" data-site-name="Tienda Aurora" data-lang="${lang}"
 data-customer-name="Ana López" data-suggestions="${list}"></main></body></html>`);
}

function file(response, name) {
  const path = join(DIST, name);
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, {'content-type': TYPES[extname(name)]});
  return createReadStream(path).pipe(response);
}

const WORDS = {
  thinking: 'pensando',
  using_tool: 'usando_herramienta',
  answering: 'respondiendo',
  done: 'listo',
  failed: 'fallido',
};

function lineOf(frame, conversacion) {
  const {type, payload, run_id, seq, position, id} = frame;
  const durable = {id, run_id, seq, position, conversacion};
  if (type === 'delta') {
    const {attempt: intento, offset: desde, text: texto} = frame;
    return {tipo: 'delta', turno: run_id, intento, desde, texto};
  }
  if (type === 'run.status' && WORDS[payload.status]) {
    return {tipo: 'estado', valor: WORDS[payload.status], ...durable};
  }
  if (type === 'tool.started') {
    return {tipo: 'tool', nombre: payload.name, params: payload.params, ...durable};
  }
  if (type === 'surface.updated') return {tipo: 'a2ui', payload: payload.message, ...durable};
  if (type === 'message.completed') return {tipo: 'razon', texto: payload.text, ...durable};
  if (type === 'proposal.created') return {tipo: 'propuesta', propuesta: payload, ...durable};
  return null;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length ? JSON.parse(Buffer.concat(chunks)) : {};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {origin} = await serve(Number(process.env.PORT ?? 0));
  console.log(`${origin}/chat/tienda/`);
  console.log(`states: ${Object.keys(STATES).join(', ')}`);
}
