/** The approvals inbox, live: new rows appear, decided ones say what happened. */

import { listen } from './keys.ts';
import { countDown, tick } from './left.ts';
import { watch } from './live.ts';
import { merge, read, replace, shownRuns } from './merge.ts';

function start(list: HTMLElement): void {
  const lost = document.getElementById('inbox-lost');
  const count = document.getElementById('inbox-count');

  const tell = (isLost: boolean): void => {
    if (lost) lost.textContent = isLost ? (list.dataset['lost'] ?? '') : '';
  };

  const look = async (): Promise<void> => {
    const address = new URL(list.dataset['inbox'] ?? location.href, location.href);
    address.searchParams.set('trozo', '1');
    address.searchParams.set('vistas', shownRuns(list).join(','));
    const answer = await fetch(address).catch(() => null);
    if (answer?.redirected) return location.reload(); // signed out meanwhile
    const fresh = answer?.ok ? read(await answer.text()) : null;
    tell(!fresh);
    if (!fresh) return;
    merge(list, fresh);
    tick(list);
    const prefix = fresh.count === '0' ? '' : `(${fresh.count}) `;
    document.title = prefix + (list.dataset['title'] ?? '');
    if (count && count.dataset['count'] !== fresh.count) {
      count.dataset['count'] = fresh.count;
      count.textContent = fresh.said;
    }
  };

  list.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('form.decision')) return;
    event.preventDefault();
    void send(form, event.submitter, tell).then(look);
  });

  listen(list);
  countDown(list);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  watch(`${scheme}://${location.host}/ws/inbox`, look);
}

async function send(
  form: HTMLFormElement,
  button: HTMLElement | null,
  tell: (isLost: boolean) => void,
): Promise<void> {
  const card = form.closest<HTMLElement>('article');
  const body = new FormData(form, button);
  const buttons = [...form.querySelectorAll('button')];
  for (const each of buttons) each.disabled = true;
  const answer = await fetch(form.action, {
    method: 'POST',
    body,
    headers: { 'x-maya-fragment': '1' },
  }).catch(() => null);
  if (answer && (answer.redirected || !answer.ok)) return location.reload();
  const html = answer ? await answer.text() : '';
  const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('article');
  tell(!fresh);
  for (const each of buttons) each.disabled = false;
  if (card && fresh instanceof HTMLElement) {
    replace(card, fresh);
    fresh.focus();
  }
}

const list = document.getElementById('requests');
if (list) start(list);
