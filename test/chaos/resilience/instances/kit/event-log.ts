import { byStream, type StoredEvent } from '../../../../kit/stored-events.js';
import type { Fleet } from './fleet.js';

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

export function jobsOf(
  events: readonly StoredEvent[],
): readonly (readonly [string, readonly StoredEvent[]])[] {
  return [...byStream(events)]
    .filter(([stream]) => stream.startsWith('job-'))
    .map(([stream, story]) => [stream.slice('job-'.length), story] as const);
}
