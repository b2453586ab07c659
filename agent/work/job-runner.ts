import { abortable } from '../abortable.js';
import { NotSubmitted } from '../printers/provider.js';
import { Refused } from '../service/http-caller.js';
import type { Lease, Session, Verdict } from '../service/protocol.js';
import { untouched, type HeldJob } from '../state/journal.js';
import { ContentDamaged, download, LARGE_BYTES } from './download.js';
import { HandOff } from './hand-off.js';
import type { Dependencies } from './dependencies.js';
import { PrinterTurns } from './printer-turns.js';
import { SpoolWatch } from './spool-watch.js';
import { PrinterStuck } from './stuck-printers.js';

interface Running {
  /** Aborts the work before the hand-off; later steps continue. */
  readonly untilHandOff: AbortController;
  /** Resolves once the job is handed off or will not be. */
  readonly passed: Promise<void>;
  readonly finished: Promise<void>;
}

type Work = (signal: AbortSignal, passed: () => void) => Promise<void>;

/** Runs all held jobs concurrently, with one hand-off at a time per printer. */
export class JobRunner {
  private readonly running = new Map<string, Running>();
  private readonly turns = new PrinterTurns();
  private readonly handOff: HandOff;
  private readonly watch: SpoolWatch;
  private readonly listeners = new Set<() => void>();
  private stopping = false;

  constructor(
    private readonly deps: Dependencies,
    private readonly ended: AbortSignal,
    /** Called for errors that stop every job: a full disk, a refused credential. */
    private readonly onFatal: (error: unknown) => void,
  ) {
    this.handOff = new HandOff(deps);
    this.watch = new SpoolWatch(deps, this.handOff);
    deps.stuck.onChange((printerKey, change) => this.noticeStuck(printerKey, change));
  }

  /** Leases before their hand-off, which count against `max_leases`. */
  waiting(): HeldJob[] {
    return this.deps.journal.held().filter(untouched);
  }

  /** `position`: from the answer with the lease. */
  async take(lease: Lease, position?: string): Promise<void> {
    const { document_name: document } = lease;
    if (this.deps.journal.get(document)) {
      // A rolled-back store grants the attempt again; the journal proves the first grant.
      this.deps.log.warn({ document }, 'lease not taken: this attempt is in the journal already');
      return this.deps.journal.saw(position);
    }
    const span = this.deps.tracing?.start('print', lease);
    // From now on the calls about the job continue the span.
    const traced = span ? { ...lease, traceparent: span.traceparent } : lease;
    const held = await this.deps.journal.record({ lease: traced, phase: 'leased' }, position);
    await this.deps.simulation.at('leased');
    // Leased before the service knew that its printer is stuck, or beside the job that tries it.
    if (!this.deps.stuck.enter(lease.printer_key, document)) {
      span?.end();
      return this.release(held);
    }
    this.start(held, (signal, passed) => this.print(held, signal, passed), span);
  }

  /** Applies the verdict of a new session on a job from the journal. */
  async resume(held: HeldJob, verdict: Verdict): Promise<void> {
    const { document_name: name } = held.lease;
    const before = untouched(held);
    if (this.running.has(name)) {
      if (verdict !== 'continue' && before) this.lose(held.lease.lease_id, verdict);
      return;
    }
    if (this.stopping) return; // The next start takes it up.
    this.deps.log.info({ document: name, phase: held.phase, verdict }, 'job resumed');
    if (verdict === 'forget' || (verdict === 'abandon' && before)) return this.deps.journal.done(name);
    // Always reports the end of a document that may be at the spooler, even late.
    const print = before && verdict === 'continue';
    this.start(held, (signal, passed) =>
      print ? this.print(held, signal, passed) : this.resumeAtSpooler(held, passed),
    );
  }

  lose(leaseId: string, reason: string): void {
    for (const { lease, phase } of this.waiting()) {
      if (lease.lease_id !== leaseId) continue;
      this.deps.log.info({ document: lease.document_name, phase, reason }, 'lease lost');
      this.running.get(lease.document_name)?.untilHandOff.abort(new LeaseGone(reason));
    }
  }

  /** Stops all jobs before their hand-off and releases unaccepted leases. */
  async stop(release: boolean): Promise<void> {
    this.stopping = true;
    const waiting = this.waiting();
    for (const { lease } of waiting)
      this.running.get(lease.document_name)?.untilHandOff.abort(new Stopping());
    for (const { lease } of waiting) await this.running.get(lease.document_name)?.passed;
    if (!release) return;
    const leased = this.waiting().filter(({ phase }) => phase === 'leased');
    await Promise.all(leased.map((held) => this.release(held)));
  }

