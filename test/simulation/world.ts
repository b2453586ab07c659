import type { Config } from '../../src/config.js';
import { loadConfig } from '../../src/config.js';
import { UnavailableError } from '../../src/kernel/errors.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Milliseconds } from '../../src/kernel/time.js';
import type { Answered, Call } from './api.js';
import { History } from './audit/history.js';
import { delayOf, NO_FAULTS, type NetworkFaults } from './engine/link.js';
import { Program } from './engine/program.js';
import { Simulator } from './engine/simulator.js';
import { Instance } from './instance.js';
import { connectStores, SharedServers } from './instance-stores.js';
import { DataFolder } from './models/data-folder.js';
import { Receivers } from './actors/receivers.js';

const CONNECT_AGAIN_MS: Milliseconds = 200;
/** A start that the stores do not answer fails, and the supervisor of the program starts it again. */
const START_AGAIN_MS: Milliseconds = 1_000;
const PATIENCE_MS: Milliseconds = 40_000;

const NO_ANSWER: Answered = { status: 0, code: 'no answer', data: {}, headers: {} };

/** A document of a view. */
export interface Row {
  readonly id: string;
  readonly creationPosition: string;
  readonly document: object;
}

/** Everything of one run: servers, instances, those who call them, and what they know. */
export class World {
  readonly sim: Simulator;
  readonly servers: SharedServers;
  /** Instead of the servers, if the configuration names none. */
  readonly folder: DataFolder | undefined;
  readonly history: History;
  readonly receivers: Receivers;
  readonly config: Config;
  /** Between the world and the instances. */
  network: NetworkFaults = NO_FAULTS;
  /** Callers without a network until then, by name. */
  readonly offlineUntil = new Map<string, Milliseconds>();
  /** Errors that programs log and go on after. */
  readonly logged = new Map<string, number>();
  private readonly running: (Instance | undefined)[] = [];
  /** Of instances that run or start. */
  private readonly programs: (Program | undefined)[] = [];
  private readonly requested = new Set<string>();
  private starts = 0;

  constructor(seed: number, env: Readonly<Record<string, string>>) {
    this.sim = new Simulator(seed);
    this.servers = new SharedServers(this.sim);
    this.history = new History(this.sim);
    this.receivers = new Receivers(this.sim);
    this.config = loadConfig({ ...ENV, ...env });
    this.folder = this.config.eventStoreUrl === undefined ? new DataFolder(this.sim, this.config) : undefined;
  }

  /** What the log has acknowledged. */
  get events(): readonly RecordedEvent[] {
    return this.folder?.events ?? this.servers.log.events;
  }

  documentsOf(view: ViewDefinition): readonly Row[] {
    if (this.folder) return this.folder.documents(view);
    return [...this.servers.database.table(view)].map(([id, row]) => ({ id, ...row }));
  }

  get instances(): readonly Instance[] {
    return this.running.filter((one): one is Instance => one?.isAlive === true);
  }

  /** Starts the n-th instance, again and again until it runs, instead of one that runs or starts. */
  async startInstance(n: number, skew: Milliseconds = 0): Promise<void> {
    this.crashInstance(n);
    const { config, folder, servers, receivers, sim } = this;
    const onError = (error: unknown) => this.note(error);
    const options = {
      ...{ config, webhookClient: (program: Program) => receivers.clientOf(program), onError },
      open: async (program: Program) =>
        folder?.open(program) ?? connectStores(program, servers, config, onError),
    };
    for (;;) {
      const program = new Program(sim, `i${n}.${++this.starts}`, skew);
      this.programs[n] = program;
      const started = await Instance.start(program, options).catch(unlessUnavailable);
      if (this.programs[n] !== program) return;
      if (started) return void (this.running[n] = started);
      await sim.sleep(START_AGAIN_MS);
      if (this.programs[n] !== program) return;
    }
  }

  crashInstance(n: number): void {
    this.programs[n]?.crash();
    this.programs[n] = undefined;
  }

  /**
   * One request of a program of the world to any instance. Never rejects; status 0 is a lost connection, after which
   * whether the request had its effect is unknown.
   */
  async request(from: Program, operation: string, call: Call): Promise<Answered> {
    const { sim, instances } = this;
    if (instances.length === 0 || this.isOffline(from)) {
      await from.sleep(CONNECT_AGAIN_MS);
      return NO_ANSWER;
    }
    const instance = sim.random.of(instances);
    this.expectRefusals(operation, instance);
    const answered = await from.live(this.exchange(from, instance, operation, call));
    this.history.count(`${operation} ${answered.code}`);
    return instance.stores.connection?.isDeaf ? { ...answered, isDeaf: true } : answered;
  }

  /** Codes that are never answered count as zero. */
  private expectRefusals(operation: string, { api }: Instance): void {
    if (this.requested.has(operation)) return;
    this.requested.add(operation);
    for (const code of api.refusalsOf(operation)) this.history.count(`${operation} ${code}`, 0);
  }

  private exchange(from: Program, instance: Instance, operation: string, call: Call): Promise<Answered> {
    const { sim } = this;
    const label = `${from.name} ${instance.program.name} ${operation}`;
    const { lost, unanswered } = this.network;
    const isLost = sim.random.chance(lost);
    const isMuted = sim.random.chance(unanswered);
    return new Promise((resolve) => {
      const broken = () => void sim.after(this.delay(), `${label}: broken`, () => resolve(NO_ANSWER));
      const connected = instance.program.onCrash(broken);
      const patience = sim.after(PATIENCE_MS, '', () => {
        connected();
        resolve(NO_ANSWER);
      });
      const answer = (answered: Answered) => {
        connected();
        patience.isCancelled = true;
        const { status, code } = answered;
        sim.after(this.delay(), `${label} ${status} ${code}`, () =>
          resolve(this.isOffline(from) ? NO_ANSWER : answered),
        );
      };
      if (isLost) return;
      sim.after(this.delay(), `${label}…`, () => {
        if (!instance.isAlive) return;
        instance.api.call(operation, call).then(
          (answered) => instance.isAlive && !isMuted && answer(answered),
          (error: unknown) => sim.fail(new Error(`${label} is an internal error`, { cause: error })),
        );
      });
    });
  }

  /** Of a wall clock, either way. */
  skewUpTo(ms: Milliseconds): Milliseconds {
    return Math.round((2 * this.sim.random.next() - 1) * ms);
  }

  private isOffline({ name }: Program): boolean {
    return (this.offlineUntil.get(name) ?? 0) > this.sim.now;
  }

  private delay(): Milliseconds {
    return delayOf(this.sim.random, this.network);
  }

  private note(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const kind = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>').slice(0, 200);
    this.logged.set(kind, (this.logged.get(kind) ?? 0) + 1);
  }
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof UnavailableError)) throw error;
}

/** A life of a job in hours instead of days. Nothing in the data folder is read or written. */
const ENV = {
  DATA_DIR: '/nonexistent/simulation',
  SVC_MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64'),
  PANEL: 'off',
  RATE_LIMIT_FACTOR: '0',
  EVIDENCE_INTERVAL_SECONDS: '0',
  EVENTSTORE_URL: 'esdb://simulated',
  MONGODB_URL: 'mongodb://simulated',
  JOB_LIFETIME_SECONDS: '7200',
  REVIEW_WINDOW_SECONDS: '3600',
  WEBHOOK_RETRY_DELAYS_SECONDS: '30,120,600,1200,2400',
};
