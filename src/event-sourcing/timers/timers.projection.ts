import type { AnyProcess, Reaction, Timer } from '../../kernel/process.js';
import type { Projection, ViewDefinition } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';

/** The armed timers of all processes. The timer loop may defer one, so its due time is not compared in digests. */
export const timersView: ViewDefinition = {
  name: 'timers',
  version: 2,
  indexes: [{ fields: ['due_at'] }],
  volatileFields: ['due_at'],
};

/** What an event leaves of the timers it touches, by id. */
type Outcome = ReadonlyMap<string, Timer | undefined>;

/** Timers as documents: what a process schedules appears, what it unschedules goes. */
export function timersProjection(processes: readonly AnyProcess[]): Projection<Timer> {
  const outcomeOf = rememberLast((event) => react(processes, event));
  return {
    view: timersView,
    handles: [...new Set(processes.flatMap((process) => process.handles))],
    keysOf: (event) => [...outcomeOf(event).keys()],
    apply: (_, event, id) => outcomeOf(event).get(id),
  };
}

function react(processes: readonly AnyProcess[], event: RecordedEvent): Outcome {
  const outcome = new Map<string, Timer | undefined>();
  for (const process of processes) {
    if (!process.handles.includes(event.type)) continue;
    for (const reaction of process.react(event)) {
      const id = `${process.name}:${reaction.subject}`;
      outcome.set(id, reaction.kind === 'schedule' ? timerOf(id, process, reaction, event) : undefined);
    }
  }
  return outcome;
}

function timerOf(
  id: string,
  { name }: AnyProcess,
  { due, payload, keptAlive }: Extract<Reaction, { kind: 'schedule' }>,
  event: RecordedEvent,
): Timer {
  return {
    id,
    process: name,
    due_at: due,
    payload,
    ...(keptAlive && { kept_alive: keptAlive }),
    armed_by: event.id,
    correlation_id: event.metadata.correlationId,
  };
}

/** `keysOf` and then each `apply` ask about the same event. */
function rememberLast(answer: (event: RecordedEvent) => Outcome): (event: RecordedEvent) => Outcome {
  let last: { event: RecordedEvent; outcome: Outcome } | undefined;
  return (event) => {
    if (last?.event !== event) last = { event, outcome: answer(event) };
    return last.outcome;
  };
}
