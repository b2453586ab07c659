import type { Document } from '../bson/compose.js';
import type { Faults } from '../faults.js';
import type { Collection } from '../storage/collection.js';
import type { Databases } from '../storage/databases.js';
import type { Command } from '../wire/messages.js';
import type { Cursors } from './cursors.js';
import type { Sessions } from './sessions.js';
import type { ChangeStreams } from './watching.js';

/** All that a command may touch. */
export interface Surroundings {
  readonly databases: Databases;
  readonly cursors: Cursors;
  readonly streams: ChangeStreams;
  readonly sessions: Sessions;
  readonly faults: Faults;
  readonly port: () => number;
  readonly connections: () => number;
}

export interface Call extends Surroundings {
  readonly command: Command;
}

export type Handler = (call: Call) => Document | Promise<Document>;

/** Most commands name their collection as the value of their own name. */
export const collectionName = ({ command }: Call): string => String(command.args[command.name]);

export const collectionOf = (call: Call): Collection | undefined =>
  call.databases.find(call.command.db, collectionName(call));

export const madeOf = (call: Call): Collection => call.databases.make(call.command.db, collectionName(call));

export const documentAt = ({ command }: Call, name: string): Document =>
  (command.args[name] ?? {}) as Document;
