import type { InventoryPrinter } from '../../service/protocol.js';
import { capabilitiesOf, type DriverFacts } from './driver-facts.js';
import { isOnline } from './job-status.js';
import type { QueueInfo } from './spooler-api.js';

/** Ports that ask for a file name or discard their input. */
const VIRTUAL_PORTS = /^(portprompt|file|nul|shrfax|xpsport)\b/i;
const VIRTUAL_DRIVERS = /print to pdf|xps document writer|onenote|shared fax/i;

/**
 * Converts a queue for the inventory; undefined for one without a name. The key is the queue's name, by which Windows
 * itself identifies a queue (docs/decisions/054-winspool.md).
 * @param facts absent if the driver does not tell them
 */
export function inventoryPrinterOf(
  provider: string,
  queue: QueueInfo,
  defaultQueue: string | undefined,
  facts?: DriverFacts,
): InventoryPrinter | undefined {
  if (queue.name === '') return undefined;
  return {
    printer_key: `${provider}:${queue.name}`,
    name: queue.name,
    driver: queue.driver || undefined,
    port: queue.port || undefined,
    is_default: queue.name === defaultQueue,
    is_virtual: VIRTUAL_PORTS.test(queue.port) || VIRTUAL_DRIVERS.test(queue.driver),
    online: isOnline(queue),
    capabilities: {
      content_types: ['pdf', 'raw', 'text'],
      ...(facts ? capabilitiesOf(facts) : { color: null, duplex: null, papers: [] }),
    },
  };
}
