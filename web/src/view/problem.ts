/** Says in a sentence what went wrong. */

import type {Key, Language} from '../strings/index.ts';
import type {Problem} from '../transport/http.ts';

const KNOWN = new Set([
  'network',
  'cut',
  'expired',
  'already_in_progress',
  'wrong_state',
  'changed',
  'not_found',
  'rate_limited',
]);

/** Our own words where we have them, else the server's, else a plain admission. */
export function sentence(problem: Problem, {t}: Language): string {
  if (KNOWN.has(problem.code)) return t(`error.${problem.code}` as Key);
  return problem.detail || t('error.other');
}
