import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { isLostRace, retry } from '../../event-sourcing/retry.js';
import { freeCode } from './codes.js';
import { SyncInventory, type FreshPrinter } from './domain/computer.commands.js';
import { computers } from './index.js';
import { ReportInventory } from './report-inventory.command.js';

const ATTEMPTS = 5;

/** Claims a code for each new printer, then stores the inventory; a crash in between heals when the agent repeats. */
@CommandHandler(ReportInventory)
export class ReportInventoryHandler implements ICommandHandler<ReportInventory> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
  ) {}

  async execute(command: ReportInventory) {
    const { computerId, printers, at, by } = command;
    const { state } = await this.aggregates.load(computers, computerId);
    const known = new Set(state.printers.map((printer) => printer.printerKey));
    const unknown = printers.filter((printer) => !known.has(printer.printerKey));
    const codeless = unknown.map(() => ({ printerId: this.randomness.uuid(), printerCode: '' }));
    const sync = (fresh: readonly FreshPrinter[]) => new SyncInventory(computerId, printers, fresh, at, by);
    if (unknown.length > 0) {
      // A refused inventory claims nothing.
      const judged = await this.aggregates.plan(computers, computerId, sync(codeless));
      if (!judged.ok) return judged;
    }
    const codes = await Promise.all(unknown.map(({ printerKey }) => this.claimCode(command, printerKey)));
    const fresh = codeless.map(({ printerId }, n) => ({ printerId, printerCode: codes[n]! }));
    return this.aggregates.execute(computers, computerId, sync(fresh));
  }

  private claimCode(command: ReportInventory, printerKey: string): Promise<string> {
    const { accountId, computerId } = command;
    return retry(
      async () => {
        const owner = { accountId, computerId, printerKey };
        const { code, claim } = await freeCode(this.aggregates, owner, command);
        if (claim.length > 0) await this.aggregates.appendInOrder(claim);
        return code;
      },
      { when: isLostRace, attempts: ATTEMPTS },
    );
  }
}
