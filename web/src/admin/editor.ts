/** Autosave of an action's edits into its draft; publishing is another step. */

import { addRow, isSame, Keep, restore, typed, type Fields } from './draft.ts';

const PAUSE_MS = 600;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const PATIENCE_MS = 15_000;

interface Answer {
  etag: string;
  who: string;
  at: string;
  errors?: string[];
  tool?: string;
  request?: string;
}

class Editor {
  private readonly keep: Keep;
  private readonly page = crypto.randomUUID();
  private saved: Fields;
  private number = 0;
  private isBusy = false;
  private isStopped = false;
  private timer = 0;
  private retry = FIRST_RETRY_MS;

  constructor(private readonly form: HTMLFormElement, private readonly place: HTMLElement) {
    this.keep = new Keep(`maya:draft:${place.dataset['user']}:${place.dataset['row']}`);
    // A form that came back with what is wrong holds what no draft holds yet
    this.saved = 'unsaved' in place.dataset ? {} : typed(form);
    this.hidden('page').value = this.page;
  }

  start(): void {
    for (const kind of ['input', 'change']) this.form.addEventListener(kind, () => this.changed());
    addEventListener('online', () => this.soon(0));
    this.growTables();
    this.form.addEventListener('submit', (event) => {
      // Published or thrown away on purpose: what this browser kept is settled
      if (navigator.onLine) this.settle(event.submitter);
    });
    if ('unsaved' in this.place.dataset) this.soon(0);
    else this.lookForLost();
  }

  private settle(button: HTMLElement | null): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (button?.hasAttribute('formaction')) this.keep.drop();
  }

  private hidden(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement;
  }

  private changed(): void {
    const fields = typed(this.form);
    if (isSame(fields, this.saved)) return;
    this.keep.write({ etag: this.hidden('etag').value, fields });
    if (!this.isStopped) this.soon(PAUSE_MS);
  }

  private soon(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(), milliseconds);
  }

  private async save(): Promise<void> {
    if (this.isBusy || this.isStopped) return;
    const fields = typed(this.form);
    if (isSame(fields, this.saved)) return;
    this.isBusy = true;
    this.say('saving');
    const answer = await this.send(fields);
    this.isBusy = false;
    if (this.isStopped) return;
    await this.heard(answer, fields);
  }

  private async send(fields: Fields): Promise<Response | null> {
    this.number += 1;
    const body = JSON.stringify({ etag: this.hidden('etag').value, page: this.page, number: this.number, fields });
    const token = this.hidden('csrfmiddlewaretoken').value;
    return fetch(this.place.dataset['save'] ?? '', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-csrftoken': token },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => null);
  }

  private async heard(answer: Response | null, fields: Fields): Promise<void> {
    const said = answer && !answer.redirected ? await read(answer) : null;
    if (answer?.status === 409 && said) return this.conflict(said);
    if (answer?.ok && said) return this.done(said, fields);
    const isRefused = answer !== null && answer.status < 500;
    this.say(isRefused ? 'refused' : 'lost');
    this.soon(this.retry);
    this.retry = Math.min(this.retry * 2, LAST_RETRY_MS);
  }

  private done(said: Answer, fields: Fields): void {
    this.saved = fields;
    this.retry = FIRST_RETRY_MS;
    this.hidden('etag').value = said.etag;
    const isAll = isSame(typed(this.form), fields);
    if (isAll) this.keep.drop();
    this.say('saved', said);
    this.tellErrors(said.errors ?? []);
    show('shown-tool', said.tool);
    show('shown-request', said.request);
    if (!isAll) this.soon(PAUSE_MS);
  }

  private conflict(said: Answer): void {
    this.isStopped = true;
    this.say('conflict', said);
    this.offer('theirs', () => {
      this.keep.drop();
      location.reload();
    });
    this.offer('mine', () => {
      this.hidden('etag').value = said.etag;
      this.isStopped = false;
      this.soon(0);
    });
  }

  /** Finds what an earlier visit typed and could not save. */
  private lookForLost(): void {
    const local = this.keep.read();
    if (!local) return;
    if (isSame(local.fields, this.saved)) return this.keep.drop();
    this.say('found');
    this.offer('restore', () => {
      restore(this.form, local.fields);
      this.say('saving');
      // Written over another state than today's: the server says so, and one chooses
      if (this.number === 0) this.hidden('etag').value = local.etag;
      this.soon(0);
    });
    this.offer('forget', () => {
      this.keep.drop();
      this.place.replaceChildren();
    });
  }

  private say(what: string, said?: Answer): void {
    const text = (this.place.dataset[what] ?? '').replace('{who}', said?.who ?? '').replace('{at}', said?.at ?? '');
    this.place.dataset['state'] = what;
    this.place.replaceChildren(element('p', text));
  }

  private offer(what: string, act: () => void): void {
    const button = element('button', this.place.dataset[what] ?? '') as HTMLButtonElement;
    button.type = 'button';
    button.addEventListener('click', act);
    this.place.append(button);
  }

  private tellErrors(errors: string[]): void {
    if (errors.length === 0) return;
    const list = document.createElement('ul');
    list.append(...errors.map((error) => element('li', error)));
    this.place.append(element('p', this.place.dataset['fix'] ?? ''), list);
  }

  private growTables(): void {
    for (const table of this.form.querySelectorAll<HTMLElement>('.rows-scroll')) {
      const name = table.querySelector('[name]')?.getAttribute('name')?.split('-')[0] ?? '';
      const button = element('button', this.place.dataset['rowMore'] ?? '') as HTMLButtonElement;
      button.type = 'button';
      button.className = 'plain';
      button.addEventListener('click', () => {
        addRow(this.form, name)?.querySelector<HTMLElement>('input, select')?.focus();
      });
      table.after(button);
    }
  }
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function show(id: string, text: string | undefined): void {
  const place = document.getElementById(id);
  if (place && text) place.textContent = text;
}

async function read(answer: Response): Promise<Answer | null> {
  const said: unknown = await answer.json().catch(() => null);
  return typeof said === 'object' && said !== null && 'etag' in said ? (said as Answer) : null;
}

const place = document.getElementById('autosave');
const form = place?.closest('form');
if (place && form) new Editor(form, place).start();
