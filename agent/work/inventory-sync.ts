import type { Logger } from 'pino';
import type { Printers } from '../printers/printers.js';
import { Refused } from '../service/http-caller.js';
import type { InventoryPrinter } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';
import type { StateFolder } from '../state/state-folder.js';
import type { Health } from './health.js';
import type { StuckPrinters } from './stuck-printers.js';
import { WakeSignal } from './timing.js';

export const INVENTORY_FILE = 'inventory.json';

/** Reports the printers to the service at the start, after changes and on request. */
export class InventorySync {
  private readonly wakeSignal = new WakeSignal();
  private lastReported: string | undefined;
  private lastLeftOut = '';

  constructor(
    private readonly printers: Printers,
    private readonly client: ServiceClient,
    private readonly state: StateFolder,
    private readonly health: Health,
    private readonly stuck: StuckPrinters,
    private readonly log: Logger,
    private readonly everyMs: number,
  ) {}

  resync(): void {
    this.lastReported = undefined;
    this.wakeSignal.notify();
  }

  async once(signal: AbortSignal): Promise<void> {
    const learn = this.stuck.asking();
    const { printers, leftOut, troubles, takes } = await this.printers.inventory((provider, error) => {
      this.log.warn({ provider, err: error }, 'the spooler does not answer');
    });
    this.tellLeftOut(leftOut);
    this.health.troubled(troubles);
    learn(takes);
    const inventory = JSON.stringify(printers);
    if (inventory === this.lastReported) return;
    const accepted = await this.report(printers, signal);
    this.lastReported = inventory;
    if (!accepted) return;
    await this.state.write(INVENTORY_FILE, printers);
    this.log.info(
      { printers: printers.map(({ printer_key, online }) => ({ printer_key, online })) },
      'inventory',
    );
  }

  /** False if the service refuses it: what it knows of the printers stays, until the next change. */
  private async report(printers: InventoryPrinter[], signal: AbortSignal): Promise<boolean> {
    try {
      await this.client.putInventory(printers, signal);
      return true;
    } catch (error) {
      if (!(error instanceof Refused) || error.endsTheAgent) throw error;
      this.log.error(
        { reason: error.message },
        'the service refuses the printers; sent again after a change',
      );
      this.health.failed('INVENTORY_REFUSED', error.message);
      return false;
    }
  }

  private tellLeftOut(leftOut: readonly string[]): void {
    const sentences = leftOut.join('; ');
    if (sentences === this.lastLeftOut) return;
    this.lastLeftOut = sentences;
    for (const sentence of leftOut) this.log.warn(sentence);
    if (sentences) this.health.failed('PRINTERS_LEFT_OUT', sentences);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.wakeSignal.sleep(this.everyMs, signal);
      await this.once(signal);
    }
  }
}
