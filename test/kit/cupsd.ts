import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { within } from './polling.js';
import { freePort } from './free-port.js';

const SYSTEM_BIN = '/usr/lib/cups';
const run = promisify(execFile);

/** Reason why no cupsd is available; undefined if it is installed. */
export function cupsdMissing(): string | undefined {
  const missing = ['/usr/sbin/cupsd', '/usr/sbin/lpadmin', SYSTEM_BIN].find((path) => !existsSync(path));
  return missing && `${missing} is not installed (Debian packages cups and cups-client)`;
}

/** Of a file that the backend made: `<title>~<copies>~…`. */
function titleOf(file: string): Omit<Printed, 'bytes'> {
  const [title = '', copies = ''] = file.split('~');
  return { documentName: /svc:\S+$/.exec(title)?.[0] ?? title, title, copies: Number(copies) };
}

/** Reason why CUPS cannot draw pages; undefined if it can. */
export function filtersMissing(): string | undefined {
  const missing = ['pdftopdf', 'gstoraster']
    .map((name) => `${SYSTEM_BIN}/filter/${name}`)
    .find((path) => !existsSync(path));
  return missing && `${missing} is not installed (Debian packages cups-filters and ghostscript)`;
}

/** One document printed by the backend. */
export interface Printed {
  documentName: string;
  /** As the queue shows it. */
  title: string;
  copies: number;
  bytes: Buffer;
}

/**
 * A real, private CUPS scheduler in its own folder, with raw queues on a backend script that saves its input. `hold`
 * pauses the backend in the middle of a job; `exitWith` sets its exit code.
 */
export class Cupsd {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly root: string,
    readonly address: string,
  ) {}

  static async start(): Promise<Cupsd> {
    const root = await mkdtemp(join(tmpdir(), 'cupsd-'));
    const cupsd = new Cupsd(root, `127.0.0.1:${await freePort()}`);
    await cupsd.writeFolders();
    await cupsd.boot();
    return cupsd;
  }

  async boot(): Promise<void> {
    this.process = spawn(
      '/usr/sbin/cupsd',
      ['-f', '-c', join(this.root, 'cupsd.conf'), '-s', join(this.root, 'cups-files.conf')],
      { stdio: 'ignore' },
    );
    await eventually(async () => (await this.client('lpstat', '-r')).includes('is running'));
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.release();
    await this.end('SIGTERM');
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  async addQueue(name: string): Promise<void> {
    await this.client(
      'lpadmin',
      '-p',
      name,
      '-E',
      '-v',
      'sim:/out',
      '-m',
      'raw',
      '-o',
      'printer-error-policy=abort-job',
    );
  }

  /** A queue with filters, whose printer is described by a PPD. Its backend keeps what the filters made. */
  async addPrinter(name: string, ppd: string): Promise<void> {
    const file = join(this.root, `${name}.ppd`);
    await writeFile(file, ppd);
    await this.client(
      'lpadmin',
      ...['-p', name, '-E', '-v', 'sim:/out', '-P', file, '-o', 'printer-error-policy=abort-job'],
    );
  }

  /** A queue with the paper of a real printer, which `addQueue` has not. */
  async addOffice(name: string, paper: string): Promise<void> {
    const model = ['-m', 'drv:///sample.drv/generic.ppd', '-o', `media=${paper}`];
    await this.client('lpadmin', '-p', name, '-E', '-v', 'sim:/out', ...model);
  }

  /** Runs a CUPS command against this server. */
  async client(command: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, CUPS_SERVER: this.address, LC_ALL: 'C' };
    const { stdout } = await run(command, args, { env, timeout: 10_000 });
    return stdout;
  }

  hold(): Promise<void> {
    return writeFile(join(this.root, 'out', 'hold'), '');
  }

  release(): Promise<void> {
    return rm(join(this.root, 'out', 'hold'), { force: true });
  }

  exitWith(code: number): Promise<void> {
    return writeFile(join(this.root, 'out', 'exit'), String(code));
  }

  /** Names of all documents started by the backend, repeats included. */
  async begun(): Promise<string[]> {
    const log = await readFile(join(this.root, 'out', 'begun'), 'utf8').catch(() => '');
    return log.split('\n').slice(0, -1);
  }

  /** Completely printed documents, in no particular order. */
  async printed(): Promise<Printed[]> {
    return Promise.all((await this.printedFiles()).map((name) => this.printedAs(name)));
  }

  /** Bytes of one document; undefined until it is printed completely. */
  async document(documentName: string): Promise<Buffer | undefined> {
    const name = (await this.printedFiles()).find((file) => titleOf(file).documentName === documentName);
    return name === undefined ? undefined : (await this.printedAs(name)).bytes;
  }

  /** Bytes of each completely printed document. */
  async output(): Promise<Map<string, Buffer>> {
    return new Map((await this.printed()).map(({ documentName, bytes }) => [documentName, bytes]));
  }

  private async printedFiles(): Promise<string[]> {
    return (await readdir(join(this.root, 'out'))).filter((name) => name.endsWith('.printed'));
  }

  private async printedAs(name: string): Promise<Printed> {
    return { ...titleOf(name), bytes: await readFile(join(this.root, 'out', name)) };
  }

  private async writeFolders(): Promise<void> {
    const { root } = this;
    await chmod(root, 0o755);
    for (const folder of [
      'etc',
      'spool',
      'spool/tmp',
      'cache',
      'state',
      'state/certs',
      'log',
      'out',
      'bin',
      'bin/backend',
    ]) {
      await mkdir(join(root, folder));
    }
    await chmod(join(root, 'out'), 0o777);
    for (const name of await readdir(SYSTEM_BIN)) {
      if (name !== 'backend') await symlink(join(SYSTEM_BIN, name), join(root, 'bin', name));
    }
    await writeFile(join(root, 'bin/backend/sim'), backendScript(join(root, 'out')));
    await chmod(join(root, 'bin/backend/sim'), 0o755);
    await writeFile(join(root, 'cups-files.conf'), filesConfig(root));
    await writeFile(join(root, 'cupsd.conf'), serverConfig(root, this.address));
    if (existsSync('/etc/cups/snmp.conf')) await cp('/etc/cups/snmp.conf', join(root, 'etc/snmp.conf'));
  }
}

