import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Milliseconds } from '../../kernel/time.js';

/** About 3,000 lines of the request log. */
const MAX_WAITING_BYTES = 1_048_576;
const RETRY_FULL_PIPE_MS: Milliseconds = 100;
const RETRY_FAILURE_MS: Milliseconds = 1_000;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Drops and counts lines instead of blocking or failing (docs/decisions/029-logs-are-dropped.md). */
export class LineOutput {
  /** Called after the first successful write; may write. */
  onRecovered: ((dropped: number) => void) | undefined;
  private waiting: string[] = [];
  private waitingBytes = 0;
  private chunk = NOTHING;
  private writing = false;
  private retry: NodeJS.Timeout | undefined;
  private dropped = 0;
  private torn = false;
  private idle: (() => void)[] = [];

  constructor(
    /** Never blocks, see `nonBlocking`. */
    private readonly descriptor: number,
    private readonly onDropped: (lines: number) => void = () => undefined,
  ) {
    process.once('exit', () => this.writeRest());
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.waitingBytes + bytes > MAX_WAITING_BYTES) return this.drop(1);
    this.waiting.push(line);
    this.waitingBytes += bytes;
    if (!this.writing && !this.retry) this.writeChunk();
  }

  /** Resolves when nothing is buffered, at the latest after `limit`. */
  async flush(limit: Milliseconds): Promise<void> {
    if (!this.busy) return;
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.idle.push(resolve);
      late = setTimeout(resolve, limit);
    });
    clearTimeout(late);
  }

  private get busy(): boolean {
    return this.writing || this.chunk.length > 0 || this.waiting.length > 0;
  }

  private writeChunk(): void {
    this.retry = undefined;
    if (this.chunk.length === 0) this.takeWaiting();
    if (this.chunk.length === 0) return this.idle.splice(0).forEach((resolve) => resolve());
    this.writing = true;
    write(this.descriptor, this.chunk, 0, this.chunk.length, null, (error, written) => {
      if (!error) this.wrote(written);
      this.writing = false;
      if (error) this.failed(error);
      else this.writeChunk();
    });
  }

  private takeWaiting(): void {
    if (this.waiting.length === 0) return;
    this.chunk = Buffer.from((this.torn ? '\n' : '') + this.waiting.join(''));
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private wrote(bytes: number): void {
    if (bytes > 0) this.torn = this.chunk[bytes - 1] !== NEWLINE;
    this.chunk = this.chunk.subarray(bytes);
    const { dropped } = this;
    if (dropped === 0 || this.chunk.length > 0) return;
    this.takeWaiting(); // Makes room for what `onRecovered` writes.
    this.dropped = 0;
    this.onRecovered?.(dropped);
  }

  private failed({ code }: NodeJS.ErrnoException): void {
    const isFull = code === 'EAGAIN';
    if (!isFull) {
      this.drop(linesIn(this.chunk) + this.waiting.length);
      this.chunk = NOTHING;
      this.waiting = [];
      this.waitingBytes = 0;
      this.idle.splice(0).forEach((resolve) => resolve());
    }
    this.retry = setTimeout(() => this.writeChunk(), isFull ? RETRY_FULL_PIPE_MS : RETRY_FAILURE_MS).unref();
  }

  private drop(lines: number): void {
    this.dropped += lines;
    this.onDropped(lines);
  }

  /** Covers an exit without a flush; a chunk being written completes in its thread. */
  private writeRest(): void {
    if (this.writing) this.chunk = NOTHING;
    try {
      for (;;) {
        if (this.chunk.length === 0) this.takeWaiting();
        if (this.chunk.length === 0) return;
        this.chunk = this.chunk.subarray(writeSync(this.descriptor, this.chunk));
      }
    } catch {
      // The process is exiting, so an error can no longer be reported.
    }
  }
}

/** Starts with a newline to end a truncated line. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE, 1); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** A thread blocked in write(2) prevents the exit. Node leaves terminals blocking, so reopen them (Linux). */
export function nonBlocking(fd: 1 | 2): number {
  if (isatty(fd)) {
    try {
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      return fd;
    }
  }
  if (!fstatSync(fd).isFile()) {
    const stream = fd === 1 ? process.stdout : process.stderr;
    stream.on('error', () => undefined); // A closed pipe must not end the process.
  }
  return fd;
}

/** Node restores terminal modes at the exit and aborts (SIGABRT) if a closed one answers EIO. */
export function closeLostTerminalsAtExit(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => terminals.filter((fd) => !isatty(fd)).forEach((fd) => closeSync(fd)));
}
