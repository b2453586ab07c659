import { isUnavailable } from '../../async/retry.js';
import { streamOf } from '../../kernel/ids.js';
import type { AnyProcess, ArmedTimer, Timer } from '../../kernel/process.js';
import type { ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { earlier, type Instant } from '../../kernel/time.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { RangeQuery, ViewStore } from '../ports/view-store.port.js';
import { dueAtOf, react, type Armed, type TimedView, type TimerRef } from './timers.projection.js';

/** Events that timers refer to. */
const READS_AT_ONCE = 16;

/** A document with due timers. */
export interface DueSubject {
  readonly view: ViewDefinition;
  readonly id: string;
  readonly sequence: number;
  readonly due: readonly Timer[];
  /** Why a due timer is missing. */
  readonly failure?: unknown;
  /** When the first of its other timers is due. */
  readonly later: Instant | undefined;
}

type TimedDocument = Armed & { readonly sequence: number } & Readonly<Record<string, unknown>>;

interface Found {
  readonly of: TimedView;
  readonly document: TimedDocument;
}

/** The armed timers of all timed views. */
export class DueTimers {
  private readonly processes: ReadonlyMap<string, AnyProcess>;

  constructor(
    private readonly views: Pick<ViewStore, 'range' | 'setVolatile'>,
    private readonly events: Pick<EventStore, 'load'>,
    private readonly timed: readonly TimedView[],
    processes: readonly AnyProcess[],
  ) {
    this.processes = new Map(processes.map((process) => [process.name, process]));
  }

  /** When the next timer is due, as far as the loop has not deferred it. */
  async next(): Promise<Instant | undefined> {
    const [first] = await this.found({ by: 'due_at', limit: 1 });
    return first?.document.due_at;
  }

  /** When the first timer is due that these events arm. */
  armedBy(events: readonly RecordedEvent[]): Instant | undefined {
    const processes = [...this.processes.values()];
    const outcomes = events.flatMap((event) => [...react(processes, event).values()]);
    const dues = outcomes.flatMap((outcome) => [...outcome.values()].flatMap((timer) => timer?.due_at ?? []));
    return dues.length === 0 ? undefined : dues.reduce(earlier);
  }

  /** Earliest first. @throws UnavailableError if no event of them can be read */
  async due(limit: number, now: Instant): Promise<readonly DueSubject[]> {
    const found = await this.found({ by: 'due_at', limit, upTo: now });
    const subjects: DueSubject[] = [];
    for (let from = 0; from < found.length; from += READS_AT_ONCE) {
      const part = found.slice(from, from + READS_AT_ONCE);
      subjects.push(...(await Promise.all(part.map((one) => this.dueOf(one, now)))));
    }
    const [first] = subjects;
    if (first && subjects.every(({ failure }) => isUnavailable(failure))) throw first.failure;
    return subjects;
  }

  /** Counting stops at `most`. */
  async countDueSince(at: Instant, most: number): Promise<number> {
    return (await this.found({ by: 'due_at', limit: most, upTo: at })).length;
  }

  /** Skips a subject that an event has changed since. */
  defer({ view, id, sequence }: DueSubject, due: Instant): Promise<void> {
    return this.views.setVolatile(view, { id, when: { sequence }, set: { due_at: due } });
  }

  private async found(query: RangeQuery): Promise<readonly Found[]> {
    const all = this.timed.map(async (of) => {
      const documents = await this.views.range<TimedDocument>(of.view, query);
      return documents.map((document) => ({ of, document }));
    });
    const found = (await Promise.all(all)).flat();
    return found.sort((a, b) => (a.document.due_at < b.document.due_at ? -1 : 1)).slice(0, query.limit);
  }

  private async dueOf({ of, document }: Found, now: Instant): Promise<DueSubject> {
    const { view, subject, category } = of;
    const id = String(document[subject]);
    const stream = category === undefined ? undefined : streamOf(category, id);
    const due: Timer[] = [];
    let failure: unknown;
    let later: Instant | undefined;
    for (const [process, timer] of Object.entries(document.timers)) {
      const at = dueAtOf(timer);
      if (at > now) later = later === undefined ? at : earlier(later, at);
      else
        try {
          const whole = 'due_at' in timer ? timer : await this.armed(process, id, stream!, timer);
          due.push({ process, subject: id, ...whole });
        } catch (error) {
          failure = error;
        }
    }
    return { view, id, sequence: document.sequence, due, later, ...(failure !== undefined && { failure }) };
  }

  /** @throws CorruptEventError, UnavailableError, RangeError if the event does not arm it */
  private async armed(name: string, id: string, stream: string, [, revision]: TimerRef): Promise<ArmedTimer> {
    const [event] = await this.events.load(stream, { from: revision, max: 1 });
    const process = this.processes.get(name);
    const armed = event && process && react([process], event).get(id)?.get(name);
    if (!armed) throw new RangeError(`event ${revision} of ${stream} arms no timer ${name}`);
    return armed;
  }
}
