import type { AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { ProjectionRunner, type StoredDocument } from './projection-runner.js';

/** The document of this key after these events of its stream; `from` is the document before them. */
export function documentAt(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  key: string,
  from?: StoredDocument,
): StoredDocument | undefined {
  const ofKey = (event: RecordedEvent) => projection.keysOf(event).filter((one) => one === key);
  const runner = new ProjectionRunner([{ ...projection, keysOf: ofKey } as AnyProjection], () => from);
  const [write] = runner.fold(events);
  return write ? write.after : from;
}
