import { setTimeout as pause } from 'node:timers/promises';
import { NotSubmitted, type PrinterProvider, type Sighting } from '../printers/provider.js';
import type { Route } from '../printers/printers.js';
import { LogFailed } from '../state/append-log.js';
import type { HeldJob } from '../state/journal.js';
import type { Parts } from './parts.js';
import { reportOf, type ReportDetails } from './reports.js';
import { settlement } from './settlement.js';
import { vanished } from './spool-verdict.js';
import { stopwatch } from './stopwatch.js';

const ASK_AGAIN_MS = 1000;

/** Gives documents to the spooler, each at most once, and finds out what became of a hand-off that broke off. */
export class HandOff {
  constructor(private readonly parts: Parts) {}

  /**
   * Permit, journal, spooler. Answers the job to be watched, or undefined if its story is over. `signal` counts until
   * the permit is there; from then on the hand-off is carried through, `ended` alone breaks it off.
   */
  async run(
    held: HeldJob,
    bytes: Buffer,
    route: Route,
    signal: AbortSignal,
    ended: AbortSignal,
  ): Promise<HeldJob | undefined> {
    const { journal, simulation } = this.parts;
    let spoolerEpoch: string;
    try {
      spoolerEpoch = await route.provider.epoch();
    } catch (error) {
      return this.notSubmitted(held, new NotSubmitted('SPOOLER_UNAVAILABLE', String(error)));
    }
    await simulation.at('before-handoff');
    signal.throwIfAborted();
    let current = held;
    let expired = await this.permit(held, signal);
    current = await journal.record({ ...held, phase: 'handing_off', spoolerEpoch });
    while (expired()) expired = await this.permit(held, signal);
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

  /** For a hand-off of which only the journal is left: asks the spooler until it answers. */
  async settle(held: HeldJob, provider: PrinterProvider, ended: AbortSignal): Promise<HeldJob | undefined> {
    let withdrawn = false;
    for (;;) {
      const { sighting, epoch } = await this.look(held, provider, ended);
      const restarted = epoch !== held.spoolerEpoch;
      const spoolerJobId = 'spoolerJobId' in sighting ? sighting.spoolerJobId : held.spoolerJobId;
      const numbered = held.spoolerJobId !== undefined;
      switch (settlement(sighting, { numbered, restarted, withdrawn })) {
        case 'spooled':
          return this.spooled(held, provider, spoolerJobId);
        case 'not_submitted':
          return this.notSubmitted(
            held,
            new NotSubmitted('HANDOFF_INTERRUPTED', 'nothing reached the spooler'),
          );
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

  private async permit(held: HeldJob, signal: AbortSignal): Promise<() => boolean> {
    const elapsed = stopwatch();
    const seconds = await this.parts.client.handoff(held.lease, signal);
    return () => elapsed() > seconds * 1000;
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
