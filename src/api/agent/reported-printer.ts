import type { ReportedPrinter } from '../../contexts/devices/index.js';
import type { InventoryPrinter } from './agent.requests.js';

/** Converts a line of the agent's inventory to the terms of the devices context. */
export function reportedPrinter(given: InventoryPrinter): ReportedPrinter {
  const { capabilities } = given;
  return {
    printerKey: given.printer_key,
    systemName: given.name,
    driver: given.driver ?? null,
    port: given.port ?? null,
    isDefault: given.is_default,
    isVirtual: given.is_virtual,
    online: given.online,
    capabilities: capabilities
      ? {
          contentTypes: capabilities.content_types,
          color: capabilities.color ?? null,
          duplex: capabilities.duplex ?? null,
          papers: capabilities.papers ?? [],
        }
      : null,
  };
}
