import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STOP_WITHIN_MS = 12_000;

/** A program of this repository as a child process; its output goes to a log file. */
export class Program {
  readonly log: string;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private stopping = false;

  /** `entry` is relative to dist; the working folder is `folder`, so that the user's `.env` is not read. */
  constructor(
    readonly name: string,
    entry: string,
    args: readonly string[],
    folder: string,
    options: { env?: Record<string, string>; onLine?: (line: string) => void; onDeath: (why: Error) => void },
  ) {
    const file = fileURLToPath(new URL(`../${entry}`, import.meta.url));
    this.log = path.join(folder, `${name}.log`);
    this.child = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(this.log);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => log.write(`${line}\n`));
    }
    if (this.child.stdout && options.onLine) createInterface(this.child.stdout).on('line', options.onLine);
    this.ended = new Promise((resolve) => this.child.once('close', () => log.end(resolve)));
    this.child.once('error', options.onDeath);
    this.child.once('exit', (code, signal) => {
      if (!this.stopping) options.onDeath(new Error(`the ${name} ended by itself (${signal ?? code})`));
    });
  }

  /** Sends SIGTERM and waits; kills the process after a timeout. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.ended;
    clearTimeout(impatience);
  }

  lastWords(lines = 20): string {
    return readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}
