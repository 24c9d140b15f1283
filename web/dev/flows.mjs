/**
 * Uses the chat as people do, in a real browser against the development server: both demo
 * flows, double clicks, cuts, blocked transports, two tabs. Exits with 1 at a failure.
 */

import assert from 'node:assert/strict';
import {chromium} from 'playwright-core';

import {serve} from './server.mjs';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

/** Each flow has a server and a browser of its own, so that none sees another's traces. */
async function flow(name, act) {
  const server = await serve(0);
  const context = await browser.newContext({locale: 'es-ES', viewport: {width: 375, height: 812}});
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    await act({server, context, page, open: (site, tab = page) => open(server, tab, site)});
    assert.deepEqual(errors, []);
    console.log(`ok ${name}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED ${name}\n${error.stack}`);
    await page.screenshot({path: `var/shots/failed-${name.replaceAll(' ', '-')}.png`});
  }
  await context.close();
  server.close();
}

async function open(server, page, site) {
  await page.goto(`${server.origin}/chat/${site}/`);
  await page.waitForSelector('maya-composer textarea');
}

async function say(page, text) {
  await page.getByLabel('Tu mensaje').fill(text);
  await page.keyboard.press('Enter');
}

const posts = (server, path) =>
  server.requests.filter((request) => request.method === 'POST' && path.test(request.path));
const actions = (server) => posts(server, /agente/).flatMap(({body}) => body.action ?? []);
const settle = (page) => page.waitForFunction(() => !document.querySelector('.active'));

await flow('refund from question to done', async ({server, page, open}) => {
  await open('tienda');
  await page.getByRole('button', {name: 'Revisa el pedido 4821'}).click();
  await page.getByText('Consultando tu pedido…').waitFor();
  await page.locator('.prose:not(.draft)', {hasText: '¿Está el paquete sin abrir?'}).waitFor();
  await page.getByText('Política de devoluciones').click();
  await page.getByText('en los 30 días siguientes').waitFor();
  await settle(page);
  assert.equal(await page.locator('.message.customer').count(), 1);
  await say(page, 'Sí, está sin abrir');
  const confirm = page.getByRole('button', {name: 'Confirmar'});
  await confirm.waitFor();
  await page.getByText('79,00 €').last().waitFor();
  await confirm.dblclick();
  await page.getByText('Esperando al propietario').first().waitFor();
  const focused = await page.evaluate(() => document.activeElement.className);
  assert.match(focused, /run/);
  await page.locator('[data-state=done]').waitFor();
  assert.equal(posts(server, /confirm/).length, 1);
  assert.deepEqual(posts(server, /confirm/)[0].body, {token: 'dev-token'});
  const told = page.locator('[aria-live=polite]', {hasText: 'Completado'});
  await told.waitFor({state: 'attached'});
});

await flow('cancel twice is cancel once', async ({server, page, open}) => {
  await open('requested');
  await page.getByRole('button', {name: 'Cancelar'}).dblclick();
  await page.locator('[data-state=cancelled]').waitFor();
  assert.equal(posts(server, /cancel/).length, 1);
});

await flow('a confirm that the server refuses says why', async ({server, page, open}) => {
  server.mood.decision = 409;
  await open('requested');
  await page.getByRole('button', {name: 'Confirmar'}).click();
  await page.getByText('Ya hay un cambio igual en marcha').waitFor();
  assert.equal(await page.getByRole('button', {name: 'Confirmar'}).isEnabled(), true);
});

