import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandResult } from '../../kernel/command.js';
import { AlertWatch } from './alert-watch.js';
import { WatchAlerts } from './coordinated.commands.js';

@CommandHandler(WatchAlerts)
export class WatchAlertsHandler implements ICommandHandler<WatchAlerts> {
  constructor(private readonly watch: AlertWatch) {}

  async execute({ accountId, memberId }: WatchAlerts): Promise<CommandResult<WatchAlerts>> {
    await this.watch.look(accountId, memberId);
    return { ok: true };
  }
}
