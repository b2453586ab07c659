import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectionsFor } from '../../../src/app/projections.js';
import { refuseUsedFolder, UsedFolderError } from '../../../src/app/used-folder.js';
import type { Config } from '../../../src/config.js';
import { openForReading, openForWriting } from '../../../src/event-sourcing/embedded/connection.js';
import { DocumentForm } from '../../../src/event-sourcing/embedded/document-form.js';
import { openEmbeddedStores } from '../../../src/event-sourcing/embedded/embedded-stores.js';
import { isDamage } from '../../../src/event-sourcing/embedded/sqlite-errors.js';
import { checkLogTables } from '../../../src/event-sourcing/embedded/stored-state.js';
import type { StoreThreads } from '../../../src/event-sourcing/embedded/store-threads.js';
import { ViewRegistry } from '../../../src/event-sourcing/embedded/view-registry.js';
import { verifyViews } from '../../../src/event-sourcing/embedded/view-verification.js';
import * as wing from '../../../src/event-sourcing/embedded/wing.js';
import { Writer } from '../../../src/event-sourcing/embedded/writer.js';
import { WriterHost } from '../../../src/event-sourcing/embedded/writer-host.js';
import type { PackingRule, Stores } from '../../../src/event-sourcing/ports/stores.js';
import { CorruptEventError, StoreDamagedError } from '../../../src/kernel/errors.js';
import type { ViewDefinition } from '../../../src/kernel/projection.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import { Program, ProgramClock } from '../engine/program.js';
import type { Simulator } from '../engine/simulator.js';
import { flipped, tornBy, type DiskState } from './torn-writes.js';

const DATABASE = 'rps.db';
const LOG = 'rps.db-wal';
const PAGE = 1_000;
/** Of SQLite: each commit is synced before it is answered. */
const FULL = 2;
/** A folder in memory, where syncs cost nothing. The simulation decides which pages count as synced. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * The data folder of one instance: the product's own embedded stores over SQLite files, on a disk that may lose its
 * power or flip a bit. A crash leaves a copy of the files for the next start.
 */
export class DataFolder {
  /** Acknowledged events, in order. */
  readonly events: RecordedEvent[] = [];
  private readonly root = mkdtempSync(join(MEMORY, 'rps-simulation-'));
  private readonly projections;
  private folders = 0;
  /** Acknowledged events before the last commit. */
  private before = 0;
  private powerCut: (() => void) | undefined;
  /** What a power cut has left; otherwise all that was written is there. */
  private torn: DiskState | undefined;
  private isBitFlipped = false;

  constructor(
    private readonly sim: Simulator,
    private readonly config: Config,
  ) {
    this.projections = projectionsFor(config);
    sim.hasFiles = true;
    mkdirSync(this.path);
    process.once('exit', () => rmSync(this.root, { recursive: true, force: true }));
  }

  /** The stores as the last crash left them. @throws Error if they lack an acknowledged event */
  async open(program: Program): Promise<Stores> {
    const left = stateOf(this.path);
    program.onCrash(() => this.leave());
    const opening = this.stores(program, this.path).catch((error: unknown) => {
      throw new Error('the stores refuse what a crash has left', { cause: error });
    });
    const stores = await program.live(opening);
    const stored = await program.live(allOf(stores));
    const lost = this.events.find(({ id }, n) => stored[n]?.id !== id);
    if (lost) throw new Error(`the acknowledged event ${lost.type} at ${lost.position} is lost`);
    this.events.splice(0, Infinity, ...stored);
    if (this.isBitFlipped) await program.live(this.judgeFlippedBit(left));
    this.isBitFlipped = false;
    stores.events.listen({ appended: (fresh) => program.isAlive && this.acknowledge(fresh) });
    return stores;
  }

  /** The power fails during the next commit. */
  cutPower(crash: () => void): void {
    this.powerCut = crash;
  }

  /** The next start finds a flipped bit on a copy of the disk. */
  flipBit(): void {
    this.isBitFlipped = true;
  }

  documents(view: ViewDefinition) {
    const db = openForReading(this.path);
    try {
      return [...new DocumentForm(db).documents(new ViewRegistry(db).tableOf(view))];
    } finally {
      db.close();
    }
  }

  private get path(): string {
    return join(this.root, String(this.folders));
  }

  private acknowledge(fresh: readonly RecordedEvent[]): void {
    this.before = this.events.length;
    this.events.push(...fresh);
  }

