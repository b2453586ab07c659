import {
  operations,
  type Change,
  type CreatePrintJobBody,
  type CreateWebhookBody,
  type JobOfBatch,
  type ListComputersQuery,
  type ListPrintersQuery,
  type ListPrintJobsQuery,
  type ListWebhookDeliveriesBody,
  type ListWebhooksBody,
  type Operations,
  type PrintJob,
  type PrintJobDetail,
  type PrintJobResult,
  type RecoverWebhookBody,
  type UpdateWebhookBody,
} from './generated/integration.js';
import { inBatches, type Keyless } from './batches.js';
import { followChanges, type ChangesOptions } from './changes.js';
import { listByCursor, listByOffset } from './lists.js';
import type { MethodOf } from './shared.js';
import {
  Transport,
  type Call,
  type CallOptions,
  type KeyedOptions,
  type TransportOptions,
} from './transport.js';
import { waitFor, type Outcome, type WaitOptions } from './waiting.js';

export * from './shared.js';
export type * from './generated/integration.js';

export interface RemotePrintingOptions extends TransportOptions {
  /** `svc_live_…`, of one account. */
  readonly apiKey: string;
}

/** Codes of refusals: `error.code` of an `ApiError`. */
export type ErrorCode = Operations[keyof Operations]['codes'];

export interface Submitted {
  readonly job: PrintJob;
  /** True if an earlier request with the same key did it. */
  readonly replayed: boolean;
}

/** The Integration API, for one account. Methods resolve to `data` of the answer and throw the errors of errors.ts. */
export class RemotePrinting {
  readonly #transport: Transport;

  constructor({ apiKey, ...options }: RemotePrintingOptions) {
    this.#transport = new Transport(apiKey, options);
  }

