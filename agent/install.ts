import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig, readUninstall, serviceEnvironment, type AgentConfig } from './config.js';
import { AgentStop, ExitCode } from './exit-codes.js';
import { AGENT_VERSION } from './version.js';
import { isAdministrator, keepSecret } from './windows-program.js';
import { SERVICE_NAME, WindowsService } from './windows-service.js';

const ANSWERED_WITHIN_MS = 120_000;

/** Runs the Agent until it ends or `stop` aborts; resolves to its exit code. */
type RunAgent = (config: AgentConfig, stop: AbortSignal) => Promise<number>;

/**
 * Enrols, starts a session and reports the printers, which proves address, token and printers; then installs the
 * service. A service that was installed before goes on if that fails. Without options, it renews that service.
 */
export async function installService(args: string[], run: RunAgent, stop: AbortSignal): Promise<number> {
  if (args.length === 0) return renewService();
  const given = readConfig(args);
  await requireAdministrator('install');
  const config = { ...given, state: resolve(given.state) };
  mkdirSync(config.state, { recursive: true });
  await keepSecret(config.state);
  const service = new WindowsService();
  const isUpgrade = await service.stop();
  let installed = false;
  try {
    const code = await connectOnce(config, run, stop);
    if (code !== ExitCode.ok) return code;
    await service.install({
      args: serviceArguments(args, config),
      state: config.state,
      environment: serviceEnvironment(),
    });
    installed = true;
  } finally {
    if (!installed && isUpgrade) await service.start();
  }
  process.stdout.write(`the service ${SERVICE_NAME} is installed and running\n`);
  return ExitCode.ok;
}

/** Gives the service the settings of this version, with its own options, also while the print service is away. */
async function renewService(): Promise<number> {
  await requireAdministrator('install');
  const service = new WindowsService();
  const before = await service.settings();
  if (!before)
    throw new AgentStop(ExitCode.usage, 'error: no service is installed yet: give --url and a token');
  const { state } = readConfig([...before.args]);
  await service.stop();
  await service.install({ ...before, state, environment: serviceEnvironment(before.environment) });
  process.stdout.write(`the service ${SERVICE_NAME} runs version ${AGENT_VERSION}\n`);
  return ExitCode.ok;
}

export async function uninstallService(args: string[]): Promise<number> {
  readUninstall(args);
  await requireAdministrator('uninstall');
  const service = new WindowsService();
  const installed = (await service.settings())?.args ?? [];
  const last = installed.lastIndexOf('--state');
  const itsState = last < 0 ? [] : installed.slice(last, last + 2);
  const { state, purge } = readUninstall([...itsState, ...args]);
  await service.uninstall();
  if (purge) rmSync(state, { recursive: true, force: true });
  process.stdout.write(`the service ${SERVICE_NAME} is removed${purge ? `, and ${state} too` : ''}\n`);
  return ExitCode.ok;
}

/** Before a token is used up. */
async function requireAdministrator(command: string): Promise<void> {
  if (process.platform !== 'win32') throw new AgentStop(ExitCode.usage, `error: ${command} needs Windows`);
  if (await isAdministrator()) return;
  throw new AgentStop(ExitCode.noRights, `error: ${command} needs a prompt opened as administrator`);
}

/** An installation has nobody who would wait longer for a service that does not answer. */
async function connectOnce(config: AgentConfig, run: RunAgent, stop: AbortSignal): Promise<number> {
  const late = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const code = await run(
    { ...config, connectOnly: true, installerVersion: AGENT_VERSION },
    AbortSignal.any([late, stop]),
  );
  if (stop.aborted) {
    process.stderr.write('interrupted: nothing was installed\n');
    return ExitCode.interrupted;
  }
  if (!late.aborted) return code;
  process.stderr.write(`${config.url} did not answer within ${ANSWERED_WITHIN_MS / 1000} s\n`);
  return ExitCode.unavailable;
}

/**
 * The arguments without those for the installation alone: a token works once and would stay readable in the settings of
 * the service. Paths are absolute, because the service starts in another folder; the last of several counts.
 */
export function serviceArguments(
  args: readonly string[],
  { state, logFile = join(state, 'agent.log'), virtual }: Pick<AgentConfig, 'state' | 'logFile' | 'virtual'>,
): string[] {
  const kept = args.filter(
    (arg, n) =>
      !['--once', '--connect-only', '--token'].includes(arg) &&
      args[n - 1] !== '--token' &&
      !arg.startsWith('--token='),
  );
  const paths = { state, 'log-file': logFile, virtual };
  const absolute = Object.entries(paths).flatMap(([name, path]) =>
    path ? [`--${name}`, resolve(path)] : [],
  );
  return [...kept, ...absolute];
}