await flow('surface keeps what is typed and sends one action', async ({server, page, open}) => {
  await open('tienda');
  await say(page, '¿cómo voy con mi tarjeta?');
  const reason = page.getByLabel('Motivo');
  await reason.waitFor();
  await settle(page);
  await page.getByRole('button', {name: 'Aplicar plan'}).click({force: true});
  await page.locator('.field-error').getByText('Falta el motivo.').waitFor();
  assert.equal(actions(server).length, 0);
  await reason.fill('desempleo');
  const slider = page.getByRole('slider', {name: 'Plazo en meses'});
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('24 meses de 2.450,00').waitFor();
  assert.equal(actions(server).length, 1);
  assert.deepEqual(actions(server)[0].context, {plazoMeses: 24});
  assert.equal(await slider.evaluate((node) => node === document.activeElement), true);
  const log = server.open('tienda');
  const write = (message) =>
    log.append('t', 'surface.updated', {message: {version: 'v0.9', ...message}});
  await reason.focus();
  await reason.evaluate((node) => node.setSelectionRange(3, 3));
  const value = {plazo: 12, motivo: '', mensualidad: 1, tasa: 22.5, plan: ['mensual'], barras: []};
  write({updateDataModel: {surfaceId: 's1', path: '/', value}});
  write({updateDataModel: {surfaceId: 's1', path: '/mensualidad', value: 2450}});
  await page.waitForTimeout(150);
  assert.equal(await reason.inputValue(), 'desempleo');
  assert.equal(await slider.inputValue(), '24');
  assert.deepEqual(
    await reason.evaluate((node) => [node === document.activeElement, node.selectionStart]),
    [true, 3],
  );
  await page.getByRole('button', {name: 'Ver comparación'}).click();
  assert.equal(await page.getByRole('tab', {selected: true}).textContent().then((t) => t.trim()), 'Comparar');
  assert.equal(actions(server).length, 1);
  await page.getByRole('tab', {selected: true}).press('ArrowLeft');
  await page.getByRole('button', {name: 'Aplicar plan'}).dblclick();
  await page.getByText('Aplicar plan de pago').waitFor();
  assert.equal(actions(server).length, 2);
  const {body} = posts(server, /agente/).at(-1);
  assert.equal(body.version, 'v0.9');
  assert.match(body.action.idempotencyKey, /^[0-9a-f-]{36}$/);
});

await flow('slider dragged by pointer sends once', async ({server, page, open}) => {
  await open('plan');
  const box = await page.getByRole('slider').boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  await page.mouse.down();
  for (const share of [0.4, 0.6, 0.8, 0.98]) {
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  }
  assert.equal(actions(server).length, 0);
  await page.mouse.up();
  await page.getByText('36 meses de 1.834,00').waitFor();
  assert.deepEqual(actions(server).map(({context}) => context), [{plazoMeses: 36}]);
});

await flow('a dialog opens, holds focus and gives it back', async ({server, page, open}) => {
  await open('gallery');
  const opener = page.getByRole('button', {name: 'Ver detalles'});
  await opener.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Todo lo que hay que saber.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({state: 'hidden'});
  assert.equal(await opener.evaluate((node) => node === document.activeElement), true);
  await page.getByRole('button', {name: 'Elegir'}).first().click();
  await page.waitForTimeout(200);
  assert.deepEqual(actions(server).map(({context}) => context), [{nombre: 'Luz'}]);
});

await flow('cut in the middle, then each event once', async ({server, page, open}) => {
  await open('tienda');
  await say(page, 'revisa el pedido 4821');
  await page.getByText('Leyendo las políticas…').waitFor();
  server.cut();
  await page.getByText('¿Está el paquete sin abrir?').waitFor();
  await settle(page);
  assert.equal(await page.locator('.message.agent').count(), 1);
  assert.equal(await page.locator('.message.customer').count(), 1);
});

await flow('a gap on the wire is asked for again', async ({server, page, open}) => {
  server.mood.lose = 2;
  await open('sources');
  await page.getByText('llegó hace 12 días').waitFor();
  await page.waitForFunction(() => !document.querySelector('.active'));
  const log = server.open('sources');
  server.mood.lose = log.position + 1;
  for (const text of ['uno', 'dos', 'tres']) {
    log.append('g', 'message.completed', {message_id: text, text, attempt: 1, sources: []});
  }
  await page.getByText('tres', {exact: true}).waitFor();
  const shown = await page.locator('.message.agent .prose').allTextContents();
  assert.deepEqual(shown.slice(-3).map((text) => text.trim()), ['uno', 'dos', 'tres']);
});

