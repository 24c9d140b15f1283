/** The admin's script: each part starts where its page has a place for it. */

import './inbox.ts';
import './editor.ts';
import './rehearsal.ts';
