import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { clientOf, type Call } from './http/client.js';

const PROGRAM = resolve('dist/src/main.js');
const RPS = resolve('dist/src/cli/main.js');
const BACKUP = resolve('dist/src/operations/backup/main.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Descriptors that replace the pipes read by the test. */
export interface Targets {
  readonly stdout?: number;
  readonly stderr?: number;
}

export interface Launching extends Targets {
  readonly args?: readonly string[];
}

/** Runs a built program; resolves when it ends. */
export async function run(
  program: string,
  args: string[],
  env: Record<string, string>,
  targets: Targets = {},
): Promise<Ended> {
  const started = launch(program, args, env, targets);
  return started.ended;
}

/** The built service as a child process on embedded stores; can be restarted. */
export class ServiceProcess {
  readonly clock = new SystemClock();
  url = '';
  pid = 0;
  /** The whole log. */
  logs = '';
  private running: ReturnType<typeof launch> | undefined;

  private constructor(
    private readonly root: string,
    readonly dataDir: string,
  ) {}

  static async prepare(): Promise<ServiceProcess> {
    const root = await mkdtemp(join(tmpdir(), 'rps-process-'));
    return new ServiceProcess(root, join(root, 'data'));
  }

  /** Resolves to its ready line. */
  async start(env: Record<string, string> = {}, launching: Launching = {}): Promise<Record<string, unknown>> {
    const started = this.begin(env, launching);
    const ready = JSON.parse(await beforeTheEnd(started, started.firstLine)) as { url: string; pid: number };
    this.url = ready.url;
    this.pid = ready.pid;
    return { ...ready };
  }

  /** Starts without waiting for readiness; resolves when its log contains `said`. */
  async startUntil(said: string, env: Record<string, string> = {}): Promise<void> {
    const started = this.begin(env);
    await beforeTheEnd(started, started.says(said));
  }

  /** Starts without waiting. */
  begin(env: Record<string, string> = {}, launching: Launching = {}): ReturnType<typeof launch> {
    const started = launch(PROGRAM, [...(launching.args ?? [])], this.env(env), launching);
    this.running = started;
    void started.ended.then(({ stdout, stderr }) => (this.logs += stdout + stderr));
    return started;
  }

  /** Starts another process on the same folder; resolves when it ends. */
  another(env: Record<string, string> = {}, launching: Launching = {}): Promise<Ended> {
    return run(PROGRAM, [...(launching.args ?? [])], this.env(env), launching);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<Ended> {
    this.running!.child.kill(signal);
    return this.running!.ended;
  }

  /** Resolves when the process ends. */
  whenEnded(): Promise<Ended> {
    return this.running!.ended;
  }

  /** Runs `rps` against the service. */
  rps(...args: string[]): Promise<Ended> {
    return run(RPS, ['--url', this.url, '--data-dir', this.dataDir, ...args], {});
  }

  /** Path beside the data folder, deleted with it. */
  beside(name: string): string {
    return join(this.root, name);
  }

  /** Runs `rps backup FOLDER` or `rps restore FOLDER` on its data folder. */
  rpsOnStores(word: 'backup' | 'restore', folder: string): Promise<Ended> {
    return this.beginOnStores(word, folder).ended;
  }

  /** Like `rpsOnStores`, without waiting. */
  beginOnStores(word: 'backup' | 'restore', folder: string): ReturnType<typeof launch> {
    return launch(BACKUP, ['--data-dir', this.dataDir, word, folder], {}, {});
  }

  /** Removes the data folder. */
  async loseData(): Promise<void> {
    await rename(this.dataDir, join(await mkdtemp(join(this.root, 'lost-')), 'data'));
  }

  async operatorToken(): Promise<string> {
    return (await readFile(join(this.dataDir, 'operator-token'), 'utf8')).trim();
  }

  call = (method: string, path: string, call?: Call) => clientOf(this.url)(method, path, call);

  operate = async (method: string, path: string, json?: object): Promise<Record<string, unknown>> => {
    const as = await this.operatorToken();
    const answered = await this.call(method, `/operator${path}`, { as, ...(json && { json }) });
    if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered.body.data!;
  };

  async remove(): Promise<void> {
    if (this.running) await this.end('SIGKILL');
    await rm(this.root, { recursive: true, force: true });
  }

  private env(more: Record<string, string>): Record<string, string> {
    const quiet = { RATE_LIMIT_FACTOR: '0', EVIDENCE_INTERVAL_SECONDS: '0' };
    return { DATA_DIR: this.dataDir, PORT: '0', ...quiet, ...more };
  }
}

function launch(program: string, args: string[], env: Record<string, string>, targets: Targets) {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`);
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', targets.stdout ?? 'pipe', targets.stderr ?? 'pipe'],
    env: { PATH, HOME, ...env },
  });
  let stdout = '';
  let stderr = '';
  const firstLine = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
  });
  child.stderr?.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  const says = (text: string) =>
    new Promise<string>((resolve) => {
      const look = () => (stderr.includes(text) ? resolve(stderr) : undefined);
      child.stderr?.on('data', look);
      look();
    });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { child, firstLine, says, ended };
}

/** @throws Error if the process ends first */
async function beforeTheEnd(
  { ended }: { readonly ended: Promise<Ended> },
  awaited: Promise<string>,
): Promise<string> {
  const first = await Promise.race([awaited, ended]);
  if (typeof first !== 'string') throw new Error(`it ended with ${first.code}: ${first.stderr}`);
  return first;
}
