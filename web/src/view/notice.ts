/** Says that the line is not what it should be; says nothing while it is. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {Link} from '../conversation.ts';
import {icon} from '../icons.ts';
import type {Language} from '../strings/index.ts';
import type {Problem} from '../transport/http.ts';
import {sentence} from './problem.ts';

export function renderNotice(
  link: Link,
  isOnline: boolean,
  problem: Problem | null,
  language: Language,
): TemplateResult {
  const words = wordsFor(link, isOnline, problem, language);
  return html`<div class="notice" role="status">
    ${words ? html`<p>${icon('warning')}<span>${words}</span></p>` : nothing}
  </div>`;
}

function wordsFor(
  link: Link,
  isOnline: boolean,
  problem: Problem | null,
  language: Language,
): string | null {
  const {t} = language;
  if (!isOnline) return t('link.offline');
  if (problem?.isPassing) return t('link.session');
  if (problem) return t('link.sessionRefused', {detail: sentence(problem, language)});
  if (link === 'reconnecting') return t('link.reconnecting');
  return link === 'polling' ? t('link.polling') : null;
}
