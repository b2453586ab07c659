import type { AnyProjection } from '../kernel/projection.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { GroupLease } from '../ports/group-leases.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewVerification } from '../ports/view-maintenance.port.js';
import type { ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import { BuildFolder, type Filling, type PoisonPolicy } from './build-folder.js';
import { OneAtATime } from './one-at-a-time.js';
import { ViewDigest } from './view-digest.js';
import { ViewFill } from './view-fill.js';

/** The builds that readers are on, and how others take their place. */
export class LiveBuilds {
  private readonly lane = new OneAtATime();
  private fillings: readonly Filling[] = [];
  private folder: BuildFolder;
  private reached: Position | undefined;

  constructor(
    private readonly events: Pick<RemoteEventStore, 'readAll'>,
    private readonly writer: ViewWriter,
    private readonly projections: readonly AnyProjection[],
    private readonly policy: PoisonPolicy,
  ) {
    this.folder = new BuildFolder(writer, [], policy);
  }

  /** Position of the last event that readers see. */
  get position(): Position | undefined {
    return this.reached;
  }

  /** Names of the views that have no build yet: new ones, or of a new version. */
  get missing(): readonly string[] {
    const built = new Set(this.fillings.map(({ projection }) => projection.view.name));
    return this.projections.map(({ view }) => view.name).filter((name) => !built.has(name));
  }

  /** Takes up what is there. A read store that knows nothing is filled first: readers never see half of it. */
  async open(lease: GroupLease, signal: AbortSignal): Promise<void> {
    const progress = await this.writer.progress();
    if (!progress) await this.writer.found(lease);
    this.reached = progress?.position;
    const active = await this.writer.active(this.projections.map(({ view }) => view));
    this.turnTo(
      active.map((build) => ({
        build,
        projection: this.projections.find(({ view }) => view.name === build.view.name)!,
      })),
    );
    if (active.length === 0) await this.fillAll(lease, signal);
  }

  /** Shows a batch. Resolves to false when somebody else keeps the read models by now. */
  apply(events: readonly RecordedEvent[], lease: GroupLease): Promise<boolean> {
    return this.lane.run('live', async () => {
      const fresh = events.filter(({ position }) => this.reached === undefined || position > this.reached);
      const last = fresh.at(-1);
      if (!last) return true;
      await this.folder.apply(fresh);
      const kept = await this.writer.advance(last.position, lease);
      if (kept) this.reached = last.position;
      return kept;
    });
  }

  /** Builds a view anew beside the one that readers are on, then turns them to it. @throws RangeError for no such view */
  async rebuild(name: string, signal: AbortSignal): Promise<void> {
    const projection = this.projections.find(({ view }) => view.name === name);
    if (!projection) throw new RangeError(`there is no view ${name}`);
    await this.beside([projection], signal, async ([filling], fill) => {
      await fill.upTo(this.reached);
      await this.writer.activate(filling!.build);
      const others = this.fillings.filter((one) => one.projection !== projection);
      this.turnTo([...others, filling!]);
      return true;
    });
  }

  /** Replays all events beside the live views and compares, all at one position; live views wait for the comparison. */
  async verify(signal: AbortSignal): Promise<readonly ViewVerification[]> {
    const results: ViewVerification[] = [];
    const projections = this.fillings.map(({ projection }) => projection);
    await this.beside(projections, signal, async (replayed, fill) => {
      await fill.upTo(this.reached);
      for (const { projection, build } of replayed) {
        const live = this.fillings.find((one) => one.projection === projection)!;
        results.push(await this.compare(live.build, build));
      }
      return false;
    });
    return results;
  }

  /** Fills new builds to where readers are; `finish` runs while those stand still and tells whether builds are kept. */
  private async beside(
    projections: readonly AnyProjection[],
    signal: AbortSignal,
    finish: (fillings: readonly Filling[], fill: ViewFill) => Promise<boolean>,
  ): Promise<void> {
    const fillings = await this.begin(projections);
    let kept = false;
    try {
      const fill = new ViewFill(this.events, this.writer, fillings, this.policy);
      await fill.toTheHead(signal);
      if (signal.aborted) throw new Error('cut off: the lease went to another instance');
      kept = await this.lane.run('live', () => finish(fillings, fill));
    } finally {
      if (!kept) for (const { build } of fillings) await this.writer.discard(build);
    }
  }

  private async fillAll(lease: GroupLease, signal: AbortSignal): Promise<void> {
    const fillings = await this.begin(this.projections);
    const fill = new ViewFill(this.events, this.writer, fillings, this.policy);
    await fill.toTheHead(signal);
    if (signal.aborted) return;
    if (fill.position !== undefined) await this.writer.advance(fill.position, lease);
    for (const { build } of fillings) await this.writer.activate(build);
    this.reached = fill.position;
    this.turnTo(fillings);
  }

  private begin(projections: readonly AnyProjection[]): Promise<readonly Filling[]> {
    return Promise.all(
      projections.map(async (projection) => ({
        projection,
        build: await this.writer.begin(projection.view),
      })),
    );
  }

  private turnTo(fillings: readonly Filling[]): void {
    this.fillings = fillings;
    this.folder = new BuildFolder(this.writer, fillings, this.policy);
  }

  private async compare(live: ViewBuild, replay: ViewBuild): Promise<ViewVerification> {
    const [ours, theirs] = [await this.digest(live), await this.digest(replay)];
    return {
      name: live.view.name,
      equal: ours.digest === theirs.digest,
      documents: ours.documents,
      live_digest: ours.digest,
      replay_digest: theirs.digest,
    };
  }

  private async digest(build: ViewBuild): Promise<{ digest: string; documents: number }> {
    const digest = new ViewDigest(build.view);
    let documents = 0;
    for await (const { id, birth, document } of this.writer.all(build)) {
      if (!document) continue;
      digest.add(digest.line(id, birth, document));
      documents++;
    }
    return { digest: digest.result(), documents };
  }
}
