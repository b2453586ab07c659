import { randomUUID } from 'node:crypto';
import { UnavailableError } from '../../../kernel/errors.js';
import type { EventMetadata, Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { ArchiveFile } from '../../ports/event-archive.port.js';
import type { RemoteEventStore } from '../../ports/remote-event-store.port.js';

const STREAM = 'rpsArchive';
/** Readers of the log skip these types, and exports leave them out: their positions are of this log alone. */
const WRITTEN = '$rps-archive-written';
const DONE = '$rps-archive-done';

export interface ArchivedUpTo {
  /** Every stream that ended up to here is in a file, or stays. */
  readonly until?: Position;
  /** Of the rule that found them. */
  readonly before: Instant;
}

export type ListedFile = ArchiveFile & Required<ArchivedUpTo>;

/** The log itself lists the files, so that a missing one is noticed, and of two workers one writes. */
export class ArchiveManifest {
  private records: readonly RecordedEvent[] = [];

  constructor(private readonly events: Pick<RemoteEventStore, 'load' | 'append'>) {}

  /** Oldest first. @throws UnavailableError */
  async files(): Promise<readonly ListedFile[]> {
    return filesOf(await this.read());
  }

  /** The file with the stream that goes on at this position. @throws UnavailableError */
  async fileBefore(position: Position): Promise<ListedFile> {
    const file = (await this.files()).find(({ until }) => until >= position);
    if (file) return file;
    throw new UnavailableError(`no file of the archive is listed for position ${position}`, 'not_written');
  }

  /** With the file whose streams may still be in the event store. @throws UnavailableError */
  async last(): Promise<(ArchivedUpTo & { readonly file?: ListedFile }) | undefined> {
    const record = (await this.read()).at(-1);
    if (record?.type !== WRITTEN) return record?.data as ArchivedUpTo | undefined;
    const file = record.data as ListedFile;
    return { until: file.until, before: file.before, file };
  }

  /** @throws ConcurrencyError if another worker was first; UnavailableError */
  add(file: ListedFile): Promise<void> {
    return this.append(WRITTEN, file);
  }

  /** The streams of the last file are truncated. @throws as `add` */
  done({ until, before }: ArchivedUpTo): Promise<void> {
    return this.append(DONE, { ...(until !== undefined && { until }), before });
  }

  private async append(type: string, data: ArchivedUpTo): Promise<void> {
    const id = randomUUID();
    const metadata: EventMetadata = {
      ...{ at: data.before, schemaVersion: 1, correlationId: id },
      actor: { kind: 'process', id: 'archive' },
    };
    const expected = this.records.at(-1)?.revision ?? 'no_stream';
    const { events } = await this.events.append({
      stream: STREAM,
      expected,
      events: [{ id, type, data, metadata }],
    });
    this.records = [...this.records, ...events];
  }

  /** Begins with the last known record: another one is there if an older copy of the log was put back. */
  private async read(): Promise<readonly RecordedEvent[]> {
    const known = this.records;
    const last = known.at(-1);
    const found = await this.events.load(STREAM, { from: last?.revision ?? 0 });
    const goesOn = last === undefined || found[0]?.id === last.id;
    this.records = goesOn ? [...known.slice(0, -1), ...found] : await this.events.load(STREAM);
    return this.records;
  }
}

function filesOf(records: readonly RecordedEvent[]): readonly ListedFile[] {
  return records.filter(({ type }) => type === WRITTEN).map(({ data }) => data as ListedFile);
}
