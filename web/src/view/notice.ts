/** Says that the line is not what it should be; says nothing while it is. */

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';

import type {Conversation} from '../conversation.ts';
import {icon} from '../icons.ts';
import type {Language} from '../strings/index.ts';
import {sentence} from './problem.ts';

type State = Pick<Conversation, 'link' | 'problem' | 'isTroubled'>;

export function renderNotice(
  conversation: State,
  isOnline: boolean,
  language: Language,
): TemplateResult {
  const words = wordsFor(conversation, isOnline, language);
  return html`<div class="notice" role="status">
    ${words ? html`<p>${icon('warning')}<span>${words}</span></p>` : nothing}
  </div>`;
}

function wordsFor(
  {link, problem, isTroubled}: State,
  isOnline: boolean,
  language: Language,
): string | null {
  const {t} = language;
  if (!isOnline) return t('link.offline');
  if (problem?.isPassing) return t('link.session');
  if (problem) return t('link.sessionRefused', {detail: sentence(problem, language)});
  if (isTroubled) return t('link.reconnecting');
  return link === 'polling' ? t('link.polling') : null;
}
