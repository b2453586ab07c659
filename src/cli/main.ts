import { once } from 'node:events';
import { config as readDotEnv } from 'dotenv';
import { rps } from './program.js';

readDotEnv({ quiet: true });
// `rps events all | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await rps(process.argv.slice(2), {
  // Waits for a slow reader, because an export may exceed memory.
  out: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  err: (text) => void process.stderr.write(text),
  in: process.stdin,
  readable: process.stdout.isTTY,
});
