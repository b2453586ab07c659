import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { codeFrom } from './codes.js';
import { SyncInventory } from './domain/computer.commands.js';
import { computers } from './index.js';
import { ReportInventory } from './report-inventory.command.js';

@CommandHandler(ReportInventory)
export class ReportInventoryHandler implements ICommandHandler<ReportInventory> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly printers: PrinterQueries,
  ) {}

  async execute({ accountId, computerId, printers, at, by }: ReportInventory) {
    const { state } = await this.aggregates.load(computers, computerId);
    const known = new Set(state.printers.map((printer) => printer.printerKey));
    const unknown = printers.filter((printer) => !known.has(printer.printerKey));
    const fresh = await Promise.all(
      unknown.map(async () => ({
        printerId: this.randomness.uuid(),
        printerCode: await codeFrom(this.randomness, 'PR', (code) =>
          this.printers.isCodeTaken(accountId, code),
        ),
      })),
    );
    return this.aggregates.execute(
      computers,
      computerId,
      new SyncInventory(computerId, printers, fresh, at, by),
    );
  }
}
