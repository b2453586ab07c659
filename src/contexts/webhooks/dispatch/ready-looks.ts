import type { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { Birth } from '../../../ports/view-store.port.js';
import type { Turn } from './lanes.js';

export type Look = Extract<Turn, { kind: 'look' }>;

export interface LookResults {
  /** @param last where the page ended; undefined: it was the last one */
  found(webhookId: string, deliveryIds: readonly string[], last: Birth | undefined): void;
  failed(webhookId: string, error: unknown): void;
  /** The view may not have shown the newest yet: look once more after a while. */
  unsure(webhookId: string): void;
}

/** Looks at once: the store serves others, too. */
const AT_ONCE = 4;

/** Looks into the view for lanes that know nothing more by heart. */
export class ReadyLooks {
  private readonly waiting: Look[] = [];
  private running = 0;
  /** Webhooks of whose end nobody is sure yet. */
  private readonly unsure = new Set<string>();

  constructor(
    private readonly deliveries: DeliveryQueries,
    /** The view may lag behind the events. */
    private readonly lags: boolean,
    private readonly results: LookResults,
  ) {}

  add(look: Look): void {
    this.waiting.push(look);
    if (this.running < AT_ONCE) void this.lookThrough();
  }

  clear(): void {
    this.waiting.length = 0;
    this.unsure.clear();
  }

  private async lookThrough(): Promise<void> {
    this.running++;
    for (let look = this.waiting.shift(); look; look = this.waiting.shift()) {
      await this.look(look);
      // A store that answers at once must not keep the process from everything else.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.running--;
  }

  private async look({ webhookId, page: { limit, after } }: Look): Promise<void> {
    try {
      const page = { limit, ...(after !== undefined && { after }) };
      const { documents, births } = await this.deliveries.readyFor(webhookId, page);
      const ids = documents.map((delivery) => delivery.delivery_id);
      const last = births.length < limit ? undefined : births.at(-1);
      this.results.found(webhookId, ids, last);
      if (last === undefined && this.lags) this.confirm(webhookId, ids.length > 0);
    } catch (error) {
      this.results.failed(webhookId, error);
    }
  }

  /** Again until one more look has found nothing. */
  private confirm(webhookId: string, found: boolean): void {
    const wasUnsure = this.unsure.delete(webhookId);
    if (wasUnsure && !found) return;
    this.unsure.add(webhookId);
    this.results.unsure(webhookId);
  }
}
