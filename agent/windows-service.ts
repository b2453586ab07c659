import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExitCode } from './exit-codes.js';
import { keepUnchanged, runProgram, type RunProgram } from './windows-program.js';

export const SERVICE_NAME = 'RemotePrintingAgent';
const SERVICE_KEY = `HKLM\\SYSTEM\\CurrentControlSet\\Services\\${SERVICE_NAME}`;

/** A restart repeats these endings: a person must act first. */
const FINAL = [
  ExitCode.ok,
  ExitCode.usage,
  ExitCode.sessionReplaced,
  ExitCode.refused,
  ExitCode.config,
] as const;
const RESTART_AFTER_MS = 10_000;
/** The Agent gives jobs back and waits for the spooler for up to 10 seconds. */
const STOPS_WITHIN_MS = 15_000;
const OUTPUT_BYTES = 1_000_000;
/** Exit code of NSSM for a service that does not exist. */
const NO_SUCH_SERVICE = 3;

/** No path or address holds it. */
const BETWEEN_VALUES = '|';
/** Administrators keep the certificates that a company trusts in Windows. */
const TRUST_WINDOWS = '--use-system-ca';

/** What the service runs, and where it keeps its state. */
export interface ServicePlan {
  /** Arguments of the Agent, without a token. */
  readonly args: readonly string[];
  /** An absolute path. */
  readonly state: string;
  /** Variables of the service. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The Agent as a service of Windows. NSSM starts it with the computer, restarts it and stops it with Ctrl+C. */
export class WindowsService {
  constructor(
    private readonly folder = fileURLToPath(new URL('../..', import.meta.url)),
    private readonly run: RunProgram = runProgram,
  ) {}

  /** Resolves to true if the service was installed; it is stopped then. @throws Error as `RunProgram` */
  async stop(): Promise<boolean> {
    const exists = await this.exists();
    if (exists) await this.nssm('stop');
    return exists;
  }

  /** With the command of Windows, which waits for a slow start; NSSM's own calls it an error. */
  start(): Promise<unknown> {
    return this.run('net', ['start', SERVICE_NAME]);
  }

  /** Arguments and variables of the installed service; undefined without one. @throws Error as `RunProgram` */
  async settings(): Promise<Omit<ServicePlan, 'state'> | undefined> {
    if (!(await this.exists())) return undefined;
    const [, , ...args] = argumentsOf(await this.nssm('get', 'AppParameters'));
    // The value is missing in a service that was not completely installed.
    const query = await this.run('reg', ['query', SERVICE_KEY, '/v', 'Environment']).catch(() => '');
    const values = /REG_MULTI_SZ\s+(\S.*)/.exec(query)?.[1]?.split(String.raw`\0`) ?? [];
    const variables = values.map((value) => value.split(/=(.*)/, 2)).filter(([name]) => name);
    return { args, environment: Object.fromEntries(variables) as Record<string, string> };
  }

  /** Installs and starts the service; of a stopped one it replaces the settings. @throws Error as `RunProgram` */
  async install(plan: ServicePlan): Promise<void> {
    await keepUnchanged(resolve(this.folder), this.run);
    const program = [resolve(this.folder, 'node.exe'), resolve(this.folder, 'app/agent/main.js')] as const;
    if (!(await this.exists())) await this.nssm('install', program[0], quoted(program[1]));
    for (const setting of settings(program, plan)) await this.nssm('set', ...setting);
    await this.setVariables(plan.environment);
    await this.start();
  }

  /** Stops and removes the service. @throws Error as `RunProgram` */
  async uninstall(): Promise<void> {
    if (await this.stop()) await this.nssm('remove', 'confirm');
  }

  /** In the key of the service, where Windows reads them: this build of NSSM loses its own at the first start. */
  private setVariables(variables: ServicePlan['environment']): Promise<unknown> {
    const values = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const list = ['/t', 'REG_MULTI_SZ', '/s', BETWEEN_VALUES, '/d', values.join(BETWEEN_VALUES)];
    return this.run('reg', ['add', SERVICE_KEY, '/v', 'Environment', ...list, '/f']);
  }

  private exists(): Promise<boolean> {
    return this.nssm('status').then(
      () => true,
      (error: unknown) => {
        if ((error as { code?: unknown }).code === NO_SUCH_SERVICE) return false;
        throw error;
      },
    );
  }

  private nssm(command: string, ...args: string[]): Promise<string> {
    return this.run(resolve(this.folder, 'nssm.exe'), [command, SERVICE_NAME, ...args]);
  }
}

function settings([node, agent]: readonly [string, string], plan: ServicePlan): string[][] {
  const output = `${plan.state}\\service.log`;
  return [
    ['Application', node],
    ['AppParameters', [TRUST_WINDOWS, agent, ...plan.args].map(quoted).join(' ')],
    ['AppDirectory', plan.state],
    ['DisplayName', 'Remote Printing Agent'],
    ['Description', 'Prints the jobs of the remote printing service on this computer.'],
    ['Start', 'SERVICE_AUTO_START'],
    ['AppStdout', output],
    ['AppStderr', output],
    ['AppRotateFiles', '1'],
    ['AppRotateBytes', String(OUTPUT_BYTES)],
    ['AppRestartDelay', String(RESTART_AFTER_MS)],
    ['AppStopMethodConsole', String(STOPS_WITHIN_MS)],
    ['AppExit', 'Default', 'Restart'],
    ...FINAL.map((code) => ['AppExit', String(code), 'Exit']),
  ];
}

/** Windows splits a command line at spaces outside of quotes; backslashes before a quote count twice. */
function quoted(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument;
  const parts = argument.split('"').map((part) => {
    const last = [...part].findLastIndex((character) => character !== '\\');
    return part + '\\'.repeat([...part].length - 1 - last);
  });
  return `"${parts.join('\\"')}"`;
}

/** The arguments of a command line that `quoted` wrote. */
function argumentsOf(line: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (const [part] of line.matchAll(/\\+"?|"|\s+|[^\s"\\]+/g)) {
    const isSpace = part.trim() === '' && !isQuoted;
    if (isSpace && current !== undefined) found.push(current);
    if (isSpace) current = undefined;
    else if (!part.endsWith('"')) current = `${current ?? ''}${part}`;
    else {
      const backslashes = part.length - 1;
      current = (current ?? '') + '\\'.repeat(backslashes / 2);
      if (backslashes % 2 === 1) current += '"';
      else isQuoted = !isQuoted;
    }
  }
  return current === undefined ? found : [...found, current];
}
