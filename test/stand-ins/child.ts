import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Controls, Request } from './stand-in.js';

/** Built, whether this file is run as it is (by Jest) or from the build. */
const PROGRAM = fileURLToPath(new URL('.', import.meta.url)).replace(
  /(\/dist)?\/test\/stand-ins\/$/,
  '/dist/test/stand-ins/main.js',
);

const running = new Set<Host>();
// A frozen process would not notice that its parent is gone.
process.once('exit', () => running.forEach((host) => host.signal('SIGKILL')));

/** A process that opens stand-ins one after another: starting it takes longer than most tests. */
class Host {
  private static readonly idle: Host[] = [];
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;
  private readonly child = fork(PROGRAM, [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  private constructor() {
    const { child } = this;
    running.add(this);
    child.unref();
    child.channel?.unref();
    child.on('message', (answer: Answer) => this.settle(answer));
    child.once('exit', () => {
      running.delete(this);
      for (const id of this.waiting.keys()) this.settle({ id, error: 'the stand-in has ended' });
    });
  }

  /** The program is the built one. @throws when it is missing */
  static free(): Host {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
    return this.idle.pop() ?? new Host();
  }

  async release(): Promise<void> {
    await this.ask('close', []);
    Host.idle.push(this);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    this.child.kill(signal);
  }

  ask(control: string, args: readonly unknown[]): Promise<unknown> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (answer) =>
        'error' in answer ? reject(new Error(answer.error)) : resolve(answer.result),
      );
      // The child holds this process only while an answer is awaited.
      this.child.channel?.ref();
      this.child.send({ id, control, args } satisfies Request, (error) => error && reject(error));
    });
  }

  private settle(answer: Answer): void {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.child.channel?.unref();
  }
}

/** A stand-in in another process, with its controls as methods: each resolves when it is done. */
export type Remote<C extends Controls> = StandInProcess & {
  readonly [Name in keyof C]: (...args: Parameters<C[Name]>) => Promise<Awaited<ReturnType<C[Name]>>>;
};

/** A stand-in in a process of its own, which ends with this one. */
export class StandInProcess {
  private isStopped = false;

  static async start<C extends Controls>(kind: string, options: object = {}): Promise<Remote<C>> {
    const host = Host.free();
    const url = (await host.ask('open', [kind, options])) as string;
    return new Proxy(new StandInProcess(host, url), {
      get(process, name, proxy) {
        // A promise asks for `then` to see whether it resolves to another promise.
        if (name in process || typeof name === 'symbol' || name === 'then')
          return Reflect.get(process, name, proxy);
        return (...args: unknown[]) => host.ask(name, args);
      },
    }) as Remote<C>;
  }

  private constructor(
    private readonly host: Host,
    readonly url: string,
  ) {}

  /** Reads better where a control makes something fail: `server.faults.hang()`. */
  get faults(): this {
    return this;
  }

  /** Of a single server. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Nothing moves, not even a ping is answered, and connections stay. Questions wait as well. */
  freeze(): void {
    this.host.signal('SIGSTOP');
  }

  thaw(): void {
    this.host.signal('SIGCONT');
  }

  /** As when its process is killed: connections break, its data are gone, its port is free. */
  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    this.thaw();
    await this.host.release();
  }
}
