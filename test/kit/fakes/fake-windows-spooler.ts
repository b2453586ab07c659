import type { DeviceMode, ModeChanges } from '../../../agent/printers/winspool/device-mode.js';
import type { DriverFacts } from '../../../agent/printers/winspool/driver-facts.js';
import type { Sheet } from '../../../agent/printers/pdf/page-layout.js';
import type { Strip } from '../../../agent/printers/pdf/page-strips.js';
import {
  SpoolerError,
  type Canvas,
  type JobInfo,
  type OpenQueue,
  type QueueInfo,
  type SpoolerApi,
} from '../../../agent/printers/winspool/spooler-api.js';
import { JobStatus } from '../../../agent/printers/winspool/job-status.js';
import { A4_INCHES, sheetOf } from '../drawn-sheet.js';
import { FakeDriver } from './fake-driver.js';

const INVALID_PRINTER_NAME = 1801;

interface FakeJob {
  info: JobInfo;
  queue: string;
  bytes: Buffer;
  pages: number;
}

/** A Windows spooler in memory: `printed` removes a job from its queue as a quick printer does. */
export class FakeWindowsSpooler implements SpoolerApi {
  run = '4@100';
  /** Calls that fail from now on, with the system's error number. */
  readonly failing = new Map<string, number>();
  /** Calls that never return from now on. */
  readonly hanging = new Set<string>();
  /** Bytes that one WritePrinter call accepts. */
  accepts = Infinity;
  readonly calls: string[] = [];
  readonly jobs: FakeJob[] = [];
  /** A4 with a margin of a quarter inch, coarse because drawing takes time. */
  sheet: Sheet = sheetOf(A4_INCHES, 100);
  /** Of all queues. */
  driver = new FakeDriver();
  /** The strips of each page. */
  readonly drawn: Strip[][] = [];
  /** The sheet and the settings of each page. */
  readonly sheets: Sheet[] = [];
  readonly modes: (DeviceMode | undefined)[] = [];
  /** What `queues` says of the settings. */
  settings = '';
  openHandles = 0;
  private lastId = 0;

  constructor(readonly names: string[] = ['desk']) {}

  queues(): Promise<QueueInfo[]> {
    this.mayFail('EnumPrinters');
    return Promise.resolve(this.names.map((name) => this.infoOf(name)));
  }

  defaultQueue(): Promise<string | undefined> {
    return Promise.resolve(this.names[0]);
  }

  async epoch(): Promise<string> {
    await this.step('epoch');
    return this.run;
  }

  open(queue: string): Promise<OpenQueue> {
    return this.openBy('OpenPrinter', queue);
  }

  async openCanvas(queue: string): Promise<Canvas> {
    const output = await this.openBy('CreateDC', queue);
    const canvas = {
      ...output,
      sheet: this.sheet,
      mode: this.driver.settings as DeviceMode | undefined,
      changes: {},
      reset: async (changes: ModeChanges) => {
        await this.step('ResetDC');
        canvas.changes = changes;
        canvas.mode = this.driver.merged(changes);
        const isOwnSheet = ['paperSize', 'printQuality'].some((field) => field in changes);
        canvas.sheet = isOwnSheet ? this.driver.sheetOf(canvas.mode, this.sheet.color) : this.sheet;
      },
      startPage: async () => {
        await output.startPage();
        this.drawn.push([]);
        this.sheets.push(canvas.sheet);
        this.modes.push(canvas.mode);
      },
      draw: async (strip: Strip) => {
        await this.step('StretchDIBits');
        this.drawn.at(-1)?.push(strip);
        await output.write(strip.bytes);
      },
    };
    return canvas;
  }

  async facts(queue: string): Promise<DriverFacts> {
    await this.step(`DeviceCapabilities ${queue}`);
    return this.driver.facts;
  }

  /** Changes the flags of the newest job. */
  set(status: number, more: Partial<JobInfo> = {}): void {
    const job = this.jobs.at(-1);
    if (job) job.info = { ...job.info, status, ...more };
  }

  /** Puts a job into a queue that an earlier run of the Agent left there. */
  leave(queue: string, document: string, status: number, size = 0): void {
    this.add(queue, document, status);
    this.set(status, { size });
  }

  remove(): void {
    this.jobs.pop();
  }

  private async openBy(call: string, queue: string): Promise<OpenQueue> {
    await this.step(`${call} ${queue}`);
    if (!this.names.includes(queue)) throw new SpoolerError(call, INVALID_PRINTER_NAME);
    this.openHandles++;
    return this.openQueue(queue);
  }

  private openQueue(queue: string): OpenQueue {
    let current: FakeJob | undefined;
    return {
      info: async () => this.infoOf(queue),
      jobs: async () => {
        await this.step(`EnumJobs ${queue}`);
        return this.jobs.filter((job) => job.queue === queue).map(({ info }) => info);
      },
      startDocument: async (name) => {
        await this.step('StartDocPrinter');
        current = this.add(queue, name, JobStatus.spooling);
        return current.info.id;
      },
      startPage: () => this.step('StartPagePrinter'),
      write: async (bytes) => {
        await this.step('WritePrinter');
        const accepted = Buffer.from(bytes.subarray(0, this.accepts));
        if (current) current.bytes = Buffer.concat([current.bytes, accepted]);
        if (current) current.info = { ...current.info, size: current.bytes.length };
        return accepted.length;
      },
      endPage: async () => {
        await this.step('EndPagePrinter');
        if (current) current.pages++;
      },
      endDocument: async () => {
        await this.step('EndDocPrinter');
        if (current) current.info = { ...current.info, status: 0 };
      },
      deleteJob: async (id) => {
        await this.step('SetJob');
        this.jobs.splice(0, Infinity, ...this.jobs.filter(({ info }) => info.id !== id));
      },
      close: async () => void this.openHandles--,
    };
  }

  private add(queue: string, document: string, status: number): FakeJob {
    const info = { id: ++this.lastId, document, status, statusText: '', size: 0, pagesPrinted: 0 };
    const job = { info, queue, bytes: Buffer.alloc(0), pages: 0 };
    this.jobs.push(job);
    return job;
  }

  private infoOf(name: string): QueueInfo {
    return { name, port: 'USB001', driver: 'Office', attributes: 0, status: 0, settings: this.settings };
  }

  private step(call: string): Promise<void> {
    this.mayFail(call);
    this.calls.push(call);
    return this.hanging.has(call) ? new Promise(() => undefined) : Promise.resolve();
  }

  private mayFail(call: string): void {
    const code = this.failing.get(call);
    if (code !== undefined) throw new SpoolerError(call, code);
  }
}
