import type { Accepted, Command, Issued, Outcome, Refused, RejectionOf } from '../../kernel/command.js';
import { issuedAfter } from '../../kernel/command.js';
import { fold, type Decision, type Rejection, type Decider } from '../../kernel/decider.js';
import { idOf, streamOf, type Randomness } from '../../kernel/ids.js';
import type {
  DomainEvent,
  EventMetadata,
  Recorded,
  RecordedEvent,
  Origin,
} from '../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../kernel/time.js';
import { EventStore, type Append, type AppendOptions, type NewEvent } from '../ports/event-store.port.js';
import { AggregateStates, none, type Loaded } from './aggregate-states.js';
import { ATTEMPTS, Attempts, type AggregateStoreOptions } from './attempts.js';
import { firstRevision } from './event-codec.js';
import { Deadline } from '../../async/deadline.js';

export type { Loaded } from './aggregate-states.js';
export type { AggregateStoreOptions } from './attempts.js';

/** Rejections named by the command's result; all of the decider without a result. */
type RefusalOf<C, R extends Rejection> = C extends Command<unknown> ? Extract<R, RejectionOf<C>> : R;

const DEADLINE_MS: Milliseconds = 8_000;
const SCHEMA_VERSION = 1;

export interface Aggregate<S, C extends Issued, E extends DomainEvent, R extends Rejection> {
  readonly category: string;
  readonly decider: Decider<S, C, E, R>;
  /** Serialises commands on one id in this process: for aggregates with many at once. */
  readonly serialised?: boolean;
  /** Undefined if the event is not audited. */
  auditedIn?(event: E, decided: Audited<S>): string | undefined;
}

/** Infers the types of an aggregate from its decider. */
export const aggregate = <S, C extends Issued, E extends DomainEvent, R extends Rejection>(
  of: Aggregate<S, C, E, R>,
): Aggregate<S, C, E, R> => of;

export interface Audited<S> {
  readonly id: string;
  /** After the event. */
  readonly state: S;
  readonly by: Origin;
}

/** Not yet stored; several can be appended in order. */
export interface Planned<S> {
  readonly append: Append;
  readonly state: S;
  /** Of the last event of the stream then. */
  readonly at: Instant | undefined;
}

export interface PlanOptions<S> {
  /** Ids by ordinal: another request may have sent them before. */
  readonly eventIds?: (ordinal: number) => string;
  /** Decides on the result of an earlier plan for the same stream. */
  readonly after?: Planned<S>;
  /** Assumes a new id and reads nothing; the append fails if it is taken. */
  readonly assumeNew?: boolean;
}

interface Run<S, C extends Issued, E extends DomainEvent, R extends Rejection> {
  readonly aggregate: Aggregate<S, C, E, R>;
  readonly stream: string;
  readonly command: C;
  readonly deadline: Deadline;
  readonly options: AppendOptions | undefined;
}

/** Decides again after a conflict; repeats an append of unknown outcome with the same ids. */
export class AggregateStore {
  private readonly states: AggregateStates;
  private readonly attempts: Attempts;
  private readonly deadline = () => new Deadline(this.options.deadlineMs ?? DEADLINE_MS);

  constructor(
    private readonly store: EventStore,
    private readonly randomness: Randomness,
    private readonly options: AggregateStoreOptions = {},
  ) {
    this.states = new AggregateStates(store);
    this.attempts = new Attempts(options);
    store.listen({
      remoteEvents: (events) => events.forEach(({ stream, revision }) => this.invalidate(stream, revision)),
      rolledBack: () => this.states.clear(),
    });
  }

  async load<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<Loaded<S>> {
    const stream = streamOf(aggregate.category, id);
    const cached = this.states.cached<S>(stream);
    return cached && !this.options.shared ? cached : this.states.read(aggregate.decider, stream);
  }

  /**
   * As `load`, but from memory while this instance receives every event. May lack events of the last milliseconds (of
   * ten seconds after a silent loss of the connection): for answers that grant nothing.
   */
  async heard<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<Loaded<S>> {
    if (!this.options.shared) return this.load(aggregate, id);
    return this.states.heard(aggregate.decider, streamOf(aggregate.category, id));
  }

