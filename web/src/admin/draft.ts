/** The typed fields of a form: read, told apart, put back; kept where no network is needed. */

export type Fields = Record<string, string>;

/** What a form holds now, as its browser would send it. */
export function typed(form: HTMLFormElement): Fields {
  const fields: Fields = {};
  for (const [name, value] of new FormData(form)) {
    const isOurs = name.startsWith('_') || OWN.has(name);
    if (typeof value === 'string' && !isOurs) fields[name] = value;
  }
  return fields;
}

const OWN = new Set(['csrfmiddlewaretoken', 'etag', 'page', 'overwrite']);

export function isSame(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Puts fields back into a form; tables grow as many rows as they need. */
export function restore(form: HTMLFormElement, fields: Fields): void {
  for (const name of Object.keys(fields)) {
    const [table, row] = name.split('-');
    if (row !== undefined) while (!form.elements.namedItem(name) && addRow(form, table ?? '')) { /* one more */ }
  }
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      control.checked = fields[control.name] === control.value;
    } else if (isTyped(control) && control.name in fields) {
      control.value = fields[control.name] ?? '';
    }
  }
}

function isTyped(control: Element): control is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return control.matches('input:not([type="hidden"], [type="submit"]), select, textarea');
}

/** Adds a blank row to a table of the form; null where there is no such table. */
export function addRow(form: HTMLFormElement, table: string): HTMLElement | null {
  const first = form.elements.namedItem(`${table}-0-${firstKey(form, table)}`);
  const body = first instanceof HTMLElement ? first.closest('tbody') : null;
  const last = body?.querySelector<HTMLElement>('tr:last-child');
  if (!body || !last) return null;
  const number = body.children.length;
  const row = last.cloneNode(true) as HTMLElement;
  for (const control of row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
    control.name = control.name.replace(/-\d+-/, `-${number}-`);
    control.setAttribute('aria-label', (control.getAttribute('aria-label') ?? '').replace(/\d+$/, `${number + 1}`));
    if (control instanceof HTMLInputElement && control.type !== 'checkbox') control.value = '';
  }
  body.append(row);
  return row;
}

function firstKey(form: HTMLFormElement, table: string): string {
  const start = `${table}-0-`;
  for (const control of form.elements) {
    const name = control.getAttribute('name') ?? '';
    if (name.startsWith(start)) return name.slice(start.length);
  }
  return '';
}

/** What did not reach the server yet, in this browser. */
export interface Local {
  etag: string;
  fields: Fields;
}

export class Keep {
  constructor(private readonly key: string) {}

  read(): Local | null {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(this.key) ?? 'null');
      return isLocal(found) ? found : null;
    } catch {
      return null;
    }
  }

  write(local: Local): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(local));
    } catch { /* full or forbidden: the page itself still holds it */ }
  }

  drop(): void {
    try {
      localStorage.removeItem(this.key);
    } catch { /* forbidden: then nothing was kept either */ }
  }
}

function isLocal(value: unknown): value is Local {
  return typeof value === 'object' && value !== null && 'etag' in value && 'fields' in value
    && typeof value.etag === 'string' && typeof value.fields === 'object' && value.fields !== null;
}
