import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PrinterProvider } from '../printers/provider.js';
import { WriteFailed } from '../state/durable-file.js';
import type { HeldJob } from '../state/journal.js';
import type { HandOff } from './hand-off.js';
import type { Dependencies } from './dependencies.js';
import { reportOf } from './reports.js';
import { spoolVerdict, type SpoolVerdict, type Watched } from './spool-verdict.js';
import { stopwatch } from './timing.js';

const MIN_POLL_MS = 50;
const MAX_POLL_MS = 2000;
/** By then the service has long parked the job for manual review. */
const GIVE_UP_MS = 7 * 86_400_000;

/** Polls a document at the spooler until its end. */
export class SpoolWatch {
  constructor(
    private readonly deps: Dependencies,
    private readonly handOff: HandOff,
  ) {}

  async run(handedOff: HeldJob, provider: PrinterProvider, ended: AbortSignal): Promise<void> {
    const elapsed = stopwatch();
    let held = handedOff;
    let watched = watchedBefore(held);
    for (let wait = MIN_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      const verdict = await this.check(held, provider, watched);
      if (verdict) {
        watched = verdict.watched;
        if (await this.report(held, provider, verdict)) return;
        if (!isDeepStrictEqual(watched, watchedBefore(held)))
          held = await this.deps.journal.record({ ...held, ...seenOf(watched) });
      }
      if (elapsed() > GIVE_UP_MS) return this.deps.journal.done(held.lease.document_name);
      await pause(wait, undefined, { signal: ended });
    }
  }

  /** Undefined while the spooler does not answer. Reads the epoch first: the next check detects a restart in between. */
  private async check(
    held: HeldJob,
    provider: PrinterProvider,
    watched: Watched,
  ): Promise<SpoolVerdict | undefined> {
    try {
      const epoch = await provider.epoch();
      const sighting = await provider.find(held.lease.document_name, held.spoolerJobId);
      return spoolVerdict(watched, sighting, epoch);
    } catch (error) {
      if (error instanceof WriteFailed) throw error;
      this.deps.log.debug({ document: held.lease.document_name, err: error }, 'the spooler does not answer');
      return undefined;
    }
  }

  /** Resolves to true if the verdict was final. */
  private async report(held: HeldJob, { name }: PrinterProvider, verdict: SpoolVerdict): Promise<boolean> {
    if (!verdict.report) return false;
    const { type, details } = verdict.report;
    const all = { ...details, spoolerProvider: name, spoolerJobId: held.spoolerJobId };
    await this.deps.simulation.at('before-result');
    if (verdict.ended) await this.handOff.end(held, type, all);
    else await this.deps.outbox.put(reportOf(held.lease, type, new Date(), all));
    return verdict.ended;
  }
}

/** What the journal knows of the watch, also of that of an Agent before. */
const watchedBefore = ({ spoolerEpoch = '', started, restarted }: HeldJob): Watched => ({
  ...{ epoch: spoolerEpoch, started: started === true, restarted: restarted === true },
});

const seenOf = ({ epoch, started, restarted }: Watched): Partial<HeldJob> => ({
  ...{ spoolerEpoch: epoch, ...(started && { started }), ...(restarted && { restarted }) },
});
