import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExitCode } from './exit-codes.js';

export const SERVICE_NAME = 'RemotePrintingAgent';

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
const CONTROLLED_WITHIN_MS = 60_000;
const OUTPUT_BYTES = 1_000_000;
/** Exit code of NSSM for a service that does not exist. */
const NO_SUCH_SERVICE = 3;
/** The system and the administrators, by number because their names are translated. */
const OWNERS = ['*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F'];

/** Runs a program of Windows. @throws Error with its exit code as `code` */
export type RunProgram = (file: string, args: readonly string[]) => Promise<void>;

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

  start(): Promise<void> {
    return this.nssm('start');
  }

  /** Installs and starts the service; of a stopped one it replaces the settings. @throws Error as `RunProgram` */
  async install(plan: ServicePlan): Promise<void> {
    // The key of the computer protects the credential, so that only the folder keeps other users from it.
    await this.run('icacls', [plan.state, '/inheritance:r', ...OWNERS.flatMap((one) => ['/grant:r', one])]);
    const program = [resolve(this.folder, 'node.exe'), resolve(this.folder, 'app/agent/main.js')] as const;
    if (!(await this.exists())) await this.nssm('install', program[0], quoted(program[1]));
    for (const setting of settings(program, plan)) await this.nssm('set', ...setting);
    await this.start();
  }

  /** Stops and removes the service. @throws Error as `RunProgram` */
  async uninstall(): Promise<void> {
    if (await this.stop()) await this.nssm('remove', 'confirm');
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

  private nssm(command: string, ...args: string[]): Promise<void> {
    return this.run(resolve(this.folder, 'nssm.exe'), [command, SERVICE_NAME, ...args]);
  }
}

function settings([node, agent]: readonly [string, string], plan: ServicePlan): string[][] {
  const output = `${plan.state}\\service.log`;
  return [
    ['Application', node],
    ['AppParameters', [agent, ...plan.args].map(quoted).join(' ')],
    ['AppDirectory', plan.state],
    ['AppEnvironmentExtra', ...Object.entries(plan.environment).map(([name, value]) => `${name}=${value}`)],
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

/** Windows splits a command line at spaces outside of quotes. */
function quoted(argument: string): string {
  return /[\s"]/.test(argument) || argument === '' ? `"${argument.replaceAll('"', '\\"')}"` : argument;
}

/** The arguments without the token, which works once and would stay readable in the settings of the service. */
export function withoutToken(args: readonly string[]): string[] {
  return args.filter(
    (arg, n) => arg !== '--token' && args[n - 1] !== '--token' && !arg.startsWith('--token='),
  );
}

/** Without pipes: a service that the program starts could keep them open. */
function runProgram(file: string, args: readonly string[]): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(file, args, { stdio: 'ignore', windowsHide: true, timeout: CONTROLLED_WITHIN_MS });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) return done();
      reject(Object.assign(new Error(`${file} ${args[0]} ended with ${code}`), { code }));
    });
  });
}
