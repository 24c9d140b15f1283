/** The drawings: 24 units wide, lines of the text's own colour, no request to anywhere. */

import {html, svg} from 'lit';
import type {TemplateResult} from 'lit';

const CIRCLE = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z';
const BELL = 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4';
const HEART = 'M12 20S4 15 4 9a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 6-8 11-8 11z';
const STAR = 'M12 3l2.8 5.8 6.2.9-4.5 4.4 1.1 6.3L12 17.4 6.4 20.4l1.1-6.3L3 9.7l6.2-.9z';
const SPEAKER = 'M4 9v6h4l5 4V5L8 9z';
const SLASH = 'M4 4l16 16';
const CALENDAR = 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4';
const EYE = 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z';
const PERSON = 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6';
const DOT = 'a1 1 0 1 0 .01 0';

/** Paths by the names that the official catalogue gives them. */
const PATHS = {
  accountCircle: `${CIRCLE}M12 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6 18c1-3 3-4 6-4s5 1 6 4`,
  add: 'M12 5v14M5 12h14',
  arrowBack: 'M19 12H5M11 6l-6 6 6 6',
  arrowForward: 'M5 12h14M13 6l6 6-6 6',
  attachFile: 'M20 11l-8 8a5 5 0 0 1-7-7l8-8a3 3 0 0 1 5 5l-8 8a1 1 0 0 1-2-2l7-7',
  calendarToday: CALENDAR,
  call: 'M5 4h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1z',
  camera: 'M3 8h4l2-3h6l2 3h4v11H3zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  check: 'M5 12.5l5 5L20 7',
  close: 'M6 6l12 12M18 6L6 18',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  event: `${CALENDAR}M13 14h3v3h-3z`,
  error: `${CIRCLE}M12 7v6M12 16.5${DOT}`,
  fastForward: 'M4 6l8 6-8 6zM12 6l8 6-8 6z',
  favorite: HEART,
  favoriteOff: `${HEART}${SLASH}`,
  folder: 'M3 6h6l2 2h10v11H3z',
  help: `${CIRCLE}M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5${DOT}`,
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  info: `${CIRCLE}M12 11v6M12 7.5${DOT}`,
  locationOn: 'M12 21s7-6 7-11a7 7 0 0 0-14 0c0 5 7 11 7 11zM12 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  lockOpen: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 7.5-2',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moreVert: `M12 5${DOT}M12 12${DOT}M12 19${DOT}`,
  moreHoriz: `M5 12${DOT}M12 12${DOT}M19 12${DOT}`,
  notificationsOff: `${BELL}${SLASH}`,
  notifications: BELL,
  pause: 'M8 5v14M16 5v14',
  payment: 'M3 6h18v12H3zM3 10h18M6 15h4',
  person: PERSON,
  phone: 'M7 3h10v18H7zM11 18h2',
  photo: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M9 8.5a1 1 0 1 0 .01 0',
  play: 'M7 5l12 7-12 7z',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  rewind: 'M20 6l-8 6 8 6zM12 6l-8 6 8 6z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  send: 'M12 20V5M6 11l6-6 6 6',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  share: 'M12 15V4M8 8l4-4 4 4M6 12v8h12v-8',
  shoppingCart: `M3 4h3l2 11h10l2-8H7M9 19${DOT}M17 19${DOT}`,
  skipNext: 'M6 5l9 7-9 7zM18 5v14',
  skipPrevious: 'M18 5l-9 7 9 7zM6 5v14',
  star: STAR,
  starHalf: `${STAR}M12 3v14.4`,
  starOff: `${STAR}${SLASH}`,
  stop: 'M7 7h10v10H7z',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  visibility: EYE,
  visibilityOff: `${EYE}${SLASH}`,
  volumeDown: `${SPEAKER}M16 9a4 4 0 0 1 0 6`,
  volumeMute: SPEAKER,
  volumeOff: `${SPEAKER}M16 9l5 6M21 9l-5 6`,
  volumeUp: `${SPEAKER}M16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12`,
  warning: `M12 4l9 16H3zM12 10v4M12 17${DOT}`,
  clock: `${CIRCLE}M12 7v5l3 2`,
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  chevron: 'M9 6l6 6-6 6',
  external: 'M14 4h6v6M20 4l-9 9M11 6H5v13h13v-6',
};

export type IconName = keyof typeof PATHS;

export function isIconName(name: unknown): name is IconName {
  return typeof name === 'string' && Object.hasOwn(PATHS, name);
}

/** Returns a drawing that says nothing to a screen reader; the text beside it does. */
export function icon(name: IconName): TemplateResult {
  return drawing(PATHS[name]);
}

/** Returns a drawing of path data, filled where it is somebody else's. */
export function drawing(path: string, kind: 'lines' | 'filled' = 'lines'): TemplateResult {
  return html`<svg class="icon ${kind}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${svg`<path d=${path}></path>`}
  </svg>`;
}
