import type { Logger } from 'pino';
import type { Printers } from '../printers/printers.js';
import type { ServiceClient } from '../service/service-client.js';
import type { StateFolder } from '../state/state-folder.js';
import { WakeUp } from './wake-up.js';

export const INVENTORY_FILE = 'inventory.json';

/** Tells the service which printers there are: at the start, when something changed, when it asks. */
export class InventorySync {
  private readonly wakeUp = new WakeUp();
  private told: string | undefined;

  constructor(
    private readonly printers: Printers,
    private readonly client: ServiceClient,
    private readonly state: StateFolder,
    private readonly log: Logger,
    private readonly everyMs: number,
  ) {}

  resync(): void {
    this.told = undefined;
    this.wakeUp.ring();
  }

  async once(signal: AbortSignal): Promise<void> {
    const printers = await this.printers.inventory((provider, error) => {
      this.log.warn({ provider, err: error }, 'the spooler does not answer');
    });
    const inventory = JSON.stringify(printers);
    if (inventory === this.told) return;
    await this.client.putInventory(printers, signal);
    this.told = inventory;
    await this.state.write(INVENTORY_FILE, printers);
    this.log.info(
      { printers: printers.map(({ printer_key, online }) => ({ printer_key, online })) },
      'inventory',
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.wakeUp.sleep(this.everyMs, signal);
      await this.once(signal);
    }
  }
}
