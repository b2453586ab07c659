import { randomBytes } from 'node:crypto';
import { SystemClock } from '../../../../../src/app/system/system-clock.js';
import type { Answered, Call } from '../../../../kit/http/client.js';
import { startServers, type Servers } from '../../../../kit/server-stores.js';
import { ServiceProcess } from '../../../../kit/service-process.js';
import { pause } from '../../../../kit/polling.js';

export type Role = 'all' | 'api' | 'worker';
export type WorkerGroup = 'views' | 'timers' | 'webhooks' | 'content-sweep';

/** Above any client's timeout, and above several outages in a row. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 20;

export interface Instance {
  readonly name: string;
  readonly role: Role;
  readonly process: ServiceProcess;
  up: boolean;
}

/** Failures seen by clients. */
export interface Trouble {
  /** Broken or refused connections. */
  broken: number;
  /** Answers with status 503. */
  unavailable: number;
  /** The longest time until a request was answered, with all its attempts, in ms. */
  longestMs: number;
}

/** Several instances on the same two servers, each a child process. Clients use any running one. */
export class Fleet {
  readonly clock = new SystemClock();
  readonly trouble: Trouble = { broken: 0, unavailable: 0, longestMs: 0 };
  private readonly masterKey = randomBytes(32).toString('base64');
  private turn = 0;
  /** Stops repeating, because the test is over. */
  private over = false;

  private constructor(
    private readonly home: Servers | undefined,
    readonly instances: readonly Instance[],
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Starts all of them at the same moment, on an event store of that many members. */
  static async start(
    roles: readonly Role[],
    env: Readonly<Record<string, string>> = {},
    members = 1,
  ): Promise<Fleet> {
    return Fleet.on(await startServers({ members }), roles, env);
  }

  /** One instance on embedded stores. */
  static embedded(env: Readonly<Record<string, string>>): Promise<Fleet> {
    return Fleet.on(undefined, ['all'], env);
  }

  private static async on(
    home: Servers | undefined,
    roles: readonly Role[],
    env: Readonly<Record<string, string>>,
  ): Promise<Fleet> {
    const instances = await Promise.all(
      roles.map(async (role, n) => ({
        ...{ name: `${role}-${n}`, role, up: false },
        process: await ServiceProcess.prepare(),
      })),
    );
    const fleet = new Fleet(home, instances, env);
    try {
      await Promise.all(instances.map((instance) => fleet.start(instance)));
      return fleet;
    } catch (error) {
      await fleet.remove();
      throw error;
    }
  }

  get servers(): Servers {
    if (!this.home) throw new Error('this fleet has embedded stores');
    return this.home;
  }

  async start(instance: Instance): Promise<void> {
    await instance.process.start({
      ...this.home?.env,
      SVC_MASTER_KEY: this.masterKey,
      LOG_LEVEL: 'warn',
      METRICS_PUBLIC: 'true',
      ROLE: instance.role,
      ...this.env,
    });
    instance.up = true;
  }

  async kill(instance: Instance): Promise<void> {
    instance.up = false;
    await instance.process.end('SIGKILL');
  }

  /** Resolves to the exit code. */
  async stop(instance: Instance): Promise<number | null> {
    const ended = instance.process.end('SIGTERM');
    instance.up = false;
    return (await ended).code;
  }

  get serving(): readonly Instance[] {
    return this.instances.filter(({ up, role }) => up && role !== 'worker');
  }

  /** Sends the request to one instance after another until the answer is no 503. */
  call = async (method: string, path: string, call?: Call): Promise<Answered> => {
    const began = performance.now();
    for (let last: unknown = 'no instance is up'; ;) {
      const instance = this.next();
      try {
        const answered = await instance?.process.call(method, path, call);
        if (answered && answered.status !== 503) {
          this.trouble.longestMs = Math.max(this.trouble.longestMs, Math.round(performance.now() - began));
          return answered;
        }
        if (answered) this.trouble.unavailable++;
        last = answered?.text ?? last;
      } catch (error) {
        this.trouble.broken++;
        last = error;
      }
      if (this.over || performance.now() - began > PATIENCE_MS)
        throw new Error(`${method} ${path} was not answered: ${String(last)}`, { cause: last });
      await pause(RETRY_MS);
    }
  };

  operate = async (method: string, path: string, json?: object): Promise<Record<string, unknown>> => {
    const as = await this.instances[0]!.process.operatorToken();
    const answered = await this.call(method, `/operator${path}`, { as, ...(json && { json }) });
    if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered.body.data!;
  };

  /** Instances that report themselves as leader of this group. */
  async leaders(group: WorkerGroup): Promise<readonly Instance[]> {
    const up = this.instances.filter((instance) => instance.up);
    const leading = await Promise.all(up.map((instance) => leads(instance, group)));
    return up.filter((_, n) => leading[n]);
  }

  /** Logs of all ended instances. */
  get logs(): string {
    return this.instances.map(({ name, process }) => `--- ${name}\n${process.logs}`).join('\n');
  }

  async remove(): Promise<void> {
    this.over = true;
    await Promise.all(this.instances.map(({ process }) => process.remove()));
    await this.home?.stop();
  }

  private next(): Instance | undefined {
    const { serving } = this;
    return serving[this.turn++ % Math.max(1, serving.length)];
  }
}

async function leads({ process }: Instance, group: WorkerGroup): Promise<boolean> {
  try {
    const metrics = await fetch(new URL('/metrics', process.url));
    return (await metrics.text()).includes(`rps_duty_leading{group="${group}"} 1`);
  } catch {
    return false;
  }
}
