import { once } from 'node:events';
import { config as readDotEnv } from 'dotenv';
import { rps } from './program.js';

readDotEnv({ quiet: true });
// `rps events all | head` closes the pipe early.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(
    `rps: the output cannot be written: ${message}\nnext: make room where it goes, and repeat it\n`,
  );
  process.exit(1);
});
const { stdout } = process;

/** Opened only by commands that read stdin: a terminal would lose what is typed ahead. */
async function* stdin() {
  yield* process.stdin as AsyncIterable<Uint8Array>;
}

process.exitCode = await rps(process.argv.slice(2), {
  // Waits for a slow reader, because an export may exceed memory.
  out: async (text) => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  },
  err: (text) => void process.stderr.write(text),
  in: stdin(),
  readable: stdout.isTTY,
  width: stdout.columns || undefined,
  // Obeys NO_COLOR, FORCE_COLOR and TERM.
  hasColours: stdout.isTTY && stdout.hasColors(),
});
