import type { AnyProjection } from '../kernel/projection.js';
import type { GroupLease } from '../ports/group-leases.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewBuild, ViewWriter } from '../ports/view-writer.port.js';
import { BuildFolder, type Filling, type PoisonPolicy } from './build-folder.js';
import type { Outages } from './outages.js';
import { ViewFill } from './view-fill.js';

/** What builds are made of and with. */
export interface BuildTools {
  readonly events: Pick<RemoteEventStore, 'readAll' | 'head'>;
  readonly writer: ViewWriter;
  readonly projections: readonly AnyProjection[];
  readonly policy: PoisonPolicy;
  readonly outages: Outages;
  readonly onError: (error: unknown) => void;
}

/** The lease under which builds are kept, and until when. */
export interface BuildTerm {
  readonly lease: GroupLease;
  readonly signal: AbortSignal;
}

/** Somebody else keeps the read models by now, or the read store has lost what it knew of them. */
export class SupersededError extends Error {
  constructor() {
    super('the read models are kept under another lease, or were lost');
  }
}

/** New builds beside those that readers are on. */
export class SideBuilds {
  /** Nobody can be on these. */
  private readonly spare = new Set<ViewBuild>();
  private readonly begun: Filling[] = [];

  private constructor(
    private readonly tools: BuildTools,
    private readonly term: BuildTerm,
  ) {}

  /** Fills builds with all events there are; whatever becomes of it, those that `use` did not activate are dropped. */
  static async use<T>(
    projections: readonly AnyProjection[],
    tools: BuildTools,
    term: BuildTerm,
    use: (side: SideBuilds, fill: ViewFill) => Promise<T>,
  ): Promise<T> {
    const side = new SideBuilds(tools, term);
    try {
      for (const projection of projections) await side.begin(projection);
      const folder = new BuildFolder(tools.writer, side.fillings, tools.policy);
      const fill = new ViewFill(tools.events, folder, tools.outages, term.signal);
      await fill.toTheHead();
      return await use(side, fill);
    } finally {
      await side.dropSpare();
    }
  }

  get fillings(): readonly Filling[] {
    return this.begun;
  }

  /** @throws SupersededError */
  async activate({ build }: Filling): Promise<void> {
    const { writer, outages } = this.tools;
    // From here on readers may be on it, whatever is answered: a reply may be lost.
    this.spare.delete(build);
    const { lease, signal } = this.term;
    if (!(await outages.outlast(() => writer.activate(build, lease), signal))) throw new SupersededError();
  }

  private async begin(projection: AnyProjection): Promise<void> {
    const { writer, outages } = this.tools;
    const { lease, signal } = this.term;
    const build = await outages.outlast(() => writer.begin(projection.view, lease), signal);
    this.spare.add(build);
    this.begun.push({ projection, build });
  }

  /** What cannot be dropped now is left to whoever builds the view next. */
  private async dropSpare(): Promise<void> {
    for (const build of this.spare) await this.tools.writer.discard(build).catch(this.tools.onError);
  }
}
