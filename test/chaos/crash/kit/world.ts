import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../../../src/app/system/system-clock.js';
import type { Answered, Call } from '../../../kit/http/client.js';
import { shiftedClock } from '../../../kit/shifted-clock.js';
import type { StoredEvent } from '../../../kit/stored-events.js';
import { openAccount, TestAgent, type Reachable } from '../../../kit/world.js';
import { ServiceGone, ServiceProcess, type Ending, type StartOptions } from './service-process.js';

/** Timers short enough for a test; a computer stays online throughout. */
export const SHORT_TIMERS = {
  LEASE_SECONDS: '2',
  JOB_RETRY_DELAYS_SECONDS: '0.2',
  PRESENCE_TIMEOUT_SECONDS: '86400',
};

/** Start of every scenario: an account with a key, and a computer with one printer and a session. */
export interface Seed {
  readonly accountId: string;
  readonly key: string;
  readonly credential: string;
  readonly computerId: string;
  readonly sessionId: string;
  readonly printerId: string;
}

const NOTHING: Seed = {
  accountId: '',
  key: '',
  credential: '',
  computerId: '',
  sessionId: '',
  printerId: '',
};

/** A data folder, its current process, and the memory of its client. */
export class World implements Reachable {
  readonly clock = new SystemClock();
  private process: ServiceProcess | undefined;
  /** Error of a process that did not become ready. */
  private ending: Ending | undefined;
  crashes = 0;
  /** Number of clients that create jobs at the same time. */
  creators = 1;
  /** Acknowledged events by stream, which must exist for ever. */
  readonly acknowledged: { readonly stream: string; readonly type: string }[] = [];
  /** Values kept by the steps of a scenario across crashes. */
  readonly memory = new Map<string, unknown>();

  constructor(
    readonly dataDir: string,
    readonly seed: Seed,
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async empty(): Promise<World> {
    return new World(await newFolder(), NOTHING, SHORT_TIMERS);
  }

  /** The same folder, with a wall clock that is ahead. */
  later(ms: number): World {
    return new World(this.dataDir, this.seed, { ...this.env, NODE_OPTIONS: shiftedClock(ms).join(' ') });
  }

  get service(): ServiceProcess {
    if (!this.process) throw new Error('not started');
    return this.process;
  }

  async start(under?: StartOptions['under']): Promise<void> {
    this.process = undefined;
    this.ending = undefined;
    try {
      this.process = await ServiceProcess.start(this.dataDir, { env: this.env, ...(under && { under }) });
    } catch (error) {
      if (error instanceof ServiceGone) this.ending = error.ending;
      throw error;
    }
  }

  /** How the last process ended, if it has. */
  async ended(): Promise<Ending | undefined> {
    return this.ending ?? this.process?.ended;
  }

  call(method: string, path: string, call?: Call): Promise<Answered> {
    return this.service.call(method, path, call);
  }

  asClient(method: string, path: string, json?: object, headers?: Record<string, string>): Promise<Answered> {
    return this.call(method, path, { as: this.seed.key, ...(json && { json }), ...(headers && { headers }) });
  }

  asAgent(method: string, path: string, json: object): Promise<Answered> {
    return this.call(method, `/agent${path}`, { as: this.seed.credential, json });
  }

  async operate(method: string, path: string, json?: object): Promise<Record<string, unknown>> {
    const given = { as: this.service.operatorToken, ...(json && { json }) };
    const answered = await this.call(method, `/operator${path}`, given);
    if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered.body.data!;
  }

  /** Created once, unchanged by crashes. */
  remembered<T>(name: string, make: () => T): T {
    if (!this.memory.has(name)) this.memory.set(name, make());
    return this.memory.get(name) as T;
  }

  acknowledge(stream: string, ...types: readonly string[]): void {
    for (const type of types) this.acknowledged.push({ stream, type });
  }

  /** All stored events, in order. */
  async events(): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let more = true; more;) {
      const after = events.at(-1)?.position ?? '0';
      const page = await this.operate('GET', `/events?limit=1000&after=${after}`);
      events.push(...(page.items as StoredEvent[]));
      more = page.has_more as boolean;
    }
    return events;
  }

  async typesOf(stream: string): Promise<string[]> {
    return (await this.events()).filter((event) => event.stream === stream).map(({ type }) => type);
  }

  async remove(): Promise<void> {
    await this.process?.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A prepared folder, copied for each scenario. */
export class SeedFolder {
  private constructor(
    private readonly dataDir: string,
    private readonly seed: Seed,
  ) {}

  static async make(): Promise<SeedFolder> {
    const world = await World.empty();
    await world.start();
    const seed = await sow(world);
    await world.service.stop();
    return new SeedFolder(world.dataDir, seed);
  }

  async grow(env: Readonly<Record<string, string>> = {}): Promise<World> {
    const dataDir = await newFolder();
    await cp(this.dataDir, dataDir, { recursive: true });
    return new World(dataDir, this.seed, { ...SHORT_TIMERS, ...env });
  }

  remove(): Promise<void> {
    return rm(this.dataDir, { recursive: true, force: true });
  }
}

export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rps-crash-'));
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function sow(world: World): Promise<Seed> {
  const account = await openAccount(world);
  return { ...account, ...(await joinComputer(world, account.accountId)) };
}

/** Enrols a computer, starts its session and reports one virtual printer. */
export async function joinComputer(world: World, accountId: string) {
  const { agent, printerId } = await TestAgent.ready(world, accountId);
  const { credential, computerId, sessionId } = agent;
  return { credential, computerId, sessionId, printerId };
}

export function sessionOf(installation_id: string, journal: readonly object[] = []): object {
  const described = { agent_version: '1.0.0', operating_system: 'Windows 11', hostname: 'FRONT-DESK' };
  return { installation_id, ...described, journal };
}
