import {
  NotSubmitted,
  type ListedPrinter,
  type Moving,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { SpoolFolder } from '../spool-folder.js';
import {
  devicePath,
  isDevicePath,
  parseAddress,
  portKey,
  shownAddress,
  type NamedAddress,
} from './addresses.js';
import type { Device, DeviceState } from '../device.js';
import { openDevice } from './devices.js';

/** Record of a document, written before each step that it names. */
interface Entry {
  readonly address: string;
  readonly fromService: boolean;
  /** `begun`: bytes may have been sent. */
  readonly phase: 'created' | 'begun' | 'completed' | 'withdrawn';
  /** Of a device that tells it: whether the printer was given all bytes. Absent in records of older Agents. */
  readonly isWhole?: boolean;
  readonly spoolerJobId?: string;
}

interface DirectPrinter extends NamedAddress {
  readonly fromService: boolean;
}

interface OpenPort {
  readonly address: string;
  readonly device: Promise<Device>;
  /** Names of those whose outcome is not reported yet. */
  readonly documents: Set<string>;
  /** As last read. */
  capabilities: ListedPrinter['capabilities'];
}

/**
 * Printers without a queue of the system, each at its own address. They keep nothing of a document that an Agent could
 * find after a crash, so this provider records how far each document came.
 */
export class DirectPrinters implements PrinterProvider {
  readonly name = 'direct';
  /** By `portKey`, because a port has one user at a time, whatever its printers are called. */
  private readonly ports = new Map<string, OpenPort>();
  private readonly empty = new Map<string, string>();
  /** Names of documents that this run has withdrawn. */
  private readonly withdrawn = new Set<string>();
  private assigned: readonly DirectPrinter[] = [];

  private constructor(
    private readonly queue: SpoolFolder<Entry>,
    private readonly configured: readonly DirectPrinter[],
  ) {}

  /** @param folder of the records */
  static async open(folder: string, configured: readonly NamedAddress[]): Promise<DirectPrinters> {
    const printers = configured.map((printer) => ({ ...printer, fromService: false }));
    return new DirectPrinters(await SpoolFolder.open(folder), printers);
  }

  /** Replaces the printers that the service has added. A printer of the command line wins over one of its name. */
  assign(printers: readonly NamedAddress[]): void {
    this.assigned = printers.map((printer) => ({ ...printer, fromService: true }));
  }

  inventory(): Promise<ListedPrinter[]> {
    this.leavePorts();
    const byName = new Map([...this.assigned, ...this.configured].map((printer) => [printer.name, printer]));
    return Promise.all([...byName.values()].map((printer) => this.listed(printer)));
  }

  epoch(): Promise<string> {
    return Promise.resolve(this.queue.id);
  }

  async admit(request: PrintRequest, progress: Moving): Promise<void> {
    const { device } = this.portOf(this.printer(request.printer));
    await (await device).admit?.(request, progress);
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const { documentName } = request;
    const { address, fromService } = this.printer(request.printer);
    const { device: opening, documents } = this.portOf({ address, fromService });
    documents.add(documentName);
    const device = await opening;
    let entry: Entry = { address, fromService, phase: 'created' };
    const record = (step: Partial<Entry>): Promise<void> =>
      this.queue.write(documentName, (entry = { ...entry, ...step }));
    await record({});
    try {
      const submitted = await device.submit(request, {
        ...progress,
        created: async (spoolerJobId) => {
          await record({ spoolerJobId });
          await progress.created(spoolerJobId);
        },
        halfway: async () => {
          await progress.halfway();
          await record({ phase: 'begun', ...(device.tellsWhole && { isWhole: false }) });
        },
        whole: () => record({ isWhole: true }),
      });
      await this.find(documentName);
      return submitted;
    } catch (error) {
      if (!(error instanceof NotSubmitted)) throw error;
      documents.delete(documentName);
      await this.queue.remove(documentName);
      throw error;
    }
  }

  async find(documentName: string): Promise<Sighting> {
    const entry = await this.queue.read(documentName);
    if (!entry) return { state: 'absent' };
    const { phase, spoolerJobId = '' } = entry;
    if (phase === 'completed') return { state: 'completed', spoolerJobId, started: true };
    if (this.withdrawn.has(documentName)) return { state: 'cancelled', spoolerJobId, started: false };
    const seen: Sighting =
      phase === 'withdrawn' ? { state: 'empty', spoolerJobId } : await this.ask(documentName, entry);
    const isOver = seen.state === 'completed' || seen.state === 'cancelled';
    const isUnknown = seen.state === 'absent' || (isOver && phase === 'begun' && entry.isWhole === false);
    const sighting = isUnknown ? sightingOf(entry) : seen;
    if (sighting.state === 'completed')
      await this.queue.write(documentName, { ...entry, phase: 'completed' });
    if (sighting.state === 'empty') this.empty.set(sighting.spoolerJobId, documentName);
    return sighting;
  }

  /** Of a document that `find` has seen as empty. */
  async withdraw(spoolerJobId: string): Promise<void> {
    const documentName = this.empty.get(spoolerJobId) ?? '';
    const entry = await this.queue.read(documentName);
    if (!entry) return;
    if (entry.phase !== 'withdrawn') await (await this.portOf(entry).device).withdraw(spoolerJobId);
    await this.queue.write(documentName, { ...entry, spoolerJobId, phase: 'withdrawn' });
    this.withdrawn.add(documentName);
    this.empty.delete(spoolerJobId);
  }

  async forget(documentName: string): Promise<void> {
    const entry = await this.queue.read(documentName);
    await this.queue.remove(documentName);
    this.withdrawn.delete(documentName);
    if (!entry) return;
    const { device, documents } = this.portOf(entry);
    documents.delete(documentName);
    await (await device).forget?.(documentName);
  }

  private async ask(documentName: string, entry: Entry): Promise<Sighting> {
    return (await this.portOf(entry).device).find(documentName, entry.spoolerJobId);
  }

  private async listed(printer: DirectPrinter): Promise<ListedPrinter> {
    const { name } = printer;
    const open = this.portOf(printer);
    const state = await open.device
      .then((device) => device.state())
      .catch((error: unknown): DeviceState => ({
        online: false,
        trouble: String(error),
        capabilities: NOTHING,
      }));
    const { online, trouble, driver, takesDocuments } = state;
    if (online || state.capabilities.content_types.length > 0) open.capabilities = state.capabilities;
    const { capabilities } = open;
    const url = parsed(printer.address);
    const port = url && shownAddress(url);
    const { deviceId = port } = state;
    return {
      printer_key: `${this.name}:${name}`,
      name,
      driver,
      port,
      is_default: false,
      is_virtual: false,
      online,
      capabilities,
      device_identity: deviceId,
      trouble,
      takesDocuments,
    };
  }

  /** @throws NotSubmitted */
  private printer(name: string): DirectPrinter {
    const named = (printer: DirectPrinter): boolean => printer.name === name;
    const found = this.configured.find(named) ?? this.assigned.find(named);
    if (!found) throw new NotSubmitted('PRINTER_NOT_FOUND', `no printer ${name}`);
    return found;
  }

  private portOf({ address, fromService }: Omit<DirectPrinter, 'name'>): OpenPort {
    const shared = keyOf(address);
    const isForeign = fromService && !this.configured.some((printer) => keyOf(printer.address) === shared);
    const key = `${isForeign} ${shared}`;
    const known = this.ports.get(key);
    if (known) return known;
    const device = opened(address, isForeign);
    device.catch(() => undefined);
    const port = { address, device, documents: new Set<string>(), capabilities: NOTHING };
    this.ports.set(key, port);
    return port;
  }

  /** Forgets ports that no printer has any more, or has with other settings, once their documents are reported. */
  private leavePorts(): void {
    const named = new Set([...this.configured, ...this.assigned].map(({ address }) => address));
    for (const [key, { address, documents }] of this.ports)
      if (documents.size === 0 && !named.has(address)) this.ports.delete(key);
  }
}

function keyOf(address: string): string {
  const url = parsed(address);
  return url ? portKey(url) : address;
}

function parsed(address: string): URL | undefined {
  try {
    return parseAddress(address);
  } catch {
    return undefined;
  }
}

const NOTHING: ListedPrinter['capabilities'] = { content_types: [], color: null, duplex: null, papers: [] };

/** What the record proves of a document that the device does not know. */
function sightingOf({ phase, spoolerJobId }: Entry): Sighting {
  if (phase === 'begun') {
    const message = 'it is not known how much of the document the printer has taken';
    return { state: 'aborted', spoolerJobId: spoolerJobId ?? '', started: true, message };
  }
  return spoolerJobId === undefined ? { state: 'absent' } : { state: 'empty', spoolerJobId };
}

async function opened(address: string, fromService: boolean): Promise<Device> {
  const url = parseAddress(address);
  if (fromService && url.protocol === 'file:' && !isDevicePath(devicePath(url)))
    throw new Error('the service may name devices only, no files');
  return openDevice(url, { fromService });
}
