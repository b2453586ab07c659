import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import { fold, type Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/recorded-event.js';
import { CoalescedRun } from '../../async/repeated-run.js';
import type { Instant } from '../../kernel/time.js';
import type { EventStore } from '../ports/event-store.port.js';

export interface Loaded<S> {
  readonly state: S;
  /** -1 for none. */
  readonly revision: number;
  /** Time of the last event; undefined for none. */
  readonly at: Instant | undefined;
}

export function none<S>({ initialState }: { readonly initialState: S }): Loaded<S> {
  return { state: initialState, revision: -1, at: undefined };
}

type Folding<S, E extends DomainEvent> = Pick<Decider<S, never, E, never>, 'initialState' | 'evolve'>;

/** Of idle Agents that poll in turn, computers and accounts: a smaller cache would hit none. */
const CACHED_STATES = 20_000;

/** Saves the read of most commands. A stale state only costs a reload. */
export class AggregateStates {
  private readonly states = new LRUCache<string, Loaded<unknown>>(growingTo(CACHED_STATES));
  /** By stream: the period in which each of its events was compared with the cached state. */
  private readonly heardIn = new LRUCache<string, object>(growingTo(CACHED_STATES));
  private readonly reads = new Map<string, CoalescedRun<Loaded<unknown>>>();

  constructor(private readonly store: EventStore) {}

  cached<S>(stream: string): Loaded<S> | undefined {
    return this.states.get(stream) as Loaded<S> | undefined;
  }

  /** Ignores older states, because answers may arrive out of order. */
  keep(stream: string, loaded: Loaded<unknown>): void {
    const cached = this.states.get(stream);
    if (!cached || cached.revision <= loaded.revision) this.states.set(stream, loaded);
  }

  drop(stream: string): void {
    this.states.delete(stream);
    this.heardIn.delete(stream);
  }

  clear(): void {
    this.states.clear();
    this.heardIn.clear();
  }

  dropOlder(stream: string, revision: number): void {
    const cached = this.states.get(stream);
    if (!cached || cached.revision < revision) this.drop(stream);
  }

  /** Reads the stream once, and again after an event of it or an interruption. */
  async heard<S, E extends DomainEvent>(decider: Folding<S, E>, stream: string): Promise<Loaded<S>> {
    const period = this.store.hearing();
    const cached = this.cached<S>(stream);
    if (period && cached && this.heardIn.get(stream) === period) return cached;
    // An event that arrives during the read removes the mark.
    const mark = {};
    this.heardIn.set(stream, mark);
    const loaded = await this.read(decider, stream);
    if (period && this.heardIn.get(stream) === mark) this.heardIn.set(stream, period);
    return loaded;
  }

  /** Callers during a read share the next one, so each gets a state as new as its call. */
  async read<S, E extends DomainEvent>(decider: Folding<S, E>, stream: string): Promise<Loaded<S>> {
    const reading = this.reads.get(stream) ?? new CoalescedRun(() => this.readOn(decider, stream));
    this.reads.set(stream, reading);
    try {
      return (await reading.request()) as Loaded<S>;
    } finally {
      if (reading.isIdle) this.reads.delete(stream);
    }
  }

  private async readOn<S, E extends DomainEvent>(decider: Folding<S, E>, stream: string): Promise<Loaded<S>> {
    const from = this.cached<S>(stream) ?? none(decider);
    const events = await this.store.load(stream, { from: from.revision + 1 });
    const last = events.at(-1);
    if (!last) return from;
    const state = fold(decider, events as unknown as E[], from.state);
    const loaded = { state, revision: last.revision, at: last.metadata.at };
    this.keep(stream, loaded);
    return loaded;
  }
}
