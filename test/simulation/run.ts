import type { Milliseconds } from '../../src/kernel/time.js';
import { AgentDisk } from './actors/agent-disk.js';
import { Customer, type Account } from './actors/customer.js';
import { Follower } from './actors/follower.js';
import { Auditor, type Subscribed } from './audit/auditor.js';
import { Computer, PRINTERS } from './computers.js';
import { plan } from './disasters.js';
import { Program } from './engine/program.js';
import { replaceGlobals } from './engine/globals.js';
import { NO_FAULTS, type NetworkFaults } from './engine/link.js';
import type { Simulator } from './engine/simulator.js';
import type { Fields } from './api.js';
import type { Scenario } from './scenarios.js';
import { World } from './world.js';

export interface Outcome {
  readonly seed: number;
  readonly hash: string;
  readonly steps: number;
  readonly jobs: number;
  readonly simulatedMs: Milliseconds;
  readonly violations: readonly string[];
  /** Last lines before the violation, or of the run. */
  readonly trace: readonly string[];
  readonly types: ReadonlyMap<string, number>;
  /** Of jobs. */
  readonly moves: ReadonlyMap<string, number>;
  readonly codes: ReadonlyMap<string, number>;
  readonly logged: ReadonlyMap<string, number>;
}

const SCOPES = [
  ...['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'],
  ...['jobs:retry', 'webhooks:read', 'webhooks:write'],
];
const RESTART_MS: Milliseconds = 3_000;
/** After the faults have stopped, everything must come to rest within this time. */
const REST_MS: Milliseconds = 8 * 3_600_000;
/** Everybody is ready by then. */
const BEGIN_MS: Milliseconds = 1_800_000;
const LOOK_MS: Milliseconds = 60_000;
/** Deliveries begin at the position of the webhook, which the views must show first. */
const WEBHOOKS_READY_MS: Milliseconds = 5_000;
/** Times the average that a customer takes for its jobs. */
const PATIENCE = 20;

let current: Simulator | undefined;

/** Runs one world from its seed. The process belongs to the simulation from the first run on. */
export async function simulate(seed: number, scenario: Scenario, maxSteps = Infinity): Promise<Outcome> {
  const world = new World(seed, scenario.env);
  if (current === undefined) replaceGlobals(() => current!);
  current = world.sim;
  const run = new Run(world, scenario);
  const violations = await run.violations(maxSteps);
  return {
    ...{ seed, violations, hash: world.sim.trace.hash, steps: world.sim.steps },
    ...{ jobs: world.history.created.size, simulatedMs: world.sim.now, trace: world.sim.trace.last(200) },
    ...{ ...run.auditor.tallies(), codes: world.history.codes, logged: world.logged },
  };
}

export class Run {
  readonly computers: Computer[] = [];
  private readonly customers: Customer[] = [];
  private readonly followers: Follower[] = [];
  private readonly webhooks: Subscribed[] = [];
  private readonly suspended = new Set<string>();
  /** Of the world at the beginning of the storm. */
  private firstEvents = 0;
  private readonly admin: Program;
  readonly auditor: Auditor;
  /** Disasters happen and messages get lost. */
  isStormy = true;

  constructor(
    readonly world: World,
    readonly scenario: Scenario,
  ) {
    this.admin = new Program(world.sim, 'admin');
    const { followers, webhooks } = this;
    this.auditor = new Auditor({ world, skewMs: scenario.skewMs, webhooks, followers });
  }

  /** Broken promises; empty after a good run, also one that ended at its last step. */
  async violations(maxSteps: number): Promise<readonly string[]> {
    const { auditor } = this;
    const { sim } = this.world;
    try {
      await sim.value(this.begin(), BEGIN_MS);
      const isStopped = () => sim.steps >= maxSteps;
      const { everyMs, jobs } = this.scenario.customer;
      const isDone = () => isStopped() || this.customers.every(({ isIdle }) => isIdle);
      await sim.run(sim.now + PATIENCE * everyMs * jobs + REST_MS, isDone);
      if (!isDone()) return ['the customers do not come to an end'];
      this.calmDown();
      const end = sim.now + REST_MS;
      while (!isStopped() && sim.now < end && !auditor.isAtRest()) await sim.run(sim.now + LOOK_MS);
      return isStopped() ? [] : auditor.violations();
    } catch (error) {
      return [textOf(error)];
    }
  }

  /** Crashes the n-th instance and starts it again. */
  restartInstance(n: number): void {
    const { sim } = this.world;
    this.world.crashInstance(n);
    sim.after(RESTART_MS * (0.3 + sim.random.next()), '', () => this.startInstance(n));
  }

  /** Puts an older copy of the log back and starts all instances again, as docs/operations.md demands. */
  rollBack(lostEvents: number): void {
    const { world, scenario } = this;
    const { log } = world.servers;
    const kept = Math.max(this.firstEvents, log.events.length - lostEvents);
    for (let n = 0; n < scenario.instances; n++) this.restartInstance(n);
    world.history.lose(log.rollBackTo(kept));
  }

  /** Suspends an active account, and resumes it after a while. */
  suspend(ms: Milliseconds): void {
    const { accountId } = this.world.sim.random.of(this.customers).account;
    if (this.suspended.has(accountId)) return;
    this.suspended.add(accountId);
    this.go(this.suspendAndResume(accountId, ms).finally(() => this.suspended.delete(accountId)));
  }

