import '../pdf/bounded-memory.js';
import { DocumentServer } from './document-server.js';
import { SystemFonts } from '../fonts/system-fonts.js';

// The process of a document (docs/decisions/081-documents-in-their-own-process.md). It ends with the Agent. Arguments:
// folders with fonts.

// Ctrl+C reaches every program of a console: the Agent decides when its documents end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) process.on(signal, () => undefined);
// An exit would wait for a driver that hangs.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

new DocumentServer(
  {
    send: (notice, sent) => process.send?.(notice, undefined, undefined, sent),
    on: (event, listener) => process.on(event, listener),
  },
  async () => (await import('./winspool-library.js')).windowsSpooler,
  new SystemFonts(process.argv.slice(2)),
);
