/** Starts the chat on the page's `<main id="chat">`. */

import {readSettings} from './settings.ts';
import {Chat} from './view/chat.ts';

const place = document.getElementById('chat');
if (place) {
  const chat = new Chat();
  chat.settings = readSettings(place);
  place.replaceChildren(chat);
}