  /** What has changed in the account, as webhooks tell it; waits for more until `signal` ends it. */
  changes(options: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    return followChanges(this.#transport, operations.listChanges, {}, options);
  }

  readonly account = {
    get: (options?: CallOptions) => this.#call('getAccount', { ...options }),
  };

  readonly computers = {
    list: (query: ListComputersQuery = {}, options?: CallOptions) =>
      listByOffset(
        (offset) => this.#call('listComputers', { ...options, query: moved(query, offset) }),
        ({ computer_id }) => computer_id,
      ),
  };

  readonly printers = {
    list: (query: ListPrintersQuery = {}, options?: CallOptions) =>
      listByOffset(
        (offset) => this.#call('listPrinters', { ...options, query: moved(query, offset) }),
        ({ printer_id }) => printer_id,
      ),
    /** Prints a test page. */
    test: (printer_id: string, options?: CallOptions) =>
      this.#call('testPrinter', { ...options, params: { printer_id } }),
  };

  readonly jobs = {
    /** Creates a job exactly once per call, also when answers are lost. */
    create: (body: CreatePrintJobBody, options?: KeyedOptions) =>
      this.#submit('createPrintJob', { ...options, body }),
    /** Creates each job exactly once, 100 in a request; yields a result for each, in their order. */
    createMany: (
      jobs: Iterable<Keyless<JobOfBatch>> | AsyncIterable<Keyless<JobOfBatch>>,
      options?: CallOptions,
    ): AsyncGenerator<PrintJobResult, void, undefined> =>
      inBatches<JobOfBatch, PrintJobResult>(jobs, (batch) =>
        this.#call('createPrintJobs', { ...options, body: { jobs: batch }, repeatable: true }),
      ),
    /** Newest first. A status that changes meanwhile can hide a job from a filter. */
    list: (query: ListPrintJobsQuery = {}, options?: CallOptions) =>
      listByOffset(
        (offset) => this.#call('listPrintJobs', { ...options, query: moved(query, offset) }),
        ({ job_id }) => job_id,
      ),
    /** With its history; `at` shows it as it was then. */
    get: (job_id: string, { at, ...options }: CallOptions & { readonly at?: string } = {}) =>
      this.#call('getPrintJob', { ...options, params: { job_id }, query: { at } }),
    /** Why it has not printed, and what to do. */
    explain: (job_id: string, options?: CallOptions) =>
      this.#call('explainPrintJob', { ...options, params: { job_id } }),
    /** Possible until an Agent has accepted the job. */
    cancel: (job_id: string, reason?: string, options?: CallOptions) =>
      this.#call('cancelPrintJob', { ...options, params: { job_id }, body: { reason } }),
    /** Queues a failed job again, or one in review: it may then print twice. */
    retry: (job_id: string, reason?: string, options?: KeyedOptions) =>
      this.#submit('retryPrintJob', { ...options, params: { job_id }, body: { reason } }),
    /** Prints the kept document again as a new job, on another printer if one is named. */
    reprint: (job_id: string, printer_id?: string, options?: KeyedOptions) =>
      this.#submit('reprintPrintJob', { ...options, params: { job_id }, body: { printer_id } }),
    /** @throws WaitTimeoutError with the job as last seen when `maxWaitMs` is over */
    waitForCompletion: (job_id: string, options: WaitOptions<PrintJobDetail> = {}) =>
      waitFor(this.#transport, operations.getPrintJob, { job_id }, outcomeOf, options),
  };

  readonly webhooks = {
    list: (body: ListWebhooksBody = {}, options?: CallOptions) =>
      this.#call('listWebhooks', { ...options, body, repeatable: true }),
    /** The answer holds the secret, this once. */
    create: (body: CreateWebhookBody, options?: CallOptions) =>
      this.#call('createWebhook', { ...options, body }),
    update: (body: UpdateWebhookBody, options?: CallOptions) =>
      this.#call('updateWebhook', { ...options, body }),
    delete: (webhook_id: string, options?: CallOptions) =>
      this.#call('deleteWebhook', { ...options, body: { webhook_id } }),
    /** Sends a `webhook.test` event. */
    test: (webhook_id: string, options?: CallOptions) =>
      this.#call('testWebhook', { ...options, body: { webhook_id } }),
    /** Sends what the webhook missed, in the background; `dry_run` only counts. */
    recover: (body: RecoverWebhookBody, options?: CallOptions) =>
      this.#call('recoverWebhook', { ...options, body }),
    /** Newest first. */
    deliveries: (body: ListWebhookDeliveriesBody = {}, options?: CallOptions) =>
      listByCursor((cursor = body.cursor) =>
        this.#call('listWebhookDeliveries', { ...options, body: { ...body, cursor }, repeatable: true }),
      ),
    retryDelivery: (delivery_id: string, options?: CallOptions) =>
      this.#call('retryWebhookDelivery', { ...options, body: { delivery_id } }),
  };

  async #call<Id extends keyof Operations>(id: Id, call: Call): Promise<Operations[Id]['data']> {
    return (await this.#transport.call<Operations[Id]['data']>(operations[id], call)).data;
  }

  async #submit(id: 'createPrintJob' | 'reprintPrintJob' | 'retryPrintJob', call: Call): Promise<Submitted> {
    const { data: job, headers } = await this.#transport.call<PrintJob>(operations[id], call);
    return { job, replayed: headers.get('idempotent-replayed') === 'true' };
  }
}

const moved = <Query extends { offset?: number }>(query: Query, offset = query.offset) => ({
  ...query,
  offset,
});

function outcomeOf({ status, retry_state }: PrintJob): Outcome | undefined {
  if (status === 'spooler_completed') return 'completed';
  if (status === 'cancelled' || status === 'expired') return status;
  if (status === 'manual_review') return 'needs_decision';
  return status === 'failed' && retry_state !== 'scheduled' ? 'failed' : undefined;
}

/** The method of each operation: a new operation without one is an error of the compiler. */
export const INTEGRATION_METHODS = {
  getAccount: 'account.get',
  listComputers: 'computers.list',
  listPrinters: 'printers.list',
  testPrinter: 'printers.test',
  createPrintJob: 'jobs.create',
  createPrintJobs: 'jobs.createMany',
  listPrintJobs: 'jobs.list',
  getPrintJob: 'jobs.get',
  explainPrintJob: 'jobs.explain',
  cancelPrintJob: 'jobs.cancel',
  retryPrintJob: 'jobs.retry',
  reprintPrintJob: 'jobs.reprint',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  testWebhook: 'webhooks.test',
  retryWebhookDelivery: 'webhooks.retryDelivery',
  listWebhookDeliveries: 'webhooks.deliveries',
  recoverWebhook: 'webhooks.recover',
  listChanges: 'changes',
} as const satisfies Record<keyof Operations, MethodOf<Omit<RemotePrinting, 'changes'>> | 'changes'>;
