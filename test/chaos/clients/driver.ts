import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

/** A command as drivers/driver.py takes it; times in seconds. */
export interface Command {
  readonly do: 'verify' | 'call' | 'changes' | 'create_many';
  readonly base_url?: string;
  readonly api_key?: string;
  readonly max_retries?: number;
  readonly deadline?: number;
  readonly timeout?: number;
  readonly operation?: string;
  readonly key?: string;
  readonly arguments?: Readonly<Record<string, string | number>>;
  readonly after?: string | null;
  readonly stored?: string | null;
  readonly follow?: boolean;
  readonly take?: number;
  readonly printer_id?: string;
  readonly count?: number;
  /** In base64. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly tolerance?: number;
  readonly now?: number;
}

/** What a client made of a command: its result or its error, and the pauses in seconds that it did not really wait. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
  readonly pauses?: readonly number[];
}

export interface Driver {
  ask(command: Command): Promise<Answer>;
  close(): Promise<void>;
}

/** Whether a program can be started here; says so in one line if not. */
export function isInstalled(program: string, args: readonly string[], wanted: string): boolean {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  const found = status === 0 && (stdout ?? '').includes(wanted);
  if (!found) console.warn(`${program} with ${wanted} is not installed: its client is not tested`);
  return found;
}

/** A driver in a program of its own, which answers each line of JSON with a line. */
export class ProgramDriver implements Driver {
  private readonly waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];

  private constructor(private readonly child: ChildProcess) {
    createInterface(child.stdout!).on('line', (line) =>
      this.waiting.shift()?.resolve(JSON.parse(line) as Answer),
    );
    child.on('exit', (code) => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error(`the driver ended with ${code}`));
    });
  }

  static async start(program: string, args: readonly string[]): Promise<ProgramDriver> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child, 'spawn');
    return new ProgramDriver(child);
  }

  ask(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin!.write(`${JSON.stringify(command)}\n`);
    });
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end();
    await ended;
  }
}
