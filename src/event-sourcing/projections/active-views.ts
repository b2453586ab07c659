import type { AnyProjection } from '../../kernel/projection.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import type { ViewVerification } from '../../ports/view-maintenance.port.js';
import type { ViewBuild } from '../../ports/view-writer.port.js';
import { BatchProjector, type ProjectedBuild } from './batch-projector.js';
import { KeyedMutex } from '../keyed-mutex.js';
import { ShadowRebuild, SupersededError, type BuildTerm, type BuildDependencies } from './shadow-rebuild.js';
import { ViewDigest } from './view-digest.js';
import type { Replay } from './replay.js';

/**
 * The active build of each view, and how a rebuild replaces it. Calls are retried while a store is unavailable, until
 * the lease ends; then every method throws.
 */
export class ActiveViews {
  private readonly mutex = new KeyedMutex();
  private builds: readonly ProjectedBuild[] = [];
  private projector: BatchProjector;
  private reached: Position | undefined;
  /** A batch is written in part only. */
  private isHalfWritten = false;

  constructor(
    private readonly dependencies: BuildDependencies,
    private readonly term: BuildTerm,
  ) {
    this.projector = new BatchProjector(dependencies.writer, []);
  }

  /** Position of the last projected event. */
  get position(): Position | undefined {
    return this.reached;
  }

  /** Names of the views without a build of their current version. */
  get missing(): readonly string[] {
    const built = new Set(this.builds.map(({ projection }) => projection.view.name));
    return this.dependencies.projections.map(({ view }) => view.name).filter((name) => !built.has(name));
  }

  /**
   * Continues from the stored progress. An empty read store is built as a whole before readers see any of it.
   * @throws SupersededError; PoisonEventError
   */
  async open(): Promise<void> {
    const { writer, projections } = this.dependencies;
    const progress = await this.whileUnavailable(() => writer.takeOver(this.term.lease));
    if (!progress) throw new SupersededError();
    await this.refuseToRunAhead(progress.position);
    const active = await this.whileUnavailable(() => writer.active(projections.map(({ view }) => view)));
    const places = new Map(active.map((build) => [build.view.name, build]));
    this.reached = progress.position;
    this.switchTo(
      projections.flatMap((projection) => {
        const build = places.get(projection.view.name);
        return build ? [{ projection, build }] : [];
      }),
    );
    if (active.length === 0) await this.buildAll();
  }

  /** Projects a batch. @throws SupersededError; PoisonEventError */
  apply(events: readonly RecordedEvent[]): Promise<void> {
    return this.whileUnavailable(() => this.mutex.run('active', () => this.project(events)));
  }

  /**
   * Rebuilds a view in a shadow, then switches readers to it.
   * @throws RangeError for no such view; SupersededError; PoisonEventError
   */
  async rebuild(name: string): Promise<void> {
    const projection = this.dependencies.projections.find(({ view }) => view.name === name);
    if (!projection) throw new RangeError(`there is no view ${name}`);
    await this.inShadow([projection], (shadow, replay) =>
      this.mutex.run('active', async () => {
        await replay.upTo(this.reached);
        const [fresh] = shadow.builds;
        await shadow.activate(fresh!);
        this.switchTo([...this.builds.filter((one) => one.projection !== projection), fresh!]);
      }),
    );
  }

  /**
   * Replays all events into shadows and compares each view with its shadow at the same position. Projection waits
   * during a comparison. @throws PoisonEventError
   */
  async verify(): Promise<readonly ViewVerification[]> {
    const active = this.builds;
    const projections = active.map(({ projection }) => projection);
    return this.inShadow(projections, async (shadow, replay) => {
      const results: ViewVerification[] = [];
      for (const [n, { build }] of shadow.builds.entries()) {
        const compare = () => this.compare(active[n]!.build, build, replay);
        results.push(await this.whileUnavailable(() => this.mutex.run('active', compare)));
      }
      return results;
    });
  }

  private whileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    return this.dependencies.retries.whileUnavailable(work, this.term.signal);
  }

  private inShadow<T>(
    projections: readonly AnyProjection[],
    use: (shadow: ShadowRebuild, replay: Replay) => Promise<T>,
  ): Promise<T> {
    return ShadowRebuild.use(projections, this.dependencies, this.term, use);
  }

  private async buildAll(): Promise<void> {
    await this.inShadow(this.dependencies.projections, async (shadow, { position }) => {
      if (position !== undefined) await this.advance(position);
      for (const build of shadow.builds) await shadow.activate(build);
      this.switchTo(shadow.builds);
    });
  }

  private async project(events: readonly RecordedEvent[]): Promise<void> {
    const fresh = events.filter(({ position }) => this.reached === undefined || position > this.reached);
    const last = fresh.at(-1);
    if (!last) return;
    this.isHalfWritten = true;
    await this.projector.apply(fresh);
    await this.advance(last.position);
    this.isHalfWritten = false;
  }

  private async advance(position: Position): Promise<void> {
    const { writer } = this.dependencies;
    const isOurs = await this.whileUnavailable(() => writer.advance(position, this.term.lease));
    if (!isOurs) throw new SupersededError();
    this.reached = position;
  }

  /** Documents cannot be rolled back to a shorter log. */
  private async refuseToRunAhead(position: Position | undefined): Promise<void> {
    if (position === undefined) return;
    const head = await this.whileUnavailable(() => this.dependencies.events.head());
    if (head !== undefined && head >= position) return;
    throw new Error(
      `the read models are at ${position}, but the event log ends at ${head}: drop the read store`,
    );
  }

  /** Keeps the builds in the order of the projections. */
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
    const [ours, theirs] = [await this.digest(active), await this.digest(shadow)];
    return {
      name: active.view.name,
      equal: ours.digest === theirs.digest,
      documents: ours.documents,
      live_digest: ours.digest,
      replay_digest: theirs.digest,
    };
  }

  private async digest(build: ViewBuild): Promise<{ digest: string; documents: number }> {
    const digest = new ViewDigest(build.view);
    let documents = 0;
    for await (const { id, birth, document } of this.dependencies.writer.all(build)) {
      if (!document) continue;
      digest.add(digest.line(id, birth, document));
      documents++;
    }
    return { digest: digest.result(), documents };
  }
}
