import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './polling.js';
import { freePort } from './free-port.js';

const PROGRAMS = ['/usr/sbin/ippeveprinter', '/usr/sbin/avahi-daemon', '/usr/bin/dbus-daemon'];

/** Reason why no IPP Everywhere printer is available; undefined if it is installed. */
export function ippeveprinterMissing(): string | undefined {
  const missing = PROGRAMS.find((path) => !existsSync(path));
  return missing && `${missing} is not installed (Debian packages cups-ipp-utils, avahi-daemon and dbus)`;
}

/** One document that the printer has taken. */
export interface Taken {
  readonly jobName: string;
  readonly format: string;
  /** Attributes of the job and defaults of the printer: `IPP_SIDES`, `IPP_MEDIA_COL` … */
  readonly attributes: Record<string, string>;
  readonly bytes: Buffer;
}

interface Settings {
  readonly formats: readonly string[];
  readonly isDuplex?: boolean;
}

/**
 * CUPS' own IPP Everywhere printer, one colour and 600 dpi. It refuses to start without DNS-SD, so it gets a D-Bus and
 * an Avahi of its own.
 */
export class IppEvePrinter {
  private readonly children: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(settings: Settings): Promise<IppEvePrinter> {
    const folder = await mkdtemp(join(tmpdir(), 'ippeve-'));
    const printer = new IppEvePrinter(folder, await freePort());
    await mkdir(join(folder, 'spool'));
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'take'), commandScript(join(folder, 'taken')));
    await chmod(join(folder, 'take'), 0o755);
    await printer.boot(settings);
    return printer;
  }

  get address(): string {
    return `ipp://127.0.0.1:${this.port}/ipp/print`;
  }

  async taken(): Promise<Taken[]> {
    const folder = join(this.folder, 'taken');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.env'));
    return Promise.all(
      names.map(async (name) => {
        const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
        const attributes = Object.fromEntries(
          lines.map((line) => /^([^=]+)=(.*)/.exec(line)?.slice(1) ?? ['', '']),
        );
        const bytes = await readFile(join(folder, name.replace(/\.env$/, '.document')));
        return {
          jobName: attributes['IPP_JOB_NAME'] ?? '',
          format: attributes['CONTENT_TYPE'] ?? '',
          attributes,
          bytes,
        };
      }),
    );
  }

  /** Resolves to the document of this mark once the printer has it. */
  document(mark: string): Promise<Taken> {
    return eventually(`the document ${mark}`, async () =>
      (await this.taken()).find(({ jobName }) => jobName.endsWith(mark)),
    );
  }

  async remove(): Promise<void> {
    for (const child of this.children.reverse()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async boot({ formats, isDuplex }: Settings): Promise<void> {
    const { folder } = this;
    const bus = join(folder, 'bus');
    await writeFile(join(folder, 'bus.conf'), busConfig(bus));
    await writeFile(
      join(folder, 'avahi.conf'),
      '[server]\nallow-interfaces=lo\nuse-ipv6=no\nenable-dbus=yes\n',
    );
    this.run('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork', '--nopidfile']);
    await eventually('the bus', () => Promise.resolve(existsSync(bus) || undefined));
    const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${bus}` };
    const avahi = ['-f', `${folder}/avahi.conf`, '--no-drop-root', '--no-chroot', '--no-rlimits'];
    this.run('/usr/sbin/avahi-daemon', avahi, env);
    const printer = [
      ...['-k', '-d', join(folder, 'spool'), '-c', join(folder, 'take'), '-K', folder],
      ...['-p', String(this.port), '-n', 'localhost', '-r', 'off', '-f', formats.join(',')],
      ...(isDuplex ? ['-2'] : []),
      'Test',
    ];
    // It ends at once as long as Avahi does not answer.
    let child = this.run('/usr/sbin/ippeveprinter', printer, env);
    await eventually('the printer', async () => {
      if (child.exitCode !== null) child = this.run('/usr/sbin/ippeveprinter', printer, env);
      const answer = await fetch(`http://127.0.0.1:${this.port}/`).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer && true;
    });
  }

  private run(program: string, args: string[], env = process.env): ChildProcess {
    const child = spawn(program, args, { stdio: 'ignore', env });
    this.children.push(child);
    return child;
  }
}

function busConfig(path: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy>
</busconfig>
`;
}

/** The printer passes the file, and attributes in the environment. */
function commandScript(folder: string): string {
  return `#!/bin/sh
cp "$1" '${folder}/'$$.document
env | grep -E '^(IPP_|CONTENT_TYPE)' > '${folder}/'$$.part
mv '${folder}/'$$.part '${folder}/'$$.env
`;
}
