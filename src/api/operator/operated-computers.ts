import { Injectable } from '@nestjs/common';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import type { Instant } from '../../kernel/time.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { printerResource } from '../resources/printer.resource.js';
import { operatedComputerResource } from './operator.resources.js';

/** An inventory holds at most so many. */
const ALL_PRINTERS = { limit: 500, offset: 0 };

/** Computers as the operator sees them: the Integration API's fields, and their account. */
@Injectable()
export class OperatedComputers {
  constructor(
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly liveness: LivenessStore,
  ) {}

  async get(computerId: string) {
    const computer = await this.computers.findComputer(computerId);
    return computer && operatedComputerResource(computer, await this.lastSeen(computerId));
  }

  /** With its printers (not removed ones) and the attempts its Agent reported that the service does not know. */
  async getDetail(computerId: string) {
    const computer = await this.computers.findComputer(computerId);
    if (!computer) return undefined;
    const { account_id: accountId, unknown_jobs = [] } = computer;
    const [{ items }, seen] = await Promise.all([
      this.printers.listPrinters(accountId, { computerId }, ALL_PRINTERS),
      this.lastSeen(computerId),
    ]);
    const printers = items.map((printer) => printerResource(printer, seen));
    return { ...operatedComputerResource(computer, seen), printers, unknown_jobs };
  }

  private async lastSeen(computerId: string): Promise<Instant | undefined> {
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return seen;
  }
}
