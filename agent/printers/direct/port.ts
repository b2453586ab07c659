import type { Moving } from '../provider.js';
import type { Condition } from './condition.js';

/** A way to send bytes to a device, which tells little about them. */
export interface Port {
  /** Never called while a connection is open. Ends within seconds and throws nothing. */
  condition(): Promise<Condition>;

  /** @throws Error if the device takes no bytes now */
  open(signal: AbortSignal): Promise<Connection>;
}

export interface Connection {
  /** Bytes that may have reached the device. 0 proves that none has. */
  readonly sent: number;

  /** Resolves once the system has the bytes. @throws Error when the connection is cut or the signal aborts */
  write(bytes: Uint8Array, progress: Moving): Promise<void>;

  /**
   * Ends the document. `taken` resolves once the device has all of it as far as it tells, and rejects if the connection
   * was cut before. @throws Error as `write`
   */
  end(progress: Moving): Promise<{ readonly taken: Promise<void> }>;

  /** Gives the document up. Resolves once the port can be opened again. */
  destroy(): Promise<void>;
}
