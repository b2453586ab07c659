import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { settled } from '../../async/settled.js';
import { Randomness } from '../../kernel/ids.js';
import { RateCounters } from '../../kernel/rate-counters.js';
import { claims } from '../claims/index.js';
import { freeCode } from './codes.js';
import { SyncInventory, type FreshPrinter } from './domain/computer.commands.js';
import type { ComputerEvent } from './domain/computer.events.js';
import { INVENTORY_WINDOW_MS } from './domain/computer.inventory.js';
import { computers } from './index.js';
import { ReportInventory } from './coordinated.commands.js';
import { AggregateStore, type Planned } from '../../event-sourcing/index.js';

/** Claims per append. Server stores append one stream after another, so several appends run in parallel. */
const TOGETHER = 25;

/** Changed printers per computer and window, over all instances. */
const BUDGET = 1_000;

/** Codes derive from printer keys, so repeats and concurrent reports share claims. */
@CommandHandler(ReportInventory)
export class ReportInventoryHandler implements ICommandHandler<ReportInventory> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly counters: RateCounters,
    private readonly randomness: Randomness,
  ) {}

  /** Serial per computer, because inventories share the budget. */
  execute(command: ReportInventory) {
    const { computerId } = command;
    return this.aggregates.inTurn(claims, computerId, async (attempt) => {
      const budget = BUDGET - (await this.spend(computerId, 0));
      const outcome = await this.report(command, budget, attempt === 1);
      if (outcome.ok && outcome.events.length > 0)
        await this.spend(computerId, changedPrinters(outcome.events).size);
      return outcome;
    });
  }

  private async spend(computerId: string, printers: number): Promise<number> {
    const { consumed } = await this.counters.add(`inventory:${computerId}`, printers, INVENTORY_WINDOW_MS);
    return Math.min(consumed, BUDGET);
  }

  private async report(command: ReportInventory, budget: number, assumeNew: boolean) {
    const { computerId, printers, at, by } = command;
    const sync = (fresh: readonly FreshPrinter[]) =>
      new SyncInventory({ computerId, printers, fresh, budget, at, by });
    const { state } = await this.aggregates.load(computers, computerId);
    const known = new Set(state.printers.map(({ printerKey }) => printerKey));
    const codeless = printers
      .filter(({ printerKey }) => !known.has(printerKey))
      .map(({ printerKey }) => ({ printerKey, printerId: this.randomness.uuid(), printerCode: '' }));
    if (codeless.length === 0) return this.aggregates.execute(computers, computerId, sync([]));
    // Plan without codes first: a rejected inventory or a printer beyond the budget claims nothing.
    const checked = await this.aggregates.plan(computers, computerId, sync(codeless));
    if (!checked.ok) return checked;
    const stored = new Set(checked.planned.state.printers.map(({ printerId }) => printerId));
    const added = codeless.filter(({ printerId }) => stored.has(printerId));
    // A renamed printer keeps the code that derives from its older key.
    const taken = new Set(state.printers.map(({ printerCode }) => printerCode));
    return this.aggregates.execute(
      computers,
      computerId,
      sync(await this.claimCodes(command, added, taken, assumeNew)),
    );
  }

  /** @param assumeNew treats all codes as free without reading; a taken code fails the append */
  private async claimCodes(
    { accountId, computerId, at, by }: ReportInventory,
    printers: readonly FreshPrinter[],
    taken: ReadonlySet<string>,
    assumeNew: boolean,
  ): Promise<readonly FreshPrinter[]> {
    const given = new Set(taken);
    const planned: Planned<unknown>[] = [];
    const fresh: FreshPrinter[] = [];
    for (const printer of printers) {
      const owner = { accountId, computerId, printerKey: printer.printerKey };
      const { code, claim } = await freeCode(
        this.aggregates,
        owner,
        { at, by },
        { assumeNew, except: given },
      );
      given.add(code);
      planned.push(...claim);
      fresh.push({ ...printer, printerCode: code });
    }
    await this.store(planned);
    return fresh;
  }

  /** Waits for all appends, even after a failure. */
  private async store(claims: readonly Planned<unknown>[]): Promise<void> {
    const appends: Promise<unknown>[] = [];
    for (let from = 0; from < claims.length; from += TOGETHER)
      appends.push(this.aggregates.appendInOrder(claims.slice(from, from + TOGETHER)));
    await settled(appends);
  }
}

function changedPrinters(events: readonly ComputerEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ data }) => ('printerId' in data ? [data.printerId] : [])));
}
