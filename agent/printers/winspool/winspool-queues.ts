import type { InventoryPrinter } from '../../service/protocol.js';
import { isOnline } from './job-status.js';
import type { QueueInfo } from './spooler-api.js';

/** Limits of an inventory (docs/agent-protocol.md). */
const MAX_KEY = 200;
const MAX_NAME = 180;
const MAX_DETAIL = 255;

/** Ports that ask for a file name or discard their input. */
const VIRTUAL_PORTS = /^(portprompt|file|nul|shrfax|xpsport)\b/i;
const VIRTUAL_DRIVERS = /print to pdf|xps document writer|onenote|shared fax/i;

/**
 * Converts a queue for the inventory; undefined if its name is too long for a key. The key is the queue's name, by
 * which Windows itself identifies a queue (docs/decisions/054-winspool.md).
 */
export function inventoryPrinterOf(
  provider: string,
  queue: QueueInfo,
  defaultQueue: string | undefined,
): InventoryPrinter | undefined {
  const key = `${provider}:${queue.name}`;
  if (queue.name === '' || key.length > MAX_KEY) return undefined;
  return {
    printer_key: key,
    name: queue.name.slice(0, MAX_NAME),
    driver: queue.driver.slice(0, MAX_DETAIL) || undefined,
    port: queue.port.slice(0, MAX_DETAIL) || undefined,
    is_default: queue.name === defaultQueue,
    is_virtual: VIRTUAL_PORTS.test(queue.port) || VIRTUAL_DRIVERS.test(queue.driver),
    online: isOnline(queue),
    capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: [] },
  };
}
