import { promisify } from 'node:util';
import { NotSubmitted, type Moving, type PrintRequest, type SubmitProgress } from '../provider.js';
import type { Receipt } from '../../service/protocol.js';
import type { Channel, Done, Failure, Notice, Order } from './document-messages.js';
import { renderFailed } from './document-server.js';
import type { DriverFacts } from './driver-facts.js';

/** Bytes of a document in one message: a larger one would occupy the Agent's thread for too long. */
const PIECE = 256 * 1024;
/** Time to draw a page or band: shorter than the deadline of a hand-off, which blames the printer. */
const LIMIT_SECONDS = 45;

/** A process with a `DocumentServer`, as `fork` starts it: it emits `message`, `exit` and `error`. */
export interface ServerProcess extends Channel<Order, Notice> {
  kill(signal: 'SIGKILL'): unknown;
}

/** A document, with what is known of the driver of its printer. */
export type PrintedRequest = PrintRequest & { readonly facts?: DriverFacts };

interface Call {
  readonly progress: Moving & Partial<SubmitProgress>;
  resolve(done: Done): void;
  reject(error: unknown): void;
}

/** The Agent's side of a process that checks and prints documents, one at a time. */
export class DocumentProcess {
  /** Resolves when the process has ended, which `end` causes. */
  readonly ended: Promise<void>;
  /** How far the last print came: its job exists, the spooler may have bytes, or all of them. */
  reached: 'nothing' | 'job' | 'bytes' | 'end' = 'nothing';
  private call: Call | undefined;
  private opened: string | undefined;
  private isDrawing = false;
  private silentSeconds = 0;
  /** Why the process is killed. */
  private reason: unknown;

  constructor(
    private readonly process: ServerProcess,
    /** The pages of its documents are drawn; otherwise their bytes reach the queue unchanged. */
    readonly drawn: boolean,
    private readonly limitSeconds = LIMIT_SECONDS,
  ) {
    // Counts only while this computer is awake, unlike a timeout.
    const clock = setInterval(() => this.tick(), 1000).unref();
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        clearInterval(clock);
        this.end();
        this.call?.reject(this.reason);
        resolve();
      };
      process.on('exit', end);
      process.on('error', end); // It could not be started.
    });
    process.on('message', (notice: Notice) => void this.receive(notice));
  }

  /** Draws each page for trial, and settles its options. Throws `NotSubmitted`; do not use the process any more then. */
  async check(request: PrintedRequest, progress: Moving): Promise<void> {
    await this.run(progress, () => this.order('check', request));
  }

  /**
   * Prints once; resolves to what the driver made of a drawn document. Throws `NotSubmitted` or another error; do not
   * use the process any more then.
   */
  async print(request: PrintedRequest, progress: SubmitProgress): Promise<Receipt | undefined> {
    return (await this.run(progress, () => this.order('print', request))).receipt;
  }

  /** Asks the driver of a queue what it can do. After an error, do not use the process any more. */
  async describe(queue: string, progress: Moving): Promise<DriverFacts | undefined> {
    return (await this.run(progress, () => this.send({ type: 'describe', queue }))).facts;
  }

  /** Kills the process. A call that is not over fails: the document is at fault if it is drawn, else the spooler. */
  end(why = 'its process ended'): void {
    if (this.call) this.reason ??= this.lost(why);
    this.process.kill('SIGKILL');
  }

  private async run(progress: Call['progress'], order: () => Promise<unknown>): Promise<Done> {
    const answer = new Promise<Done>((resolve, reject) => (this.call = { progress, resolve, reject }));
    this.reached = 'nothing';
    const stop = (): void => this.end('no progress until the deadline');
    progress.signal.addEventListener('abort', stop, { once: true });
    if (progress.signal.aborted) stop();
    void order().catch((error: unknown) => {
      this.end(String(error));
      this.call?.reject(this.reason); // Its end may have been reported before the call.
    });
    return answer.finally(() => {
      progress.signal.removeEventListener('abort', stop);
      this.call = undefined;
    });
  }

  /** A document that was checked here before is there already. */
  private async order(type: 'check' | 'print', { bytes, ...document }: PrintedRequest): Promise<void> {
    if (this.opened !== document.documentName) {
      this.opened = document.documentName;
      await this.send({ type: 'open', task: { ...document, drawn: this.drawn } });
      for (let offset = 0; offset < bytes.length; offset += PIECE) {
        await this.send({ type: 'piece', bytes: bytes.subarray(offset, offset + PIECE) });
      }
    }
    await this.send({ type });
  }

  private send(order: Order): Promise<unknown> {
    return promisify((sent: (error: Error | null) => void) => this.process.send(order, sent))();
  }

  private async receive(notice: Notice): Promise<void> {
    this.silentSeconds = 0;
    this.isDrawing = notice.type === 'drawing';
    switch (notice.type) {
      case 'created':
        this.reached = 'job';
        return this.go(this.call?.progress.created?.(String(notice.spoolerJobId)));
      case 'begin':
        this.reached = 'bytes';
        return this.go();
      case 'ending':
        this.reached = 'end';
        return;
      case 'moved':
        return this.call?.progress.moved();
      case 'done':
        return this.call?.resolve(notice);
      case 'failed':
        return this.call?.reject(this.reason ?? errorOf(notice.failure));
      default: // Only changes what is measured.
    }
  }

  /** A step that fails stops the process in order, and the call then fails with the step's error. */
  private async go(step?: Promise<void>): Promise<void> {
    await step?.catch((error: unknown) => (this.reason ??= error));
    await this.send({ type: 'go', on: this.reason === undefined }).catch((error: unknown) =>
      this.end(String(error)),
    );
  }

  private tick(): void {
    if (!this.call || !this.isDrawing || ++this.silentSeconds <= this.limitSeconds) return;
    this.end(`a page took more than ${this.limitSeconds} seconds`);
  }

  private lost(why: string): NotSubmitted {
    return this.isDrawing
      ? renderFailed(why)
      : new NotSubmitted('SPOOLER_UNAVAILABLE', `the document was not printed: ${why}`);
  }
}

function errorOf({ name, message, failureCode, failureClass }: Failure): Error {
  return failureCode === undefined
    ? Object.assign(new Error(message), { name })
    : new NotSubmitted(failureCode, message, failureClass);
}
