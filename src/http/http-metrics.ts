import { Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** HTTP answers by operation and status. */
export class HttpMetrics {
  readonly #histogram: Histogram<'operation' | 'status'>;
  /** Cached, because looking up the child of a label pair costs more than observing it. */
  readonly #children = new Map<string, ReturnType<Histogram['labels']>>();

  constructor(registry: Registry) {
    this.#histogram = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the end of the request head to the end of the answer, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    });
  }

  observe(operation: string, status: number, seconds: number): void {
    const key = `${operation} ${status}`;
    let child = this.#children.get(key);
    if (!child) {
      child = this.#histogram.labels(operation, String(status));
      this.#children.set(key, child);
    }
    child.observe(seconds);
  }
}