  /** Resolves once no hand-off is in progress. */
  async handedOff(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ passed }) => passed));
  }

  async idle(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ finished }) => finished));
  }

  /** Called whenever a lease stops counting. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Jobs behind a stuck hand-off go back to the service; the job in the hand-off is settled by evidence. */
  private noticeStuck(printer: string, change: PrinterStuck | 'open' | 'free'): void {
    const { log } = this.deps;
    if (change === 'free') return log.info({ printer }, 'the printer takes documents again');
    if (change === 'open') return log.info({ printer }, 'the next job tries the stuck printer');
    log.warn({ printer, reason: change.message }, 'the printer is stuck');
    const behind = this.waiting().filter(({ lease }) => lease.printer_key === printer);
    for (const { lease } of behind) this.running.get(lease.document_name)?.untilHandOff.abort(change);
  }

  private start(held: HeldJob, work: Work, span = this.deps.tracing?.start('resume', held.lease)): void {
    const name = held.lease.document_name;
    const untilHandOff = new AbortController();
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    const finished = work(untilHandOff.signal, pass)
      .catch((error: unknown) => this.broken(held, untilHandOff.signal, error))
      .catch(this.onFatal)
      .finally(() => {
        pass();
        span?.end();
        this.running.delete(name);
        this.changed();
      });
    this.running.set(name, { untilHandOff, passed, finished });
  }

  private async print(held: HeldJob, signal: AbortSignal, passed: () => void): Promise<void> {
    const { client, sessions, journal, simulation, stuck } = this.deps;
    const { printer_key: printerKey, document_name: documentName } = held.lease;
    const turn = this.turns.take(printerKey);
    let handedOff: HeldJob | undefined;
    try {
      if (held.lease.content_size_bytes > LARGE_BYTES) await abortable(turn.ready, signal);
      const bytes = await download(client, held.lease, signal);
      await simulation.at('before-accept');
      let accepted = held;
      if (held.phase === 'leased') {
        const accept = ({ session_id }: Session) => client.accept(session_id, held.lease, signal);
        await sessions.under(accept, signal);
        accepted = await journal.record({ ...held, phase: 'accepted' });
      }
      await simulation.at('after-accept');
      await abortable(turn.ready, signal);
      handedOff = await this.handOver(accepted, bytes, signal);
    } finally {
      turn.leave();
      stuck.leave(printerKey, documentName);
    }
    passed();
    this.changed();
    if (handedOff) await this.follow(handedOff);
  }

  private async handOver(held: HeldJob, bytes: Buffer, signal: AbortSignal): Promise<HeldJob | undefined> {
    const { lease } = held;
    try {
      const route = this.deps.printers.routeFor(lease);
      const document = await this.handOff.admit(lease, bytes, route, signal);
      return await this.handOff.run(held, document, route, signal, this.ended);
    } catch (error) {
      if (!(error instanceof NotSubmitted)) throw error;
      const { failureCode, failureClass, message } = error;
      return this.handOff.end(held, 'rejected', { failureCode, failureClass, message });
    }
  }

  private async follow(handedOff: HeldJob): Promise<void> {
    const provider = this.deps.printers.route(handedOff.lease.printer_key)?.provider;
    if (provider) await this.watch.run(handedOff, provider, this.ended);
  }

  /** After a restart, resumes a document that is or may be at the spooler. */
  private async resumeAtSpooler(held: HeldJob, passed: () => void): Promise<void> {
    const provider = this.deps.printers.route(held.lease.printer_key)?.provider;
    if (!provider) {
      if (untouched(held) && !held.doubtful) return this.handOff.nothingReached(held);
      this.deps.log.warn({ document: held.lease.document_name }, 'its printer is no longer configured');
      return;
    }
    if (held.phase === 'handed_off') {
      await this.handOff.reportSpooled(held, provider);
      passed();
      return this.watch.run(held, provider, this.ended);
    }
    const handedOff = await this.handOff.settle(held, provider, this.ended);
    passed();
    if (handedOff) await this.watch.run(handedOff, provider, this.ended);
  }

  private async broken(held: HeldJob, signal: AbortSignal, error: unknown): Promise<void> {
    const document = held.lease.document_name;
    const current = this.deps.journal.get(document);
    const phase = current?.phase;
    if (signal.reason instanceof Stopping || this.ended.aborted) return;
    if (signal.reason instanceof PrinterStuck) return this.giveBack(current, signal.reason);
    const damaged = error instanceof ContentDamaged;
    if (signal.aborted || damaged || (error instanceof Refused && !error.endsTheAgent)) {
      this.deps.log.warn({ document, phase, reason: String(error) }, 'job given up');
      const asked: unknown = signal.reason;
      if (current && asked instanceof LeaseGone && asked.message === 'report') {
        return this.handOff.nothingReached(current);
      }
      // The journal says "handing_off", but certainly nothing was submitted: report it.
      const failureCode = damaged ? 'CONTENT_MISMATCH' : 'HANDOFF_REFUSED';
      const details = { failureCode, failureClass: 'temporary', message: String(error) } as const;
      if (damaged || phase === 'handing_off') await this.handOff.end(held, 'not_submitted', details);
      else await this.deps.journal.done(document);
      return;
    }
    this.onFatal(error);
  }

  private async giveBack(held: HeldJob | undefined, { message }: PrinterStuck): Promise<void> {
    if (held?.phase !== 'accepted') return held && this.release(held);
    const details = { failureCode: 'PRINTER_STUCK', failureClass: 'temporary', message } as const;
    return this.handOff.end(held, 'not_submitted', details);
  }

  private async release({ lease }: HeldJob): Promise<void> {
    const { client, sessions, journal, log } = this.deps;
    const giveBack = ({ session_id }: Session) => client.release(session_id, lease, this.ended);
    try {
      await sessions.under(giveBack, this.ended);
      await journal.done(lease.document_name);
    } catch (error) {
      if (error instanceof Refused && error.endsTheAgent) return this.onFatal(error);
      log.warn({ document: lease.document_name, reason: String(error) }, 'lease not released; it will lapse');
      if (error instanceof Refused) await journal.done(lease.document_name);
    }
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

class LeaseGone extends Error {}
class Stopping extends Error {}