await flow('websocket blocked: events come over sse', async ({server, page, open}) => {
  server.mood.socket = false;
  await open('requested');
  await page.getByRole('button', {name: 'Confirmar'}).click();
  await page.locator('[data-state=done]').waitFor();
  assert.ok(server.requests.some(({path}) => /conversations/.test(path)));
});

await flow('both blocked: answers come, and receipts by polling', async ({server, page, open}) => {
  Object.assign(server.mood, {socket: false, sse: false});
  await open('tienda');
  await say(page, 'Sí, sin abrir');
  await page.getByRole('button', {name: 'Confirmar'}).click();
  await page.locator('[data-state=done]').waitFor({timeout: 15_000});
  await page.getByText('Conexión limitada').waitFor({timeout: 15_000});
  const order = await page.locator('.items > li').evaluateAll((items) => items.map((i) => i.className));
  assert.deepEqual(order, ['item-outgoing', 'item-run', 'item-message']);
});

await flow('a failed send is retried under the same id', async ({server, page, open}) => {
  await open('tienda');
  server.mood.agent = false;
  await say(page, 'hola');
  await page.getByText('No se ha enviado.').waitFor({timeout: 10_000});
  server.mood.agent = true;
  await page.getByRole('button', {name: 'Reintentar'}).click();
  await page.getByText('Puedo revisar un').waitFor();
  const ids = posts(server, /agente/).map(({body}) => body.mensajeId);
  assert.equal(new Set(ids).size, 1);
  assert.ok(ids.length > 1);
  assert.equal(await page.locator('.message.customer').count(), 1);
});

await flow('draft and history are there after a reload', async ({page, open}) => {
  await open('tienda');
  await say(page, 'hola');
  await page.getByText('Puedo revisar un').waitFor();
  await page.getByLabel('Tu mensaje').fill('a medio escribir');
  await page.reload();
  await page.getByText('Puedo revisar un').waitFor();
  assert.equal(await page.getByLabel('Tu mensaje').inputValue(), 'a medio escribir');
  await page.waitForTimeout(2500);
  assert.equal(await page.locator('[aria-live=polite]').last().textContent(), '');
});

await flow('two tabs are in step', async ({context, page, open}) => {
  const other = await context.newPage();
  await open('requested');
  await open('requested', other);
  await page.getByRole('button', {name: 'Confirmar'}).click();
  await other.locator('[data-state=done]').waitFor();
});

await flow('offline is said, and unsaid', async ({context, page, open}) => {
  await open('sources');
  await context.setOffline(true);
  await page.getByText('Sin conexión.').waitFor();
  await context.setOffline(false);
  await page.getByText('Sin conexión.').waitFor({state: 'detached'});
});

await flow('a session that fails at first opens later', async ({server, page, open}) => {
  server.mood.session = false;
  await open('sources');
  await page.getByText('No se puede abrir el chat ahora mismo').waitFor();
  server.mood.session = true;
  await page.getByText('llegó hace 12 días').waitFor();
});

await flow('english where the page is english', async ({server, page}) => {
  await page.goto(`${server.origin}/chat/requested/?lang=en`);
  await page.getByRole('button', {name: 'Confirm'}).waitFor();
  await page.getByText('Once you confirm, Tienda Aurora reviews it.').waitFor();
});

await flow('nothing is exposed', async ({server, page, open}) => {
  await page.goto(`${server.origin}/nothing`);
  const before = new Set(await page.evaluate(() => Object.keys(window)));
  await open('sources');
  const after = await page.evaluate(() => Object.keys(window));
  assert.deepEqual(after.filter((name) => !before.has(name) && !/^lit|^reactive/.test(name)), []);
});

await browser.close();
