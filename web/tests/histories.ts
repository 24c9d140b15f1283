/** Reads the language-neutral histories that every folder of events must satisfy. */

import {readdirSync, readFileSync} from 'node:fs';

import type {Drafts} from '../src/drafts.ts';
import type {Frame} from '../src/events.ts';
import type {View} from '../src/view.ts';

export interface History {
  name: string;
  events: Frame[];
  view: View;
  drafts: Drafts;
}

const FOLDER = new URL('./histories/', import.meta.url);

export function readHistories(): [file: string, history: History][] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file, JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))]);
}

export function readHistory(file: string): History {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
}
