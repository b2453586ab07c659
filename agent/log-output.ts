import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import pretty from 'pino-pretty';

/**
 * Log lines on stdout, pretty on a terminal, that never block or fail the Agent. Drops lines while stdout is blocked (full disk, unread
 * pipe, closed terminal); afterwards logs their number.
 */
export function logOutput(): { write: (line: string) => void } {
  const descriptor = nonBlocking();
  closeLostTerminalsAtExit();
  const format = isatty(1) ? pretty.prettyFactory({}) : (line: string) => line;
  let dropped = 0;
  let torn = false;
  const put = (line: string): boolean => {
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
  return {
    write(line) {
      if (
        dropped > 0 &&
        put(`${JSON.stringify({ name: 'agent', dropped, msg: 'log lines were dropped' })}\n`)
      )
        dropped = 0;
      if (dropped > 0 || !put(line)) dropped++;
    },
  };
}

/**
 * A blocked write would stop the heartbeats. Node sets O_NONBLOCK on pipes when it makes `process.stdout`; terminals
 * stay blocking and are opened anew (Linux).
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
