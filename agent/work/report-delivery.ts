import type { Logger } from 'pino';
import { Refused } from '../service/http-caller.js';
import type { Report } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';
import type { Outbox } from '../state/outbox.js';
import { WakeUp } from './wake-up.js';

const BATCH = 100;
const IDLE_MS = 60_000;

/** Empties the outbox, oldest first. A report stays there until the service has answered for it. */
export class ReportDelivery {
  private readonly wakeUp = new WakeUp();

  constructor(
    private readonly outbox: Outbox,
    private readonly client: ServiceClient,
    private readonly log: Logger,
  ) {
    outbox.onPut(this.wakeUp.ring);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      while (this.outbox.size > 0) await this.deliver(this.outbox.oldest(BATCH), signal);
      await this.wakeUp.sleep(IDLE_MS, signal);
    }
  }

  /** Bad reports are answered one by one; if a batch is refused as a whole, halving it finds the one to blame. */
  private async deliver(reports: Report[], signal: AbortSignal): Promise<void> {
    try {
      const results = await this.client.report(reports, signal);
      for (const result of results) {
        const report = reports.find(({ event_id }) => event_id === result.event_id);
        const level = result.result === 'rejected' ? 'warn' : 'info';
        this.log[level]({ job: report?.job_id, type: report?.type, ...result }, 'reported');
      }
      await this.outbox.acknowledge(results.map(({ event_id }) => event_id));
      if (results.length === 0) throw new Refused(200, 'EMPTY_ANSWER', 'no result for any report');
    } catch (error) {
      if (!(error instanceof Refused) || error.status === 401) throw error;
      if (reports.length > 1) {
        const half = Math.ceil(reports.length / 2);
        await this.deliver(reports.slice(0, half), signal);
        await this.deliver(reports.slice(half), signal);
        return;
      }
      this.log.error({ report: reports[0], reason: error.message }, 'report refused for good');
      await this.outbox.acknowledge(reports.map(({ event_id }) => event_id));
    }
  }
}
