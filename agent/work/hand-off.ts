import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../abortable.js';
import {
  NotSubmitted,
  type Moving,
  type PrinterProvider,
  type PrintRequest,
  type Sighting,
  type Submitted,
} from '../printers/provider.js';
import type { Route } from '../printers/printers.js';
import { printDocument, withIgnored, type PrintDocument } from '../printers/text/print-document.js';
import { SystemFonts } from '../printers/fonts/system-fonts.js';
import { fontFolders } from '../config.js';
import { WriteFailed } from '../state/durable-file.js';
import type { Session } from '../service/protocol.js';
import { untouched, type HeldJob } from '../state/journal.js';
import type { Dependencies } from './dependencies.js';
import { reportOf, type ReportDetails } from './reports.js';
import { settlement } from './settlement.js';
import { vanished } from './spool-verdict.js';
import { stopwatch } from './timing.js';

const ASK_AGAIN_MS = 1000;

interface HeldPermit {
  readonly session: Session;
  readonly position?: string;
  readonly expired: () => boolean;
}

/** Submits each document to the spooler at most once, and settles interrupted hand-offs. */
export class HandOff {
  private readonly fonts = new SystemFonts(fontFolders());

  constructor(private readonly deps: Dependencies) {}

  /** Prepares the document and lets the provider reject it; the deadline is that of a hand-off. */
  admit(lease: HeldJob['lease'], bytes: Buffer, route: Route, signal: AbortSignal): Promise<PrintDocument> {
    const admitted = this.deps.stuck.watch(lease.printer_key, async (moving) => {
      const document = await printDocument(printRequest(lease, route, bytes), route, this.fonts, moving);
      await route.provider.admit?.(document.request, moving);
      return document;
    });
    return abortable(admitted, signal);
  }

