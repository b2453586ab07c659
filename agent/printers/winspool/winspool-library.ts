import koffi from 'koffi';
import { readMode } from './device-mode-memory.js';
import { closePrinter, driverFacts, openPrinter } from './driver-calls.js';
import { openGdiCanvas } from './gdi-canvas.js';
import { spoolerEpoch } from './spooler-service.js';
import type { JobInfo, OpenQueue, QueueInfo, SpoolerApi } from './spooler-api.js';
import { checked, filled, run, underWine } from './winspool-calls.js';

const PRINTER_ENUM_LOCAL = 2;
const PRINTER_ENUM_CONNECTIONS = 4;
const JOB_CONTROL_DELETE = 5;
const LEVEL = 2;
const ALL_JOBS = 0xffffffff;
const MAX_QUEUE_NAME = 1024;

const texts = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'str16']));
const numbers = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'uint32_t']));

const PrinterInfo = koffi.struct('PRINTER_INFO_2W', {
  ...texts('server', 'name', 'share', 'port', 'driver', 'comment', 'location'),
  devMode: 'void *',
  ...texts('separator', 'processor', 'datatype', 'parameters'),
  security: 'void *',
  ...numbers('attributes', 'priority', 'defaultPriority', 'startTime', 'untilTime', 'status', 'jobs', 'ppm'),
});

const JobInfoType = koffi.struct('JOB_INFO_2W', {
  ...numbers('id'),
  ...texts(
    'printer',
    'machine',
    'user',
    'document',
    'notify',
    'datatype',
    'processor',
    'parameters',
    'driver',
  ),
  devMode: 'void *',
  ...texts('statusText'),
  security: 'void *',
  ...numbers('status', 'priority', 'position', 'startTime', 'untilTime', 'totalPages', 'size'),
  submitted: koffi.array('uint16_t', 8),
  ...numbers('time', 'pagesPrinted'),
});

koffi.struct('DOC_INFO_1W', texts('document', 'outputFile', 'datatype'));

const library = koffi.load('winspool.drv');
const winspool = {
  enumPrinters: library.func(
    'int __stdcall EnumPrintersW(uint32_t flags, str16 name, uint32_t level, void *buffer, uint32_t size, _Out_ uint32_t *needed, _Out_ uint32_t *returned)',
  ),
  getDefaultPrinter: library.func(
    'int __stdcall GetDefaultPrinterW(_Out_ uint8_t *buffer, _Inout_ uint32_t *length)',
  ),
  getPrinter: library.func(
    'int __stdcall GetPrinterW(uintptr_t handle, uint32_t level, void *buffer, uint32_t size, _Out_ uint32_t *needed)',
  ),
  enumJobs: library.func(
    'int __stdcall EnumJobsW(uintptr_t handle, uint32_t first, uint32_t count, uint32_t level, void *buffer, uint32_t size, _Out_ uint32_t *needed, _Out_ uint32_t *returned)',
  ),
  startDoc: library.func(
    'uint32_t __stdcall StartDocPrinterW(uintptr_t handle, uint32_t level, DOC_INFO_1W *info)',
  ),
  startPage: library.func('int __stdcall StartPagePrinter(uintptr_t handle)'),
  write: library.func(
    'int __stdcall WritePrinter(uintptr_t handle, void *bytes, uint32_t size, _Out_ uint32_t *written)',
  ),
  endPage: library.func('int __stdcall EndPagePrinter(uintptr_t handle)'),
  endDoc: library.func('int __stdcall EndDocPrinter(uintptr_t handle)'),
  setJob: library.func(
    'int __stdcall SetJobW(uintptr_t handle, uint32_t id, uint32_t level, void *job, uint32_t command)',
  ),
};

