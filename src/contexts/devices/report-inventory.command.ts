import { Command, type CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { ReportedPrinter, SyncInventory } from './domain/computer.commands.js';

/** The complete inventory as sent by the agent; new printers get their ids here. */
export class ReportInventory extends Command<CommandResult<SyncInventory>> {
  constructor(
    readonly accountId: string,
    readonly computerId: string,
    readonly printers: readonly ReportedPrinter[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}
