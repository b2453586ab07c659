import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** The account is closed: nothing of it is printed any more that an agent has not accepted. */
export class EndJobsOfAccount {
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}
