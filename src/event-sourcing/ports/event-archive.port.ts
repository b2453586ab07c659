import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { StoredText } from './stored-texts.port.js';

/** Never changes once it is written. */
export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly streams: number;
  readonly events: number;
  /** Positions of the first and the last event. */
  readonly first: Position;
  readonly last: Position;
}

export interface ArchivedStream {
  readonly name: string;
  /** From the first event; revisions have no gap. */
  readonly events: number;
}

export interface ArchivedEvent {
  readonly position: Position;
  /** @throws CorruptEventError */
  readonly read: () => RecordedEvent;
}

/**
 * Files in a folder of all instances, with the beginnings of streams that the event store no longer keeps. Every method
 * throws UnavailableError if folder or file is missing, and CorruptEventError for damage.
 */
export abstract class EventArchive {
  /**
   * Durable on return; undefined if there is nothing to write. Leaves out streams that it cannot hold.
   * @param streams from their first event on, each once
   */
  abstract write(
    name: string,
    streams: AsyncIterable<readonly StoredText[]>,
  ): Promise<ArchiveFile | undefined>;
  abstract streams(file: ArchiveFile): readonly ArchivedStream[];
  /** As `EventStore.load`. */
  abstract stream(file: ArchiveFile, name: string, from: number, max: number): readonly RecordedEvent[];
  /** In position order, exclusive of `position`. */
  abstract after(file: ArchiveFile, position: Position | undefined, max: number): readonly ArchivedEvent[];
  /** Open files; a later read opens them again. */
  abstract close(): void;
}
