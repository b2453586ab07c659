import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { IgnoredOption, OptionName } from '../../service/protocol.js';
import { abortable } from '../../abortable.js';
import { settleUnsupported } from '../options.js';
import {
  NotSubmitted,
  type Moving,
  type PrintRequest,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import type { Device, DeviceState } from '../device.js';
import type { Condition } from './condition.js';
import type { Connection, Port } from './port.js';

const CHUNK_BYTES = 16_384;
/** A device in good condition is not asked again so soon. */
const GOOD_FOR_MS = 30_000;
/** Most devices have taken a document by then, so that it is completed when it is handed off. */
const TAKEN_WITHIN_MS = 1000;

/** A device that takes bytes: the document as it is, once per copy. Only one document or check at a time uses its port. */
export class ByteDevice implements Device {
  /** Of the documents since the start of the Agent. */
  private readonly sightings = new Map<string, Sighting>();
  private occupied: Promise<void> | undefined;
  /** A document has the port. */
  private isSending = false;
  /** The last document was taken. */
  private hasTaken = false;
  private checked: { readonly condition: Condition; readonly at: number } | undefined;

  constructor(private readonly port: Port) {}

  async state(): Promise<DeviceState> {
    const { condition, at = 0 } = this.checked ?? {};
    const isFresh = condition?.online && performance.now() - at < GOOD_FOR_MS;
    if (!this.occupied && !isFresh) {
      const release = await this.occupy();
      this.checked = { condition: await this.port.condition().finally(release), at: performance.now() };
    }
    const { online, trouble, answers = false } = this.checked?.condition ?? { online: true };
    return {
      online,
      trouble,
      takesDocuments: this.isSending ? false : this.hasTaken ? 'taken' : answers ? 'answers' : undefined,
      capabilities: { content_types: ['raw', 'text'], color: null, duplex: null, papers: [] },
    };
  }

  /** Nothing of a page can be chosen for bytes. */
  admit(request: PrintRequest): Promise<void> {
    ignoredOf(request);
    return Promise.resolve();
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const leave = await this.occupy(progress.signal);
    this.isSending = true;
    this.hasTaken = false;
    const release = (): void => {
      this.isSending = false;
      leave();
    };
    const connection = await this.port.open(progress.signal).catch((error: unknown) => {
      release();
      throw this.notSubmitted('PRINTER_UNREACHABLE', error);
    });
    const spoolerJobId = randomUUID();
    let isTaken: boolean;
    try {
      await progress.created(spoolerJobId);
      await progress.halfway();
      const taken = await this.send(connection, request, spoolerJobId, progress);
      void taken.promise.then(release);
      isTaken = await Promise.race([taken.promise, pause(TAKEN_WITHIN_MS, false, { ref: false })]);
    } catch (error) {
      void connection.destroy().then(release);
      throw error;
    }
    return { spoolerJobId, isTaken, receipt: { applied: {}, ignored: ignoredOf(request) } };
  }

  find(documentName: string): Promise<Sighting> {
    return Promise.resolve(this.sightings.get(documentName) ?? { state: 'absent' });
  }

  /** Does nothing: a document without bytes is only a connection, which has ended. */
  withdraw(): Promise<void> {
    return Promise.resolve();
  }

  forget(documentName: string): Promise<void> {
    this.sightings.delete(documentName);
    return Promise.resolve();
  }

  /** Resolves when the device was given every byte; the promise in it, to true when it has taken them, false when not. */
  private async send(
    connection: Connection,
    { documentName, bytes, copies }: PrintRequest,
    spoolerJobId: string,
    progress: Moving,
  ): Promise<{ readonly promise: Promise<boolean> }> {
    const see = (state: 'printing' | 'completed' | 'aborted', message?: string): unknown =>
      this.sightings.set(documentName, { state, spoolerJobId, started: true, message });
    const whole = (): boolean => {
      see('completed');
      return (this.hasTaken = true);
    };
    const cut = (error: unknown): boolean => {
      this.checked = undefined;
      see(
        'aborted',
        `cut after at most ${connection.sent} of ${bytes.length * copies} bytes: ${String(error)}`,
      );
      return false;
    };
    see('printing');
    try {
      for (let copy = 0; copy < copies; copy++)
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
          await connection.write(bytes.subarray(at, at + CHUNK_BYTES), progress);
      const { taken } = await connection.end(progress);
      return { promise: taken.then(whole, cut) };
    } catch (error) {
      cut(error);
      if (connection.sent > 0) throw error;
      this.sightings.delete(documentName);
      throw this.notSubmitted('PRINTER_CLOSED_CONNECTION', error);
    }
  }

  /** Resolves to the release of the port. @throws NotSubmitted when the signal aborts before it is free */
  private async occupy(signal?: AbortSignal): Promise<() => void> {
    while (this.occupied) {
      await (signal ? abortable(this.occupied, signal) : this.occupied).catch((error: unknown) => {
        throw this.notSubmitted('PRINTER_BUSY', error);
      });
    }
    let release = (): void => undefined;
    this.occupied = new Promise<void>((resolve) => {
      release = () => {
        this.occupied = undefined;
        resolve();
      };
    });
    return release;
  }

  private notSubmitted(code: string, error: unknown): NotSubmitted {
    this.checked = undefined;
    return new NotSubmitted(code, error instanceof Error ? error.message : String(error));
  }
}

function ignoredOf({ options = { unsupported: 'refuse' } }: PrintRequest): IgnoredOption[] {
  const { unsupported: _, ...wishes } = options;
  const given = Object.entries(wishes).filter(([, value]) => value !== undefined);
  const reason = 'this printer takes documents as they are';
  return settleUnsupported(
    options,
    given.map(([option]) => ({ option: option as OptionName, reason })),
  );
}
