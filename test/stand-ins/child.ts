import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Controls, Ready, Request } from './stand-in.js';

/** Built, whether this file is run as it is (by Jest) or from the build. */
const PROGRAM = fileURLToPath(new URL('.', import.meta.url)).replace(
  /(\/dist)?\/test\/stand-ins\/$/,
  '/dist/test/stand-ins/main.js',
);

const running = new Set<ChildProcess>();
// A frozen process would not notice that its parent is gone.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A stand-in in a process of its own, with its controls as methods: each resolves when it is done. */
export type Remote<C extends Controls> = StandInProcess & {
  readonly [Name in keyof C]: (...args: Parameters<C[Name]>) => Promise<Awaited<ReturnType<C[Name]>>>;
};

/** A stand-in in a process of its own, which ends with this one. */
export class StandInProcess {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private readonly ended: Promise<void>;
  private lastId = 0;

  /** The program is the built one. @throws when it is missing or ends before it listens */
  static async start<C extends Controls>(kind: string, options: object = {}): Promise<Remote<C>> {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
    const child = fork(PROGRAM, [kind, '--options', JSON.stringify(options)], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    running.add(child);
    const ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code, signal) =>
        reject(new Error(`the ${kind} stand-in ended: ${code ?? signal}`)),
      );
    });
    return new Proxy(new StandInProcess(child, ready), {
      get(process, name, proxy) {
        // A promise asks for `then` to see whether it resolves to another promise.
        if (name in process || typeof name === 'symbol' || name === 'then')
          return Reflect.get(process, name, proxy);
        return (...args: unknown[]) => process.ask(name, args);
      },
    }) as Remote<C>;
  }

  private constructor(
    private readonly child: ChildProcess,
    private readonly ready: Ready,
  ) {
    child.unref();
    child.channel?.unref();
    child.on('message', (answer: Answer) => this.settle(answer));
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
    void this.ended.then(() => {
      running.delete(child);
      for (const id of this.waiting.keys()) this.settle({ id, error: 'the stand-in has ended' });
    });
  }

  get url(): string {
    return this.ready.url;
  }

  /** Reads better where a control makes something fail: `server.faults.hang()`. */
  get faults(): this {
    return this;
  }

  /** Of a single server. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Nothing moves, not even a ping is answered, and connections stay. Questions wait as well. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  stop(): Promise<void> {
    // Waiting for the end keeps this process.
    this.child.ref();
    this.child.kill('SIGKILL');
    return this.ended;
  }

  private ask(control: string, args: readonly unknown[]): Promise<unknown> {
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
