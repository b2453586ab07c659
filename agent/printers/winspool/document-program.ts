import { DocumentServer } from './document-server.js';
import { SystemFonts } from './system-fonts.js';

// The process of a document (docs/decisions/081-documents-in-their-own-process.md). It ends with the Agent. Arguments:
// folders with fonts.

/** Bytes that PDFium may use: pages of books and plans stay far below. */
const MAX_BYTES = 512 * 1024 * 1024;
const WASM_PAGE = 64 * 1024;

/** The part of WebAssembly.Memory that PDFium grows by; Node's types leave it to those of browsers. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } };
const { prototype } = WebAssembly.Memory;
const { grow } = prototype;
prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * WASM_PAGE > MAX_BYTES) throw new RangeError('too much memory');
  return grow.call(this, pages);
};

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
