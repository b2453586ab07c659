import { setTimeout as pause } from 'node:timers/promises';
import { NotSubmitted, type PrinterProvider, type Sighting } from '../printers/provider.js';
import type { Route } from '../printers/printers.js';
import { LogFailed } from '../state/append-log.js';
import type { Session } from '../service/protocol.js';
import { untouched, type HeldJob } from '../state/journal.js';
import type { Parts } from './parts.js';
import { reportOf, type ReportDetails } from './reports.js';
import { settlement } from './settlement.js';
import { vanished } from './spool-verdict.js';
import { stopwatch } from './stopwatch.js';

const ASK_AGAIN_MS = 1000;

interface HeldPermit {
  readonly session: Session;
  readonly position?: string;
  readonly expired: () => boolean;
}

/** Gives documents to the spooler, each at most once, and finds out what became of a hand-off that broke off. */
export class HandOff {
  constructor(private readonly parts: Parts) {}

  /**
   * Permit, journal, spooler. Answers the job to be watched, or undefined if its story is over. `signal` counts until
   * the permit is there; from then on the hand-off is carried through, `ended` alone breaks it off. A permit counts only
   * while its session stands: a newer session has named the job as untouched, and has its own verdict on it.
   */
  async run(
    held: HeldJob,
    bytes: Buffer,
    route: Route,
    signal: AbortSignal,
    ended: AbortSignal,
  ): Promise<HeldJob | undefined> {
    const { journal, sessions, simulation } = this.parts;
    let spoolerEpoch: string;
    try {
      spoolerEpoch = await route.provider.epoch();
    } catch (error) {
      return this.notSubmitted(held, new NotSubmitted('SPOOLER_UNAVAILABLE', String(error)));
    }
    await simulation.at('before-handoff');
    signal.throwIfAborted();
    let permit = await this.permit(held, signal);
    while (!sessions.stands(permit.session)) permit = await this.permit(held, signal);
    // Nothing is awaited between the check and the record, so that a session begun from here on names "handing_off".
    let current = await journal.record({ ...held, phase: 'handing_off', spoolerEpoch }, permit.position);
    while (permit.expired() || !sessions.stands(permit.session)) {
      permit = await this.permit(held, signal);
      await journal.saw(permit.position);
    }
    await simulation.at('handing-off');
    try {
      const spoolerJobId = await this.submit(current, bytes, route, (next) => (current = next));
      await simulation.at('after-submit');
      return await this.spooled(current, route.provider, spoolerJobId);
    } catch (error) {
      if (error instanceof LogFailed) throw error;
      if (error instanceof NotSubmitted) return this.notSubmitted(current, error);
      this.parts.log.warn({ document: held.lease.document_name, err: error }, 'hand-off broke off');
      return this.settle(current, route.provider, ended);
    }
  }

  /**
   * Finds out what became of a job of which only the journal is left: asks the spooler until it answers. Also asked for
   * an untouched job of which the service expects an outcome; the spooler knows it only if the journal is outdated.
   */
  async settle(held: HeldJob, provider: PrinterProvider, ended: AbortSignal): Promise<HeldJob | undefined> {
    let withdrawn = false;
    for (;;) {
      const { sighting, epoch } = await this.look(held, provider, ended);
      const restarted = held.spoolerEpoch !== undefined && epoch !== held.spoolerEpoch;
      const spoolerJobId = 'spoolerJobId' in sighting ? sighting.spoolerJobId : held.spoolerJobId;
      const numbered = held.spoolerJobId !== undefined;
      const doubtful = held.doubtful === true;
      switch (settlement(sighting, { numbered, restarted, withdrawn, doubtful })) {
        case 'spooled':
          return this.spooled({ spoolerEpoch: epoch, ...held }, provider, spoolerJobId);
        case 'not_submitted':
          return this.nothingReached(held);
        case 'vanished':
          return this.over(held, 'spooler_vanished', vanished(false));
        case 'restarted':
          return this.over(held, 'spooler_vanished', vanished(true));
        case 'withdraw':
          await provider.withdraw(spoolerJobId ?? '').catch((error: unknown) => {
            this.parts.log.warn({ err: error }, 'an empty job could not be taken back');
          });
          withdrawn = true;
      }
    }
  }

  /** Certain from the journal: the spooler was never given the document. */
  nothingReached(held: HeldJob): Promise<undefined> {
    const reason = untouched(held)
      ? new NotSubmitted('AGENT_RESTARTED', 'never handed off')
      : new NotSubmitted('HANDOFF_INTERRUPTED', 'nothing reached the spooler');
    return this.notSubmitted(held, reason);
  }

  /** Also after a restart, when nobody knows whether it was told: the same report twice is one. */
  async tellSpooled(
    { lease, spoolerJobId }: HeldJob,
    { name: spoolerProvider }: PrinterProvider,
  ): Promise<void> {
    await this.parts.outbox.put(reportOf(lease, 'spooled', new Date(), { spoolerProvider, spoolerJobId }));
  }

  /** Its story ends here: first what is said, then that nothing more is to be done. */
  async over(
    held: HeldJob,
    type: Parameters<typeof reportOf>[1],
    details: ReportDetails,
  ): Promise<undefined> {
    const { outbox, journal, printers } = this.parts;
    await outbox.put(reportOf(held.lease, type, new Date(), details));
    await journal.done(held.lease.document_name);
    await printers.route(held.lease.printer_key)?.provider.forget(held.lease.document_name);
  }

  private permit({ lease }: HeldJob, signal: AbortSignal): Promise<HeldPermit> {
    const { client, sessions } = this.parts;
    return sessions.under(async (session) => {
      const elapsed = stopwatch();
      const { permit_seconds, position } = await client.handoff(session.session_id, lease, signal);
      return { session, position, expired: () => elapsed() > permit_seconds * 1000 };
    }, signal);
  }

  private submit(
    held: HeldJob,
    bytes: Buffer,
    { provider, printer }: Route,
    advance: (held: HeldJob) => void,
  ): Promise<string> {
    const { document_name: documentName, content_type: contentType, copies } = held.lease;
    return provider.submit(
      { documentName, printer, contentType, copies, bytes },
      {
        created: async (spoolerJobId) => advance(await this.parts.journal.record({ ...held, spoolerJobId })),
        halfway: () => this.parts.simulation.at('during-submit'),
      },
    );
  }

  private async spooled(held: HeldJob, provider: PrinterProvider, spoolerJobId?: string): Promise<HeldJob> {
    const { journal, simulation } = this.parts;
    const handedOff = await journal.record({ ...held, phase: 'handed_off', spoolerJobId });
    await simulation.at('before-report');
    await this.tellSpooled(handedOff, provider);
    await simulation.at('after-report');
    return handedOff;
  }

  private notSubmitted(
    held: HeldJob,
    { failureCode, failureClass, message }: NotSubmitted,
  ): Promise<undefined> {
    return this.over(held, 'not_submitted', { failureCode, failureClass, message });
  }

  private async look(
    { lease, spoolerJobId }: HeldJob,
    provider: PrinterProvider,
    ended: AbortSignal,
  ): Promise<{ sighting: Sighting; epoch: string }> {
    for (;;) {
      try {
        const epoch = await provider.epoch();
        return { sighting: await provider.find(lease.document_name, spoolerJobId), epoch };
      } catch (error) {
        this.parts.log.warn({ document: lease.document_name, err: error }, 'the spooler does not answer');
        await pause(ASK_AGAIN_MS, undefined, { signal: ended });
      }
    }
  }
}
