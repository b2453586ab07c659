import { Injectable } from '@nestjs/common';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import type { Instant } from '../../kernel/time.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { printerResource } from '../resources/printer.resource.js';
import { operatedComputerResource } from './operator.resources.js';

/** Maximum size of an inventory. */
const ALL_PRINTERS = { limit: 500, offset: 0 };

/** Shows computers to the operator: the Integration API's fields and the account. */
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

  /**
   * Adds its printers (without removed ones) and the attempts reported by its agent that the service does not
   * know.
   */
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
