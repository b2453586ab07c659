import type { Logger } from 'pino';
import { Refused } from '../service/http-caller.js';
import type { Report } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';
import type { Outbox } from '../state/outbox.js';
import { ofOneTrace } from './reports.js';
import type { Sessions } from './sessions.js';
import { WakeSignal } from './timing.js';

const BATCH = 100;
const IDLE_MS = 60_000;
const BLAMES_THE_CONTENT = new Set([400, 413, 422]);

/** Sends the reports of the outbox, oldest first; removes each after the service's answer. */
export class ReportDelivery {
  private readonly wakeSignal = new WakeSignal();

  constructor(
    private readonly outbox: Outbox,
    private readonly client: ServiceClient,
    private readonly sessions: Sessions,
    private readonly log: Logger,
  ) {
    outbox.onPut(this.wakeSignal.notify);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      let answered = true;
      while (answered && this.outbox.size > 0) {
        answered = await this.deliver(ofOneTrace(this.outbox.oldest(BATCH)), signal);
      }
      await this.wakeSignal.sleep(IDLE_MS, signal);
    }
  }

  /**
   * The service answers each report separately; if it rejects a whole batch for its content, halving finds the bad
   * report. Resolves to false if the refusal is not about the reports: they are kept and sent again.
   */
  private async deliver(reports: Report[], signal: AbortSignal): Promise<boolean> {
    try {
      const results = await this.sessions.under(
        ({ session_id }) => this.client.report(session_id, reports, signal),
        signal,
      );
      for (const result of results) {
        const report = reports.find(({ event_id }) => event_id === result.event_id);
        const level = result.result === 'rejected' ? 'warn' : 'info';
        this.log[level]({ job: report?.job_id, type: report?.type, ...result }, 'reported');
      }
      await this.outbox.acknowledge(results.map(({ event_id }) => event_id));
      return results.length > 0;
    } catch (error) {
      if (!(error instanceof Refused) || error.endsTheAgent) throw error;
      if (!BLAMES_THE_CONTENT.has(error.status)) {
        this.log.error({ reports: reports.length, reason: error.message }, 'reports refused; kept for later');
        return false;
      }
      if (reports.length > 1) {
        const half = Math.ceil(reports.length / 2);
        if (!(await this.deliver(reports.slice(0, half), signal))) return false;
        return this.deliver(reports.slice(half), signal);
      }
      this.log.error({ report: reports[0], reason: error.message }, 'report refused; dropped');
      await this.outbox.acknowledge(reports.map(({ event_id }) => event_id));
      return true;
    }
  }
}
