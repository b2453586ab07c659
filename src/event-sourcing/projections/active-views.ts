import { handledBy, type AnyProjection } from '../../kernel/projection.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Clock } from '../../kernel/time.js';
import type { ViewVerification } from '../ports/view-store.port.js';
import { eventsOf, type Partition } from '../ports/partitions.js';
import type { Rollback, ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import { endOfOlderCopy } from '../watched-feed.js';
import { BatchProjector, type ProjectedBuild } from './batch-projector.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import { Replay, type ReplayedLog } from './replay.js';
import { PoisonEventError } from './projection-runner.js';
import { StoredProgress, SupersededError, type BuildTerm } from './stored-progress.js';
import { compareViews, type ViewContents } from './view-comparison.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { StoreRetry } from '../../async/retry.js';

interface BuildDependencies {
  readonly events: ReplayedLog;
  readonly writer: ViewWriter;
  readonly projections: readonly AnyProjection[];
  readonly clock: Clock;
  readonly retries: StoreRetry;
  readonly onError: (error: unknown) => void;
  readonly partition?: Partition;
}

/** Calls are retried while a store is unavailable, until the lease ends; then every method throws. */
export class ActiveViews {
  private readonly mutex = new KeyedMutex();
  private builds: readonly ProjectedBuild[] = [];
  /** Begun and never active. */
  private readonly unused = new Set<ViewBuild>();
  private projector: BatchProjector;
  private readonly progress: StoredProgress;
  private reached: Position | undefined;
  /** A rollback whose jobs are not parked yet. */
  rollback: Rollback | undefined;
  readonly unbuildable = new Set<string>();
  private isHalfWritten = false;

  constructor(
    private readonly dependencies: BuildDependencies,
    private readonly term: BuildTerm,
  ) {
    this.projector = new BatchProjector(dependencies.writer, []);
    this.progress = new StoredProgress(dependencies.writer, dependencies.retries, term);
  }

  get position(): Position | undefined {
    return this.reached;
  }

  /** A successor would continue from here; at most `position`. */
  get storedPosition(): Position | undefined {
    return this.progress.position;
  }

  /** Views without a build of their current version. */
  get missing(): readonly string[] {
    const built = new Set(this.builds.map(({ projection }) => projection.view.name));
    return this.dependencies.projections.map(({ view }) => view.name).filter((name) => !built.has(name));
  }

  /** Shows an empty read store only as a whole. @throws SupersededError; EmptyLogError; PoisonEventError */
  async open(): Promise<void> {
    const { writer, projections } = this.dependencies;
    const progress = await this.whileUnavailable(() => writer.takeOver(this.term.lease));
    if (!progress) throw new SupersededError();
    const end = await this.endBefore(progress.position);
    // Another partition may have noticed it while this one waited for the event store.
    const noticed = end === undefined ? progress : await this.whileUnavailable(() => writer.progress());
    this.rollback = earlier(noticed?.rollback, end);
    if (end !== undefined) await this.owned(() => writer.rollBack(this.term.lease, this.rollback!.end));
    this.reached = end === undefined ? progress.position : undefined;
    this.progress.begin(this.reached);
    const active = await this.whileUnavailable(() => writer.active(projections.map(({ view }) => view)));
    const builds = new Map(active.map((build) => [build.view.name, build]));
    this.switchTo(
      projections.flatMap((projection) => {
        const build = builds.get(projection.view.name);
        return build ? [{ projection, build }] : [];
      }),
    );
    if (active.length === 0) await this.rebuildAll(this.missing);
  }

  /** @throws SupersededError; PoisonEventError */
  apply(events: readonly RecordedEvent[]): Promise<void> {
    return this.whileUnavailable(() => this.mutex.run('active', () => this.project(events)));
  }

  /** @throws RangeError for an unknown view; SupersededError; PoisonEventError */
  rebuild(names: readonly string[]): Promise<void> {
    const projections = names.map((name) => this.projectionOf(name));
    return this.inShadow(projections, async (shadows, replay) => {
      await this.toEnd(replay);
      await this.mutex.run('active', () => this.activate(shadows, replay));
    });
  }

  /** Skips views that cannot be built. @throws as `rebuild`; PoisonEventError if none can */
  async rebuildAll(names: readonly string[]): Promise<void> {
    for (let left = names; left.length > 0;) {
      try {
        return await this.rebuild(left);
      } catch (error) {
        if (!(error instanceof PoisonEventError)) throw error;
        const { name } = error.view;
        this.unbuildable.add(name);
        left = left.filter((other) => other !== name);
        if (left.length === 0) throw error;
        this.dependencies.onError(error);
      }
    }
  }

  /** Projection waits meanwhile. @throws PoisonEventError */
  async verify(): Promise<readonly ViewVerification[]> {
    const active = this.builds;
    const projections = active.map(({ projection }) => projection);
    return this.inShadow(projections, async (shadows, replay) => {
      await this.toEnd(replay);
      const results: ViewVerification[] = [];
      for (const [n, { build }] of shadows.entries()) {
        const compare = () => this.compare(active[n]!.build, build, replay);
        results.push(await this.whileUnavailable(() => this.mutex.run('active', compare)));
      }
      return results;
    });
  }

  /** Each page starts when no live batch is being projected, so that one waits behind at most one page. */
  private toEnd(replay: Replay): Promise<void> {
    return replay.toEnd(() => this.mutex.run('active', () => Promise.resolve()));
  }

  /** @throws SupersededError */
  async recovered(): Promise<void> {
    await this.owned(() => this.dependencies.writer.recovered(this.term.lease));
    this.rollback = undefined;
  }

  private whileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    return this.dependencies.retries.whileUnavailable(work, this.term.signal);
  }

  /** Drops builds that `use` did not activate, also after an error. */
  private async inShadow<T>(
    projections: readonly AnyProjection[],
    use: (shadows: readonly ProjectedBuild[], replay: Replay) => Promise<T>,
  ): Promise<T> {
    const { events, writer, clock, retries, onError, partition } = this.dependencies;
    const { lease, signal } = this.term;
    const shadows: ProjectedBuild[] = [];
    try {
      for (const projection of projections) {
        const build = await this.whileUnavailable(() => writer.begin(projection.view, lease));
        this.unused.add(build);
        shadows.push({ projection, build });
      }
      const types = handledBy(projections);
      const projector = new BatchProjector(writer, shadows);
      return await use(shadows, new Replay(events, projector, { types, partition, clock, retries, signal }));
    } finally {
      // The next rebuild of the view drops one that stays.
      for (const { build } of shadows)
        if (this.unused.delete(build)) await writer.discard(build).catch(onError);
    }
  }

  private projectionOf(name: string): AnyProjection {
    const projection = this.dependencies.projections.find(({ view }) => view.name === name);
    if (!projection) throw new RangeError(`there is no view ${name}`);
    return projection;
  }

  /** The first builds set the position of the read models; later ones follow the active ones. */
  private async activate(shadows: readonly ProjectedBuild[], replay: Replay): Promise<void> {
    if (this.builds.length > 0) await replay.upTo(this.reached);
    else if (replay.position !== undefined) await this.advance(replay.position);
    for (const { build } of shadows) {
      // Readers may use it from here on, even if the answer is lost.
      this.unused.delete(build);
      await this.owned(() => this.dependencies.writer.activate(build, this.term.lease));
    }
    const rebuilt = new Set(shadows.map(({ projection }) => projection));
    this.switchTo([...this.builds.filter(({ projection }) => !rebuilt.has(projection)), ...shadows]);
  }

  private async project(events: readonly RecordedEvent[]): Promise<void> {
    const fresh = events.filter(({ position }) => this.reached === undefined || position > this.reached);
    const last = fresh.at(-1);
    if (!last) return;
    this.isHalfWritten = true;
    await this.projector.apply(eventsOf(this.dependencies.partition, fresh));
    this.isHalfWritten = false;
    this.reached = last.position;
    this.progress.follow(last.position);
  }

  private async advance(position: Position): Promise<void> {
    await this.progress.advance(position);
    this.reached = position;
  }

  /** End of a restored older log before this position: documents cannot be rolled back. */
  private async endBefore(position: Position | undefined): Promise<Position | undefined> {
    if (position === undefined) return undefined;
    return this.whileUnavailable(() => endOfOlderCopy(this.dependencies.events, position, position));
  }

  /** @throws SupersededError if another instance owns the read models */
  private async owned(change: () => Promise<boolean>): Promise<void> {
    if (!(await this.whileUnavailable(change))) throw new SupersededError();
  }

  private switchTo(builds: readonly ProjectedBuild[]): void {
    const { projections, writer } = this.dependencies;
    this.builds = projections.flatMap((one) => builds.find(({ projection }) => projection === one) ?? []);
    this.projector = new BatchProjector(writer, this.builds);
  }

  private async compare(active: ViewBuild, shadow: ViewBuild, replay: Replay): Promise<ViewVerification> {
    const ahead = (replay.position ?? '') > (this.reached ?? '');
    if (this.isHalfWritten || ahead)
      throw new UnavailableError('read models cannot be compared while they are behind');
    await replay.upTo(this.reached);
    return compareViews(active.view, this.contentsOf(active), this.contentsOf(shadow));
  }

  private contentsOf(build: ViewBuild): ViewContents {
    const { writer } = this.dependencies;
    return { documents: writer.all(build), totals: writer.totals(build) };
  }
}

/** Of two notices of one rollback, the earlier end counts: events after it are new. */
function earlier(noticed: Rollback | undefined, end: Position | undefined): Rollback | undefined {
  if (noticed === undefined || end === undefined) return end === undefined ? noticed : { end };
  return noticed.end < end ? noticed : { end };
}
