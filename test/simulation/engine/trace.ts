import type { Milliseconds } from '../../../src/kernel/time.js';

const KEPT = 4_000;

/** What happened, in order: a hash of all of it, and the last lines. */
export class Trace {
  lines = 0;
  private readonly kept: string[] = [];
  private high = 0x811c9dc5;
  private low = 0x1b873593;

  add(now: Milliseconds, text: string): void {
    const line = `${now.toFixed(3)} ${text}`;
    this.mix(line);
    this.kept[this.lines++ % KEPT] = line;
  }

  /** 64 bits of all lines so far. */
  get hash(): string {
    return [this.high, this.low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** Oldest first. */
  last(count: number): readonly string[] {
    const from = Math.max(0, this.lines - Math.min(count, KEPT));
    return Array.from({ length: this.lines - from }, (_, n) => this.kept[(from + n) % KEPT]!);
  }

  /** FNV-1a, and a second hash with another multiplier. */
  private mix(line: string): void {
    let { high, low } = this;
    for (let n = 0; n < line.length; n++) {
      const unit = line.charCodeAt(n);
      high = Math.imul(high ^ unit, 0x01000193);
      low = Math.imul(low ^ unit, 0x85ebca6b) ^ (high >>> 15);
    }
    this.high = high;
    this.low = low;
  }
}
