import { Injectable } from '@nestjs/common';
import type { PrinterStatus } from '../../src/contexts/devices/domain/computer.events.js';
import { ViewStore, type Birth, type Found, type Where } from '../../src/ports/view-store.port.js';
import { LISTED_STATUSES, printersView, type PrinterDocument } from './printers.js';

export interface PrinterFilter {
  /** Absent = all but removed ones. */
  readonly status?: PrinterStatus;
  readonly computerId?: string;
  readonly enabled?: boolean;
}

export interface PrinterPage {
  readonly items: readonly PrinterDocument[];
  readonly total: number;
}

/** An inventory holds at most so many. */
const MOST_PRINTERS = 500;

/** What may be asked about printers. One of another account is as unknown as one that never was. */
@Injectable()
export class PrinterQueries {
  constructor(private readonly views: ViewStore) {}

  /** A removed printer too. */
  async getPrinter(accountId: string, printerId: string): Promise<PrinterDocument | undefined> {
    const printer = await this.views.get<PrinterDocument>(printersView, printerId);
    return printer?.account_id === accountId ? printer : undefined;
  }

  /** Newest first. */
  async listPrinters(
    accountId: string,
    filter: PrinterFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<PrinterPage> {
    const where = whereOf(accountId, filter);
    const [found, total] = await Promise.all([
      this.views.find<PrinterDocument>(printersView, { where, order: 'newest', ...page }),
      this.views.count(printersView, where),
    ]);
    return { items: found.documents, total };
  }

  /** Newest first, from after a birth on; `births` make the next cursor. */
  listPartnerPrinters(
    accountId: string,
    filter: PrinterFilter,
    page: { readonly limit: number; readonly after?: Birth },
  ): Promise<Found<PrinterDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.find<PrinterDocument>(printersView, { where, order: 'newest', ...page });
  }

  /** Those of a computer that take jobs: online, which implies enabled. */
  async readyPrinters(computerId: string): Promise<readonly PrinterDocument[]> {
    const where = { computer_id: computerId, status: 'online' };
    const query = { where, order: 'oldest', limit: MOST_PRINTERS } as const;
    return (await this.views.find<PrinterDocument>(printersView, query)).documents;
  }

  async isCodeTaken(accountId: string, printerCode: string): Promise<boolean> {
    const where = { account_id: accountId, printer_code: printerCode };
    return (await this.views.count(printersView, where)) > 0;
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
