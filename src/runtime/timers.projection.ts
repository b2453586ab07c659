import type { AnyProcess, Reaction, Timer } from '../kernel/process.js';
import type { Projection, ViewDefinition } from '../kernel/projection.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';

/** The armed timers of all processes. The timer loop may defer one, so its due time is not compared in digests. */
export const timersView: ViewDefinition = {
  name: 'timers',
  version: 1,
  indexes: [{ fields: ['due_at'] }],
  volatileFields: ['due_at'],
};

interface KeyedReaction {
  readonly id: string;
  readonly process: AnyProcess;
  readonly reaction: Reaction;
}

/** Timers as documents: what a process schedules appears, what it unschedules goes. */
export function timersProjection(processes: readonly AnyProcess[]): Projection<Timer> {
  const reactionsTo = reactionsMemo(processes);
  return {
    view: timersView,
    handles: [...new Set(processes.flatMap((process) => process.handles))],
    keysOf: (event) => [...new Set(reactionsTo(event).map(({ id }) => id))],
    apply: (timer, event, key) =>
      reactionsTo(event)
        .filter(({ id }) => id === key)
        .reduce((current, keyed) => applyReaction(current, keyed, event), timer),
  };
}

function applyReaction(
  current: Timer | undefined,
  { id, process, reaction }: KeyedReaction,
  event: RecordedEvent,
): Timer | undefined {
  if (reaction.kind === 'unschedule') return undefined;
  const { due, payload, keptAlive } = reaction;
  return {
    id,
    process: process.name,
    due_at: due,
    payload,
    ...(keptAlive && { kept_alive: keptAlive }),
    armed_by: event.id,
    correlation_id: event.metadata.correlationId,
  };
}

/** `keysOf` and then each `apply` ask about the same event: the last answer is kept. */
function reactionsMemo(processes: readonly AnyProcess[]): (event: RecordedEvent) => readonly KeyedReaction[] {
  const byType = new Map<string, AnyProcess[]>();
  for (const process of processes) {
    for (const type of process.handles) byType.set(type, [...(byType.get(type) ?? []), process]);
  }
  let last: { event: RecordedEvent; reactions: readonly KeyedReaction[] } | undefined;
  return (event) => {
    if (last?.event !== event) {
      const reactions = (byType.get(event.type) ?? []).flatMap((process) =>
        process
          .react(event)
          .map((reaction) => ({ id: `${process.name}:${reaction.subject}`, process, reaction })),
      );
      last = { event, reactions };
    }
    return last.reactions;
  };
}
