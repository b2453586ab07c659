import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeArgs } from './node-args.js';
import type { ProbeAnswer } from './probe.js';

export interface ServiceOptions {
  /** Additional environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Command and arguments to run the service under, e.g. strace. */
  readonly under?: readonly string[];
}

/** Building the read models of the large store may take minutes on a busy machine. */
const READY_WITHIN_MS = 1_800_000;
const STOP_WITHIN_MS = 20_000;

/** No rate limits, computers that stay online without heartbeats, and no settings from the user's `.env`. */
const ENVIRONMENT = {
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_FACTOR: '1000000',
  PRESENCE_TIMEOUT_SECONDS: '86400',
  ...{ EVENTSTORE_URL: '', MONGODB_URL: '', SVC_MASTER_KEY: '', PUBLIC_URL: '', ROLE: '', LOG_LEVEL: '' },
};

/** The built service as a child process on embedded stores. Its log goes to a file beside the data. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
    readonly dataDir: string,
    readonly url: string,
    /** Process id of node itself, also when run under another command. */
    readonly pid: number,
    /** Time from the start of the process to its ready line. */
    readonly readyMs: number,
  ) {}

  static async start(dataDir: string, options: ServiceOptions = {}): Promise<ServiceProcess> {
    const { child, ended } = launch(dataDir, options);
    const began = performance.now();
    const impatience = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
    const ready = new Promise<{ url: string; pid: number }>((resolve, reject) => {
      createInterface(child.stdout!).on('line', (line) => {
        if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as { url: string; pid: number });
      });
      void ended.then(() =>
        reject(new Error(`the service ended before it was ready: ${lastWords(dataDir)}`)),
      );
    });
    const { url, pid } = await ready;
    clearTimeout(impatience);
    return new ServiceProcess(child, ended, dataDir, url, pid, performance.now() - began);
  }

  get operatorToken(): string {
    return readFileSync(path.join(this.dataDir, 'operator-token'), 'utf8').trim();
  }

  /** Samples of the probe since the last request. */
  probe(): Promise<ProbeAnswer> {
    return new Promise((resolve, reject) => {
      this.child.once('message', (message) => resolve(message as ProbeAnswer));
      this.child.send('probe', (error) => error && reject(error));
    });
  }

  async stop(): Promise<void> {
    const impatience = setTimeout(() => this.signal('SIGKILL'), STOP_WITHIN_MS);
    this.signal('SIGTERM');
    await this.ended;
    clearTimeout(impatience);
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  private signal(signal: NodeJS.Signals): void {
    try {
      process.kill(this.pid, signal);
    } catch {
      this.child.kill(signal); // node has ended; the command around it may not have.
    }
  }
}

function launch(dataDir: string, { env, under = [] }: ServiceOptions) {
  const file = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const probe = new URL('./probe.js', import.meta.url).href;
  const command = [...under, process.execPath, ...nodeArgs(), '--import', probe, file('../../src/main.js')];
  const log = openSync(`${dataDir}.log`, 'a');
  const child = spawn(command[0]!, command.slice(1), {
    cwd: path.dirname(dataDir),
    env: { ...process.env, ...ENVIRONMENT, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return { child, ended };
}

function lastWords(dataDir: string): string {
  return readFileSync(`${dataDir}.log`, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}
