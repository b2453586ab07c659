import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Commands, Injected, Ready, Request, ServerOptions, Stored } from './control.js';
import type { Counters } from './counters.js';
import { healthy, type Faults } from './faults.js';
import type { Drop } from './subscription.js';

/** Built, whether this file is run as it is (by Jest) or from the build. */
const PROGRAM = fileURLToPath(new URL('.', import.meta.url)).replace(
  /(\/dist)?\/test\/stand-ins\/eventstore\/$/,
  '/dist/test/stand-ins/eventstore/main.js',
);

const DEFAULTS: ServerOptions = {
  maxAppendBytes: 1024 * 1024,
  maxConcurrentStreams: 100,
  systemEvents: true,
};

/**
 * An EventStoreDB of tests in a process of its own: the real protocol, an empty memory, faults on demand. What it
 * does was read in the server's source (each behaviour names its place) and has not been compared with a running
 * server. Not here: TLS and users, links, server projections, persistent subscriptions, scavenging.
 */
export async function startEventStoreServer(options: Partial<ServerOptions> = {}): Promise<EventStoreServer> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
  const child = fork(PROGRAM, [JSON.stringify({ ...DEFAULTS, ...options })], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended: ${code ?? signal}`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready];
  ended.catch(() => undefined);
  return new EventStoreServer(child, ready.port);
}

export class EventStoreServer {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', (answer: Answer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    child.once('exit', (code, signal) => {
      const error = `the server ended: ${code ?? signal}`;
      for (const [id, settle] of this.waiting) settle({ id, error });
      this.waiting.clear();
    });
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  get pid(): number {
    return this.child.pid!;
  }

  readonly faults = {
    /** Resolves when the changes are in force. */
    set: (changes: Partial<Faults>): Promise<void> => this.ask('set', changes),
    clear: (): Promise<void> => this.ask('set', healthy),
  };

  counters(): Promise<Counters> {
    return this.ask('counters');
  }

  /** Puts an event into the log past all checks, to be read and delivered like any other. */
  async inject(event: Injected): Promise<Stored> {
    const [stored] = await this.injectAll([event]);
    return stored!;
  }

  injectAll(events: readonly Injected[]): Promise<readonly Stored[]> {
    return this.ask('inject', events);
  }

  /** Breaks all connections, forgets what a process keeps in memory only, and listens again on the same port. */
  async restart(): Promise<void> {
    await this.goDown();
    await this.comeBack();
  }

  /** Connections are refused until it comes back. */
  goDown(): Promise<void> {
    return this.ask('goDown');
  }

  async comeBack(): Promise<void> {
    await this.ask('listen');
  }

  /** Ends each open subscription; answers how many there were. */
  dropSubscriptions(how: Drop): Promise<number> {
    return this.ask('dropSubscriptions', how);
  }

  /** Breaks all connections at once and listens on. */
  dropAll(): Promise<void> {
    return this.ask('dropConnections');
  }

  /** Nothing is answered, not even a ping, and connections stay. Questions of the parent wait as well. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  private ask<Name extends keyof Commands>(
    command: Name,
    ...args: Parameters<Commands[Name]>
  ): Promise<ReturnType<Commands[Name]>> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (answer) =>
        'error' in answer
          ? reject(new Error(answer.error))
          : resolve(answer.result as ReturnType<Commands[Name]>),
      );
      this.child.send({ id, command, args } satisfies Request);
    });
  }
}
