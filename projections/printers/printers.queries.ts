import { Injectable } from '@nestjs/common';
import { PRINTER_STATUSES, type PrinterStatus } from '../../src/contexts/devices/domain/computer.events.js';
import { PrinterDirectory } from '../../src/contexts/jobs/ports.js';
import { LISTED_STATUSES, printersView, type PrinterDocument } from './printers.js';
import {
  ViewStore,
  type Found,
  type Keyset,
  type ListPage,
  type ListRange,
  type Where,
} from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

export interface PrinterFilter {
  /** Absent = all except removed ones. */
  readonly status?: PrinterStatus;
  readonly computerId?: string;
  readonly enabled?: boolean;
}

/** Of one name in all accounts; an operator names the others by id. */
const MAX_NAMESAKES = 1_000;

const ID = /^[\da-f-]{36}$/i;
const ID_BEGINNING = /^[0-9a-f][0-9a-f-]{5,}$/;

/** About 200 bytes each. */
const MAX_COMPUTERS = 10_000;

/** A printer of another account counts as unknown. */
@Injectable()
export class PrinterQueries implements PrinterDirectory {
  /** By printer. Read for every new job; a printer never changes its computer. */
  private readonly computers = new Map<string, string>();

  constructor(private readonly views: ViewStore) {}

  async getPrinter(accountId: string, printerId: string): Promise<PrinterDocument | undefined> {
    const printer = await this.findPrinter(printerId);
    return printer?.account_id === accountId ? printer : undefined;
  }

  async getPrinters(accountId: string, printerIds: readonly string[]): Promise<readonly PrinterDocument[]> {
    const found = await this.views.getMany(printersView, printerIds);
    return found.filter((printer) => printer.account_id === accountId);
  }

  /** Of any account. */
  findPrinter(printerId: string): Promise<PrinterDocument | undefined> {
    return this.views.get(printersView, printerId);
  }

  /** Of all accounts. */
  countByStatus(): Promise<Readonly<Record<PrinterStatus, number>>> {
    return this.views.totalsBy(printersView, 'status', PRINTER_STATUSES);
  }

  /** Printers of all accounts with this id, or else code, name, or beginning of an id; without removed ones. */
  async findPrinters(word: string): Promise<readonly PrinterDocument[]> {
    const find = async (where: Where) =>
      await this.views.list(printersView, { where, order: 'oldest', limit: MAX_NAMESAKES });
    const byId = ID.test(word) ? await this.views.get(printersView, word.toLowerCase()) : undefined;
    for (const found of [
      () => (byId ? [byId] : []),
      () => find({ printer_code: word.toUpperCase() }),
      () => find({ name: word }),
      () => this.beginningWith(word.toLowerCase()),
    ]) {
      const printers = (await found()).filter(({ status }) => status !== 'removed');
      if (printers.length > 0) return printers;
    }
    return [];
  }

  private async beginningWith(prefix: string): Promise<readonly PrinterDocument[]> {
    if (!ID_BEGINNING.test(prefix)) return [];
    const query = { where: {}, prefix, limit: MAX_NAMESAKES, max: MAX_NAMESAKES };
    return (await this.views.findPrefix(printersView, query))?.documents ?? [];
  }

  listPrinters(
    accountId: string,
    filter: PrinterFilter,
    page: ListRange,
  ): Promise<ListPage<PrinterDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.page(printersView, where, page);
  }

  /** Newest first, after a creation position; `positions` become the next cursor. */
  listPartnerPrinters(
    accountId: string,
    filter: PrinterFilter,
    page: Keyset,
  ): Promise<Found<PrinterDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.find(printersView, { where, order: 'newest', ...page });
  }

  async computerOf(printerId: string): Promise<string | undefined> {
    return this.computers.get(printerId) ?? this.findComputer(printerId);
  }

  private async findComputer(printerId: string): Promise<string | undefined> {
    const printer = await this.findPrinter(printerId);
    if (!printer) return undefined;
    if (this.computers.size >= MAX_COMPUTERS) this.computers.clear();
    this.computers.set(printerId, printer.computer_id);
    return printer.computer_id;
  }
}

function whereOf(accountId: string, { status, computerId, enabled }: PrinterFilter): Where {
  return {
    account_id: accountId,
    enabled: enabled ?? [true, false],
    status: status ?? LISTED_STATUSES,
    ...(computerId !== undefined && { computer_id: computerId }),
  };
}

export const PrintersViewModule = viewModule(PrinterQueries, {
  provide: PrinterDirectory,
  useExisting: PrinterQueries,
});
