import type { AnyProcess, ArmedTimer, Reaction } from '../../kernel/process.js';
import type { Projection, ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { DomainEvent, RecordedEvent } from '../../kernel/recorded-event.js';
import { earlier, type Instant } from '../../kernel/time.js';

/** When a timer is due, and the revision of the event that armed it, from which its process says the rest. */
export type TimerRef = readonly [due_at: Instant, revision: number];

/** What a document has for its armed timers. */
export interface Armed<T = ArmedTimer | TimerRef> {
  /** Next check by the timer loop: the earliest timer, until the loop defers it. */
  readonly due_at: Instant;
  /** By process. */
  readonly timers: Readonly<Record<string, T>>;
}

/** One document per subject that is no document of another timed view; changed in place. */
export interface TimersOfSubject extends Armed<ArmedTimer> {
  readonly subject: string;
  /** Revision of the last event that armed or disarmed one. */
  readonly sequence: number;
}

/** A view whose documents have timers, an index of `due_at`, a volatile field, and their revision as `sequence`. */
export interface TimedView {
  readonly view: ViewDefinition;
  /** Field with the id of the document, which is the subject of its timers. */
  readonly subject: string;
  /** Of the streams of the documents, if these have references to timers instead of whole ones. */
  readonly category?: string;
}

/** Digests ignore `due_at`, because the timer loop may defer it. */
export const timersView: ViewDefinition = {
  name: 'timers',
  version: 4,
  indexes: [{ fields: ['due_at'] }],
  volatileFields: ['due_at'],
};

export const TIMERS_APART: TimedView = { view: timersView, subject: 'subject' };

/** Timers by process; undefined: disarmed. */
type Outcome<T = ArmedTimer> = Map<string, T | undefined>;

export function timersProjection(processes: readonly AnyProcess[]): Projection<TimersOfSubject> {
  return {
    view: timersView,
    handles: typesOf(processes),
    keysOf: (event) => [...react(processes, event).keys()],
    apply(document, event, subject) {
      const change = changeBy(react(processes, event).get(subject)!, document?.timers);
      if (!change) return document;
      return change.timers && { subject, sequence: event.revision, ...change };
    },
  };
}

/**
 * Refers in each document to its timers: saves a seventh of the KB written a life of a job
 * (docs/decisions/116-fewer-pages.md). The projection must keep fields that it does not know, and handle all events of
 * the processes, for the document that is their subject.
 */
export function withTimers<D extends ViewDocument, E extends DomainEvent>(
  projection: Projection<D, E>,
  processes: readonly AnyProcess[],
): Projection<D, E> {
  return {
    ...projection,
    apply(document, event, key) {
      const next = projection.apply(document, event, key);
      const outcome = next && react(processes, event).get(key);
      const change =
        outcome && changeBy(referring(outcome, event), (next as Partial<Armed<TimerRef>>).timers);
      return change ? { ...next, ...change } : next;
    },
  };
}

function referring(outcome: Outcome, { revision }: RecordedEvent): Outcome<TimerRef> {
  const refs = new Map<string, TimerRef | undefined>();
  for (const [process, timer] of outcome) refs.set(process, timer && [timer.due_at, revision]);
  return refs;
}

export const dueAtOf = (timer: ArmedTimer | TimerRef): Instant =>
  'due_at' in timer ? timer.due_at : timer[0];

/** Unsets the fields. */
const DISARMED: { due_at: undefined; timers: undefined } = { due_at: undefined, timers: undefined };

/** Undefined if nothing changes. */
function changeBy<T extends ArmedTimer | TimerRef>(
  outcome: Outcome<T>,
  before: Readonly<Record<string, T>> = {},
): Armed<T> | typeof DISARMED | undefined {
  const timers: Record<string, T> = {};
  for (const process of Object.keys(before)) if (!outcome.has(process)) timers[process] = before[process]!;
  const kept = Object.keys(timers).length;
  for (const [process, timer] of outcome) if (timer) timers[process] = timer;
  const dues = Object.values(timers).map(dueAtOf);
  if (dues.length === kept && kept === Object.keys(before).length) return undefined;
  return dues.length === 0 ? DISARMED : { due_at: dues.reduce(earlier), timers };
}

const typesOf = (processes: readonly AnyProcess[]) => [
  ...new Set(processes.flatMap((process) => process.handles)),
];

/** By subject. */
export function react(processes: readonly AnyProcess[], event: RecordedEvent): ReadonlyMap<string, Outcome> {
  const bySubject = new Map<string, Outcome>();
  for (const process of processes) {
    if (!process.handles.includes(event.type)) continue;
    for (const reaction of process.react(event)) {
      let outcome = bySubject.get(reaction.subject);
      if (!outcome) bySubject.set(reaction.subject, (outcome = new Map()));
      outcome.set(process.name, reaction.kind === 'schedule' ? timerOf(reaction, event) : undefined);
    }
  }
  return bySubject;
}

function timerOf(
  { due, payload, keptAlive }: Extract<Reaction, { kind: 'schedule' }>,
  event: RecordedEvent,
): ArmedTimer {
  return {
    due_at: due,
    payload,
    ...(keptAlive && { kept_alive: keptAlive }),
    armed_by: event.id,
    correlation_id: event.metadata.correlationId,
  };
}