  private leave(): void {
    const old = this.path;
    const state = this.torn ?? stateOf(old);
    this.torn = undefined;
    this.folders++;
    write(this.path, state);
    if (existsSync(join(old, 'content')))
      cpSync(join(old, 'content'), join(this.path, 'content'), { recursive: true });
    rmSync(old, { recursive: true });
  }

  private stores(program: Program, dataDir: string): Promise<Stores> {
    const admit = () => refuseUsedFolder({ ...this.config, dataDir }, wing);
    const onFatal = (error: Error) => program.isAlive && this.sim.fail(error);
    const clock = new ProgramClock(program);
    return openEmbeddedStores({
      dataDir,
      projectionsUrl: '',
      threads: this.threads(program),
      clock,
      admit,
      onFatal,
    });
  }

  /** Without threads. */
  private threads(program: Program): StoreThreads {
    const { projections } = this;
    return {
      startWriter: async ({ dataDir }, receive) => {
        const db = openForWriting(dataDir);
        const writer = new Writer(db, projections);
        const isSynced = db.pragma('synchronous', { simple: true }) === FULL;
        const atStart = isSynced ? undefined : stateOf(dataDir);
        const onDisk = dataDir === this.path ? this.onDisk(writer, program, atStart) : writer;
        const host = new WriterHost(onDisk, (message) => program.isAlive && receive(message));
        return (message) => host.receive(message);
      },
      verify: ({ dataDir }) => verifyViews(dataDir, projections),
      checkLog: async (dataDir) => checkLogTables(openForReading(dataDir)),
    };
  }

  /** Each commit may be the last one before a power cut. @param synced if commits are not */
  private onDisk(writer: Writer, program: Program, synced: DiskState | undefined) {
    const commit = <T>(work: () => T): T => {
      if (!program.isAlive) throw new Error('the program has crashed');
      const crash = this.powerCut;
      if (!crash) return work();
      this.powerCut = undefined;
      const before = synced ?? stateOf(this.path);
      const done = work();
      this.torn = tornBy(this.sim.random, before, stateOf(this.path));
      crash();
      return done;
    };
    return {
      run: (requests: Parameters<Writer['run']>[0]) => commit(() => writer.run(requests)),
      takeChangedViews: () => writer.takeChangedViews(),
      rebuild: (views: readonly string[]) => writer.rebuild(views),
      *pack(rule: PackingRule): Generator<void, number> {
        const steps = writer.pack(rule);
        for (let step = commit(() => steps.next()); ; step = commit(() => steps.next())) {
          if (step.done) return step.value;
          yield;
        }
      },
      close: () => writer.close(),
    };
  }

  /** Either the stores name the damage, or they answer as if there were none. */
  private async judgeFlippedBit(left: DiskState): Promise<void> {
    const copy = join(this.root, 'flipped');
    const { state, isInLog } = flipped(this.sim.random, left);
    write(copy, state);
    const program = new Program(this.sim, 'a start with a flipped bit');
    try {
      const stores = await this.stores(program, copy);
      await this.compare(stores, isInLog ? this.before : this.events.length);
      await stores.close();
    } catch (error) {
      const isNamed = NAMING.some((kind) => error instanceof kind) || isDamage(error);
      if (!isNamed) throw new Error('a flipped bit is not named', { cause: error });
    } finally {
      program.isAlive = false;
      rmSync(copy, { recursive: true });
    }
  }

  /** In the last commit of the log, a flipped bit looks like a write that a power cut interrupted. */
  private async compare({ events }: Stores, atLeast: number): Promise<void> {
    const stored = await allOf({ events });
    const differs = stored.findIndex((event, n) => !isEqual(event, this.events[n]));
    if (differs >= 0 || stored.length < atLeast)
      throw new Error(`event ${differs} of ${stored.length} differs`);
    const streams = new Map<string, RecordedEvent[]>();
    for (const event of stored) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
    for (const [stream, expected] of streams)
      if (!isEqual(await events.load(stream), expected)) throw new Error(`stream ${stream} differs`);
  }
}

const NAMING = [CorruptEventError, StoreDamagedError, UsedFolderError];

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

async function allOf({ events }: Pick<Stores, 'events'>): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const page = await events.readAll({ after: all.at(-1)?.position, max: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

function stateOf(folder: string): DiskState {
  const content = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  };
  return { database: content(DATABASE), log: content(LOG) };
}

function write(folder: string, { database, log }: DiskState): void {
  mkdirSync(folder);
  if (database.length > 0) writeFileSync(join(folder, DATABASE), database);
  if (log.length > 0) writeFileSync(join(folder, LOG), log);
}
