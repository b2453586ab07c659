import type { Logger } from 'pino';
import { parseAddress, type NamedAddress } from '../printers/direct/addresses.js';
import type { DirectPrinters } from '../printers/direct/direct-printers.js';
import { Refused } from '../service/http-caller.js';
import type { ServiceClient } from '../service/service-client.js';
import type { StateFolder } from '../state/state-folder.js';

const FILE = 'added-printers.json';
const MAX_PRINTERS = 100;

interface Kept {
  readonly version: string;
  readonly printers: readonly NamedAddress[];
}

/** Printers without a queue that the operator of the service adds to this computer. Kept between starts. */
export class AddedPrinters {
  private version = '';

  constructor(
    private readonly direct: DirectPrinters,
    private readonly client: ServiceClient,
    private readonly state: StateFolder,
    private readonly log: Logger,
    private readonly onChange: () => void,
  ) {}

  /** Offers the printers of the last run before the service answers. */
  async restore(): Promise<void> {
    const kept = await this.state.read<Kept>(FILE);
    if (!kept) return;
    this.version = kept.version;
    this.direct.assign(kept.printers);
  }

  /** @param version of the service's list; undefined from services that add none */
  async learn(version: string | undefined, signal: AbortSignal): Promise<void> {
    if (version === undefined || version === this.version) return;
    try {
      const list = await this.client.addedPrinters(signal);
      const printers = list.printers.slice(0, MAX_PRINTERS).filter((printer) => this.isUsable(printer));
      await this.state.write(FILE, { version: list.version, printers });
      this.version = list.version;
      this.direct.assign(printers);
      this.log.info({ printers }, 'printers added by the service');
      this.onChange();
    } catch (error) {
      if (!(error instanceof Refused) || error.endsTheAgent) throw error;
      this.log.warn({ reason: error.message }, 'the added printers are not known; asked again');
    }
  }

  private isUsable({ name, address }: NamedAddress): boolean {
    try {
      parseAddress(address);
      return true;
    } catch (error) {
      this.log.warn({ printer: name, reason: String(error) }, 'an added printer is left out');
      return false;
    }
  }
}
