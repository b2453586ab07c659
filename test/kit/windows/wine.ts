import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cupsdMissing } from '../cupsd.js';

const WINE = '/usr/bin/wine';
/** Debian keeps wine64 and wineserver here. */
const WINE_BIN = '/usr/lib/wine';
/** That bin/agent-package.mjs makes. */
const FOLDER = 'rps-agent-windows-x64';
const run = promisify(execFile);

/** Reason why Windows programs cannot print here; undefined if they can. */
export function windowsMissing(): string | undefined {
  const missing = [WINE, join(WINE_BIN, 'wine64')].find((path) => !existsSync(path));
  return missing ? `${missing} is not installed (Debian packages wine and wine64)` : cupsdMissing();
}

/** A Windows program under Wine, with its output. */
export interface WindowsProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): Promise<string>;
}

/** A Windows installation of its own under Wine, whose printers are the queues of one CUPS server. */
export class Wine {
  private started = 0;

  private constructor(
    readonly root: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Also makes a package of the Agent; the first time, its parts come from npm. */
  static async start(cupsServer: string, format: 'folder' | 'msi' = 'folder'): Promise<Wine> {
    const root = await mkdtemp(join(tmpdir(), 'wine-'));
    await run(process.execPath, ['bin/agent-package.mjs', format, '--out', root], { timeout: 300_000 });
    await mkdir(join(root, 'home'));
    const wine = new Wine(root, {
      PATH: `${WINE_BIN}:${process.env.PATH}`,
      HOME: join(root, 'home'),
      TMPDIR: root, // wineserver leaves a folder there.
      WINEPREFIX: join(root, 'prefix'),
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=', // Wine would offer to download the first two.
      NODE_SKIP_PLATFORM_CHECK: '1',
      CUPS_SERVER: cupsServer,
    });
    await wine.command('wineboot', '-i');
    return wine;
  }

  /** Runs the packaged Agent. */
  agent(...args: string[]): WindowsProcess {
    return this.node(join(this.root, FOLDER, 'app/agent/main.js'), ...args);
  }

  /** Runs a script in Node for Windows. */
  node(script: string, ...args: string[]): WindowsProcess {
    return this.program(join(this.root, FOLDER, 'node.exe'), windowsPath(resolve(script)), ...args);
  }

  /** Runs a program that is or starts Node, which under Wine cannot write to a pipe. */
  program(...args: string[]): WindowsProcess {
    const file = join(this.root, `output-${++this.started}`);
    const output = openSync(file, 'w');
    const child = spawn(WINE, args, { env: this.env, stdio: ['ignore', output, output] });
    closeSync(output);
    const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
    return { child, ended, output: () => readFile(file, 'utf8') };
  }

  /** Runs a command of Windows, such as `net`, and resolves to its output. @throws Error with its exit code as `code` */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await run(WINE, args, { env: this.env, timeout: 60_000 });
    return stdout;
  }

  /** Sets a variable for services, which do not get those of this process. Ends every program first. */
  async setSystemVariable(name: string, value: string): Promise<void> {
    const key = 'HKLM\\System\\CurrentControlSet\\Control\\Session Manager\\Environment';
    await this.command('reg', 'add', key, '/v', name, '/d', value, '/f');
    await this.endPrograms();
  }

  /** Bytes of the documents between StartDocPrinter and EndDocPrinter, and of those whose program was killed there. */
  async spooledBytes(): Promise<number> {
    const names = await readdir(this.spool).catch(() => []);
    const sizes = names.map((name) => stat(join(this.spool, name)).catch(() => ({ size: 0 })));
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  }

  async clearSpool(): Promise<void> {
    for (const name of await readdir(this.spool)) await rm(join(this.spool, name));
  }

  private get spool(): string {
    return join(this.root, 'prefix/drive_c/windows/system32/spool/printers');
  }

  /** Also ends every program. */
  async remove(): Promise<void> {
    await this.endPrograms();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  private async endPrograms(): Promise<void> {
    const server = join(WINE_BIN, 'wineserver');
    await run(server, ['-k'], { env: this.env }).catch(() => undefined);
    await run(server, ['-w'], { env: this.env, timeout: 30_000 }).catch(() => undefined);
  }
}

/** Wine shows the root folder as drive Z. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}
