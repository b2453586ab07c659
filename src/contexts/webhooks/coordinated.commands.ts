import { command, type CommandResult } from '../../kernel/command.js';
import type { SettleWebhook } from './domain/endpoint.commands.js';

export class CancelDeliveries extends command('CancelDeliveries')<
  { accountId: string; webhookId: string },
  CommandResult<SettleWebhook>
> {}
