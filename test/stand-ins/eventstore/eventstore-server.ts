import { StandInProcess, type Remote } from '../child.js';
import type { Commands, ServerOptions } from './control.js';

/** Each of its commands resolves when it is in force; a frozen process answers none of them. */
export type EventStoreServer = Remote<Commands>;

/**
 * An EventStoreDB of tests in a process of its own: the real protocol, an empty memory, faults on demand. It is held to
 * the recordings of real servers in test/recordings; what goes beyond them was read in the server's source, at the
 * places named. Not here: TLS and users, links, projections, persistent subscriptions, batch appends, subscriptions to
 * one stream.
 */
export function startEventStoreServer(options: Partial<ServerOptions> = {}): Promise<EventStoreServer> {
  return StandInProcess.start<Commands>('eventstoredb', options);
}
