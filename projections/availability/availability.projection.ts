import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { typesOf, type Projection } from '../../src/kernel/projection.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import { plus, type Instant } from '../../src/kernel/time.js';
import {
  availabilityView,
  MAX_INTERVALS,
  PRESENCE_KEPT,
  type AvailabilityDocument,
  type Presence,
} from './availability.js';

const OF_COMPUTERS = {
  ComputerReenrolled: ({ state }) => (state === 'disabled' ? state : 'pending'),
  AgentSessionStarted: ({ state }) => (state === 'pending' ? 'offline' : state),
  ComputerCameOnline: () => 'online',
  ComputerWentOffline: () => 'offline',
  ComputerDisabled: () => 'disabled',
  ComputerRevoked: () => 'gone',
} as const satisfies Partial<Record<ComputerEvent['type'], (before: AvailabilityDocument) => Presence>>;

const OF_PRINTERS = {
  PrinterCameOnline: 'online',
  PrinterWentOffline: 'offline',
  PrinterDisabled: 'disabled',
  PrinterRemoved: 'gone',
} as const satisfies Partial<Record<ComputerEvent['type'], Presence>>;

/** A computer is offline from the moment that the service noticed, some seconds after its last heartbeat. */
export const availabilityProjection: Projection<AvailabilityDocument, ComputerEvent> = {
  view: availabilityView,
  handles: [
    ...(['ComputerRegistered', 'ComputerEnabled', 'PrinterDetected'] as const),
    ...typesOf(OF_COMPUTERS),
    ...typesOf(OF_PRINTERS),
  ],
  keysOf: ({ stream, data }) => ['printerId' in data ? data.printerId : idOf(stream)],

  apply(document, event, id) {
    const since = event.metadata.at;
    if (event.type === 'ComputerRegistered')
      return begun({ id, kind: 'computer', account_id: event.data.accountId, state: 'pending', since });
    if (event.type === 'PrinterDetected')
      return begun({ id, kind: 'printer', account_id: event.data.accountId, state: 'offline', since });
    return document && changed(document, stateAfter(event, document), since);
  },
};

const begun = (first: Omit<AvailabilityDocument, 'earlier'>): AvailabilityDocument => ({
  ...first,
  earlier: [],
});

function stateAfter(event: Recorded<ComputerEvent>, before: AvailabilityDocument): Presence {
  if (event.type === 'ComputerEnabled') return event.data.status;
  if (event.type in OF_PRINTERS) return OF_PRINTERS[event.type as keyof typeof OF_PRINTERS];
  return OF_COMPUTERS[event.type as keyof typeof OF_COMPUTERS](before);
}

function changed(before: AvailabilityDocument, state: Presence, since: Instant): AvailabilityDocument {
  if (before.state === state) return before;
  const kept = plus(since, -PRESENCE_KEPT);
  const intervals = [...before.earlier, { state: before.state, since: before.since }];
  const endOf = (n: number) => intervals[n + 1]?.since ?? since;
  const earlier = intervals.filter((_, n) => endOf(n) > kept).slice(-MAX_INTERVALS);
  return { ...before, state, since, earlier };
}
