/**
 * Draws the small Markdown that an agent writes: paragraphs, lists, bold, italics, code
 * and links. It builds templates and never HTML strings, so no text can become markup.
 */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {Language} from '../strings/index.ts';

type Part = TemplateResult | string;

const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** Returns a text's blocks. */
export function renderBlocks(text: string, language: Language): TemplateResult[] {
  return blocksOf(text).map((block) => renderBlock(block, language));
}

interface Block {
  kind: 'text' | 'bullets' | 'numbers' | 'code' | 'heading';
  lines: string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  const add = (kind: Block['kind'], line: string): void => {
    if (open?.kind !== kind || kind === 'heading') blocks.push((open = {kind, lines: []}));
    open.lines.push(line);
  };
  let inCode = false;
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line.startsWith('```')) {
      inCode = !inCode;
      open = null;
      if (inCode) blocks.push((open = {kind: 'code', lines: []}));
    } else if (inCode) add('code', line);
    else if (!line.trim()) open = null;
    else if (BULLET.test(line)) add('bullets', BULLET.exec(line)?.[1] ?? '');
    else if (NUMBER.test(line)) add('numbers', NUMBER.exec(line)?.[1] ?? '');
    else if (HEADING.test(line)) add('heading', HEADING.exec(line)?.[1] ?? '');
    else add('text', line);
  }
  return blocks;
}

function renderBlock({kind, lines}: Block, language: Language): TemplateResult {
  const items = (): TemplateResult[] =>
    lines.map((line) => html`<li>${renderInline(line, language)}</li>`);
  switch (kind) {
    case 'bullets':
      return html`<ul>${items()}</ul>`;
    case 'numbers':
      return html`<ol>${items()}</ol>`;
    case 'code':
      return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`;
    case 'heading':
      return html`<p><strong>${renderInline(lines.join(' '), language)}</strong></p>`;
    case 'text':
      return html`<p>${renderLines(lines, language)}</p>`;
  }
}

function renderLines(lines: string[], language: Language): TemplateResult[] {
  return lines.map(
    (line, index) => html`${index ? html`<br />` : nothing}${renderInline(line, language)}`,
  );
}

/** One alternative per kind of run; the first that matches at a place wins. */
const RUNS =
  /(?<code>`[^`]+`)|(?<bold>\*\*.+?\*\*)|(?<italic>(?<![\w*])[*_][^*_\s](?:[^*_]*[^*_\s])?[*_](?![\w*]))|(?<link>\[[^\]]+\]\([^)\s]+\))|(?<url>https:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

/** Returns a line's runs; without a language, links stay plain text. */
export function renderInline(text: string, language: Language | null): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(RUNS)) {
    parts.push(text.slice(from, match.index), renderRun(match, language));
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== '');
}

function renderRun(match: RegExpExecArray, language: Language | null): Part {
  const whole = match[0];
  const {code, bold, italic, link} = match.groups ?? {};
  if (code) return html`<code>${whole.slice(1, -1)}</code>`;
  if (bold) return html`<strong>${renderInline(whole.slice(2, -2), language)}</strong>`;
  if (italic) return html`<em>${renderInline(whole.slice(1, -1), language)}</em>`;
  if (!language) return whole;
  if (!link) return renderLink(whole, whole, language);
  const [, label, url] = /^\[(.+)\]\((.+)\)$/.exec(whole) ?? [];
  return renderLink(label ?? whole, url ?? '', language);
}

/** Returns the words alone, to be read aloud. */
export function plainText(text: string): string {
  return text
    .replace(/^\s*(?:#{1,6}|[-*•])\s+/gm, '')
    .replace(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replace(/\*\*|`+|(?<!\w)[*_]|[*_](?!\w)/g, '');
}

/** A link leaves only for https, says that it opens elsewhere, and tells nobody from where. */
export function renderLink(label: string, url: string, language: Language): Part {
  if (!isSafeLink(url)) return label;
  return html`<a class="external" href=${url} target="_blank" rel="noopener noreferrer"
    >${label}<span class="sr-only"> ${language.t('message.newTab')}</span></a
  >`;
}

export function isSafeLink(url: string): boolean {
  try {
    return new URL(url).protocol === 'https:';
  } catch {
    return false;
  }
}
