import type { Moving } from '../printers/provider.js';
import type { StuckPrinter } from '../service/protocol.js';

const MAX_SHOWN = 20;
/** Bound of a reason (docs/agent-protocol.md). */
const MAX_REASON = 240;

/** The reason by which the jobs that wait for a stuck printer are given up. */
export class PrinterStuck extends Error {
  constructor(printerKey: string, seconds: number) {
    super(`the spooler made no progress for ${seconds} s at ${printerKey}`);
    this.name = 'PrinterStuck';
  }
}

type Listener = (printerKey: string, stuck: PrinterStuck | undefined) => void;

/**
 * Printers whose hand-off made no progress until its deadline. Such a printer gets no jobs until the spooler's call has
 * ended and its outcome is known (docs/decisions/079-one-stuck-printer.md).
 */
export class StuckPrinters {
  private readonly stuck = new Map<string, StuckPrinter>();
  private readonly listeners: Listener[] = [];

  constructor(private readonly deadlineMs: number) {}

  /** Called with the reason when a printer is stuck, and without one when it is free again. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  has(printerKey: string): boolean {
    return this.stuck.has(printerKey);
  }

  keys(): string[] {
    return [...this.stuck.keys()];
  }

  /** The first of them, as the health of a heartbeat shows them. */
  shown(): StuckPrinter[] {
    return [...this.stuck.values()].slice(0, MAX_SHOWN);
  }

  /** Runs a hand-off. At the deadline its signal aborts; the printer is stuck until `work` ends or moves on. */
  async watch<T>(printerKey: string, work: (moving: Moving) => Promise<T>): Promise<T> {
    const deadline = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let ended = false;
    const free = (): void => {
      clearTimeout(timer);
      if (this.stuck.delete(printerKey)) this.tell(printerKey, undefined);
    };
    const expire = (): void => {
      const reason = new PrinterStuck(printerKey, this.deadlineMs / 1000);
      const since = new Date().toISOString();
      this.stuck.set(printerKey, {
        printer_key: printerKey,
        reason: reason.message.slice(0, MAX_REASON),
        since,
      });
      deadline.abort(reason);
      this.tell(printerKey, reason);
    };
    const moved = (): void => {
      if (ended) return;
      free();
      timer = setTimeout(expire, this.deadlineMs).unref();
    };
    moved();
    try {
      return await work({ signal: deadline.signal, moved });
    } finally {
      ended = true;
      free();
    }
  }

  private tell(printerKey: string, stuck: PrinterStuck | undefined): void {
    for (const listener of this.listeners) listener(printerKey, stuck);
  }
}
