import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { BatchProjector } from './batch-projector.js';
import type { StoreRetry } from '../../async/retry.js';
import type { CorruptEventError } from '../../kernel/errors.js';
import type { AnyProjection } from '../../kernel/projection.js';
import { ProjectionRunner, type StoredDocument } from './projection-runner.js';

const PAGE = 500;

export class Replay {
  private reached: Position | undefined;
  private next: Promise<readonly RecordedEvent[]> | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** @param signal once it aborts, every method throws */
  constructor(
    private readonly events: Pick<RemoteEventStore, 'readAll'>,
    private readonly projector: BatchProjector,
    private readonly retries: StoreRetry,
    private readonly signal: AbortSignal,
  ) {}

  get position(): Position | undefined {
    return this.reached;
  }

  /** True at the end of the log. @throws PoisonEventError */
  async step(): Promise<boolean> {
    const page = await (this.next ?? this.after(this.reached));
    this.next = undefined;
    if (page.length > 0) {
      // Read the next page while this one is folded.
      this.next = page.length < PAGE ? Promise.resolve([]) : this.after(page.at(-1)!.position);
      this.next.catch(() => undefined);
      await this.fold(page);
      return false;
    }
    await this.writing;
    return true;
  }

  /** @throws PoisonEventError */
  async upTo(position: Position | undefined): Promise<void> {
    while (position !== undefined && (this.reached ?? '') < position) {
      const page = (await this.after(this.reached)).filter((event) => event.position <= position);
      if (page.length === 0) return;
      await this.fold(page);
      await this.writing;
    }
  }

  /** Resolves when this page is folded and the one before it is written. */
  private async fold(page: readonly RecordedEvent[]): Promise<void> {
    const write = await this.retries.whileUnavailable(() => this.projector.begin(page), this.signal);
    await this.writing;
    this.writing = this.write(write, page.at(-1)!.position);
    // The next fold or the end of the replay throws the error.
    this.writing.catch(() => undefined);
  }

  private async write(write: () => Promise<void>, last: Position): Promise<void> {
    await this.retries.whileUnavailable(write, this.signal);
    this.reached = last;
  }

  /** Omits damaged events unless a view handles them. @throws PoisonEventError */
  private after(position: Position | undefined): Promise<readonly RecordedEvent[]> {
    const onCorrupt = (error: CorruptEventError) => this.projector.refuse(error);
    const options = { ...(position !== undefined && { after: position }), max: PAGE, onCorrupt };
    return this.retries.whileUnavailable(() => this.events.readAll(options), this.signal);
  }
}

/** @param from the document before these events of its stream */
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

/** All documents of a stream in one pass. @param events from its beginning */
export function documentsAt(projection: AnyProjection, events: Iterable<RecordedEvent>): StoredDocument[] {
  const runner = new ProjectionRunner([projection], () => undefined);
  return runner.fold(events).flatMap(({ after }) => after ?? []);
}
