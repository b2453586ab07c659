import type { Milliseconds } from '../../src/kernel/time.js';
import { Agent } from './actors/agent.js';
import { AgentDisk } from './actors/agent-disk.js';
import { Customer, type Account } from './actors/customer.js';
import { Follower } from './actors/follower.js';
import { Spooler } from './actors/spooler.js';
import { Auditor, tallyOf, type Subscribed } from './audit/auditor.js';
import { plan } from './disasters.js';
import { Program } from './engine/program.js';
import { replaceGlobals } from './engine/globals.js';
import { NO_FAULTS } from './engine/link.js';
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
  readonly transitions: ReadonlyMap<string, number>;
  readonly codes: ReadonlyMap<string, number>;
  readonly logged: ReadonlyMap<string, number>;
}

export interface Computer {
  readonly name: string;
  readonly disk: AgentDisk;
  readonly spooler: Spooler;
  readonly printers: readonly object[];
  agent: Agent | undefined;
  /** Switched off. */
  isDown: boolean;
}

const SCOPES = [
  ...['account:read', 'computers:read', 'printers:read', 'jobs:read', 'jobs:create', 'jobs:cancel'],
  ...['jobs:retry', 'webhooks:read', 'webhooks:write'],
];
const PRINTERS = 2;
const RESTART_MS: Milliseconds = 3_000;
/** After the faults have stopped, everything must come to rest within this time. */
const REST_MS: Milliseconds = 24 * 3_600_000;
/** Everybody is ready by then. */
const BEGIN_MS: Milliseconds = 1_800_000;
const LOOK_MS: Milliseconds = 60_000;
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
  const { log } = world.servers;
  return {
    ...{ seed, violations, hash: world.sim.trace.hash, steps: world.sim.steps },
    ...{ jobs: world.history.created.size, simulatedMs: world.sim.now, trace: world.sim.trace.last(200) },
    ...{ ...tallyOf(log.events), codes: world.history.codes, logged: world.logged },
  };
}

export class Run {
  readonly computers: Computer[] = [];
  private readonly customers: Customer[] = [];
  private readonly followers: Follower[] = [];
  private readonly webhooks: Subscribed[] = [];
  private readonly admin: Program;
  /** Disasters happen and messages get lost. */
  isStormy = true;

  constructor(
    readonly world: World,
    readonly scenario: Scenario,
  ) {
    this.admin = new Program(world.sim, 'admin');
  }

  /** Broken promises; empty after a good run, also one that ended at its last step. */
  async violations(maxSteps: number): Promise<readonly string[]> {
    const { scenario, webhooks, followers, world } = this;
    const { sim } = world;
    const auditor = new Auditor({ world, skewMs: scenario.skewMs, webhooks, followers });
    try {
      await sim.value(this.begin(), BEGIN_MS);
      const isStopped = () => sim.steps >= maxSteps;
      const { everyMs, jobs } = this.scenario.customer;
      const isDone = () => isStopped() || this.customers.every(({ isIdle }) => isIdle);
      await sim.run(sim.now + PATIENCE * everyMs * jobs + REST_MS / 4, isDone);
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

  startAgent(computer: Computer): void {
    const { sim } = this.world;
    if (computer.agent?.program.isAlive || computer.isDown) return;
    const { name, disk, spooler, printers } = computer;
    const agent = new Agent(this.world, name, disk, spooler, this.scenario.agent, this.skew());
    computer.agent = agent;
    agent.run(printers).then(
      (why) => {
        if (why === 'revoked') return;
        sim.after(RESTART_MS * (1 + 20 * sim.random.next()), '', () => this.startAgent(computer));
      },
      (error: unknown) => sim.fail(error as Error),
    );
  }

  crashAgent(computer: Computer, downMs: Milliseconds): void {
    computer.agent?.program.crash();
    this.world.sim.after(downMs, '', () => this.startAgent(computer));
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
      Array.from({ length: scenario.instances }, (_, n) => world.startInstance(n, this.skew())),
    );
    for (let n = 0; n < scenario.accounts; n++) await this.open(n);
    await this.webhooksReady();
    world.network = scenario.network;
    world.servers.eventServer.faults = scenario.stores;
    world.servers.readServer.faults = scenario.stores;
    for (const customer of this.customers) this.go(customer.run());
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
    for (let f = 0; f < scenario.followers; f++) {
      const follower = new Follower(world, accountId, key, `follower${n}.${f}`);
      this.followers.push(follower);
      this.go(follower.run());
    }
    for (let w = 0; w < scenario.webhooks; w++) await this.subscribe(accountId, key, n, w);
  }

  private async enrol(account: Account, name: string, params: Record<string, string>): Promise<void> {
    const { sim, history } = this.world;
    const { enrollment_token } = await this.administer('operator createEnrollmentToken', {
      params,
      json: {},
    });
    const installation_id = sim.uuid();
    const enrolled = await this.administer('partner enrollDevice', {
      json: { enrollment_token, installation_id },
    });
    const disk = new AgentDisk(installation_id, String(enrolled.device_credential));
    const printers = Array.from({ length: PRINTERS }, (_, n) => printerOf(`${name}-p${n}`));
    const spooler = new Spooler(sim, this.scenario.spooler, (document) => history.submitted(name, document));
    const computer: Computer = { name, disk, spooler, printers, agent: undefined, isDown: false };
    this.computers.push(computer);
    this.startAgent(computer);
    account.printerIds.push(...(await this.printersOf(account, PRINTERS * this.computersOf(account))));
  }

  private computersOf({ printerIds }: Account): number {
    return printerIds.length / PRINTERS + 1;
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

  private async subscribe(accountId: string, as: string, n: number, w: number): Promise<void> {
    const url = `https://hooks${n}-${w}.example.com/`;
    this.world.receivers.add(url, this.scenario.receiver);
    const { webhook } = await this.administer('integration createWebhook', { as, json: { url } });
    this.webhooks.push({ accountId, webhookId: String((webhook as Fields).webhook_id), url });
  }

  /** Deliveries begin at the position of the webhook, which the views must show first. */
  private async webhooksReady(): Promise<void> {
    await this.admin.sleep(5_000);
  }

  private foreignJob(accountId: string): string | undefined {
    const others = [...this.world.history.created.values()].filter((job) => job.accountId !== accountId);
    return others.length === 0 ? undefined : this.world.sim.random.of(others).jobId;
  }

  private calmDown(): void {
    const { world } = this;
    this.isStormy = false;
    world.network = NO_FAULTS;
    world.servers.eventServer.faults = NO_FAULTS;
    world.servers.readServer.faults = NO_FAULTS;
    world.receivers.change({ fails: 0, hangs: 0, unanswered: 0 });
    for (const computer of this.computers) {
      computer.isDown = false;
      this.startAgent(computer);
    }
    world.sim.trace.add(world.sim.now, 'the faults stop');
  }

  private startInstance(n: number): void {
    this.go(this.world.startInstance(n, this.skew()));
  }

  private skew(): Milliseconds {
    return Math.round((2 * this.world.sim.random.next() - 1) * this.scenario.skewMs);
  }

  private go(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.world.sim.fail(error as Error));
  }
}

const printerOf = (printer_key: string) => ({
  ...{ printer_key, name: printer_key, is_default: false, is_virtual: true, online: true },
  capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
});

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause ? `\ncaused by ${textOf(error.cause)}` : ''}`;
}
