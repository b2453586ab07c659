import type { Logger } from 'pino';
import type { Printers } from '../printers/printers.js';
import type { ServiceClient } from '../service/service-client.js';
import type { StateFolder } from '../state/state-folder.js';
import { WakeSignal } from './timing.js';

export const INVENTORY_FILE = 'inventory.json';

/** Reports the printers to the service at the start, after changes and on request. */
export class InventorySync {
  private readonly wakeSignal = new WakeSignal();
  private lastReported: string | undefined;

  constructor(
    private readonly printers: Printers,
    private readonly client: ServiceClient,
    private readonly state: StateFolder,
    private readonly log: Logger,
    private readonly everyMs: number,
  ) {}

  resync(): void {
    this.lastReported = undefined;
    this.wakeSignal.notify();
  }

  async once(signal: AbortSignal): Promise<void> {
    const printers = await this.printers.inventory((provider, error) => {
      this.log.warn({ provider, err: error }, 'the spooler does not answer');
    });
    const inventory = JSON.stringify(printers);
    if (inventory === this.lastReported) return;
    await this.client.putInventory(printers, signal);
    this.lastReported = inventory;
    await this.state.write(INVENTORY_FILE, printers);
    this.log.info(
      { printers: printers.map(({ printer_key, online }) => ({ printer_key, online })) },
      'inventory',
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.wakeSignal.sleep(this.everyMs, signal);
      await this.once(signal);
    }
  }
}
