/** Reads receipts and carries the customer's yes or no. */

import type {Receipt} from '../events.ts';
import {Problem} from '../transport/http.ts';
import type {Http} from '../transport/http.ts';

export function getReceipt(http: Http, runId: string): Promise<Receipt> {
  return http.json('GET', `/api/runs/${encodeURIComponent(runId)}`);
}

/** Reads all of `runIds` in one request. */
export async function getReceipts(http: Http, runIds: string[]): Promise<Receipt[]> {
  const ids = runIds.map(encodeURIComponent).join(',');
  const {runs} = await http.json<{runs: Receipt[]}>('GET', `/api/runs?ids=${ids}`);
  return runs;
}

/**
 * Confirms exactly the change whose digest the customer saw.
 *
 * The token is asked for afresh where none is at hand. Throws `changed` where the run on
 * the server is not the one on the screen.
 */
export async function confirmRun(
  http: Http,
  seen: {run_id: string; digest_short: string; confirmation?: Receipt['confirmation']},
): Promise<Receipt> {
  const confirmation = seen.confirmation ?? (await freshConfirmation(http, seen));
  const path = `/api/runs/${encodeURIComponent(seen.run_id)}/confirm`;
  const receipt = await http.json<Receipt>('POST', path, {token: confirmation.token});
  return receipt.run_id ? receipt : getReceipt(http, seen.run_id);
}

export async function cancelRun(http: Http, runId: string): Promise<Receipt> {
  const path = `/api/runs/${encodeURIComponent(runId)}/cancel`;
  const receipt = await http.json<Receipt>('POST', path, {});
  return receipt.run_id ? receipt : getReceipt(http, runId);
}

async function freshConfirmation(
  http: Http,
  seen: {run_id: string; digest_short: string},
): Promise<{token: string}> {
  const receipt = await getReceipt(http, seen.run_id);
  if (receipt.digest_short !== seen.digest_short) {
    throw new Problem('changed', 409, '', receipt);
  }
  if (receipt.confirmation) return receipt.confirmation;
  throw new Problem('wrong_state', 409, '', receipt);
}
