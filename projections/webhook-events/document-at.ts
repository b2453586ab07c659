import type { AnyProjection, ViewDocument } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';

/** The document as the projection shows it right after the last of these events of its stream. Pure. */
export function documentAt<D extends ViewDocument>(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  key: string,
  from?: D,
): D | undefined {
  return events.reduce<D | undefined>((document, event) => {
    if (!projection.handles.includes(event.type) || !projection.keysOf(event).includes(key)) return document;
    return projection.apply(document, event, key) as D | undefined;
  }, from);
}