  /** Possibly an old state, for commands that then append: the store refuses decisions on it. */
  async lastKnown<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
  ): Promise<Loaded<S>> {
    return this.recall(aggregate, id) ?? this.load(aggregate, id);
  }

  recall<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    { category }: Aggregate<S, C, E, R>,
    id: string,
  ): Loaded<S> | undefined {
    return this.states.cached<S>(streamOf(category, id));
  }

  /** @param attempts 1: again after a lost race. @throws UnavailableError, ConcurrencyError if all lost */
  async execute<S, C extends Issued, E extends DomainEvent, R extends Rejection, Given extends C>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: Given,
    options?: AppendOptions,
    attempts = ATTEMPTS,
  ): Promise<Outcome<S, E, RefusalOf<Given, R>>> {
    const stream = streamOf(aggregate.category, id);
    const { serialised } = aggregate;
    const decided = () => {
      const run = { aggregate, stream, command, deadline: this.deadline(), options };
      const until = { deadline: run.deadline, ...(!serialised && { attempts }) };
      return this.attempts.retryRaces((attempt) => this.decideAndAppend(run, attempt === 1), until);
    };
    const outcome = await (serialised ? this.attempts.inTurn(stream, decided) : decided());
    return outcome as Outcome<S, E, RefusalOf<Given, R>>;
  }

  /**
   * Serial per id, repeated after lost races. A command on the id of a serialised aggregate would deadlock.
   * @throws UnavailableError
   */
  inTurn<T>(
    { category }: { readonly category: string },
    id: string,
    work: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const tried = () => this.attempts.retryRaces(work, { deadline: this.deadline() });
    return this.attempts.inTurn(streamOf(category, id), tried);
  }

  /** A lost race drops the cached state, so the next attempt reads the stream. */
  private async decideAndAppend<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    run: Run<S, C, E, R>,
    isFirst: boolean,
  ): Promise<Outcome<S, E, R>> {
    const { aggregate, stream } = run;
    const cached = isFirst ? this.states.cached<S>(stream) : undefined;
    const decideOn = (loaded: Loaded<S>) => {
      const command = issuedAfter(loaded.at, run.command);
      return { loaded, command, decision: aggregate.decider.decide(loaded.state, command) };
    };
    let decided = decideOn(cached ?? (await this.states.read(aggregate.decider, stream)));
    // An append would be refused on an old state; an answer without one needs the newest.
    if (this.options.shared && cached && !appends(decided.decision))
      decided = decideOn(await this.states.read(aggregate.decider, stream));
    const { loaded, command, decision } = decided;
    if (!decision.accepted) return { ok: false, rejection: decision.rejection };
    if (decision.events.length === 0) return { ok: true, ...loaded, events: [] };
    try {
      return await this.append({ ...run, command }, loaded, decision.events);
    } catch (error) {
      this.states.drop(stream);
      throw error;
    }
  }

  /** For handlers that append to several streams in order. */
  async plan<S, C extends Issued, E extends DomainEvent, R extends Rejection, Given extends C>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: Given,
    options: PlanOptions<S> = {},
  ): Promise<{ ok: true; planned: Planned<S> } | Refused<RefusalOf<Given, R>>> {
    const loaded = this.startOf(aggregate, id, options) ?? (await this.load(aggregate, id));
    const issued = issuedAfter(loaded.at, command);
    const decision = aggregate.decider.decide(loaded.state, issued);
    if (!decision.accepted) return { ok: false, rejection: decision.rejection as RefusalOf<Given, R> };
    const stream = streamOf(aggregate.category, id);
    return {
      ok: true,
      planned: this.plannedOn(loaded, { aggregate, stream, command: issued }, decision.events, options),
    };
  }

  /** Omits plans without events. @throws as EventStore.appendInOrder */
  async appendInOrder(
    plans: readonly Planned<unknown>[],
    options?: AppendOptions,
  ): Promise<readonly RecordedEvent[]> {
    const due = plans.filter((plan) => plan.append.events.length > 0);
    try {
      const appended = await this.attempts.repeatWhileUnknown(this.deadline(), (repeated) =>
        this.store.appendInOrder(
          due.map((plan) => repeated(plan.append)),
          options,
        ),
      );
      due.forEach((plan, i) =>
        this.states.keep(plan.append.stream, { ...resultOf(plan), revision: appended[i]!.revision }),
      );
      return appended.flatMap((one) => one.events);
    } catch (error) {
      for (const plan of due) this.states.drop(plan.append.stream);
      throw error;
    }
  }

  private startOf<S>(
    { category, decider }: { readonly category: string; readonly decider: { readonly initialState: S } },
    id: string,
    { after, assumeNew }: PlanOptions<S>,
  ): Loaded<S> | undefined {
    if (after) return resultOf(after);
    if (!assumeNew) return undefined;
    return this.states.cached<S>(streamOf(category, id)) ?? none(decider);
  }

  async holds(stream: string, eventId: string): Promise<boolean> {
    return (await this.store.load(stream)).some((event) => event.id === eventId);
  }

  invalidate(stream: string, revision: number): void {
    this.states.dropOlder(stream, revision);
  }

  private async append<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    { aggregate, stream, command, deadline, options }: Run<S, C, E, R>,
    loaded: Loaded<S>,
    events: readonly E[],
  ): Promise<Accepted<S, E>> {
    const planned = this.plannedOn(loaded, { aggregate, stream, command }, events);
    const appended = await this.attempts.repeatWhileUnknown(deadline, (repeated) =>
      this.store.append(repeated(planned.append), options),
    );
    const next = { ...resultOf(planned), revision: appended.revision };
    this.states.keep(stream, next);
    return { ok: true, ...next, events: appended.events as unknown as Recorded<E>[] };
  }

  private plannedOn<S, C extends Issued, E extends DomainEvent, R extends Rejection>(
    loaded: Loaded<S>,
    { aggregate, stream, command }: Pick<Run<S, C, E, R>, 'aggregate' | 'stream' | 'command'>,
    events: readonly E[],
    { eventIds }: PlanOptions<S> = {},
  ): Planned<S> {
    const { at, by } = command;
    const state = fold(aggregate.decider, events, loaded.state);
    const decided = { id: idOf(stream), state, by };
    const common: EventMetadata = { ...by, at, schemaVersion: SCHEMA_VERSION };
    const newEvent = (event: E, ordinal: number): NewEvent => {
      const accountId = aggregate.auditedIn?.(event, decided);
      const metadata = accountId === undefined ? common : { ...common, accountId };
      const id = eventIds?.(ordinal) ?? this.randomness.uuid();
      return { id, type: event.type, data: event.data, metadata };
    };
    const append: Append = {
      stream,
      expected: loaded.revision < 0 ? 'no_stream' : loaded.revision,
      events: events.map(newEvent),
      ...(eventIds && { isRepeat: true }),
    };
    return { append, state, at: events.length > 0 ? at : loaded.at };
  }
}

function appends(decision: Decision<DomainEvent, Rejection>): boolean {
  return decision.accepted && decision.events.length > 0;
}

function resultOf<S>({ append, state, at }: Planned<S>): Loaded<S> {
  return { state, revision: firstRevision(append.expected) - 1 + append.events.length, at };
}
