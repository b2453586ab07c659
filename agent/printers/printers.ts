import type { Capabilities, InventoryPrinter, Lease } from '../service/protocol.js';
import { presentable, type Presentable } from './presentable.js';
import { NotSubmitted, type PrinterProvider } from './provider.js';

export interface Route {
  provider: PrinterProvider;
  /** The printer's name within its provider. */
  printer: string;
  /** As last reported; undefined if it was not found yet. */
  capabilities?: Capabilities;
}

/** All printers of this computer, over all providers. A key is `<provider>:<printer>`. */
export class Printers {
  constructor(
    private readonly providers: PrinterProvider[],
    private known: InventoryPrinter[] = [],
  ) {}

  route(printerKey: string): Route | undefined {
    const colon = printerKey.indexOf(':');
    const provider = this.providers.find(({ name }) => name === printerKey.slice(0, colon));
    const capabilities = this.known.find(({ printer_key }) => printer_key === printerKey)?.capabilities;
    return provider && { provider, printer: printerKey.slice(colon + 1), capabilities };
  }

  /** @throws NotSubmitted if no printer of this computer prints the document */
  routeFor({ printer_key: key, content_type: type }: Lease): Route {
    const route = this.route(key);
    if (!route) throw new NotSubmitted('PRINTER_NOT_FOUND', `no printer ${key}`);
    const types = route.capabilities?.content_types ?? [];
    // A printer that has not answered yet lists none.
    if (types.length > 0 && !types.includes(type))
      throw new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot print ${type}`, 'permanent');
    return route;
  }

  /** Lists the printers of an unreachable spooler as offline. */
  async inventory(onFailure: (provider: string, error: unknown) => void): Promise<Presentable> {
    const lists = await Promise.all(
      this.providers.map((provider) =>
        provider.inventory().catch((error: unknown) => {
          onFailure(provider.name, error);
          return this.known
            .filter(({ printer_key }) => printer_key.startsWith(`${provider.name}:`))
            .map((printer) => ({ ...printer, online: false }));
        }),
      ),
    );
    const before = new Set(this.known.map(({ printer_key }) => printer_key));
    const inventory = presentable(lists.flat(), (key) => before.has(key));
    this.known = inventory.printers;
    return inventory;
  }
}
