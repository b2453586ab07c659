import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PROGRAM = resolve('dist/agent/main.js');

/** The built reference Agent as a child process with its own folders; can be restarted. */
export class AgentProcess {
  private child: ChildProcess | undefined;
  private ended: Promise<{ code: number | null; signal: string | null }> | undefined;
  output = '';
  /** Options of Node itself for the next start. */
  nodeOptions: readonly string[] = [];
  /** Variables beside those of the test. */
  environment: Readonly<Record<string, string>> = {};
  private stdin: string | undefined;

  private constructor(
    private readonly root: string,
    private readonly args: string[],
  ) {}

  static async prepare(url: string, token: string, ...args: string[]): Promise<AgentProcess> {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);
    const root = await mkdtemp(join(tmpdir(), 'agent-'));
    return new AgentProcess(root, ['--url', url, '--token', token, '--inventory-seconds', '0.2', ...args]);
  }

  /** Clones the machine: copies the state folder, but uses a separate virtual printer. */
  async clone(): Promise<AgentProcess> {
    const root = await mkdtemp(join(tmpdir(), 'agent-clone-'));
    await cp(this.stateFolder, join(root, 'state'), { recursive: true });
    return new AgentProcess(root, this.args);
  }

  /** The same computer, started without a token. */
  withoutToken(): AgentProcess {
    const at = this.args.indexOf('--token');
    return new AgentProcess(this.root, this.args.toSpliced(at, 2));
  }

  /** Gives it this text on stdin. */
  withStdin(text: string): this {
    this.stdin = text;
    return this;
  }

  get stateFolder(): string {
    return join(this.root, 'state');
  }

  start(...more: string[]): void {
    this.startOn('pipe', ...more);
  }

  /** Starts with the log on a descriptor not read by the test. */
  startOn(stdout: number | 'pipe', ...more: string[]): void {
    const folders = ['--state', this.stateFolder, '--virtual', join(this.root, 'printed')];
    const child = spawn(process.execPath, [...this.nodeOptions, PROGRAM, ...folders, ...this.args, ...more], {
      stdio: [this.stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
      env: { ...process.env, ...this.environment },
    });
    child.stdin?.end(this.stdin);
    const collect = (chunk: Buffer): void => void (this.output += chunk.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    this.child = child;
  }

  /** Resolves to exit code and signal once it has ended. */
  async end(): Promise<{ code: number | null; signal: string | null }> {
    if (!this.ended) throw new Error('never started');
    return this.ended;
  }

  /** The lines of its journal. */
  journal(): Promise<string> {
    return readFile(join(this.stateFolder, 'journal.ndjson'), 'utf8');
  }

  /** Types of the stored reports that the service has not acknowledged. */
  async unsentReports(): Promise<string[]> {
    const text = await readFile(join(this.stateFolder, 'outbox.ndjson'), 'utf8');
    const reports = new Map<string, string>();
    for (const line of text.split('\n').slice(0, -1)) {
      const { report, acknowledged = [] } = JSON.parse(line) as {
        report?: { event_id: string; type: string };
        acknowledged?: string[];
      };
      if (report) reports.set(report.event_id, report.type);
      for (const eventId of acknowledged) reports.delete(eventId);
    }
    return [...reports.values()];
  }

  /** Stops or continues the process, as the sleep of its computer does. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(name);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }> {
    this.child?.kill(signal);
    return this.end();
  }

  /** Names and contents of the files written by the virtual printer. */
  async printed(): Promise<Map<string, Buffer>> {
    const folder = join(this.root, 'printed');
    const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
    );
  }

  async remove(): Promise<void> {
    if (this.child) await this.kill('SIGKILL');
    await rm(this.root, { recursive: true, force: true });
  }
}
