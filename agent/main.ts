import { mkdirSync, rmSync } from 'node:fs';
import { hostname, release, type } from 'node:os';
import { join, resolve } from 'node:path';
import { pino, type Logger } from 'pino';
import { runAgent } from './agent.js';
import { AGENT_VERSION, readConfig, readUninstall, serviceEnvironment, type AgentConfig } from './config.js';
import { AgentStop, ExitCode } from './exit-codes.js';
import { logOutput } from './log-output.js';
import { CupsPrinters } from './printers/cups/cups-printers.js';
import { IppClient, ippServer } from './printers/cups/ipp-client.js';
import type { PrinterProvider } from './printers/provider.js';
import { WinspoolPrinters } from './printers/winspool/winspool-printers.js';
import { VirtualPrinter } from './printers/virtual/virtual-printer.js';
import { enrol } from './enrol.js';
import type { AgentFacts } from './service/protocol.js';
import { Simulation } from './simulation.js';
import { lockStateFolder } from './state/lock.js';
import { StateFolder, type StoredCredential } from './state/state-folder.js';
import { SERVICE_NAME, WindowsService, withoutToken } from './windows-service.js';

const INSTALLED_WITHIN_MS = 120_000;

async function main(): Promise<number> {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'install') return installService(args);
  if (command === 'uninstall') return uninstallService(args);
  return runUntilStopped(readConfig(process.argv.slice(2)));
}

/**
 * Enrols and prints what is queued, which proves address, token and printers; then installs the service. A service that
 * was installed before goes on if that fails.
 */
async function installService(args: string[]): Promise<number> {
  const config = readConfig(args);
  if (process.platform !== 'win32') throw new AgentStop(ExitCode.usage, 'error: install needs Windows');
  const state = resolve(config.state);
  const service = new WindowsService();
  const isUpgrade = await service.stop();
  let code: number = ExitCode.software;
  try {
    code = await runOnce({ ...config, state });
  } finally {
    if (code !== ExitCode.ok && isUpgrade) await service.start();
  }
  if (code !== ExitCode.ok) return code;
  await service.install({
    args: ['--state', state, '--log-file', join(state, 'agent.log'), ...withoutToken(args)],
    state,
    environment: serviceEnvironment(),
  });
  process.stdout.write(`the service ${SERVICE_NAME} is installed and running\n`);
  return ExitCode.ok;
}

/** An installation has nobody who would wait longer for a service that does not answer. */
async function runOnce(config: AgentConfig): Promise<number> {
  const late = AbortSignal.timeout(INSTALLED_WITHIN_MS);
  const code = await runUntilStopped({ ...config, once: true }, late);
  if (!late.aborted) return code;
  process.stderr.write(`${config.url} did not answer within ${INSTALLED_WITHIN_MS / 1000} s\n`);
  return ExitCode.unavailable;
}

async function uninstallService(args: string[]): Promise<number> {
  const { state, purge } = readUninstall(args);
  await new WindowsService().uninstall();
  if (purge) rmSync(state, { recursive: true, force: true });
  process.stdout.write(`the service ${SERVICE_NAME} is removed${purge ? `, and ${state} too` : ''}\n`);
  return ExitCode.ok;
}

async function runUntilStopped(config: AgentConfig, end?: AbortSignal): Promise<number> {
  const output = logOutput(config.logFile);
  const log = pino({ name: 'agent', level: config.logLevel }, output);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  end?.addEventListener('abort', () => stop.abort());
  try {
    const ended = await start(config, log, stop.signal);
    if (ended) return explain(ended);
    log.info('stopped');
    return ExitCode.ok;
  } catch (error) {
    if (stop.signal.aborted) return ExitCode.ok;
    throw error;
  } finally {
    await output.close();
  }
}

async function start(config: AgentConfig, log: Logger, stop: AbortSignal): Promise<AgentStop | undefined> {
  mkdirSync(config.state, { recursive: true, mode: 0o700 });
  const lock = await lockStateFolder(config.state);
  try {
    return await runLocked(config, log, stop);
  } finally {
    lock.close();
  }
}

async function runLocked(
  config: AgentConfig,
  log: Logger,
  stop: AbortSignal,
): Promise<AgentStop | undefined> {
  const state = await StateFolder.open(config.state);
  const simulation = await Simulation.open(config.simulate, state);
  const providers = await providersOf(config, simulation);
  const facts: AgentFacts = {
    installation_id: await state.installationId(),
    agent_version: AGENT_VERSION,
    operating_system: `${type()} ${release()}`.slice(0, 120),
    hostname: hostname().slice(0, 255),
  };
  const run = (credential: StoredCredential): Promise<AgentStop | undefined> =>
    runAgent(
      {
        ...config,
        credential,
        facts,
        state,
        providers,
        simulation,
        inventoryMs: config.inventorySeconds * 1000,
        log,
      },
      stop,
    );
  const enrolNow = async (): Promise<StoredCredential> => {
    const { url, proxy, token, name: displayName } = config;
    if (token === undefined)
      throw new AgentStop(ExitCode.config, 'not enrolled yet: give an enrollment --token');
    return enrol({ url, proxy, token, displayName, facts }, state, log, stop);
  };
  const stored = await state.credential();
  const ended = await run(stored ?? (await enrolNow()));
  // A revoked computer may enrol again with a new token.
  if (ended?.exitCode !== ExitCode.refused || !stored || config.token === undefined) return ended;
  return run(await enrolNow());
}

async function providersOf(config: AgentConfig, simulation: Simulation): Promise<PrinterProvider[]> {
  const providers: PrinterProvider[] = [];
  if (config.virtual) {
    providers.push(await VirtualPrinter.open(config.virtual, config.virtualName, simulation));
  }
  if (config.cups) providers.push(new CupsPrinters(new IppClient(ippServer(config.cupsServer))));
  if (config.winspool) {
    // Its native calls can be loaded on Windows only.
    const { windowsSpooler } = await import('./printers/winspool/winspool-library.js');
    providers.push(new WinspoolPrinters(windowsSpooler, config));
  }
  return providers;
}

function explain(ended: AgentStop): number {
  if (ended.exitCode !== ExitCode.ok && ended.exitCode !== ExitCode.usage) {
    process.stderr.write(`${ended.message}\n`);
  }
  return ended.exitCode;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof AgentStop) process.exit(explain(error));
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(ExitCode.software);
  },
);
