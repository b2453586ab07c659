import type { Failure, StopPoint } from './faults.js';
import type { Drop, WireServer } from './wire/server.js';

export interface Counters {
  /** Commands that arrived, by name. */
  readonly commands: Readonly<Record<string, number>>;
  /** By name, collection and, of writes, the write concern: `update jobs majority`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Commands that failed by `fail`, ever. */
  readonly refused: number;
  readonly openCursors: number;
  readonly openConnections: number;
  /** Connections ever taken. */
  readonly acceptedConnections: number;
}

/** What the process that started the server may ask of it, beside the wire. */
export const controlsOf = (server: WireServer) => ({
  counters: (): Counters => ({
    commands: Object.fromEntries(server.counted),
    calls: Object.fromEntries(server.countedCalls),
    refused: server.faults.refused,
    openCursors: server.openCursors,
    openConnections: server.openConnections,
    acceptedConnections: server.accepted,
  }),
  /** All connections end, as of a process that ends or by a reset; new ones end as soon as they are made, for `refuseMs`. */
  dropAll: (refuseMs = 0, how: Drop['how'] = 'end') => server.drop({ refuseMs, how }),
  /** Data and answers to retryable writes stay; connections and cursors are gone. */
  restart: (downMs = 0) => server.restart(downMs),
  /** Commands fail before they do anything; `commands` left out means all. */
  fail: (failure: Failure) => server.faults.fail(failure),
  /** The next `times` writes are refused with NotWritablePrimary; without a number all are, and `hello` says secondary. */
  notPrimary(times?: number) {
    if (times === undefined) server.faults.isSecondary = true;
    else server.faults.notPrimary(times);
  },
  /** It was cut off from the others and has not noticed: reads see nothing, linearizable ones fail. */
  cutOff: () => void (server.faults.isCutOff = true),
  /** The next writes are carried out, then their connection closes instead of a reply. */
  loseReplies: (times: number) => void (server.faults.lostReplies = times),
  /** The connection of the next writes closes before anything is done. */
  loseRequests: (times: number) => void (server.faults.lostRequests = times),
  /** The next upserts that would insert fail with E11000 on `_id_`, as if another writer had been first. Nothing is written. */
  loseUpsertRaces: (times: number) => void (server.faults.duplicates = times),
  /** Every reply waits, in ms. */
  slow: (ms: number) => void (server.faults.slowMs = ms),
  /** Nothing but `hello` is carried out or answered until `clear`. */
  hang: () => server.faults.hang(),
  /** From this write on nothing but `hello` is carried out or answered, until `clear`: kill the client meanwhile. */
  stopAt: (point: StopPoint) => server.faults.stopAt(point),
  /** Resolves to true at that write; to false at `clear`. */
  whenStopped: () => server.faults.whenStopped(),
  /** Ends all faults above. Calls that hung are carried out, calls that were stopped are not. */
  clear: () => server.faults.clear(),
});

export type Controls = ReturnType<typeof controlsOf>;
