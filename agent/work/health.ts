import { statfs } from 'node:fs/promises';
import { displayable } from '../service/displayable.js';
import type { AgentHealth, Report, StuckPrinter } from '../service/protocol.js';
import type { Outbox } from '../state/outbox.js';

/** Ten of the largest documents. */
const LOW_SPACE_BYTES = 500_000_000;
const MAX_MESSAGE = 240;
const MAX_TROUBLES = 20;

/** Free bytes for this process on the file system of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

/** What the Agent tells the operator about itself with each heartbeat. */
export class Health {
  private lastError: AgentHealth['last_error'];
  private inTrouble: readonly StuckPrinter[] = [];

  /** @param folder where documents wait for the printer */
  constructor(
    private readonly folder: string,
    private readonly outbox: Outbox,
    private readonly freeSpace: FreeSpace = freeBytesOf,
  ) {
    outbox.onPut((report) => this.see(report));
  }

  async now(): Promise<AgentHealth> {
    const [oldest] = this.outbox.oldest(1);
    const age = oldest ? (Date.now() - Date.parse(oldest.occurred_at)) / 1000 : 0;
    const free_bytes = await this.freeSpace(this.folder);
    return {
      free_bytes,
      low_space: free_bytes < LOW_SPACE_BYTES,
      unsent_reports: this.outbox.size,
      oldest_report_seconds: Math.max(0, Math.round(age)),
      ...(this.lastError && { last_error: this.lastError }),
    };
  }

  /** @param code A-Z, 0-9 and _, at most 64 */
  failed(code: string, message: string, at = new Date().toISOString()): void {
    this.lastError = { code, message: displayable(message, MAX_MESSAGE), at };
  }

  /** @param reasons why printers cannot print, by their keys */
  troubled(reasons: ReadonlyMap<string, string>): void {
    const now = new Date().toISOString();
    this.inTrouble = Array.from(reasons, ([printer_key, reason]) => {
      const before = this.inTrouble.find((one) => one.printer_key === printer_key && one.reason === reason);
      return before ?? { printer_key, reason, since: now };
    });
  }

  /** Printers that cannot print, beside those in `stuck`. */
  troubles(stuck: readonly StuckPrinter[]): StuckPrinter[] {
    const shown = new Set(stuck.map(({ printer_key }) => printer_key));
    const others = this.inTrouble.filter(({ printer_key }) => !shown.has(printer_key));
    return [...stuck, ...others].slice(0, MAX_TROUBLES);
  }

  private see({ type, failure_code: code, message, occurred_at: at }: Report): void {
    if (code !== undefined) this.failed(code, message ?? type, at);
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
