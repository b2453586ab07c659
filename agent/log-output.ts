import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { isatty } from 'node:tty';
import pretty from 'pino-pretty';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

/** Takes a line, or false if it cannot be written now. */
type Put = (line: string) => boolean;

export interface LogOutput {
  write(line: string): void;
  /** Resolves when the lines are in the file, at the latest after a second. */
  close(): Promise<void>;
}

/**
 * Log lines to a file, else to stdout, that never block or fail the Agent. Drops lines that cannot be written (full disk,
 * unread pipe, closed terminal); afterwards logs their number.
 */
export function logOutput(file: string | undefined): LogOutput {
  if (file === undefined) return { ...counting(standardOutput()), close: async () => undefined };
  const log = new LogFile(file);
  return { ...counting((line) => log.put(line)), close: () => log.close() };
}

function counting(put: Put): Pick<LogOutput, 'write'> {
  let dropped = 0;
  return {
    write(line) {
      const count = JSON.stringify({ name: 'agent', dropped, msg: 'log lines were dropped' });
      if (dropped > 0 && put(`${count}\n`)) dropped = 0;
      if (dropped > 0 || !put(line)) dropped++;
    },
  };
}

/** Pretty on a terminal. */
function standardOutput(): Put {
  const descriptor = nonBlocking();
  closeLostTerminalsAtExit();
  const format = isatty(1) ? pretty.prettyFactory({}) : (line: string) => line;
  let torn = false;
  return (line) => {
    const text = format(line);
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    try {
      const written = writeSync(descriptor, bytes);
      torn = written < bytes.length;
      return !torn;
    } catch {
      return false;
    }
  };
}

const REOPEN_AFTER_MS = 5_000;
const MAX_UNWRITTEN_BYTES = 1_000_000;
const CLOSE_WITHIN_MS = 1_000;

/** A file of at most 10 MB with four older ones. An error, such as a full disk, ends its stream: a new one follows. */
class LogFile {
  private openedAt = 0;
  private stream: RotatingFileStream;

  constructor(private readonly file: string) {
    this.stream = this.open();
  }

  put(line: string): boolean {
    if (this.stream.destroyed && performance.now() - this.openedAt > REOPEN_AFTER_MS)
      this.stream = this.open();
    if (this.stream.destroyed || this.stream.writableLength > MAX_UNWRITTEN_BYTES) return false;
    this.stream.write(line);
    return true;
  }

  async close(): Promise<void> {
    this.stream.end();
    await finished(this.stream, { signal: AbortSignal.timeout(CLOSE_WITHIN_MS) }).catch(() => undefined);
  }

  private open(): RotatingFileStream {
    this.openedAt = performance.now();
    const stream = createStream(basename(this.file), { path: dirname(this.file), size: '10M', maxFiles: 4 });
    stream.on('error', () => undefined);
    return stream;
  }
}

/**
 * A blocked write would stop the heartbeats. Node makes pipes non-blocking when it makes `process.stdout`, but not
 * terminals: this opens the terminal once more, non-blocking (Linux).
 */
function nonBlocking(): number {
  if (!isatty(1)) {
    process.stdout.on('error', () => undefined);
    return 1;
  }
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 1;
  }
}

/** Node restores the modes of its terminals at exit, and aborts instead when one is gone. */
function closeLostTerminalsAtExit(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => terminals.filter((fd) => !isatty(fd)).forEach((fd) => closeSync(fd)));
}
