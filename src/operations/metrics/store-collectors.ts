import { Gauge, type Registry } from 'prom-client';
import type { Milliseconds } from '../../kernel/time.js';
import { withTimeout } from '../../async/deadline.js';

/** Scrape timeouts are ten seconds by default and often five; authentication may take one. */
const READ_TIMEOUT_MS: Milliseconds = 3_000;

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Samples<Name extends string> = Readonly<Record<Name, readonly Sample[]>>;

export interface Collector<Name extends string> {
  readonly name: string;
  readonly gauges: Readonly<Record<Name, { readonly help: string; readonly labels: readonly string[] }>>;
  readonly read: () => Promise<Samples<Name>>;
}

/** https://prometheus.io/docs/instrumenting/writing_exporters/#failed-scrapes */
export class StoreCollectors {
  private readonly success: Gauge;
  private readonly failing = new Set<string>();
  private readonly all: { readonly name: string; readonly reading: Reading<unknown> }[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly onFailure: (collector: string, error: unknown) => void,
  ) {
    const { all, failing } = this;
    this.success = new Gauge({
      name: 'rps_scrape_collector_success',
      help: '1 when the gauges of this collector could be read from the store, else 0 and they are left out.',
      labelNames: ['collector'],
      registers: [registry],
      async collect() {
        await Promise.all(all.map(({ reading }) => reading.now()));
        for (const { name } of all) this.set({ collector: name }, failing.has(name) ? 0 : 1);
      },
    });
  }

  add<Name extends string>({ name, gauges, read }: Collector<Name>): this {
    const reading = new Reading(read, (error) => this.note(name, error));
    this.all.push({ name, reading });
    for (const gauge of Object.keys(gauges) as Name[]) {
      const { help, labels } = gauges[gauge];
      new Gauge({
        name: gauge,
        help,
        labelNames: [...labels],
        registers: [this.registry],
        async collect() {
          const samples = await reading.now();
          this.reset();
          // `reset` sets a gauge without labels to 0.
          if (labels.length === 0) this.remove();
          for (const sample of samples?.[gauge] ?? []) this.set(sample.labels, sample.value);
        },
      });
    }
    return this;
  }

  /** Reports a failing collector once, until it recovers. */
  private note(name: string, error: unknown): void {
    if (error === undefined) {
      this.failing.delete(name);
      return;
    }
    if (!this.failing.has(name)) this.onFailure(name, error);
    this.failing.add(name);
  }
}

/** Shares one read of the store between all gauges and concurrent scrapes. */
class Reading<T> {
  private pending: Promise<T | undefined> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    /** Undefined after a successful read. */
    private readonly onEnd: (error: unknown) => void,
  ) {}

  now(): Promise<T | undefined> {
    this.pending ??= this.begin();
    return this.pending;
  }

  private async begin(): Promise<T | undefined> {
    try {
      const found = await withTimeout(READ_TIMEOUT_MS, 'metrics', this.read);
      this.onEnd(undefined);
      return found;
    } catch (error) {
      this.onEnd(error ?? new Error('no reason given'));
      return undefined;
    } finally {
      this.pending = undefined;
    }
  }
}
