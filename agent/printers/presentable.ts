import { displayable } from '../service/displayable.js';
import type { Capabilities, InventoryPrinter } from '../service/protocol.js';
import type { ListedPrinter } from './provider.js';

/** Limits of an inventory in characters (docs/agent-protocol.md). */
const MAX_PRINTERS = 500;
const MAX_KEY = 200;
const MAX_NAME = 180;
const MAX_DETAIL = 255;
const MAX_CHOICES = 100;
const MAX_CHOICE = 120;
const MAX_RESOLUTIONS = 50;
const MAX_DPI = 10_000;
const MAX_MARGIN_MM = 5000;
const MAX_TROUBLE = 240;

const UNFIT_FOR_KEYS = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

export interface Presentable {
  readonly printers: InventoryPrinter[];
  /** A sentence for each printer, or group of printers, that cannot be reported. */
  readonly leftOut: readonly string[];
  /** Why printers cannot print, by their keys. */
  readonly troubles: ReadonlyMap<string, string>;
  /** Whether printers take documents, by their keys; undefined if only a document can tell. */
  readonly takes: ReadonlyMap<string, ListedPrinter['takesDocuments']>;
}

/**
 * Makes an inventory that the service accepts. Names are shown, so they are cleaned. A key finds its printer again, so
 * it stays as it is: a printer whose key the service would refuse is left out alone.
 * @param isKnown of printers that the last inventory had: they are kept first if there are too many
 */
export function presentable(
  printers: readonly ListedPrinter[],
  isKnown: (printerKey: string) => boolean,
): Presentable {
  const leftOut: string[] = [];
  const usable = new Map<string, InventoryPrinter>();
  const troubles = new Map<string, string>();
  const takes = new Map<string, ListedPrinter['takesDocuments']>();
  for (const printer of printers) {
    const { printer_key: key } = printer;
    const reason = usable.has(key) ? 'occurs twice' : unusable(key);
    if (reason) leftOut.push(`printer ${JSON.stringify(key)} is left out: its name ${reason}`);
    else usable.set(key, cleaned(printer));
    if (!reason) takes.set(key, printer.online ? printer.takesDocuments : false);
    if (!reason && printer.trouble) troubles.set(key, displayable(printer.trouble, MAX_TROUBLE));
  }
  const all = [...usable.values()];
  if (all.length <= MAX_PRINTERS) return { printers: all, leftOut, troubles, takes };
  const rank = ({ printer_key }: InventoryPrinter): string => `${isKnown(printer_key) ? 0 : 1}${printer_key}`;
  leftOut.push(
    `${all.length - MAX_PRINTERS} printers are left out: an inventory has at most ${MAX_PRINTERS}`,
  );
  return {
    printers: all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, MAX_PRINTERS),
    ...{ leftOut, troubles, takes },
  };
}

function unusable(key: string): string | undefined {
  if ([...key].length > MAX_KEY) return 'is too long';
  return UNFIT_FOR_KEYS.test(key) ? 'has control characters' : undefined;
}

function cleaned({ trouble: _, takesDocuments: __, ...printer }: ListedPrinter): InventoryPrinter {
  const { printer_key: key, name, driver = '', port = '', device_identity = '', capabilities } = printer;
  return {
    ...printer,
    name: displayable(name, MAX_NAME) || displayable(key.slice(key.indexOf(':') + 1), MAX_NAME) || 'Printer',
    driver: displayable(driver, MAX_DETAIL) || undefined,
    port: displayable(port, MAX_DETAIL) || undefined,
    device_identity: displayable(device_identity, MAX_DETAIL) || undefined,
    capabilities: cleanedCapabilities(capabilities),
  };
}

function cleanedCapabilities(given: Capabilities): Capabilities {
  const { papers, trays, resolutions_dpi, margins_mm, ...others } = given;
  const isDpi = (dpi: number): boolean => Number.isInteger(dpi) && dpi >= 1 && dpi <= MAX_DPI;
  const isMargin = (mm: number): boolean => mm >= 0 && mm <= MAX_MARGIN_MM;
  return {
    ...others,
    ...(margins_mm && Object.values(margins_mm).every(isMargin) && { margins_mm }),
    papers: choosable(papers),
    ...(trays && { trays: choosable(trays) }),
    ...(resolutions_dpi && { resolutions_dpi: resolutions_dpi.filter(isDpi).slice(0, MAX_RESOLUTIONS) }),
  };
}

/** Jobs name a paper or tray as it is listed, so one that is too long is left out instead of cut. */
function choosable(names: readonly string[]): string[] {
  const shown = names.map((name) => displayable(name, MAX_CHOICE + 1));
  return shown.filter((name) => name && [...name].length <= MAX_CHOICE).slice(0, MAX_CHOICES);
}
