import { promisify } from 'node:util';
import type { KoffiFunction } from 'koffi';
import koffi from 'koffi';
import { SpoolerError } from './spooler-api.js';

/** Native memory. Structures that the spooler writes into it point to texts behind them. */
export type Memory = unknown;

const kernel32 = koffi.load('kernel32.dll');
const getLastError = kernel32.func('uint32_t __stdcall GetLastError()') as () => number;

/** Wine prints within the calling process: its spooler service has no part in it and need not run. */
export const underWine = ((): boolean => {
  try {
    koffi.load('ntdll.dll').func('void wine_get_version()');
    return true;
  } catch {
    return false;
  }
})();

/** Runs a system call in Node's thread pool, because a spooler or print server may take seconds to answer. */
export function run(call: KoffiFunction, ...args: unknown[]): Promise<number | bigint> {
  return promisify(call.async)(...args) as Promise<number | bigint>;
}

/**
 * Throws a `SpoolerError` if the call answers 0 or, as some of GDI do, less. koffi keeps the error number of the call that ended last, so that of
 * a concurrent call may be named: use it for messages and tolerable decisions only.
 */
export async function checked(name: string, call: KoffiFunction, ...args: unknown[]): Promise<number> {
  const result = Number(await run(call, ...args));
  if (result <= 0) throw new SpoolerError(name, getLastError());
  return result;
}

interface Filled {
  /** The call succeeded. */
  ok: boolean;
  /** Bytes that the whole answer takes. */
  needed: number;
}

/**
 * Makes a call that fills a buffer, with larger buffers until its answer fits (queues and jobs may be added in
 * between). `read` receives the memory, which is freed afterwards.
 */
export async function filled<T>(
  name: string,
  call: (memory: Memory, size: number) => Promise<Filled>,
  read: (memory: Memory) => T,
): Promise<T | undefined> {
  let size = 0;
  for (let round = 0; round < 5; round++) {
    const memory: Memory = size === 0 ? null : koffi.alloc('uint8_t', size);
    try {
      const { ok, needed } = await call(memory, size);
      if (ok) return memory === null ? undefined : read(memory);
      if (needed <= size) break;
      size = needed + 1024;
    } finally {
      if (memory !== null) koffi.free(memory);
    }
  }
  throw new SpoolerError(name, getLastError());
}
