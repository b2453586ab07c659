import type { ViewDefinition } from '../../../kernel/projection.js';
import type { Position } from '../../../kernel/recorded-event.js';
import { elapsed, type Instant, type Milliseconds, type Clock } from '../../../kernel/time.js';
import { sha256, type Randomness } from '../../../kernel/ids.js';
import type { RemoteEventStore } from '../../ports/remote-event-store.port.js';
import { ViewMaintenance, type ViewStatus, type ViewVerification } from '../../ports/view-store.port.js';
import type {
  MaintenanceAnswer,
  MaintenanceRequest,
  Rollback,
  ViewWriter,
} from '../../ports/view-writer.port.js';
import { UnavailableError } from '../../../kernel/errors.js';

export interface RemoteMaintenanceOptions {
  readonly maxWaitMs?: Milliseconds;
  /** Handled by views; other events are no lag. Default: all. */
  readonly types?: readonly string[];
  /** Events after a position that this instance keeps; undefined if it may have missed some. */
  readonly heardAfter?: (position: Position | undefined) => readonly unknown[] | undefined;
}

const PATIENCE_MS: Milliseconds = 120_000;
const POLL_MS: Milliseconds = 100;
/** Also stands for an unknown lag. */
const MAX_COUNTED = 10_001;
/** Read to count a lag that this instance has not heard whole; more counts as unknown. */
const PAGE = 1_000;
/** Probes and metrics ask for the lag together and often. */
const LAG_FRESH_MS: Milliseconds = 1_000;

interface Lag {
  readonly position: Position | undefined;
  readonly events: number;
}

/** Events after the position of the views, as far as the log was read. */
interface Counted extends Lag {
  readonly end: Position | undefined;
}

interface Progress {
  /** Of the partition that is furthest behind. */
  readonly position: Position | undefined;
  readonly furthest: Position | undefined;
  readonly rollback: Rollback | undefined;
}

const ENDLESS: Lag = { position: undefined, events: MAX_COUNTED };

export class RemoteViewMaintenance extends ViewMaintenance {
  private lag: Promise<Lag> | undefined;
  private lagAt: Instant | undefined;
  private counted: Counted | undefined;
  /** A head that the views had not reached at this time. */
  private missed: { readonly head: Position; readonly at: Instant } | undefined;

  constructor(
    private readonly events: Pick<RemoteEventStore, 'head' | 'end' | 'readAll'>,
    /** Of each partition. */
    private readonly writers: readonly ViewWriter[],
    private readonly views: readonly ViewDefinition[],
    private readonly dependencies: { readonly clock: Clock; readonly randomness: Randomness },
    private readonly options: RemoteMaintenanceOptions = {},
  ) {
    super();
  }

  async check(): Promise<void> {
    await this.progress();
  }

  async list(): Promise<readonly ViewStatus[]> {
    const active = await Promise.all(this.writers.map((writer) => writer.active(this.views)));
    const isBuilt = (name: string) => active.every((part) => part.some(({ view }) => view.name === name));
    const { position, events } = active.every(({ length }) => length > 0) ? await this.lagOfAll() : ENDLESS;
    return this.views.map(({ name, version }) =>
      isBuilt(name)
        ? { name, version, position, lag: events }
        : { name, version, position: undefined, lag: MAX_COUNTED },
    );
  }

  override async behindMs(): Promise<Milliseconds> {
    await this.lagOfAll();
    return this.missed ? elapsed(this.missed.at, this.dependencies.clock.now()) : 0;
  }

  async rebuild(name: string): Promise<ViewStatus> {
    if (!this.views.some((view) => view.name === name)) throw new RangeError(`there is no view ${name}`);
    const id = this.dependencies.randomness.uuid();
    await Promise.all(this.writers.map((writer) => this.ask(writer, { id, kind: 'rebuild', view: name })));
    return (await this.list()).find((status) => status.name === name)!;
  }

  async verify(): Promise<readonly ViewVerification[]> {
    const id = this.dependencies.randomness.uuid();
    const answers = await Promise.all(this.writers.map((writer) => this.ask(writer, { id, kind: 'verify' })));
    const [first, ...others] = answers.map(({ result }) => result as readonly ViewVerification[]);
    return first!.map((one) => others.reduce((sum, part) => joined(sum, part), one));
  }

