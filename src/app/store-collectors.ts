import { Gauge, type Registry } from 'prom-client';
import type { Milliseconds } from '../kernel/time.js';
import { withTimeout } from '../event-sourcing/deadline.js';

/** Who scrapes waits ten seconds by default, and some wait five; judging the token may take one. */
const PATIENCE_MS: Milliseconds = 3_000;

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of each gauge, by its name. */
export type Samples<Name extends string> = Readonly<Record<Name, readonly Sample[]>>;

export interface Collector<Name extends string> {
  readonly name: string;
  readonly gauges: Readonly<Record<Name, { readonly help: string; readonly labels: readonly string[] }>>;
  readonly read: () => Promise<Samples<Name>>;
}

/**
 * Gauges that are read from a store when Prometheus asks. What cannot be read in time is left out, so that nobody
 * takes an old or made-up number for a true one, and the rest of the scrape stands; `scrape_collector_success` tells.
 * source: https://prometheus.io/docs/instrumenting/writing_exporters/#failed-scrapes
 */
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
      name: 'scrape_collector_success',
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
          // Without labels a reset would say 0.
          if (labels.length === 0) this.remove();
          for (const sample of samples?.[gauge] ?? []) this.set(sample.labels, sample.value);
        },
      });
    }
    return this;
  }

  /** Told once, until it can be read again. */
  private note(name: string, error: unknown): void {
    if (error === undefined) {
      this.failing.delete(name);
      return;
    }
    if (!this.failing.has(name)) this.onFailure(name, error);
    this.failing.add(name);
  }
}

/** One read of a store for all gauges, and all who scrape, while somebody waits for it. */
class Reading<T> {
  private underWay: Promise<T | undefined> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    /** The error of a read that failed, or was given up; undefined when there was none. */
    private readonly onEnd: (error: unknown) => void,
  ) {}

  /** Undefined when there is no answer in time. */
  now(): Promise<T | undefined> {
    this.underWay ??= this.begin();
    return this.underWay;
  }

  private async begin(): Promise<T | undefined> {
    try {
      const found = await withTimeout(PATIENCE_MS, 'metrics', this.read);
      this.onEnd(undefined);
      return found;
    } catch (error) {
      this.onEnd(error ?? new Error('no reason given'));
      return undefined;
    } finally {
      this.underWay = undefined;
    }
  }
}
