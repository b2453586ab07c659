import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { clientOf, type Answered, type Call } from '../../../kit/http/client.js';

const PROGRAM = resolve('dist/src/main.js');
/** Far above any start, even under a tracer on a busy machine. */
const START_MS = 60_000;

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Command that runs the service: a tracer. */
  readonly under?: readonly string[];
}

/** No answer: the service has died, or closed the connection while dying. */
export class ServiceGone extends Error {
  /** Process exit, if known. */
  ending?: Ending;
}

/** The built service as a child process, on a data folder that outlives it. */
export class ServiceProcess {
  private send: ReturnType<typeof clientOf> = () => Promise.reject(new ServiceGone('not started'));
  /** Of the service itself, also under a tracer. */
  pid = 0;
  /** Base address of the API. */
  url = '';
  readonly ended: Promise<Ending>;
  /** Its stderr. */
  log = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {
    child.stderr!.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  }

  /** Resolves when it is ready. @throws ServiceGone if it ended first */
  static async start(dataDir: string, { env, under = [] }: StartOptions = {}): Promise<ServiceProcess> {
    const [program, ...args] = [...under, process.execPath, PROGRAM];
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
    const child = spawn(program!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...minimalEnv(), ...env, DATA_DIR: dataDir, PORT: '0' },
    });
    const service = new ServiceProcess(child, dataDir);
    await service.ready();
    return service;
  }

  get operatorToken(): string {
    return readFileSync(join(this.dataDir, 'operator-token'), 'utf8').trim();
  }

  /** One request below /v1. @throws ServiceGone without an answer */
  async call(method: string, path: string, call: Call = {}): Promise<Answered> {
    try {
      return await this.send(method, path, call);
    } catch (error) {
      throw new ServiceGone(`${method} ${path}: ${String(error)}`, { cause: error });
    }
  }

  kill(): Promise<Ending> {
    this.signal('SIGKILL');
    return this.ended;
  }

  stop(): Promise<Ending> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Sends the signal to the service itself; a tracer around it then ends too. */
  private signal(signal: NodeJS.Signals): void {
    try {
      if (this.pid !== 0) process.kill(this.pid, signal);
      else this.child.kill(signal);
    } catch {
      // It has ended already.
    }
  }

  private async ready(): Promise<void> {
    const late = setTimeout(() => this.signal('SIGKILL'), START_MS);
    const first = await Promise.race([
      new Promise<string>((resolve) => createInterface(this.child.stdout!).once('line', resolve)),
      this.ended,
    ]);
    clearTimeout(late);
    if (typeof first !== 'string') {
      const gone = new ServiceGone(`ended at start: ${JSON.stringify(first)} ${this.log}`);
      throw Object.assign(gone, { ending: first });
    }
    const { url, pid } = JSON.parse(first) as { url: string; pid: number };
    this.url = url;
    this.send = clientOf(url);
    this.pid = pid;
  }
}

/** Variables of the test process must not configure the service. */
function minimalEnv(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    // One thread for files, so that the n-th system call is the same in every run.
    UV_THREADPOOL_SIZE: '1',
    LOG_LEVEL: 'error',
    RATE_LIMIT_FACTOR: '0',
    METRICS_PUBLIC: 'true',
    EVIDENCE_INTERVAL_SECONDS: '0',
  };
}
