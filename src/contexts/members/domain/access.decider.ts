import { command, type Outcome } from '../../../kernel/command.js';
import { accept, type Decider } from '../../../kernel/decider.js';
import type { AccessEvent } from './session.events.js';

/** Stands in for the account of events that concern none. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

export class NoteAccess extends command('NoteAccess')<
  { accountId: string; noted: AccessEvent },
  Outcome<unknown, AccessEvent, never>
> {}

/** One stream a day limits its length. */
export const accessIdOf = ({ accountId, at }: NoteAccess) => `${accountId}-${at.slice(0, 10)}`;

export const accessDecider: Decider<object, NoteAccess, AccessEvent, never> = {
  initialState: {},
  decide: (_, { noted }) => accept(noted),
  evolve: (none) => none,
};
