import type { Fleet } from './fleet.js';

export interface StoredEvent {
  readonly event_id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly recorded_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const PAGE = 1_000;

/** All events of a fleet, read on from the last position. */
export class EventLog {
  readonly events: StoredEvent[] = [];

  constructor(private readonly fleet: Pick<Fleet, 'operate'>) {}

  async read(): Promise<readonly StoredEvent[]> {
    for (let more = true; more;) {
      const after = this.events.at(-1)?.position ?? '0';
      const page = await this.fleet.operate('GET', `/events?limit=${PAGE}&after=${after}`);
      const items = page.items as StoredEvent[];
      this.events.push(...items);
      more = items.length === PAGE;
    }
    return this.events;
  }
}

export function byStream(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const streams = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const story = streams.get(event.stream);
    if (story) story.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}

export function jobsOf(
  events: readonly StoredEvent[],
): readonly (readonly [string, readonly StoredEvent[]])[] {
  return [...byStream(events)]
    .filter(([stream]) => stream.startsWith('job-'))
    .map(([stream, story]) => [stream.slice('job-'.length), story] as const);
}
