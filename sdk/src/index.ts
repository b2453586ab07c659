import {
  operations,
  type Change,
  type JobOfBatch,
  type Operations,
  type PrintJob,
  type PrintJobDetail,
  type PrintJobResult,
  type ReasonBody,
} from './generated/integration.js';
import { inBatches, type Keyless } from './batches.js';
import { followChanges, type ChangesOptions } from './changes.js';
import { listByCursor, listByOffset } from './lists.js';
import { submissionOf, type Restored, type Submission } from './submissions.js';
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

type Body<Id extends keyof Operations> = Operations[Id]['body'];
type Query<Id extends keyof Operations> = Operations[Id]['query'];

export interface RemotePrintingOptions extends TransportOptions {
  /** `svc_live_…`, of one account. */
  readonly apiKey: string;
}

/** Codes of refusals: `error.code` of an `ApiError`. */
export type ErrorCode = Operations[keyof Operations]['codes'];

export type Submitted = Submission<PrintJob>;

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
    list: (query: Query<'listComputers'> = {}, options?: CallOptions) =>
      listByOffset('computer_id', query, (query) => this.#call('listComputers', { ...options, query })),
  };

  readonly printers = {
    list: (query: Query<'listPrinters'> = {}, options?: CallOptions) =>
      listByOffset('printer_id', query, (query) => this.#call('listPrinters', { ...options, query })),
    /** Prints a test page. */
    test: (printer_id: string, options?: CallOptions) =>
      this.#call('testPrinter', { ...options, params: { printer_id } }),
  };

  readonly jobs = {
    /** Creates a job exactly once per call, also when answers are lost. */
    create: (body: Body<'createPrintJob'>, options?: KeyedOptions) =>
      this.#submit('createPrintJob', { ...options, body }),
    /** Creates each job exactly once, 100 in a request; yields a result for each, in their order. */
    createMany: (
      jobs: Iterable<Keyless<JobOfBatch>> | AsyncIterable<Keyless<JobOfBatch>>,
      options?: CallOptions,
    ): AsyncGenerator<PrintJobResult & Restored, void, undefined> =>
      inBatches<JobOfBatch, PrintJobResult>(jobs, (batch) =>
        this.#transport.call(operations.createPrintJobs, {
          ...options,
          body: { jobs: batch },
          repeatable: true,
        }),
      ),
    /** Newest first. A status that changes meanwhile can hide a job from a filter. */
    list: (query: Query<'listPrintJobs'> = {}, options?: CallOptions) =>
      listByOffset('job_id', query, (query) => this.#call('listPrintJobs', { ...options, query })),
    /** With its history; `at` shows it as it was then. */
    get: (job_id: string, query: Query<'getPrintJob'> = {}, options?: CallOptions) =>
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
    reprint: (job_id: string, body: Body<'reprintPrintJob'> = {}, options?: KeyedOptions) =>
      this.#submit('reprintPrintJob', { ...options, params: { job_id }, body }),
    /** @throws WaitTimeoutError with the job as last seen when `maxWaitMs` is over */
    waitForCompletion: (job_id: string, options: WaitOptions<PrintJobDetail> = {}) =>
      waitFor(this.#transport, operations.getPrintJob, { job_id }, outcomeOf, options),
  };

  readonly webhooks = {
    list: (body: Body<'listWebhooks'> = {}, options?: CallOptions) =>
      this.#call('listWebhooks', { ...options, body, repeatable: true }),
    /** The answer holds the secret, this once. */
    create: (body: Body<'createWebhook'>, options?: CallOptions) =>
      this.#call('createWebhook', { ...options, body }),
    update: (webhook_id: string, body: Omit<Body<'updateWebhook'>, 'webhook_id'>, options?: CallOptions) =>
      this.#call('updateWebhook', { ...options, body: { ...body, webhook_id } }),
    delete: (webhook_id: string, options?: CallOptions) =>
      this.#call('deleteWebhook', { ...options, body: { webhook_id } }),
    /** Sends a `webhook.test` event. */
    test: (webhook_id: string, options?: CallOptions) =>
      this.#call('testWebhook', { ...options, body: { webhook_id } }),
    /** Sends what the webhook missed, in the background; `dry_run` only counts. */
    recover: (webhook_id: string, body: Omit<Body<'recoverWebhook'>, 'webhook_id'>, options?: CallOptions) =>
      this.#call('recoverWebhook', { ...options, body: { ...body, webhook_id } }),
    /** Newest first. */
    deliveries: (body: Body<'listWebhookDeliveries'> = {}, options?: CallOptions) =>
      listByCursor(body, (body) =>
        this.#call('listWebhookDeliveries', { ...options, body, repeatable: true }),
      ),
    retryDelivery: (delivery_id: string, options?: CallOptions) =>
      this.#call('retryWebhookDelivery', { ...options, body: { delivery_id } }),
  };

  async #call<Id extends keyof Operations>(id: Id, call: Call): Promise<Operations[Id]['data']> {
    return (await this.#transport.call<Operations[Id]['data']>(operations[id], call)).data;
  }

  async #submit(id: 'createPrintJob' | 'reprintPrintJob' | 'retryPrintJob', call: Call): Promise<Submitted> {
    return submissionOf(await this.#transport.call<PrintJob>(operations[id], call));
  }
}

function outcomeOf({ status, retry_state }: PrintJob): Outcome | undefined {
  if (status === 'spooler_completed') return 'completed';
  if (status === 'cancelled' || status === 'expired') return status;
  if (status === 'manual_review') return 'needs_decision';
  return status === 'failed' && retry_state !== 'scheduled' ? 'failed' : undefined;
}
