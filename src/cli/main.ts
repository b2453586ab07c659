import { once } from 'node:events';
import { config as readDotEnv } from 'dotenv';
import { rps } from './program.js';

readDotEnv({ quiet: true });
// `rps events all | head` closes the pipe when it has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await rps(process.argv.slice(2), {
  // Whoever reads slowly is waited for: an export may be larger than memory.
  out: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  err: (text) => void process.stderr.write(text),
  in: process.stdin,
  readable: process.stdout.isTTY,
});
