/** Joins the components and functions into the catalogues that the engine reads. */

import {Catalog} from '@a2ui/web_core/v0_9';
import type {WebComponentImplementation} from '@a2ui/web_core/v0_9';

import type {Language} from '../strings/index.ts';
import {CATALOG_ID, OFFICIAL_CATALOG_IDS} from './catalog.ts';
import {ALERT} from './components/alert.ts';
import {BARS} from './components/bars.ts';
import {BREAKDOWN} from './components/breakdown.ts';
import {BUTTON} from './components/button.ts';
import {CHECK_BOX} from './components/check-box.ts';
import {CHOICES} from './components/choices.ts';
import {DATE_TIME} from './components/date-time.ts';
import {ICON} from './components/icon.ts';
import {IMAGE} from './components/image.ts';
import {CARD, COLUMN, DIVIDER, LIST, ROW} from './components/layout.ts';
import {LINES} from './components/lines.ts';
import {AUDIO, VIDEO} from './components/media.ts';
import {MODAL} from './components/modal.ts';
import {PROGRESS} from './components/progress.ts';
import {SLIDER} from './components/slider.ts';
import {TABLE} from './components/table.ts';
import {TABS} from './components/tabs.ts';
import {TEXT_FIELD} from './components/text-field.ts';
import {TEXT} from './components/text.ts';
import {functionsFor} from './functions.ts';

export const COMPONENTS: WebComponentImplementation[] = [
  TEXT,
  IMAGE,
  ICON,
  ROW,
  COLUMN,
  LIST,
  CARD,
  TABS,
  MODAL,
  DIVIDER,
  BUTTON,
  TEXT_FIELD,
  CHECK_BOX,
  CHOICES,
  SLIDER,
  DATE_TIME,
  VIDEO,
  AUDIO,
  BARS,
  LINES,
  BREAKDOWN,
  TABLE,
  PROGRESS,
  ALERT,
];

type OurCatalog = Catalog<WebComponentImplementation>;

/** One catalogue under each id that a surface may name. */
export function catalogsFor(language: Language): OurCatalog[] {
  const functions = functionsFor(language);
  const ids = [CATALOG_ID, ...OFFICIAL_CATALOG_IDS];
  return ids.map((id) => new Catalog(id, COMPONENTS, functions));
}
