import type { AnyProjection } from '../kernel/projection.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import { UnavailableError } from '../ports/event-store.port.js';
import type { ViewVerification } from '../ports/view-maintenance.port.js';
import type { ViewBuild } from '../ports/view-writer.port.js';
import { BuildFolder, type Filling } from './build-folder.js';
import { OneAtATime } from './one-at-a-time.js';
import { SideBuilds, SupersededError, type BuildTerm, type BuildTools } from './side-builds.js';
import { ViewDigest } from './view-digest.js';
import type { ViewFill } from './view-fill.js';

/**
 * The builds that readers are on, and how others take their place. Whatever the stores cannot do is tried until they
 * can, or the term ends; then everything throws.
 */
export class LiveBuilds {
  private readonly lane = new OneAtATime();
  private fillings: readonly Filling[] = [];
  private folder: BuildFolder;
  private reached: Position | undefined;
  /** Readers may see a part of a batch that is not shown as a whole yet. */
  private torn = false;

  constructor(
    private readonly tools: BuildTools,
    private readonly term: BuildTerm,
  ) {
    this.folder = new BuildFolder(tools.writer, [], tools.policy);
  }

  /** Position of the last event that readers see. */
  get position(): Position | undefined {
    return this.reached;
  }

  /** Names of the views that have no build yet: new ones, or of a new version. */
  get missing(): readonly string[] {
    const built = new Set(this.fillings.map(({ projection }) => projection.view.name));
    return this.tools.projections.map(({ view }) => view.name).filter((name) => !built.has(name));
  }

  /**
   * Takes up what is there. A read store that knows nothing is filled first: readers never see half of it.
   * @throws SupersededError; PoisonEventError
   */
  async open(): Promise<void> {
    const { writer, projections } = this.tools;
    const progress = await this.outlast(() => writer.takeOver(this.term.lease));
    if (!progress) throw new SupersededError();
    await this.refuseToRunAhead(progress.position);
    const active = await this.outlast(() => writer.active(projections.map(({ view }) => view)));
    const places = new Map(active.map((build) => [build.view.name, build]));
    this.reached = progress.position;
    this.turnTo(
      projections.flatMap((projection) => {
        const build = places.get(projection.view.name);
        return build ? [{ projection, build }] : [];
      }),
    );
    if (active.length === 0) await this.fillAll();
  }

  /** Shows a batch. @throws SupersededError; PoisonEventError */
  apply(events: readonly RecordedEvent[]): Promise<void> {
    return this.outlast(() => this.lane.run('live', () => this.show(events)));
  }

  /**
   * Builds a view anew beside the one that readers are on, then turns them to it.
   * @throws RangeError for no such view; SupersededError; PoisonEventError
   */
  async rebuild(name: string): Promise<void> {
    const projection = this.tools.projections.find(({ view }) => view.name === name);
    if (!projection) throw new RangeError(`there is no view ${name}`);
    await this.beside([projection], (side, fill) =>
      this.lane.run('live', async () => {
        await fill.upTo(this.reached);
        const [fresh] = side.fillings;
        await side.activate(fresh!);
        this.turnTo([...this.fillings.filter((one) => one.projection !== projection), fresh!]);
      }),
    );
  }

  /**
   * Replays all events beside the live views and compares, each view at one position; live views wait for the
   * comparison. @throws PoisonEventError
   */
  async verify(): Promise<readonly ViewVerification[]> {
    const live = this.fillings;
    const projections = live.map(({ projection }) => projection);
    return this.beside(projections, async (side, fill) => {
      const results: ViewVerification[] = [];
      for (const [n, { build }] of side.fillings.entries()) {
        const compare = () => this.compare(live[n]!.build, build, fill);
        results.push(await this.outlast(() => this.lane.run('live', compare)));
      }
      return results;
    });
  }

  private outlast<T>(work: () => Promise<T>): Promise<T> {
    return this.tools.outages.outlast(work, this.term.signal);
  }

  private beside<T>(
    projections: readonly AnyProjection[],
    use: (side: SideBuilds, fill: ViewFill) => Promise<T>,
  ): Promise<T> {
    return SideBuilds.use(projections, this.tools, this.term, use);
  }

  private async fillAll(): Promise<void> {
    await this.beside(this.tools.projections, async (side, { position }) => {
      if (position !== undefined) await this.advance(position);
      for (const filling of side.fillings) await side.activate(filling);
      this.turnTo(side.fillings);
    });
  }

  private async show(events: readonly RecordedEvent[]): Promise<void> {
    const fresh = events.filter(({ position }) => this.reached === undefined || position > this.reached);
    const last = fresh.at(-1);
    if (!last) return;
    this.torn = true;
    await this.folder.apply(fresh);
    await this.advance(last.position);
    this.torn = false;
  }

  private async advance(position: Position): Promise<void> {
    const { writer } = this.tools;
    const isOurs = await this.outlast(() => writer.advance(position, this.term.lease));
    if (!isOurs) throw new SupersededError();
    this.reached = position;
  }

  /** Events that are gone cannot be taken back from documents. */
  private async refuseToRunAhead(position: Position | undefined): Promise<void> {
    if (position === undefined) return;
    const head = await this.outlast(() => this.tools.events.head());
    if (head !== undefined && head >= position) return;
    throw new Error(
      `the read models show ${position} and the event log ends at ${head}: drop the read store`,
    );
  }

  /** However they came, they are kept in the order of the projections. */
  private turnTo(fillings: readonly Filling[]): void {
    const { projections, writer, policy } = this.tools;
    this.fillings = projections.flatMap((one) => fillings.find(({ projection }) => projection === one) ?? []);
    this.folder = new BuildFolder(writer, this.fillings, policy);
  }

  private async compare(live: ViewBuild, replay: ViewBuild, fill: ViewFill): Promise<ViewVerification> {
    const ahead = (fill.position ?? '') > (this.reached ?? '');
    if (this.torn || ahead)
      throw new UnavailableError('read models cannot be compared while they are behind');
    await fill.upTo(this.reached);
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
    for await (const { id, birth, document } of this.tools.writer.all(build)) {
      if (!document) continue;
      digest.add(digest.line(id, birth, document));
      documents++;
    }
    return { digest: digest.result(), documents };
  }
}
