import { Injectable } from '@nestjs/common';
import type { AccountDocument } from '../../../projections/accounts/accounts.js';
import type { ComputerDocument } from '../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import type {
  ApiKeyDocument,
  PartnerCredentialDocument,
} from '../../../projections/credentials/credentials.js';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { COMPUTER_STATUSES } from '../../contexts/devices/index.js';
import { LivenessStore } from '../../event-sourcing/index.js';
import { Field, optional, orNull, present } from '../../http/validation/field.js';
import { count, dateTime, integer, object, objects, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';
import { Account, AccountPlan } from '../resources/account.resource.js';
import { computerResource, lastSeen } from '../resources/computer.resource.js';
import { jobResource } from '../resources/print-job.resource.js';
import { printerResource } from '../resources/printer.resource.js';

/** The Integration API's account, with its plan and its partner. */
export class OperatedAccount extends Account {
  @Field(object(() => AccountPlan)) plan!: AccountPlan;
  @Field(uuid(), orNull) partner_id!: string | null;
  @Field(text({ max: 160 }), orNull) external_id!: string | null;
  @Field(dateTime()) updated_at!: Instant;
  @Field(dateTime(), orNull) closed_at!: Instant | null;

  static override readonly example: OperatedAccount = {
    ...Account.example,
    plan: { jobs_per_month: null, max_content_bytes: 10_485_760, max_auto_retries: 3 },
    ...{ partner_id: null, external_id: null, closed_at: null },
    updated_at: '2026-11-21T12:00:00.000Z',
  };
}

export class OperatedAccounts {
  @Field(objects(() => OperatedAccount, 1_000), { description: 'Newest first' })
  items!: readonly OperatedAccount[];
  @Field(count) total!: number;

  static readonly example: OperatedAccounts = { items: [OperatedAccount.example], total: 1 };
}

export function operatedAccountResource(document: AccountDocument): OperatedAccount {
  return present(OperatedAccount, document, { contract: 'svc_api_account_v1' });
}

/** The Integration API's job, with its account. */
export function operatedJobResource(job: JobDocument, now: Instant) {
  const { account_id, computer_id, source } = job;
  return { account_id, computer_id, source, ...jobResource(job, now) };
}

/** The Integration API's computer, with its account and the end of its credential, null after a revocation. */
export function operatedComputerResource(computer: ComputerDocument, lastSeenAt: Instant | undefined) {
  const { account_id, credential_expires_at } = computer;
  return { account_id, ...computerResource(computer, lastSeenAt), credential_expires_at };
}

/** All fields except the hash of the secret. */
export function withoutHash<D extends ApiKeyDocument | PartnerCredentialDocument>({ hash: _, ...shown }: D) {
  return shown;
}

/** Maximum size of an inventory. */
const ALL_PRINTERS = { limit: 500, offset: 0 };

export class CloseBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class OperatorListQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(integer(0, 1_000_000), optional) offset: number = 0;
}

export class ComputerListQuery extends OperatorListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

/** Shows computers to the operator: the Integration API's fields and the account. */
@Injectable()
export class OperatedComputers {
  constructor(
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly liveness: LivenessStore,
  ) {}

  async get(computerId: string) {
    const computer = await this.computers.findComputer(computerId);
    return computer && operatedComputerResource(computer, await this.lastSeen(computerId));
  }

  /** Computers of one account with the health of their agents, newest first. */
  async list(accountId: string, { status, limit, offset }: ComputerListQuery) {
    const { items, total } = await this.computers.listComputers(accountId, { status }, { limit, offset });
    const seen = await lastSeen(this.liveness, items);
    const shown = items.map((computer, n) => ({
      ...operatedComputerResource(computer, seen[n]),
      health: computer.health ?? null,
    }));
    return { items: shown, total };
  }

  /**
   * Adds its printers (without removed ones), those that were added from the service, and the attempts reported by its agent that the service does not
   * know.
   */
  async getDetail(computerId: string) {
    const computer = await this.computers.findComputer(computerId);
    if (!computer) return undefined;
    const { account_id: accountId, unknown_jobs = [], added_printers = [], health = null } = computer;
    const [{ items }, seen] = await Promise.all([
      this.printers.listPrinters(accountId, { computerId }, ALL_PRINTERS),
      this.lastSeen(computerId),
    ]);
    const printers = items.map((printer) => printerResource(printer, seen));
    return { ...operatedComputerResource(computer, seen), printers, added_printers, unknown_jobs, health };
  }

  private async lastSeen(computerId: string): Promise<Instant | undefined> {
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return seen;
  }
}
