import { documentAt } from '../../projections/replay.js';
import type { AnyProjection, ViewDefinition } from '../../../kernel/projection.js';
import { UnavailableError } from '../../../kernel/errors.js';
import { streamOf } from '../../../kernel/ids.js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { EventStore } from '../../ports/event-store.port.js';
import { ViewNotBuiltError } from '../../ports/view-store.port.js';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** An id that a lagging view does not know is looked up again when the view has caught up, or after this time. */
const SHOWN_WITHIN_MS: Milliseconds = 1_000;

/** Folds a document from its stream if the view lags, so that clients see their own changes. */
export class StreamFolding {
  private readonly byView: ReadonlyMap<string, AnyProjection>;

  constructor(
    private readonly events: Pick<EventStore, 'load'>,
    projections: readonly AnyProjection[],
    private readonly unprojected: Pick<UnprojectedStreams, 'has' | 'isBehind' | 'untilShown'>,
  ) {
    this.byView = new Map(projections.map((one) => [one.view.name, one]));
  }

  /**
   * @param read of the view; it has the document of this stream, if one is named
   * @param given the stream of the document, if its id is another
   */
  async get<D>(
    { name }: ViewDefinition<D>,
    id: string,
    read: (stream?: string) => Promise<D | undefined>,
    given?: string,
  ): Promise<D | undefined> {
    const projection = this.byView.get(name);
    if (!projection) return read();
    const { category } = projection;
    const stream = given ?? (category === undefined ? undefined : streamOf(category, id));
    if (stream === undefined) return (await read()) ?? (await this.whenShown(read));
    const shown = this.unprojected.has(stream) ? undefined : await read(stream).catch(unlessNotBuilt);
    if (shown) return shown;
    return documentAt(projection, await this.events.load(stream), id)?.document as D | undefined;
  }

  /** @throws UnavailableError while an event that the view lacks may have made the document */
  private async whenShown<D>(read: () => Promise<D | undefined>): Promise<D | undefined> {
    if (!this.unprojected.isBehind) return undefined;
    if (await this.unprojected.untilShown(SHOWN_WITHIN_MS)) return read();
    throw new UnavailableError('the read models lag, and do not know this id', 'not_written');
  }
}

/** An unbuilt view counts as a miss, so the stream is folded. */
function unlessNotBuilt(error: unknown): undefined {
  if (!(error instanceof ViewNotBuiltError)) throw error;
}

/** Drops the oldest beyond this: views that lag so far show old states. */
const MAX_STREAMS = 50_000;

export class UnprojectedStreams {
  /** Position of the last event by stream, in ascending order. */
  private readonly known = new Map<string, Position>();

  /** End of the log when the subscription began; null: unknown. */
  private before: Position | undefined | null = null;

  constructor(private readonly progress: Pick<ReadProgress, 'projected' | 'waitForEvents'>) {}

  /** Until the views reach `head`, every stream counts as unprojected. */
  begin(head: Position | undefined): void {
    this.before = head;
    this.known.clear();
  }

  add(events: readonly { readonly stream: string; readonly position: Position }[]): void {
    for (const { stream, position } of events) {
      const before = this.known.get(stream);
      if (before !== undefined && before >= position) continue;
      this.known.delete(stream);
      this.known.set(stream, position);
    }
    this.prune();
  }

  has(stream: string): boolean {
    if (this.before === null || (this.before !== undefined && !this.shows(this.before, stream))) return true;
    const position = this.known.get(stream);
    return position !== undefined && !this.shows(position, stream);
  }

  /** True if the views lack a known event, or if it is not known yet whether they do. */
  get isBehind(): boolean {
    this.prune();
    return this.known.size > 0 || this.isBeginning;
  }

  /** Resolves to false unless the views show within this time what is known now. */
  untilShown(ms: Milliseconds): Promise<boolean> {
    if (this.isBeginning) return Promise.resolve(false);
    const events = [...this.known].map(([stream, position]) => ({ stream, position }));
    return this.progress.waitForEvents(events, ms);
  }

  private get isBeginning(): boolean {
    if (this.before === null) return true;
    const shown = this.progress.projected();
    return this.before !== undefined && (shown === undefined || shown < this.before);
  }

  private prune(): void {
    for (const [stream, position] of this.known) {
      if (this.known.size <= MAX_STREAMS && !this.shows(position, stream)) return;
      this.known.delete(stream);
    }
  }

  private shows(position: Position, stream: string): boolean {
    const shown = this.progress.projected(stream);
    return shown !== undefined && position <= shown;
  }
}
