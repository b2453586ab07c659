// Bounds the memory of PDFium in this process: import it before the first document.

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

export {};
