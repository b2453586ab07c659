import type { AnyProcess, Reaction } from '../../src/kernel/process.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';

type Armed = Extract<Reaction, { kind: 'schedule' }>;

/** Reactions of a process to the last of these events. */
export function reactionsTo(process: AnyProcess, event: RecordedEvent): readonly Reaction[] {
  return process.handles.includes(event.type) ? process.react(event) : [];
}

/** Armed timers after these events, by `<process>:<subject>`. */
export function armedAfter(
  processes: readonly AnyProcess[],
  events: readonly RecordedEvent[],
): Map<string, Armed> {
  const armed = new Map<string, Armed>();
  for (const event of events) {
    for (const process of processes) {
      for (const reaction of reactionsTo(process, event)) {
        const id = `${process.name}:${reaction.subject}`;
        if (reaction.kind === 'schedule') armed.set(id, reaction);
        else armed.delete(id);
      }
    }
  }
  return armed;
}
