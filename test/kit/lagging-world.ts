import type { AnyProjection, ViewDefinition } from '../../src/kernel/projection.js';
import type { GroupLease, GroupLeases } from '../../src/event-sourcing/ports/group-leases.port.js';
import type { RemoteEventStore } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import type { Rollback, ViewWriter } from '../../src/event-sourcing/ports/view-writer.port.js';
import { LeaderElection } from '../../src/event-sourcing/servers/cluster/leader-election.js';
import { ViewDigest } from '../../src/event-sourcing/projections/view-comparison.js';
import { ViewProjector } from '../../src/event-sourcing/projections/view-projector.js';
import { begin, goOn, moved, written } from '../contract/sample-appends.js';
import { projections as samples } from '../contract/sample-views.js';
import { Faults } from './faults.js';
import { ManualClock } from './manual-clock.js';
import { FakeGroupLeases } from './fakes/group-leases.js';
import { FakeReadStore, FakeViewStore } from './fakes/read-store.js';
import { FakeRemoteEventStore } from './fakes/remote-event-store.js';
import { FakeViewWriter } from './fakes/view-writer.js';
import { TestEventStore } from './stores.js';
import type { ReadDocument } from '../../src/event-sourcing/embedded/document-form.js';
import { TestViews } from './views.js';

export interface WorkerOptions {
  readonly projections?: readonly AnyProjection[];
}

/** One log, one read store, and any number of instances, each with its own faults. */
export class LaggingWorld {
  /** Number of notes, each written and moved once. */
  static async written(count: number): Promise<LaggingWorld> {
    const world = new LaggingWorld();
    for (let n = 0; n < count; n++) await world.write(n);
    return world;
  }

  readonly clock = new ManualClock();
  readonly log = new TestEventStore();
  readonly read = new FakeReadStore();
  readonly leases = new FakeGroupLeases(this.clock);
  readonly views = new FakeViewStore(this.read);

  worker(name: string, options: WorkerOptions = {}): Worker {
    return new Worker(this, name, options);
  }

  /** The n-th note, written and moved several times. */
  async write(n: number | string, moves = 1): Promise<void> {
    const places = Array.from({ length: moves }, (_, move) => moved(`f${move}`));
    await this.log.append(begin(`note-${n}`, written(`text ${n}`), ...places));
  }

  async move(n: number | string, folder: string): Promise<void> {
    const last = (await this.log.load(`note-${n}`)).length - 1;
    await this.log.append(goOn(`note-${n}`, last, moved(folder)));
  }

  /** Names of the views that differ from a replay of all events. */
  wrong(projections: readonly AnyProjection[] = samples): readonly string[] {
    const replay = new TestViews(projections);
    replay.project(this.log.everything());
    return projections
      .map(({ view }) => view)
      .filter((view) => {
        const stored = [...this.read.table(view)].map(([id, row]) => ({ id, ...row }));
        stored.sort((a, b) => (a.creationPosition < b.creationPosition ? -1 : 1));
        return digestOf(view, replay.rows(view)) !== digestOf(view, stored);
      })
      .map(({ name }) => name);
  }

  get shown(): string | undefined {
    return this.read.state?.position;
  }

  get head(): string | undefined {
    return this.log.everything().at(-1)?.position;
  }
}

function digestOf(view: ViewDefinition, rows: readonly Omit<ReadDocument, 'columns'>[]): string {
  const digest = new ViewDigest(view);
  for (const { id, creationPosition, document } of rows) digest.add(id, creationPosition, document);
  return digest.result();
}

/** Waits until all events are projected and the views equal a replay. */
export function expectShown(world: LaggingWorld, views: readonly AnyProjection[] = samples): void {
  expect(world.shown).toBe(world.head);
  expect(world.wrong(views)).toEqual([]);
}

/** One instance that can be the projector. */
export class Worker {
  readonly events: Faults<RemoteEventStore>;
  readonly writer: Faults<ViewWriter>;
  readonly leases: Faults<GroupLeases>;
  readonly projector: ViewProjector;
  readonly errors: unknown[] = [];
  readonly halts: boolean[] = [];
  applied = 0;
  silences = 0;
  /** Called when the log was rolled back behind the read models. */
  park: (rollback: Rollback) => Promise<void> = async () => undefined;
  private term = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly world: LaggingWorld,
    readonly name: string,
    { projections = samples }: WorkerOptions,
  ) {
    this.events = new Faults<RemoteEventStore>(new FakeRemoteEventStore(world.log));
    this.writer = new Faults<ViewWriter>(new FakeViewWriter(world.read));
    this.leases = new Faults<GroupLeases>(world.leases);
    this.projector = new ViewProjector(this.events.port, this.writer.port, projections, world.clock, {
      onError: (error) => this.errors.push(error),
      onRolledBack: (rollback) => this.park(rollback),
      onSilent: () => this.silences++,
      metrics: {
        applied: (events) => (this.applied += events.length),
        halted: (standing) => this.halts.push(standing),
      },
    });
  }

  /** Projects under this epoch until cut off. */
  start(epoch: number): this {
    const lease: GroupLease = { group: 'views', holder: this.name, epoch };
    this.term = new AbortController();
    this.running = this.projector.run(lease, this.term.signal);
    return this;
  }

  /** Resolves when no work is in progress. */
  async cutOff(): Promise<void> {
    this.term.abort();
    await this.running;
  }

  /** Resolves when it has ended on its own. */
  ended(): Promise<void> {
    return this.running;
  }

  leadership(): LeaderElection {
    const onError = (error: unknown) => this.errors.push(error);
    return new LeaderElection(this.leases.port, this.world.clock, {
      group: 'views',
      holder: this.name,
      onError,
    });
  }
}
