import type { ListedPrinter } from '../provider.js';
import { capabilitiesOf, type DriverFacts } from './driver-facts.js';
import { isOnline } from './job-status.js';
import type { QueueInfo } from './spooler-api.js';

/** Ports that ask for a file name or discard their input. */
const VIRTUAL_PORTS = /^(portprompt|file|nul|shrfax|xpsport)\b/i;
/** Ports whose queues ask a person at the screen, so that no document of a service ends. */
const ASKS = /^(portprompt|file):/i;
/** Ports of network printers, which Windows names after their addresses. */
const TCP_PORT = /^(IP_)?\d{1,3}(\.\d{1,3}){3}(_\d+)?$/i;
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
): ListedPrinter | undefined {
  if (queue.name === '') return undefined;
  return {
    printer_key: `${provider}:${queue.name}`,
    name: queue.name,
    driver: queue.driver || undefined,
    port: queue.port || undefined,
    is_default: queue.name === defaultQueue,
    is_virtual: VIRTUAL_PORTS.test(queue.port) || VIRTUAL_DRIVERS.test(queue.driver),
    online: isOnline(queue) && !ASKS.test(queue.port),
    capabilities: {
      content_types: ['pdf', 'raw', 'text'],
      ...(facts ? capabilitiesOf(facts) : { color: null, duplex: null, papers: [] }),
    },
    device_identity: TCP_PORT.test(queue.port) ? queue.port : undefined,
    trouble: ASKS.test(queue.port)
      ? `its port ${queue.port} asks for a file name in a window, which a service cannot answer`
      : undefined,
  };
}