/** winspool.drv of this computer. */
export const windowsSpooler: SpoolerApi = {
  async queues() {
    const returned = [0];
    const found = await filled(
      'EnumPrinters',
      async (memory, size) => {
        const needed = [0];
        const flags = PRINTER_ENUM_LOCAL | PRINTER_ENUM_CONNECTIONS;
        const ok = await run(winspool.enumPrinters, flags, null, LEVEL, memory, size, needed, returned);
        return { ok: ok !== 0, needed: needed[0] ?? 0 };
      },
      (memory) =>
        (koffi.decode(memory, koffi.array(PrinterInfo, returned[0] ?? 0)) as RawQueue[]).map(queueOf),
    );
    return found ?? [];
  },

  async defaultQueue() {
    const buffer = Buffer.alloc(MAX_QUEUE_NAME * 2);
    const length = [MAX_QUEUE_NAME];
    if ((await run(winspool.getDefaultPrinter, buffer, length)) === 0) return undefined;
    return buffer.toString('utf16le').split('\0', 1)[0];
  },

  epoch: spoolerEpoch,

  async open(name) {
    return new WindowsQueue(await openPrinter(name));
  },

  openCanvas: openGdiCanvas,

  async facts(name) {
    const queue = await windowsSpooler.open(name);
    const { port } = await queue.info().finally(() => queue.close());
    return driverFacts(name, port);
  },
};

class WindowsQueue implements OpenQueue {
  constructor(private readonly handle: number) {}

  async info(): Promise<QueueInfo> {
    const found = await filled(
      'GetPrinter',
      async (memory, size) => {
        const needed = [0];
        const ok = await run(winspool.getPrinter, this.handle, LEVEL, memory, size, needed);
        return { ok: ok !== 0, needed: needed[0] ?? 0 };
      },
      (memory) => queueOf(koffi.decode(memory, PrinterInfo) as RawQueue),
    );
    if (!found) throw new Error('GetPrinter answered nothing');
    return found;
  }

  async jobs(): Promise<JobInfo[]> {
    const returned = [0];
    const found = await filled(
      'EnumJobs',
      async (memory, size) => {
        const needed = [0];
        const ok = await run(
          winspool.enumJobs,
          ...[this.handle, 0, ALL_JOBS, LEVEL, memory, size, needed, returned],
        );
        // Wine implements no EnumJobs: it answers false and needs no buffer.
        return { ok: ok !== 0 || (underWine && needed[0] === 0), needed: needed[0] ?? 0 };
      },
      (memory) => koffi.decode(memory, koffi.array(JobInfoType, returned[0] ?? 0)) as RawJob[],
    );
    return (found ?? []).map(jobOf);
  }

  startDocument(document: string): Promise<number> {
    const info = { document, outputFile: null, datatype: 'RAW' };
    return checked('StartDocPrinter', winspool.startDoc, this.handle, 1, info);
  }

  async startPage(): Promise<void> {
    await checked('StartPagePrinter', winspool.startPage, this.handle);
  }

  async write(bytes: Uint8Array): Promise<number> {
    const written = [0];
    await checked('WritePrinter', winspool.write, this.handle, bytes, bytes.length, written);
    return written[0] ?? 0;
  }

  async endPage(): Promise<void> {
    await checked('EndPagePrinter', winspool.endPage, this.handle);
  }

  async endDocument(): Promise<void> {
    await checked('EndDocPrinter', winspool.endDoc, this.handle);
  }

  async deleteJob(id: number): Promise<void> {
    await checked('SetJob', winspool.setJob, this.handle, id, 0, null, JOB_CONTROL_DELETE);
  }

  async close(): Promise<void> {
    await closePrinter(this.handle);
  }
}

type RawQueue = Record<'name' | 'port' | 'driver', string | null> &
  Record<'attributes' | 'status', number> & { devMode: unknown };
type RawJob = Record<'document' | 'statusText', string | null> &
  Record<'id' | 'status' | 'size' | 'pagesPrinted', number>;

/** The memory of the queue must still be there. */
function queueOf({ name, port, driver, attributes, status, devMode }: RawQueue): QueueInfo {
  const settings = devMode === null ? undefined : JSON.stringify(readMode(devMode));
  return { name: name ?? '', port: port ?? '', driver: driver ?? '', attributes, status, settings };
}

function jobOf({ id, document, status, statusText, size, pagesPrinted }: RawJob): JobInfo {
  return { id, document: document ?? '', status, statusText: statusText ?? '', size, pagesPrinted };
}
