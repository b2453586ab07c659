import type { AccountDocument, PlanDocument } from '../../../projections/accounts/accounts.js';
import type {
  ApiKeyDocument,
  PartnerCredentialDocument,
} from '../../../projections/credentials/credentials.js';
import type { ComputerDocument } from '../../../projections/computers/computers.js';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { Field } from '../../http/validation/field.js';
import { present } from '../../http/validation/present.js';
import { dateTime, shaped, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';
import { Account } from '../resources/account.resource.js';
import { computerResource } from '../resources/computer.resource.js';
import { jobResource } from '../resources/print-job.resource.js';

const orNull = { nullable: true } as const;

/** The Integration API's account, with its plan and its partner. */
class OperatedAccount extends Account {
  @Field(shaped({ type: 'object' })) plan!: PlanDocument;
  @Field(uuid(), orNull) partner_id!: string | null;
  @Field(text({ max: 160 }), orNull) external_id!: string | null;
  @Field(dateTime()) updated_at!: Instant;
  @Field(dateTime(), orNull) closed_at!: Instant | null;
}

export function operatedAccountResource(document: AccountDocument): OperatedAccount {
  return present(OperatedAccount, document, { contract: 'svc_api_account_v1' });
}

/** The Integration API's job, with its account. */
export function operatedJobResource(job: JobDocument, now: Instant) {
  const { account_id, computer_id, source } = job;
  return { account_id, computer_id, source, ...jobResource(job, now) };
}

/** The Integration API's computer, with its account. */
export function operatedComputerResource(computer: ComputerDocument, lastSeenAt: Instant | undefined) {
  return { account_id: computer.account_id, ...computerResource(computer, lastSeenAt) };
}

/** All fields except the hash of the secret. */
export function withoutHash<D extends ApiKeyDocument | PartnerCredentialDocument>({ hash: _, ...shown }: D) {
  return shown;
}
