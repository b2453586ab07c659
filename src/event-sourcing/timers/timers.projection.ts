import type { AnyProcess, ArmedTimer, Reaction, Timer } from '../../kernel/process.js';
import type { Projection, ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { earlier, type Instant } from '../../kernel/time.js';

/** One document per subject, changed in place. */
export interface TimersOfSubject {
  readonly subject: string;
  /** Next check by the timer loop: the earliest timer, until the loop defers it. */
  readonly due_at: Instant;
  /** Revision of the last event that armed or disarmed one. */
  readonly sequence: number;
  readonly timers: Readonly<Record<string, ArmedTimer>>;
}

/** Digests ignore `due_at`, because the timer loop may defer it. */
export const timersView: ViewDefinition = {
  name: 'timers',
  version: 3,
  indexes: [{ fields: ['due_at'] }],
  volatileFields: ['due_at'],
};

/** Timers by process; undefined: disarmed. */
type Outcome = Map<string, ArmedTimer | undefined>;

export function timersProjection(processes: readonly AnyProcess[]): Projection<TimersOfSubject> {
  const outcomesOf = rememberLast((event) => react(processes, event));
  return {
    view: timersView,
    handles: [...new Set(processes.flatMap((process) => process.handles))],
    keysOf: (event) => [...outcomesOf(event).keys()],
    apply: (document, event, subject) => changed(document, event, subject, outcomesOf(event).get(subject)!),
  };
}

export function timersOf({ subject, timers }: TimersOfSubject): readonly Timer[] {
  return Object.entries(timers).map(([process, timer]) => ({ process, subject, ...timer }));
}

function changed(
  document: TimersOfSubject | undefined,
  { revision }: RecordedEvent,
  subject: string,
  outcome: Outcome,
): TimersOfSubject | undefined {
  const before = document?.timers ?? {};
  const timers: Record<string, ArmedTimer> = {};
  for (const process of Object.keys(before)) if (!outcome.has(process)) timers[process] = before[process]!;
  const kept = Object.keys(timers).length;
  for (const [process, timer] of outcome) if (timer) timers[process] = timer;
  const dues = Object.values(timers).map(({ due_at }) => due_at);
  if (dues.length === 0) return undefined;
  if (dues.length === kept && kept === Object.keys(before).length) return document;
  return { subject, due_at: dues.reduce(earlier), sequence: revision, timers };
}

function react(processes: readonly AnyProcess[], event: RecordedEvent): ReadonlyMap<string, Outcome> {
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

/** `keysOf` and then each `apply` ask about the same event. */
function rememberLast<T>(answer: (event: RecordedEvent) => T): (event: RecordedEvent) => T {
  let last: { event: RecordedEvent; answered: T } | undefined;
  return (event) => {
    if (last?.event !== event) last = { event, answered: answer(event) };
    return last.answered;
  };
}
