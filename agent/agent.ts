import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AgentStop, ExitCode } from './exit-codes.js';
import { Printers } from './printers/printers.js';
import type { DirectPrinters } from './printers/direct/direct-printers.js';
import type { PrinterProvider } from './printers/provider.js';
import { HttpCaller, Refused, type ServiceAddress } from './service/http-caller.js';
import { FEATURES, type AgentFacts, type InventoryPrinter, type Session } from './service/protocol.js';
import { ServiceClient } from './service/service-client.js';
import type { Simulation } from './simulation.js';
import { DeviceCredentials } from './state/device-credentials.js';
import { Journal } from './state/journal.js';
import { Outbox } from './state/outbox.js';
import type { Tracing } from './tracing.js';
import type { StateFolder, StoredCredential } from './state/state-folder.js';
import { AddedPrinters } from './work/added-printers.js';
import { CredentialRenewal } from './work/credential-renewal.js';
import { Health } from './work/health.js';
import { Heartbeat } from './work/heartbeat.js';
import { INVENTORY_FILE, InventorySync } from './work/inventory-sync.js';
import { JobRunner } from './work/job-runner.js';
import { LeaseLoop } from './work/lease-loop.js';
import type { Dependencies } from './work/dependencies.js';
import { ReportDelivery } from './work/report-delivery.js';
import { Sessions } from './work/sessions.js';
import { StuckPrinters } from './work/stuck-printers.js';

const FINISH_WITHIN_MS = 10_000;

interface AgentOptions extends ServiceAddress {
  credential: StoredCredential;
  facts: AgentFacts;
  state: StateFolder;
  providers: PrinterProvider[];
  /** The provider to which the service may add printers. */
  direct?: DirectPrinters;
  simulation: Simulation;
  inventoryMs: number;
  /** A hand-off without progress for so long makes its printer count as stuck. */
  handOffMs: number;
  /** Ends when nothing is queued any more. */
  once: boolean;
  /** Ends once session and printers are accepted. */
  connectOnly?: boolean;
  log: Logger;
  tracing?: Tracing | undefined;
}

/** Runs until `stop` or a fatal error; resolves to the reason in the latter case. */
export async function runAgent(options: AgentOptions, stop: AbortSignal): Promise<AgentStop | undefined> {
  const { state, log } = options;
  const { computer_id } = options.credential;
  const credentials = new DeviceCredentials(options.credential, state);
  const journal = await Journal.open(state.file('journal.ndjson'), computer_id);
  const outbox = await Outbox.open(state.file('outbox.ndjson'));
  const http = new HttpCaller({ ...options, url: `${options.url}/agent` }, credentials, log);
  const known = (await state.read<InventoryPrinter[]>(INVENTORY_FILE)) ?? [];
  const printers = new Printers(options.providers, known);
  const features = FEATURES.filter((name) => name !== 'printers/1' || options.direct);
  const client = new ServiceClient(http, features);
  try {
    const dependencies: DependenciesOfRun = {
      client,
      journal,
      outbox,
      printers,
      simulation: options.simulation,
      log,
      tracing: options.tracing,
    };
    return await new RunningAgent(dependencies, credentials, options).run(stop);
  } finally {
    await http.close();
    await journal.close();
    await outbox.close();
  }
}

type DependenciesOfRun = Omit<Dependencies, 'sessions' | 'stuck'>;

class RunningAgent {
  private readonly leasing = new AbortController();
  private readonly ended = new AbortController();
  private readonly deps: Dependencies;
  private readonly runner: JobRunner;
  private readonly health: Health;
  private readonly renewal: CredentialRenewal;
  private readonly inventory: InventorySync;
  private readonly added: AddedPrinters | undefined;
  private readonly loops: Promise<void>[] = [];
  private reason: AgentStop | undefined;

  constructor(
    dependencies: DependenciesOfRun,
    private readonly credentials: DeviceCredentials,
    private readonly options: AgentOptions,
  ) {
    const { facts, state, inventoryMs, handOffMs } = options;
    const { client, journal, outbox, printers, log } = dependencies;
    const onSession = ({ credential_expires_at }: Session): void =>
      credentials.learnExpiry(credential_expires_at);
    const sessions = new Sessions(client, journal, facts, log, this.ended.signal, onSession);
    this.renewal = new CredentialRenewal(client, credentials, log);
    const stuck = new StuckPrinters(handOffMs);
    this.deps = { ...dependencies, sessions, stuck };
    this.runner = new JobRunner(this.deps, this.ended.signal, (error) => this.end(error));
    sessions.onVerdict((held, verdict) => this.runner.resume(held, verdict));
    this.health = new Health(state.path, outbox);
    this.inventory = new InventorySync(printers, client, state, this.health, stuck, log, inventoryMs);
    const changed = (): void => this.inventory.resync();
    this.added = options.direct && new AddedPrinters(options.direct, client, state, log, changed);
  }

