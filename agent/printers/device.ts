import type { Capabilities } from '../service/protocol.js';
import type { ListedPrinter, PrinterProvider } from './provider.js';

/** State of a device, as the inventory shows it. */
export interface DeviceState {
  /** True if a document can be sent now. */
  readonly online: boolean;
  /** Why it cannot print, in a few words: `out of paper`, `cover open`. */
  readonly trouble?: string;
  /** As of a `ListedPrinter`. */
  readonly takesDocuments?: ListedPrinter['takesDocuments'];
  readonly driver?: string;
  /** Identity of the device, if it tells one (an IPP printer-uuid); default: its address. At most 255 characters. */
  readonly deviceId?: string;
  readonly capabilities: Capabilities;
}

/**
 * One printer that is reached without a queue of the system. The provider `direct` keeps a durable record of each
 * document:
 *
 * - `submit` awaits `created` with the document's number and then `halfway`, and sends no byte of the document before
 *   both have resolved. `NotSubmitted` after `halfway` proves that no byte of the document can have reached the printer.
 * - `find` is asked about documents that this device was given, also after a restart of the Agent. `absent` is taken as
 *   "outcome unknown" once `halfway` had resolved, and as "nothing was sent" before.
 * - A device that `tellsWhole` calls `whole` when the printer was given every byte. If it had not before the Agent ended,
 *   the printer cannot have the document: its "completed" and "cancelled" are taken as "outcome unknown".
 * - `state` is called for each inventory, also during `submit`. It has its own short deadline and throws nothing.
 */
export interface Device
  extends
    Pick<PrinterProvider, 'admit' | 'submit' | 'find' | 'withdraw'>,
    Partial<Pick<PrinterProvider, 'forget'>> {
  readonly tellsWhole?: true;
  state(): Promise<DeviceState>;
}

/** Opens the device of an address, which `parseAddress` has checked; connects later. */
export type OpenDevice = (address: URL, settings: DeviceSettings) => Device;

export interface DeviceSettings {
  /** The service gave the address: only devices of the system may be opened as files. */
  readonly fromService: boolean;
}