  /**
   * Gets a permit, writes the journal, submits. Resolves to the job to watch, or undefined if it has ended. `signal`
   * aborts only before the permit; afterwards only `ended` does. A permit is valid only within its session: a newer
   * session has reported the job as untouched and received its own verdict.
   */
  async run(
    held: HeldJob,
    document: PrintDocument,
    route: Route,
    signal: AbortSignal,
    ended: AbortSignal,
  ): Promise<HeldJob | undefined> {
    const { journal, sessions, simulation, stuck } = this.deps;
    const { printer_key: printerKey } = held.lease;
    let spoolerEpoch: string;
    try {
      spoolerEpoch = await abortable(
        stuck.watch(printerKey, () => route.provider.epoch()),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      return this.notSubmitted(held, new NotSubmitted('SPOOLER_UNAVAILABLE', String(error)));
    }
    await simulation.at('before-handoff');
    signal.throwIfAborted();
    let permit = await this.permit(held, signal);
    while (!sessions.isCurrent(permit.session)) permit = await this.permit(held, signal);
    // No await between check and record, so that any session opened from now on reports "handing_off".
    let current = await journal.record({ ...held, phase: 'handing_off', spoolerEpoch }, permit.position);
    while (permit.expired() || !sessions.isCurrent(permit.session)) {
      permit = await this.permit(held, signal);
      await journal.saw(permit.position);
    }
    await simulation.at('handing-off');
    return stuck.watch(printerKey, async (moving) => {
      try {
        const submitted = await this.submit(current, document, route, moving, (next) => (current = next));
        await simulation.at('after-submit');
        return await this.spooled({ ...current, ...submitted }, route.provider);
      } catch (error) {
        if (error instanceof WriteFailed) throw error;
        if (error instanceof NotSubmitted) return this.notSubmitted(current, error);
        this.deps.log.warn(
          { document: held.lease.document_name, err: error },
          'hand-off interrupted; asking the spooler',
        );
        return this.settle(current, route.provider, ended, error);
      }
    });
  }

  /**
   * Settles a job known only from the journal by asking the spooler until it answers. Also used for an untouched job
   * whose outcome the service expects; the spooler has it only if the journal is outdated.
   * @param cause what interrupted the hand-off, if it was not the end of the Agent
   */
  async settle(
    held: HeldJob,
    provider: PrinterProvider,
    ended: AbortSignal,
    cause?: unknown,
  ): Promise<HeldJob | undefined> {
    let withdrawn = false;
    for (;;) {
      const { sighting, epoch } = await this.check(held, provider, ended);
      const restarted = held.spoolerEpoch !== undefined && epoch !== held.spoolerEpoch;
      const spoolerJobId = 'spoolerJobId' in sighting ? sighting.spoolerJobId : held.spoolerJobId;
      const numbered = held.spoolerJobId !== undefined;
      const doubtful = held.doubtful === true;
      switch (settlement(sighting, { numbered, restarted, withdrawn, doubtful })) {
        case 'spooled':
          return this.spooled({ spoolerEpoch: epoch, ...held, spoolerJobId }, provider);
        case 'not_submitted':
          return this.nothingReached(held, cause);
        case 'vanished':
          return this.end(held, 'spooler_vanished', vanished(false));
        case 'restarted':
          return this.end(held, 'spooler_vanished', vanished(true));
        case 'withdraw':
          await provider.withdraw(spoolerJobId ?? '').catch((error: unknown) => {
            this.deps.log.warn({ err: error }, 'could not cancel an empty job at the spooler');
          });
          withdrawn = true;
      }
    }
  }

  /** Reports that nothing was submitted, which the journal proves. */
  nothingReached(held: HeldJob, cause?: unknown): Promise<undefined> {
    if (untouched(held))
      return this.notSubmitted(held, new NotSubmitted('AGENT_RESTARTED', 'never handed off'));
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    const message = `nothing reached the spooler${why}`;
    return this.notSubmitted(held, new NotSubmitted('HANDOFF_INTERRUPTED', message));
  }

  /** Repeated after a restart: the same report twice counts once. */
  async reportSpooled(
    { lease, spoolerJobId, receipt }: HeldJob,
    { name: spoolerProvider }: PrinterProvider,
  ): Promise<void> {
    const details = { spoolerProvider, spoolerJobId, receipt };
    await this.deps.outbox.put(reportOf(lease, 'spooled', new Date(), details));
  }

  /** Ends the job: stores the report, then marks the job as done in the journal. */
  async end(held: HeldJob, type: Parameters<typeof reportOf>[1], details: ReportDetails): Promise<undefined> {
    const { outbox, journal, printers } = this.deps;
    await outbox.put(reportOf(held.lease, type, new Date(), details));
    await journal.done(held.lease.document_name);
    await printers.route(held.lease.printer_key)?.provider.forget(held.lease.document_name);
  }

  private permit({ lease }: HeldJob, signal: AbortSignal): Promise<HeldPermit> {
    const { client, sessions } = this.deps;
    return sessions.under(async (session) => {
      const elapsed = stopwatch();
      const { permit_seconds, position } = await client.handoff(session.session_id, lease, signal);
      return { session, position, expired: () => elapsed() > permit_seconds * 1000 };
    }, signal);
  }

  private async submit(
    held: HeldJob,
    { request, ignored }: PrintDocument,
    { provider }: Route,
    moving: Moving,
    advance: (held: HeldJob) => void,
  ): Promise<Omit<Submitted, 'isTaken'>> {
    const span = this.deps.tracing?.start('hand off', held.lease);
    try {
      const { isTaken = true, ...submitted } = await provider.submit(request, {
        ...moving,
        created: async (spoolerJobId) => advance(await this.deps.journal.record({ ...held, spoolerJobId })),
        halfway: () => this.deps.simulation.at('during-submit'),
      });
      span?.end();
      if (isTaken) this.deps.stuck.took(held.lease.printer_key);
      return { ...submitted, receipt: withIgnored(submitted.receipt, ignored) };
    } catch (error) {
      span?.end(true);
      throw error;
    }
  }

  private async spooled(held: HeldJob, provider: PrinterProvider): Promise<HeldJob> {
    const { journal, simulation } = this.deps;
    const handedOff = await journal.record({ ...held, phase: 'handed_off' });
    await simulation.at('before-report');
    await this.reportSpooled(handedOff, provider);
    await simulation.at('after-report');
    return handedOff;
  }

  private notSubmitted(
    held: HeldJob,
    { failureCode, failureClass, message }: NotSubmitted,
  ): Promise<undefined> {
    return this.end(held, 'not_submitted', { failureCode, failureClass, message });
  }

  private async check(
    { lease, spoolerJobId }: HeldJob,
    provider: PrinterProvider,
    ended: AbortSignal,
  ): Promise<{ sighting: Sighting; epoch: string }> {
    for (;;) {
      try {
        const epoch = await provider.epoch();
        return { sighting: await provider.find(lease.document_name, spoolerJobId), epoch };
      } catch (error) {
        this.deps.log.warn({ document: lease.document_name, err: error }, 'the spooler does not answer');
        await pause(ASK_AGAIN_MS, undefined, { signal: ended });
      }
    }
  }
}

/** What the provider of the printer needs to print a leased job. */
function printRequest(lease: HeldJob['lease'], { printer }: Route, bytes: Uint8Array): PrintRequest {
  const { document_name: documentName, content_type: contentType, copies, title, options, text } = lease;
  return { documentName, title, options, text, printer, contentType, copies, bytes };
}
