import type { AnyProjection, ViewDocument } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';

/** The document right after the last of these events of its stream; `from` is the document before them. */
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
