import { randomBytes } from 'node:crypto';
import { SystemClock } from '../../../../../src/app/system/system-clock.js';
import type { Answered, Call } from '../../../../kit/http/client.js';
import { judgeOf } from '../../../../kit/judge.js';
import type { Servers } from '../../../../kit/server-stores.js';
import { ServiceProcess, type Ended } from '../../../../kit/service-process.js';
import type { Reachable } from '../../../../kit/world.js';
import { pause, until } from '../../../../kit/polling.js';

export interface PatientlyAnswered extends Answered {
  /** An earlier attempt that was answered 503 may have taken effect. */
  readonly repeated: boolean;
}

export type Role = 'all' | 'api' | 'worker';

/** Maximum response time during any fault of the stores. */
export const ANSWERED_WITHIN_MS = 12_000;
/** Above any client's timeout. */
const PATIENCE_MS = 45_000;
/** A polite client waits for Retry-After; this one collects more answers. */
const AGAIN_MS = 40;
const READY_MS = 30_000;

/** Documented refusals under this load: jobs are cancelled while agents accept them. */
const EXPECTED = [200, 201, 202, 204, 409, 503];

/** A service process on server stores; every answer is checked. */
export class WatchedService implements Reachable {
  readonly clock = new SystemClock();
  /** Descriptions of answers that must not occur. */
  readonly wrong: string[] = [];
  answers = 0;
  refusals = 0;
  slowestMs = 0;
  /** Running, neither killed nor stopped. */
  runs = false;
  private judge: Awaited<ReturnType<typeof judgeOf>> = () => undefined;

  private constructor(
    readonly process: ServiceProcess,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(
    servers: Servers,
    { role = 'all', masterKey = newMasterKey() }: { role?: Role; masterKey?: string } = {},
  ): Promise<WatchedService> {
    const service = new WatchedService(await ServiceProcess.prepare(), {
      ...servers.env,
      // Addressed like a replica set, so that the driver looks for a primary.
      MONGODB_URL: servers.env.MONGODB_URL.replace('&directConnection=true', ''),
      SVC_MASTER_KEY: masterKey,
      ROLE: role,
      LOG_LEVEL: 'warn',
      METRICS_PUBLIC: 'true',
    });
    await service.start();
    return service;
  }

  /** Restarts it after a kill. */
  async start(): Promise<void> {
    await this.process.start({ ...this.env });
    this.judge = await judgeOf(this.process.url);
    this.runs = true;
  }

  /** Repeats the request while the answer is 503, like a client. */
  call = async (method: string, path: string, call?: Call): Promise<PatientlyAnswered> => {
    const began = performance.now();
    for (let repeated = false; ; repeated = true) {
      const answered = await this.once(method, path, call);
      if (answered.status !== 503) return { ...answered, repeated };
      if (performance.now() - began > PATIENCE_MS) throw new Error(`${method} ${path}: ${answered.text}`);
      await pause(AGAIN_MS);
    }
  };

  operate = async (method: string, path: string, json?: object): Promise<Record<string, unknown>> => {
    const as = await this.process.operatorToken();
    const answered = await this.call(method, `/operator${path}`, { as, ...(json && { json }) });
    if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered.body.data!;
  };

  /** The state of each store in /health/ready; /health/live must answer 200 meanwhile. */
  async checks(): Promise<Record<string, string>> {
    const [live, ready] = await Promise.all([this.health('live'), this.health('ready')]);
    if (live.status !== 200) this.wrong.push(`/health/live: ${live.status}`);
    return ((await ready.json()) as { checks: Record<string, string> }).checks;
  }

  async leads(group: string): Promise<boolean> {
    const metrics = await fetch(new URL('/metrics', this.process.url));
    return (await metrics.text()).includes(`rps_duty_leading{group="${group}"} 1`);
  }

  async isReady(): Promise<void> {
    const isOk = async () => Object.values(await this.checks()).every((check) => check === 'ok');
    await until('readiness', READY_MS, async () => (await isOk()) || undefined);
  }

  /** Resets for the next case. */
  forget(): void {
    this.wrong.length = this.answers = this.refusals = this.slowestMs = 0;
  }

  get told(): string {
    const { answers, refusals, slowestMs } = this;
    return `${answers} answers, ${refusals} refusals, the slowest after ${slowestMs} ms`;
  }

  freeze(): void {
    process.kill(this.process.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.process.pid, 'SIGCONT');
  }

  async kill(): Promise<void> {
    this.runs = false;
    await this.process.end('SIGKILL');
  }

  /** Resolves to its exit. */
  stop(): Promise<Ended> {
    this.runs = false;
    return this.process.end('SIGTERM');
  }

  private async once(method: string, path: string, call?: Call): Promise<Answered> {
    const began = performance.now();
    const answered = await this.process.call(method, path, call);
    const ms = Math.round(performance.now() - began);
    this.answers++;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (answered.status === 503) this.refusals++;
    const told = `${method} ${path}: ${answered.status} after ${ms} ms: ${answered.text.slice(0, 300)}`;
    if (!EXPECTED.includes(answered.status) || ms > ANSWERED_WITHIN_MS) this.wrong.push(told);
    else if (answered.status === 503 && !mayComeAgain(answered)) this.wrong.push(told);
    this.judge(method, path, answered);
    return answered;
  }

  private async health(name: 'live' | 'ready'): Promise<Response> {
    const began = performance.now();
    const answered = await fetch(new URL(`/health/${name}`, this.process.url));
    const ms = Math.round(performance.now() - began);
    if (ms > ANSWERED_WITHIN_MS) this.wrong.push(`/health/${name} after ${ms} ms`);
    return answered;
  }
}

export function newMasterKey(): string {
  return randomBytes(32).toString('base64');
}

function mayComeAgain({ body, headers }: Answered): boolean {
  return body.retryable === true && Number(headers.get('retry-after')) > 0;
}
