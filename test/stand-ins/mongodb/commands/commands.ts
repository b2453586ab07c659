import { administration } from './administration.js';
import type { Handler } from './call.js';
import { catalog } from './catalog.js';
import { explain } from './explaining.js';
import { findAndModify } from './find-and-modify.js';
import { aggregate, findCommand, getMore, killCursors } from './reading.js';
import { insert, remove, update } from './writing.js';

/** Commands by the name they have on the wire. https://www.mongodb.com/docs/manual/reference/command/ */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    ...administration,
    ...catalog,
    ...{ find: findCommand, getMore, killCursors, aggregate, explain },
    ...{ insert, update, delete: remove, findAndModify },
  }),
);
