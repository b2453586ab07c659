import type { AnyProjection } from '../../kernel/projection.js';
import type { Clock } from '../../kernel/time.js';
import type { GroupLease } from '../ports/group-leases.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import { BatchProjector, type ProjectedBuild } from './batch-projector.js';
import type { StoreRetry } from '../../async/retry.js';
import { Replay } from './replay.js';

export interface BuildDependencies {
  readonly events: Pick<RemoteEventStore, 'readAll' | 'head' | 'end' | 'writeMarker'>;
  readonly writer: ViewWriter;
  readonly projections: readonly AnyProjection[];
  readonly clock: Clock;
  readonly retries: StoreRetry;
  readonly onError: (error: unknown) => void;
}

export interface BuildTerm {
  readonly lease: GroupLease;
  readonly signal: AbortSignal;
  /** Ends the term early, because another instance took over. */
  readonly end: () => void;
}

/** Another instance took over the read models, or the read store lost them. */
export class SupersededError extends Error {
  constructor() {
    super('another instance took over the read models, or the read store lost them');
  }
}

export class ShadowBuilds {
  private readonly unused = new Set<ViewBuild>();
  private readonly begun: ProjectedBuild[] = [];

  private constructor(
    private readonly dependencies: BuildDependencies,
    private readonly term: BuildTerm,
  ) {}

  /** Drops builds that `use` did not activate, also after an error. */
  static async use<T>(
    projections: readonly AnyProjection[],
    dependencies: BuildDependencies,
    term: BuildTerm,
    use: (shadow: ShadowBuilds, replay: Replay) => Promise<T>,
  ): Promise<T> {
    const shadow = new ShadowBuilds(dependencies, term);
    try {
      for (const projection of projections) await shadow.begin(projection);
      const projector = new BatchProjector(dependencies.writer, shadow.builds);
      const replay = new Replay(dependencies.events, projector, dependencies.retries, term.signal);
      return await use(shadow, replay);
    } finally {
      await shadow.dropUnused();
    }
  }

  get builds(): readonly ProjectedBuild[] {
    return this.begun;
  }

  /** @throws SupersededError */
  async activate({ build }: ProjectedBuild): Promise<void> {
    const { writer, retries } = this.dependencies;
    // Readers may use it from here on, even if the answer is lost.
    this.unused.delete(build);
    const { lease, signal } = this.term;
    if (!(await retries.whileUnavailable(() => writer.activate(build, lease), signal)))
      throw new SupersededError();
  }

  private async begin(projection: AnyProjection): Promise<void> {
    const { writer, retries } = this.dependencies;
    const { lease, signal } = this.term;
    const build = await retries.whileUnavailable(() => writer.begin(projection.view, lease), signal);
    this.unused.add(build);
    this.begun.push({ projection, build });
  }

  /** The next rebuild of the view drops the remaining ones. */
  private async dropUnused(): Promise<void> {
    for (const build of this.unused)
      await this.dependencies.writer.discard(build).catch(this.dependencies.onError);
  }
}
