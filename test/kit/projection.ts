import type { Projection } from '../../src/kernel/projection.js';
import type { DomainEvent, Recorded } from '../../src/kernel/recorded-event.js';

/** Documents of a projection after these events, by id. Freezes them, because a projection never mutates. */
export function project<D extends object, E extends DomainEvent>(
  projection: Projection<D, E>,
  events: readonly Recorded<E>[],
): Map<string, D> {
  const documents = new Map<string, D>();
  for (const event of events) {
    if (!projection.handles.includes(event.type)) continue;
    for (const key of projection.keysOf(event)) {
      const next = projection.apply(documents.get(key), event, key);
      if (next) documents.set(key, Object.freeze(next));
      else documents.delete(key);
    }
  }
  return documents;
}
