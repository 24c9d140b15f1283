/** Puts view and drafts together: what a reader holds of a conversation's frames. */

import {foldProvisional, settle} from './drafts.ts';
import type {Drafts} from './drafts.ts';
import {isEnvelope} from './events.ts';
import type {Frame} from './events.ts';
import {fold} from './fold.ts';
import {EMPTY_VIEW} from './view.ts';
import type {View} from './view.ts';

export interface Feed {
  view: View;
  drafts: Drafts;
}

export const EMPTY_FEED: Feed = {view: EMPTY_VIEW, drafts: {}};

/** Returns the feed after one frame, durable or provisional. */
export function take(feed: Feed, frame: Frame): Feed {
  if (!isEnvelope(frame)) {
    return {...feed, drafts: foldProvisional(feed.drafts, frame, feed.view)};
  }
  const view = fold(feed.view, frame);
  if (view.cursor === feed.view.cursor) return {...feed, view};
  return {view, drafts: settle(feed.drafts, frame)};
}
