import {
  operations,
  type Change,
  type CreatePrintJobBody,
  type CreateWebhookBody,
  type JobOfBatch,
  type GetPrintJobQuery,
  type ListComputersQuery,
  type ListPrintersQuery,
  type ListPrintJobsQuery,
  type ListWebhookDeliveriesBody,
  type ListWebhooksBody,
  type Operations,
  type PrintJob,
  type PrintJobDetail,
  type PrintJobResult,
  type ReasonBody,
  type RecoverWebhookBody,
  type ReprintBody,
  type UpdateWebhookBody,
} from './generated/integration.js';
import { inBatches, type Keyless } from './batches.js';
import { followChanges, type ChangesOptions } from './changes.js';
import { listByCursor, listByOffset } from './lists.js';
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
    get: (job_id: string, query: GetPrintJobQuery = {}, options?: CallOptions) =>
      this.#call('getPrintJob', { ...options, params: { job_id }, query }),
    /** Why it has not printed, and what to do. */
    explain: (job_id: string, options?: CallOptions) =>
      this.#call('explainPrintJob', { ...options, params: { job_id } }),
    /** Possible until an Agent has accepted the job. */
    cancel: (job_id: string, body: ReasonBody = {}, options?: CallOptions) =>
      this.#call('cancelPrintJob', { ...options, params: { job_id }, body }),
    /** Queues a failed job again, or one in review: it may then print twice. */
    retry: (job_id: string, body: ReasonBody = {}, options?: KeyedOptions) =>
      this.#submit('retryPrintJob', { ...options, params: { job_id }, body }),
    /** Prints the kept document again as a new job, on another printer if one is named. */
    reprint: (job_id: string, body: ReprintBody = {}, options?: KeyedOptions) =>
      this.#submit('reprintPrintJob', { ...options, params: { job_id }, body }),
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
    update: (webhook_id: string, body: Omit<UpdateWebhookBody, 'webhook_id'>, options?: CallOptions) =>
      this.#call('updateWebhook', { ...options, body: { ...body, webhook_id } }),
    delete: (webhook_id: string, options?: CallOptions) =>
      this.#call('deleteWebhook', { ...options, body: { webhook_id } }),
    /** Sends a `webhook.test` event. */
    test: (webhook_id: string, options?: CallOptions) =>
      this.#call('testWebhook', { ...options, body: { webhook_id } }),
    /** Sends what the webhook missed, in the background; `dry_run` only counts. */
    recover: (webhook_id: string, body: Omit<RecoverWebhookBody, 'webhook_id'>, options?: CallOptions) =>
      this.#call('recoverWebhook', { ...options, body: { ...body, webhook_id } }),
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
