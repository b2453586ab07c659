import { Command, type CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { SettleAccount } from '../accounts/index.js';

/** Ends all jobs of a closed account that no agent has accepted. */
export class EndJobsOfAccount extends Command<CommandResult<SettleAccount>> {
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
