import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** The webhook is deleted: what is on its way to it is cancelled. */
export class CancelDeliveries {
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}
