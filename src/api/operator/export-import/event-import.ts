import { Injectable } from '@nestjs/common';
import { operatorTokens } from '../../../contexts/operators/index.js';
import { categoryOf } from '../../../kernel/ids.js';
import { ConcurrencyError, EventStore } from '../../../ports/event-store.port.js';
import { isLostRace, retry } from '../../../event-sourcing/retry.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { planImport, type ArrivingEvent, type Plan, type StoredPart } from './import-plan.js';

/** Allows imports only while no worker reacts to events. */
export abstract class ImportGate {
  /**
   * True: no timer fires and no webhook is sent for the next 30 seconds; call it again to continue.
   * @throws UnavailableError
   */
  abstract isOpen(): Promise<boolean>;
}

interface Imported {
  readonly appended: number;
  /** Events that were stored already, unchanged. */
  readonly known: number;
  /** Events that belong to the source installation only. */
  readonly left_out: number;
}

const READS_AT_ONCE = 16;
const ATTEMPTS = 3;

/**
 * Imports events of another installation. Compares them with stored events, so that a repeat changes nothing.
 */
@Injectable()
export class EventImport {
  constructor(private readonly events: EventStore) {}

  /** @throws ApiError STREAM_DIFFERS */
  async take(given: readonly ArrivingEvent[]): Promise<Imported> {
    const arriving = given.filter(({ stream }) => categoryOf(stream) !== operatorTokens.category);
    const plan = await this.append(arriving);
    const { known } = plan;
    return { appended: arriving.length - known, known, left_out: given.length - arriving.length };
  }

  /** Another import may append the same events first: the next attempt finds them. */
  private async append(arriving: readonly ArrivingEvent[]): Promise<Plan & { fits: true }> {
    try {
      return await retry(() => this.appendOnce(arriving), { when: isLostRace, attempts: ATTEMPTS });
    } catch (error) {
      throw error instanceof ConcurrencyError ? differs(error.stream, error.actual) : error;
    }
  }

  private async appendOnce(arriving: readonly ArrivingEvent[]): Promise<Plan & { fits: true }> {
    const plan = planImport(arriving, await this.storedOf(arriving));
    if (!plan.fits) throw differs(plan.stream, plan.revision);
    if (plan.appends.length > 0) await this.events.appendInOrder(plan.appends, { consistency: 'durable' });
    return plan;
  }

  private async storedOf(arriving: readonly ArrivingEvent[]): Promise<ReadonlyMap<string, StoredPart>> {
    const spans = new Map<string, { from: number; count: number }>();
    for (const { stream, revision } of arriving) {
      const span = spans.get(stream) ?? { from: revision, count: 0 };
      spans.set(stream, { from: Math.min(span.from, revision), count: span.count + 1 });
    }
    const stored = new Map<string, StoredPart>();
    const queue = [...spans];
    const readers = Array.from({ length: READS_AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [stream, { from, count }] = next;
        stored.set(stream, await this.partOf(stream, from, count));
      }
    });
    await Promise.all(readers);
    return stored;
  }

  /** Also reads the event before the first; without it, the end of a shorter stream would be unknown. */
  private async partOf(stream: string, from: number, count: number): Promise<StoredPart> {
    const first = Math.max(0, from - 1);
    const events = await this.events.load(stream, { from: first, max: count + from - first });
    return { events, end: events.at(-1)?.revision ?? -1 };
  }
}

const differs = (stream: string, revision: number) =>
  new ApiError('STREAM_DIFFERS', `The stream ${stream} differs at revision ${revision}.`);