  async run(stop: AbortSignal): Promise<AgentStop | undefined> {
    const onStop = (): void => this.leasing.abort();
    stop.addEventListener('abort', onStop, { once: true });
    if (stop.aborted) onStop();
    await this.loop((signal) => this.work(signal), this.leasing.signal);
    stop.removeEventListener('abort', onStop);
    await this.finish();
    return this.reason;
  }

  /** Resolves when leasing ends. Heartbeats and reports continue for a while for documents at the spooler. */
  private async work(signal: AbortSignal): Promise<void> {
    const { client, sessions, journal, outbox, stuck, log } = this.deps;
    const { runner, inventory, health, renewal, added } = this;
    const delivery = new ReportDelivery(outbox, client, sessions, log);
    await added?.restore();
    await sessions.open(signal);
    void added?.learn(sessions.current.added_printers, this.ended.signal);
    this.loops.push(
      this.loop((ended) => delivery.run(ended), this.ended.signal),
      this.loop(
        (ended) =>
          new Heartbeat(client, sessions, journal, runner, inventory, health, stuck, renewal, added).run(
            ended,
          ),
        this.ended.signal,
      ),
    );
    await inventory.once(signal);
    log.info({ computerId: sessions.current.computer_id }, 'ready');
    if (this.options.connectOnly) return;
    if (this.options.once) await renewal.once(signal);
    else this.loops.push(this.loop((ended) => renewal.run(ended), this.ended.signal));
    const leases = new LeaseLoop(client, sessions, runner, stuck);
    if (this.options.once) return this.loop((leasing) => leases.drain(leasing), signal);
    await Promise.all([
      this.loop((leasing) => inventory.run(leasing), signal),
      this.loop((leasing) => leases.run(leasing), signal),
    ]);
  }

  private async finish(): Promise<void> {
    const deadline = AbortSignal.timeout(FINISH_WITHIN_MS);
    const done = async (): Promise<void> => {
      await this.runner.stop(this.reason === undefined);
      if (!this.leavesToNextStart) await this.runner.idle();
      else await this.runner.handedOff(); // The next start reports from the journal.
      while (!this.leavesToNextStart && this.deps.outbox.size > 0 && !this.ended.signal.aborted) {
        await pause(20, undefined, { signal: deadline });
      }
    };
    if (!this.ended.signal.aborted) {
      const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()));
      await Promise.race([done().catch(() => undefined), late]);
    }
    this.ended.abort();
    await Promise.all([...this.loops, this.added?.idle()]);
  }

  private get leavesToNextStart(): boolean {
    return this.reason !== undefined || this.options.connectOnly === true;
  }

  private async loop(run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) this.end(error);
    }
  }

  private end(error: unknown): void {
    if (this.ended.signal.aborted) return;
    const reason = this.stopReason(error);
    this.reason ??= reason;
    this.deps.log.error({ err: error, exitCode: reason.exitCode }, 'the agent stops');
    this.leasing.abort();
    // A replaced agent completes hand-offs that have a permit; without disk or credential none can complete.
    if (reason.exitCode !== ExitCode.sessionReplaced) this.ended.abort();
  }

  private stopReason(error: unknown): AgentStop {
    if (error instanceof AgentStop) return error;
    if (error instanceof Refused && error.status === 401) {
      const { expiresAt } = this.credentials;
      const ended = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
      const why = ended
        ? `it ended on ${expiresAt.slice(0, 10)}`
        : `revoked, replaced or ended (${error.code})`;
      return new AgentStop(ExitCode.refused, `the service refuses the device credential: ${why}`);
    }
    if (error instanceof Refused && error.code === 'SESSION_REPLACED') {
      return new AgentStop(ExitCode.sessionReplaced, 'a newer session with this credential took over');
    }
    return new AgentStop(ExitCode.software, error instanceof Error ? error.message : String(error));
  }
}
