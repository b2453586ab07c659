import type { DeviceMode, ModeChanges } from './device-mode.js';
import type { DriverFacts } from './driver-facts.js';
import type { Sheet } from '../pdf/page-layout.js';
import type { Strip } from '../pdf/page-strips.js';

/** A queue as the spooler lists it (PRINTER_INFO_2). */
export interface QueueInfo {
  readonly name: string;
  readonly port: string;
  readonly driver: string;
  readonly attributes: number;
  readonly status: number;
  /** Changes with the settings of the queue. */
  readonly settings?: string;
}

/** A job in a queue (JOB_INFO_2). */
export interface JobInfo {
  readonly id: number;
  readonly document: string;
  readonly status: number;
  /** Text that a driver or port monitor shows instead of the flags. */
  readonly statusText: string;
  /** Bytes written so far. */
  readonly size: number;
  readonly pagesPrinted: number;
}

/** The calls of winspool.drv that the Agent uses. Each failure throws a `SpoolerError`. */
export interface SpoolerApi {
  queues(): Promise<QueueInfo[]>;

  /** Undefined if the user of this process has no default printer. */
  defaultQueue(): Promise<string | undefined>;

  /** Identifies the current run of the spooler service. */
  epoch(): Promise<string>;

  open(queue: string): Promise<OpenQueue>;

  /** Opens a queue to draw pages, which its driver converts for the printer. */
  openCanvas(queue: string): Promise<Canvas>;

  /** Asks the driver, which loads code of its vendor: in a process of documents only. */
  facts(queue: string): Promise<DriverFacts>;
}

/** A way to send one document at a time. Always `close` it. */
export interface Output {
  /** Creates a job of this name, without bytes yet; resolves to its number. */
  startDocument(name: string): Promise<number>;
  startPage(): Promise<void>;
  endPage(): Promise<void>;
  endDocument(): Promise<void>;

  /** Deletes a job; on a canvas the one whose document has not ended. */
  deleteJob(id: number): Promise<void>;
  close(): Promise<void>;
}

/** An open printer handle. Its documents are RAW: their bytes reach the port unchanged. */
export interface OpenQueue extends Output {
  info(): Promise<QueueInfo>;
  jobs(): Promise<JobInfo[]>;

  /** Resolves to the number of bytes accepted, which may be fewer. */
  write(bytes: Uint8Array): Promise<number>;
}

/** A device context (GDI), at first with the settings of its queue, which `reset` changes. */
export interface Canvas extends Output {
  readonly sheet: Sheet;
  /** What the driver made of its settings; undefined if it does not tell. */
  readonly mode: DeviceMode | undefined;

  /** Of the last reset. */
  readonly changes: ModeChanges;

  /** Changes the settings of the queue, not those of an earlier reset: before the document, or between its pages. */
  reset(changes: ModeChanges): Promise<void>;

  draw(strip: Strip): Promise<void>;
}

/** RPC_S_SERVER_UNAVAILABLE, RPC_S_CALL_FAILED, RPC_S_CALL_FAILED_DNE. */
const UNREACHABLE = [1722, 1726, 1727];

/** A failed call with the system's error number (GetLastError). */
export class SpoolerError extends Error {
  constructor(
    readonly call: string,
    readonly code: number,
  ) {
    super(`${call} failed with Windows error ${code}`);
    this.name = 'SpoolerError';
  }

  get unreachable(): boolean {
    return UNREACHABLE.includes(this.code);
  }
}