/** cupsd does not run filters as root; without root it runs them as the current user. */
function filesConfig(root: string): string {
  const user = process.getuid?.() === 0 ? ['User lp', 'Group lp'] : [];
  return [
    ...user,
    'SystemGroup root',
    `ServerRoot ${root}/etc`,
    `RequestRoot ${root}/spool`,
    `TempDir ${root}/spool/tmp`,
    `CacheDir ${root}/cache`,
    `StateDir ${root}/state`,
    `ServerBin ${root}/bin`,
    'DataDir /usr/share/cups',
    `AccessLog ${root}/log/access`,
    `ErrorLog ${root}/log/error`,
    `PageLog ${root}/log/page`,
    '',
  ].join('\n');
}

function serverConfig(root: string, address: string): string {
  return [
    `Listen ${address}`,
    `PidFile ${root}/state/pid`,
    'Browsing No',
    'WebInterface No',
    'LogLevel debug',
    'DefaultAuthType Basic',
    'PreserveJobHistory Yes',
    'ErrorPolicy abort-job',
    'MaxJobTime 0',
    '<Location />',
    '  Order allow,deny',
    '  Allow all',
    '</Location>',
    '<Policy default>',
    '  JobPrivateAccess default',
    '  JobPrivateValues default',
    '  SubscriptionPrivateAccess default',
    '  SubscriptionPrivateValues default',
    '  <Limit Send-Document Cancel-Job Get-Notifications>',
    '    Require user @OWNER @SYSTEM',
    '    Order deny,allow',
    '  </Limit>',
    '  <Limit All>',
    '    Order deny,allow',
    '  </Limit>',
    '</Policy>',
    '',
  ].join('\n');
}

/** cupsd passes the arguments: job user title copies options [file]. */
function backendScript(out: string): string {
  return `#!/bin/sh
if [ $# -eq 0 ]; then echo 'direct sim "Unknown" "sim"'; exit 0; fi
echo "$3" >> '${out}/begun'
part='${out}/'$1.$$.part
if [ $# -ge 6 ]; then cat "$6" > "$part"; else cat > "$part"; fi
while [ -e '${out}/hold' ]; do sleep 0.05; done
code=0
if [ -e '${out}/exit' ]; then code=$(cat '${out}/exit'); fi
title=$(printf %s "$3" | tr / _)
if [ "$code" = 0 ]; then mv "$part" '${out}/'"$title~$4~$1.$$.printed"; fi
exit "$code"
`;
}

/** Polls for effects of cupsd and its backend, which send no notification. */
export function eventually(condition: () => Promise<boolean>): Promise<void> {
  return within(10_000, () => condition().catch(() => false));
}