  private async suspendAndResume(id: string, ms: Milliseconds): Promise<void> {
    const { sim, history } = this.world;
    await this.administer('operator suspendAccount', { params: { id } });
    const from = sim.now;
    await this.admin.sleep(ms);
    history.suspensions.push({ accountId: id, from, to: sim.now });
    await this.administer('operator resumeAccount', { params: { id } });
  }

  /** One request that is repeated until it succeeds. */
  async administer(operation: string, call: object): Promise<Fields> {
    for (;;) {
      const { status, data, code } = await this.world.request(this.admin, operation, call);
      if (status >= 200 && status < 300) return data;
      if (status !== 0 && status < 500) throw new Error(`${operation}: ${status} ${code} ${data.message}`);
      await this.admin.sleep(1_000);
    }
  }

  private async begin(): Promise<void> {
    const { scenario, world } = this;
    await Promise.all(
      Array.from({ length: scenario.instances }, (_, n) =>
        world.startInstance(n, world.skewUpTo(scenario.skewMs)),
      ),
    );
    for (let n = 0; n < scenario.accounts; n++) await this.open(n);
    await this.admin.sleep(WEBHOOKS_READY_MS);
    world.network = scenario.network;
    world.receivers.habits = scenario.receiver;
    this.setFaults(scenario.stores);
    for (const customer of this.customers) this.go(customer.run());
    this.firstEvents = world.servers.log.events.length;
    plan(this);
  }

  private async open(n: number): Promise<void> {
    const { scenario, world } = this;
    const { account_id } = await this.administer('operator openAccount', { json: { name: `Account ${n}` } });
    const accountId = String(account_id);
    const params = { account_id: accountId, id: accountId };
    const { api_key } = await this.administer('operator createKey', { params, json: { scopes: SCOPES } });
    const key = String(api_key);
    const account: Account = { accountId, key, printerIds: [] };
    for (let c = 0; c < scenario.computers; c++) await this.enrol(account, `a${n}c${c}`, params);
    const foreign = () => this.foreignJob(accountId);
    this.customers.push(new Customer(world, account, `customer${n}`, scenario.customer, foreign));
    const follower = new Follower(world, accountId, key, `follower${n}`);
    this.followers.push(follower);
    this.go(follower.run());
    await this.subscribe(accountId, key, `https://hooks${n}.example.com/`);
  }

  private async enrol(account: Account, name: string, params: Record<string, string>): Promise<void> {
    const { sim } = this.world;
    const { enrollment_token } = await this.administer('operator createEnrollmentToken', {
      params,
      json: {},
    });
    const installation_id = sim.uuid();
    const enrolled = await this.administer('partner enrollDevice', {
      json: { enrollment_token, installation_id },
    });
    const disk = new AgentDisk(installation_id, String(enrolled.device_credential));
    const computer = new Computer(this.world, this.scenario, name, disk);
    this.computers.push(computer);
    computer.startAgent();
    account.printerIds.push(...(await this.printersOf(account, account.printerIds.length + PRINTERS)));
  }

  /** Ids that are new to the account, once the Agent has reported its printers. */
  private async printersOf({ key, printerIds }: Account, count: number): Promise<readonly string[]> {
    for (;;) {
      const { items } = await this.administer('integration listPrinters', { as: key, query: { limit: 100 } });
      const ids = (items as { printer_id: string }[]).map(({ printer_id }) => printer_id);
      if (ids.length >= count) return ids.filter((id) => !printerIds.includes(id));
      await this.admin.sleep(1_000);
    }
  }

  private async subscribe(accountId: string, as: string, url: string): Promise<void> {
    this.world.receivers.add(url);
    const event_types = this.scenario.webhookTypes;
    const json = { url, ...(event_types && { event_types }) };
    const { webhook } = await this.administer('integration createWebhook', { as, json });
    const { webhook_id, event_types: types } = webhook as { webhook_id: string; event_types: string[] };
    this.webhooks.push({ accountId, webhookId: webhook_id, url, types });
  }

  private foreignJob(accountId: string): string | undefined {
    const others = [...this.world.history.created.values()].filter((job) => job.accountId !== accountId);
    return others.length === 0 ? undefined : this.world.sim.random.of(others).jobId;
  }

  private calmDown(): void {
    const { world } = this;
    this.isStormy = false;
    world.network = NO_FAULTS;
    this.setFaults(NO_FAULTS);
    world.receivers.habits = { fails: 0, hangs: 0, unanswered: 0 };
    for (const computer of this.computers) computer.startAgent();
    world.sim.trace.add(world.sim.now, 'the faults stop');
  }

  private setFaults(faults: NetworkFaults): void {
    const { eventServer, readServer } = this.world.servers;
    for (const server of [eventServer, readServer]) {
      server.faults = faults;
      server.isQuiet = faults === NO_FAULTS;
    }
  }

  private startInstance(n: number): void {
    const { world, scenario } = this;
    this.go(world.startInstance(n, world.skewUpTo(scenario.skewMs)));
  }

  private go(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.world.sim.fail(error as Error));
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause ? `\ncaused by ${textOf(error.cause)}` : ''}`;
}
