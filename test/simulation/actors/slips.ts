import type { World } from '../world.js';
import type { Customer } from './customer.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const PDF = { type: 'pdf', encoding: 'base64', data: Buffer.from('%PDF-1.4').toString('base64') };
const CHANGE_WITHIN_MS = 60_000;
/** Each is also a repeat of the one before, which must not disturb it. */
const CHANGES = [
  ...[{ description: 'Another name' }, { status: 'paused' }, { status: 'active' }],
  ...[{ rotate_secret: true }, { status: 'paused' }],
];

/** What a customer asks beside its jobs: requests that are refused, and a webhook that lives for a few minutes. */
export class Slips {
  private webhooks = 0;

  constructor(
    private readonly world: World,
    private readonly customer: Customer,
  ) {}

  /** @throws Error if the service does what it must refuse */
  async refused(jobId: string): Promise<void> {
    const { random } = this.world.sim;
    const [printer_id] = this.customer.account.printerIds;
    const headers = { 'idempotency-key': `slip-${jobId}` };
    const url = random.of(this.world.receivers.urls);
    const [operation, call] = random.of([
      ['createPrintJob', { headers, json: { printer_id: UNKNOWN_ID, content: PDF } }],
      // Its Agent knows no options.
      ['createPrintJob', { headers, json: { printer_id, content: PDF, options: { paper: 'A6' } } }],
      ['createPrintJob', { headers, json: { printer_id, content: PDF, copies: 0 } }],
      ['createWebhook', { json: { url } }],
      ['updateWebhook', { json: { webhook_id: UNKNOWN_ID, status: 'paused' } }],
      ['listPrinters', { query: { computer_id: UNKNOWN_ID } }],
    ] as const);
    const { status, code } = await this.customer.ask(operation, call);
    if (status >= 200 && status < 300 && operation !== 'createWebhook')
      throw new Error(`${operation} is not refused: ${code}`);
  }

  async webhook(): Promise<void> {
    const { receivers, sim } = this.world;
    const url = `https://${this.customer.program.name}-${this.webhooks++}.example.com/`;
    receivers.add(url);
    const created = await this.customer.ask('createWebhook', { json: { url } });
    const { webhook_id } = (created.data.webhook ?? {}) as { webhook_id?: string };
    // A repeat of a lost answer does not say which it is: it stays.
    if (webhook_id === undefined) return;
    for (const change of CHANGES) {
      await this.customer.program.sleep(sim.random.next() * CHANGE_WITHIN_MS);
      await this.customer.ask('updateWebhook', { json: { webhook_id, ...change } });
    }
    await this.customer.ask('deleteWebhook', { json: { webhook_id } });
  }
}
