import type { Logger } from 'pino';
import { parseAddress, type NamedAddress } from '../printers/direct/addresses.js';
import type { DirectPrinters } from '../printers/direct/direct-printers.js';
import type { ServiceClient } from '../service/service-client.js';
import type { StateFolder } from '../state/state-folder.js';

const FILE = 'added-printers.json';
const MAX_PRINTERS = 100;
const FETCH_WITHIN_MS = 10_000;

interface Kept {
  readonly version: string;
  readonly printers: readonly NamedAddress[];
}

/** Printers without a queue that the operator of the service adds to this computer. Kept between starts. */
export class AddedPrinters {
  private version = '';
  private fetching: Promise<void> | undefined;

  constructor(
    private readonly direct: DirectPrinters,
    private readonly client: ServiceClient,
    private readonly state: StateFolder,
    private readonly log: Logger,
    private readonly onChange: () => void,
    private readonly limitMs = FETCH_WITHIN_MS,
  ) {}

  /** Offers the printers of the last run before the service answers. */
  async restore(): Promise<void> {
    const kept = await this.state.read<Kept>(FILE);
    if (!kept) return;
    this.version = kept.version;
    this.direct.assign(kept.printers);
  }

  /**
   * Fetches the list if it has changed, once at a time. Resolves when that is done, or has failed or taken too long:
   * then it is fetched at the next call.
   * @param version of the service's list; undefined from services that add none
   */
  async learn(version: string | undefined, signal: AbortSignal): Promise<void> {
    if (version === undefined || version === this.version) return;
    this.fetching ??= this.fetch(AbortSignal.any([signal, AbortSignal.timeout(this.limitMs)])).finally(() => {
      this.fetching = undefined;
    });
    await this.fetching;
  }

  /** Resolves when nothing is being fetched. */
  async idle(): Promise<void> {
    await this.fetching;
  }

  private async fetch(signal: AbortSignal): Promise<void> {
    try {
      const list = await this.client.addedPrinters(signal);
      const printers = list.printers.slice(0, MAX_PRINTERS).filter((printer) => this.isUsable(printer));
      await this.state.write(FILE, { version: list.version, printers });
      this.version = list.version;
      this.direct.assign(printers);
      this.log.info({ printers }, 'printers added by the service');
      this.onChange();
    } catch (error) {
      // A heartbeat is refused too if this must end the Agent.
      this.log.warn({ reason: String(error) }, 'the added printers are not known; asked again');
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
