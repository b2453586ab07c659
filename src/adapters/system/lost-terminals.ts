import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Closes the standard descriptors of a closed terminal when the process exits. Node restores the modes of its
 * terminals, and aborts (SIGABRT) instead of exiting with its code if one answers EIO.
 */
export function closeLostTerminalsAtExit(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.once('exit', () => terminals.filter((fd) => !isatty(fd)).forEach((fd) => closeSync(fd)));
}
