import { command, type CommandResult } from '../../kernel/command.js';
import type { SettleWebhook } from './domain/endpoint.commands.js';

/** Cancels the unfinished deliveries of a deleted webhook. */
export class CancelDeliveries extends command('CancelDeliveries')<
  { accountId: string; webhookId: string },
  CommandResult<SettleWebhook>
> {}
