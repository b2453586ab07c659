import { Command, type CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { SettleWebhook } from './domain/endpoint.commands.js';

/** Cancels the unfinished deliveries of a deleted webhook. */
export class CancelDeliveries extends Command<CommandResult<SettleWebhook>> {
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
