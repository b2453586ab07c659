import { mkdirSync } from 'node:fs';
import { hostname, release, type } from 'node:os';
import { pino, type Logger } from 'pino';
import { runAgent } from './agent.js';
import { readConfig, type AgentConfig } from './config.js';
import { enrollmentToken, newTokenAdvice } from './enrollment-token.js';
import { AgentStop, ExitCode } from './exit-codes.js';
import { installService, uninstallService } from './install.js';
import { logOutput } from './log-output.js';
import { CupsPrinters } from './printers/cups/cups-printers.js';
import { IppClient, ippServer } from './printers/ipp/ipp-client.js';
import { DirectPrinters } from './printers/direct/direct-printers.js';
import type { PrinterProvider } from './printers/provider.js';
import { WinspoolPrinters } from './printers/winspool/winspool-printers.js';
import { VirtualPrinter } from './printers/virtual/virtual-printer.js';
import { enrol } from './enrol.js';
import { displayable } from './service/displayable.js';
import type { AgentFacts } from './service/protocol.js';
import { Simulation } from './simulation.js';
import { lockStateFolder } from './state/lock.js';
import { StateFolder, type StoredCredential } from './state/state-folder.js';
import { openTracing, type Tracing } from './tracing.js';
import { AGENT_VERSION } from './version.js';
import { isProtectedPrint, keepSecret } from './windows-program.js';

async function main(): Promise<number> {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'uninstall') return uninstallService(args);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  if (command === 'install') return installService(args, runUntilStopped, stop.signal);
  return runUntilStopped(readConfig(process.argv.slice(2)), stop.signal);
}

async function runUntilStopped(config: AgentConfig, stop: AbortSignal): Promise<number> {
  const output = logOutput(config.logFile);
  const log = pino({ name: 'agent', level: config.logLevel }, output);
  try {
    const ended = await start(config, log, stop);
    if (ended) return explain(ended);
    log.info('stopped');
    return ExitCode.ok;
  } catch (error) {
    if (stop.aborted) return ExitCode.ok;
    throw error;
  } finally {
    await output.close();
  }
}

async function start(config: AgentConfig, log: Logger, stop: AbortSignal): Promise<AgentStop | undefined> {
  await makeStateFolder(config.state, log);
  const lock = await lockStateFolder(config.state);
  const tracing = await openTracing(config, log);
  try {
    return await runLocked({ ...config, tracing }, log, stop);
  } finally {
    await tracing?.close();
    lock.close();
  }
}

/** Only this user, and on Windows also the system and administrators, can open the folder. */
async function makeStateFolder(folder: string, log: Logger): Promise<void> {
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  if (!isNew || process.platform !== 'win32') return;
  await keepSecret(folder).catch((error: unknown) =>
    log.warn({ err: error, folder }, 'other users can open the state folder'),
  );
}

async function runLocked(
  config: AgentConfig & { readonly tracing: Tracing | undefined },
  log: Logger,
  stop: AbortSignal,
): Promise<AgentStop | undefined> {
  const state = await StateFolder.open(config.state);
  const simulation = await Simulation.open(config.simulate, state);
  const direct = await DirectPrinters.open(state.file('direct'), config.printer);
  const providers = [...(await providersOf(config, simulation, log)), direct];
  const facts: AgentFacts = {
    installation_id: await state.installationId(),
    agent_version: AGENT_VERSION,
    operating_system: await operatingSystem(),
    hostname: displayable(hostname(), 255),
  };
  const run = (credential: StoredCredential): Promise<AgentStop | undefined> =>
    runAgent(
      {
        ...config,
        credential,
        facts: { ...facts, installer_version: config.installerVersion },
        state,
        providers,
        direct: config.localPrintersOnly ? undefined : direct,
        simulation,
        inventoryMs: config.inventorySeconds * 1000,
        handOffMs: config.handOffSeconds * 1000,
        log,
      },
      stop,
    );
  const enrolNow = async (): Promise<StoredCredential> => {
    const { url, proxy, name: displayName } = config;
    const token = await enrollmentToken(config.token);
    return enrol({ url, proxy, token, displayName, facts }, state, log, stop);
  };
  const stored = await state.credential().catch((error: unknown) => {
    // A token replaces a credential that cannot be decrypted.
    if (!(error instanceof AgentStop) || config.token === undefined) throw error;
    log.warn(error.message);
    return undefined;
  });
  const ended = await run(stored ?? (await enrolNow()));
  // A revoked computer may enrol again with a new token.
  if (ended?.exitCode !== ExitCode.refused || !stored) return ended;
  if (config.token !== undefined) return run(await enrolNow());
  const advice = newTokenAdvice(process.platform === 'win32', config.url, process.argv);
  log.error(advice);
  return new AgentStop(ended.exitCode, `${ended.message}; ${advice}`);
}

async function providersOf(
  config: AgentConfig,
  simulation: Simulation,
  log: Logger,
): Promise<PrinterProvider[]> {
  const providers: PrinterProvider[] = [];
  if (config.virtual) {
    providers.push(await VirtualPrinter.open(config.virtual, config.virtualName, simulation));
  }
  if (config.cups) {
    const repeating = (queue: string): void =>
      log.warn(
        { queue },
        `CUPS prints failed jobs again: lpadmin -p ${queue} -o printer-error-policy=abort-job`,
      );
    providers.push(new CupsPrinters(new IppClient(ippServer(config.cupsServer)), undefined, repeating));
  }
  if (config.winspool) {
    // Its native calls can be loaded on Windows only.
    const { windowsSpooler } = await import('./printers/winspool/winspool-library.js');
    providers.push(new WinspoolPrinters(windowsSpooler, config));
  }
  return providers;
}

/** Tells of protected print mode, in which printers are missing from Windows. */
async function operatingSystem(): Promise<string> {
  const isProtected = process.platform === 'win32' && (await isProtectedPrint());
  return displayable(`${type()} ${release()}${isProtected ? ' (protected print mode)' : ''}`, 120);
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
