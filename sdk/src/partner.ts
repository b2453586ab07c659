import {
  operations,
  type AccountChange,
  type CreateJobBody,
  type Job,
  type JobOfBatch,
  type JobResult,
  type Operations,
} from './generated/partner.js';
import { inBatches, type Keyless } from './batches.js';
import { followChanges, type ChangesOptions } from './changes.js';
import { listByCursor } from './lists.js';
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
export type * from './generated/partner.js';

type Body<Id extends keyof Operations> = Operations[Id]['body'];
type Query<Id extends keyof Operations> = Operations[Id]['query'];

export interface RemotePrintingPartnerOptions extends TransportOptions {
  /** `svc_partner_live_…` or `svc_partner_test_…` */
  readonly credential: string;
}

/** Codes of refusals: `error.code` of an `ApiError`. */
export type ErrorCode = Operations[keyof Operations]['codes'];

export type Submitted = Submission<Job>;

/** The Partner API, for many accounts. Methods resolve to `data` of the answer and throw the errors of errors.ts. */
export class RemotePrintingPartner {
  readonly #transport: Transport;

  constructor({ credential, ...options }: RemotePrintingPartnerOptions) {
    this.#transport = new Transport(credential, options);
  }

  health(options?: CallOptions) {
    return this.#call('getHealth', { ...options });
  }

  capabilities(options?: CallOptions) {
    return this.#call('getCapabilities', { ...options });
  }

  /** What has changed in all accounts of the partner; waits for more until `signal` ends it. */
  changes(options: ChangesOptions = {}): AsyncGenerator<AccountChange, void, undefined> {
    return followChanges(this.#transport, operations.listManagedChanges, {}, options);
  }

  readonly accounts = {
    /** Repeats with the same `external_id` find the same account. */
    provision: (body: Body<'provisionAccount'>, options?: CallOptions) =>
      this.#call('provisionAccount', { ...options, body, repeatable: true }),
    deactivate: (account_id: string, body: Body<'deactivateAccount'> = {}, options?: CallOptions) =>
      this.#call('deactivateAccount', { ...options, params: { account_id }, body, repeatable: true }),
    /** What has changed in one account. */
    changes: (account_id: string, options: ChangesOptions = {}) =>
      followChanges<AccountChange>(this.#transport, operations.listAccountChanges, { account_id }, options),
  };

  readonly enrollments = {
    /** The answer holds the token, this once. */
    create: (account_id: string, body: Body<'createEnrollment'> = {}, options?: CallOptions) =>
      this.#call('createEnrollment', { ...options, params: { account_id }, body }),
  };

  readonly devices = {
    list: (account_id: string, query: Query<'listDevices'> = {}, options?: CallOptions) =>
      listByCursor(query, (query) =>
        this.#call('listDevices', { ...options, params: { account_id }, query }),
      ),
    deactivate: (
      account_id: string,
      device_id: string,
      body: Body<'deactivateDevice'> = {},
      options?: CallOptions,
    ) =>
      this.#call('deactivateDevice', {
        ...options,
        params: { account_id, device_id },
        body,
        repeatable: true,
      }),
  };

  readonly printers = {
    list: (account_id: string, query: Query<'listAccountPrinters'> = {}, options?: CallOptions) =>
      listByCursor(query, (query) =>
        this.#call('listAccountPrinters', {
          ...options,
          params: { account_id },
          query,
        }),
      ),
    update: (account_id: string, printer_id: string, body: Body<'updatePrinter'>, options?: CallOptions) =>
      this.#call('updatePrinter', {
        ...options,
        params: { account_id, printer_id },
        body,
        repeatable: true,
      }),
  };

  readonly jobs = {
    /** Creates a job exactly once per call, also when answers are lost. */
    create: async (account_id: string, body: CreateJobBody, options?: KeyedOptions): Promise<Submitted> => {
      const call = { ...options, params: { account_id }, body };
      return submissionOf(await this.#transport.call<Job>(operations.createJob, call));
    },
    /** Creates each job exactly once, 100 in a request; yields a result for each, in their order. */
    createMany: (
      account_id: string,
      jobs: Iterable<Keyless<JobOfBatch>> | AsyncIterable<Keyless<JobOfBatch>>,
      options?: CallOptions,
    ): AsyncGenerator<JobResult & Restored, void, undefined> =>
      inBatches<JobOfBatch, JobResult>(jobs, (batch) =>
        this.#transport.call(operations.createJobs, {
          ...options,
          params: { account_id },
          body: { jobs: batch },
          repeatable: true,
        }),
      ),
    /** Newest first. */
    list: (account_id: string, query: Query<'listJobs'> = {}, options?: CallOptions) =>
      listByCursor(query, (query) => this.#call('listJobs', { ...options, params: { account_id }, query })),
    get: (account_id: string, job_id: string, options?: CallOptions) =>
      this.#call('getJob', { ...options, params: { account_id, job_id } }),
    /** What `raw_status` means for the job now, and what the account can do. */
    explain: (account_id: string, job_id: string, options?: CallOptions) =>
      this.#call('explainJob', { ...options, params: { account_id, job_id } }),
    /** @throws WaitTimeoutError with the job as last seen when `maxWaitMs` is over */
    waitForCompletion: (account_id: string, job_id: string, options: WaitOptions<Job> = {}) =>
      waitFor(this.#transport, operations.getJob, { account_id, job_id }, outcomeOf, options),
  };

  async #call<Id extends keyof Operations>(id: Id, call: Call): Promise<Operations[Id]['data']> {
    return (await this.#transport.call<Operations[Id]['data']>(operations[id], call)).data;
  }
}

function outcomeOf({ status, raw_status }: Job): Outcome | undefined {
  if (raw_status === 'manual_review') return 'needs_decision';
  if (status === 'printed') return 'completed';
  if (status !== 'failed') return undefined;
  return raw_status === 'cancelled' || raw_status === 'expired' ? raw_status : 'failed';
}
