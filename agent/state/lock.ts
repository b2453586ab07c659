import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { AgentStop, ExitCode } from '../exit-codes.js';

/**
 * Allows one agent per state folder. The lock is a listening endpoint named after the folder, which the operating
 * system grants to one process and frees when that process dies.
 */
export async function lockStateFolder(folder: string): Promise<Server> {
  const name = lockName(realpathSync(folder));
  if (name.startsWith('/')) await removeIfDead(name);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new AgentStop(ExitCode.locked, `another agent runs on ${folder}`)
          : error,
      ),
    );
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

function lockName(folder: string): string {
  const name = `svc-agent-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  switch (process.platform) {
    case 'win32':
      return `\\\\.\\pipe\\${name}`;
    case 'linux': // A leading NUL selects the abstract namespace, which leaves no file behind.
      return `\0${name}`;
    default:
      return join(folder, 'lock');
  }
}

/** Removes the socket file of a killed process, recognised by a refused connection. */
function removeIfDead(file: string): Promise<void> {
  return new Promise((resolve) => {
    const probe = connect(file);
    probe.once('connect', () => {
      probe.destroy();
      resolve();
    });
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') unlinkSync(file);
      resolve();
    });
  });
}