  private async ask(writer: ViewWriter, request: MaintenanceRequest): Promise<MaintenanceAnswer> {
    const { clock } = this.dependencies;
    await writer.request(request);
    const patience = this.options.maxWaitMs ?? PATIENCE_MS;
    for (let waited = 0; waited < patience; waited += POLL_MS) {
      const answer = await this.answerOf(writer, request);
      if (answer?.failure !== undefined) throw new UnavailableError(answer.failure, 'not_written');
      if (answer) return answer;
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
    throw new UnavailableError('no worker has finished it yet; it goes on when there is one', 'unknown');
  }

  /** An unavailable read store may answer later: the work continues meanwhile. */
  private async answerOf(
    writer: ViewWriter,
    { id }: MaintenanceRequest,
  ): Promise<MaintenanceAnswer | undefined> {
    try {
      return await writer.answerOf(id);
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  private async progress(): Promise<Progress> {
    const parts = await Promise.all(this.writers.map((writer) => writer.progress()));
    const positions = parts.map((part) => part?.position).sort();
    return {
      position: positions.includes(undefined) ? undefined : positions[0],
      furthest: positions.filter((position) => position !== undefined).at(-1),
      rollback: parts.find((part) => part?.rollback)?.rollback,
    };
  }

  /** Readers refuse all views from a rollback on, so that is never cached. */
  private async lagOfAll(): Promise<Lag> {
    const progress = await this.progress();
    if (progress.rollback) {
      this.missed = this.lag = this.counted = undefined;
      return ENDLESS;
    }
    const now = this.dependencies.clock.now();
    if (!this.lag || Math.abs(elapsed(this.lagAt!, now)) > LAG_FRESH_MS) {
      this.lagAt = now;
      this.lag = this.measure(progress);
      this.lag.catch(() => (this.lag = undefined));
    }
    return this.lag;
  }

  private async measure({ position, furthest }: Progress): Promise<Lag> {
    const head = await this.events.head(this.options.types);
    if (await this.isAhead(furthest, head)) {
      this.missed = undefined;
      return ENDLESS;
    }
    const behind = head !== undefined && (position === undefined || position < head);
    const events = behind ? await this.countAfter(position) : 0;
    // The head may be the position of a record that is no event of the service.
    this.note(position, events > 0 ? head : position);
    return { position, events };
  }

  /** Keeps the oldest head that the views have not reached, from which their delay counts. */
  private note(position: Position | undefined, head: Position | undefined): void {
    if (this.missed && (position ?? '') >= this.missed.head) this.missed = undefined;
    if (head === undefined || (position ?? '') >= head) this.missed = undefined;
    else this.missed ??= { head, at: this.dependencies.clock.now() };
  }

  /** The log was rolled back, and the projector has not noticed yet. */
  private async isAhead(position: Position | undefined, head: Position | undefined): Promise<boolean> {
    if (position === undefined || (head !== undefined && head >= position)) return false;
    return ((await this.events.end()) ?? '') < position;
  }

  private async countAfter(position: Position | undefined): Promise<number> {
    const heard = this.options.heardAfter?.(position);
    // Nothing heard, although the log goes on: the subscription may be late as well.
    if (heard && heard.length > 0) return Math.min(heard.length, MAX_COUNTED);
    const isSame = this.counted?.position === position;
    const counted = (isSame && this.counted) || { position, end: position, events: 0 };
    this.counted = counted.events < MAX_COUNTED ? await this.countOn(counted) : counted;
    return this.counted.events;
  }

  /** Reads no event twice while the views are halted: each read loads the store that they wait for. */
  private async countOn({ position, end, events }: Counted): Promise<Counted> {
    const page = await this.events.readAll({ ...(end !== undefined && { after: end }), max: PAGE });
    const fresh = page.filter(({ type }) => this.options.types?.includes(type) ?? true);
    const count = page.length === PAGE ? MAX_COUNTED : Math.min(events + fresh.length, MAX_COUNTED);
    return { position, end: page.at(-1)?.position ?? end, events: count };
  }
}

/** The view as a whole from what its partitions found. */
function joined(one: ViewVerification, part: readonly ViewVerification[]): ViewVerification {
  const other = part.find(({ name }) => name === one.name);
  if (!other) return { ...one, equal: false };
  return {
    name: one.name,
    equal: one.equal && other.equal,
    documents: one.documents + other.documents,
    live_digest: sha256(one.live_digest + other.live_digest),
    replay_digest: sha256(one.replay_digest + other.replay_digest),
  };
}
