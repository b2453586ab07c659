import type { Failure } from './faults.js';
import type { Drop, WireServer } from './wire/server.js';

export interface Counters {
  /** Commands that arrived, by name. */
  readonly commands: Readonly<Record<string, number>>;
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
    refused: server.faults.refused,
    openCursors: server.openCursors,
    openConnections: server.openConnections,
    acceptedConnections: server.accepted,
  }),
  drop: (drop: Drop) => server.drop(drop),
  restart: (downMs: number) => server.restart(downMs),
  fail: (failure: Failure) => server.faults.fail(failure),
  notPrimary(times: number | undefined) {
    if (times === undefined) server.faults.isSecondary = true;
    else server.faults.notPrimary(times);
  },
  cutOff: () => void (server.faults.isCutOff = true),
  loseReplies: (times: number) => void (server.faults.lostReplies = times),
  loseRequests: (times: number) => void (server.faults.lostRequests = times),
  loseUpsertRaces: (times: number) => void (server.faults.duplicates = times),
  slow: (ms: number) => void (server.faults.slowMs = ms),
  hang: () => server.faults.hang(),
  clear: () => server.faults.clear(),
  expire: (at: number) => server.expire(at),
});

export type Controls = ReturnType<typeof controlsOf>;
