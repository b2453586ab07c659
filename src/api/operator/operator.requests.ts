import { SLUG_MAX_LENGTH, SLUG_PATTERN } from '../../contexts/accounts/index.js';
import { COMPUTER_STATUSES } from '../../contexts/devices/index.js';
import { JOB_STATUSES } from '../../contexts/jobs/index.js';
import { Field } from '../../http/validation/field.js';
import { boolean, dateTime, integer, listOf, name, oneOf, text, uuid } from '../../http/validation/rules.js';

const optional = { optional: true } as const;
const SLUG = {
  max: SLUG_MAX_LENGTH,
  pattern: SLUG_PATTERN,
  says: 'must be 1 to 60 of a-z, 0-9 in words joined by hyphens',
};
const jobsPerMonth = integer(0, 1_000_000_000);
const maxContentBytes = integer(1, 10_485_760);

export class CreateAccountBody {
  @Field(name({ max: 120 })) name!: string;
  @Field(text(SLUG), optional) slug?: string;
  @Field(boolean(), optional) virtual_printers_only: boolean = false;
  @Field(jobsPerMonth, { optional: true, nullable: true }) jobs_per_month?: number | null;
  @Field(maxContentBytes, optional) max_content_bytes?: number;
  @Field(integer(1, 10), optional) max_auto_retries?: number;
}

export class PlanBody {
  @Field(jobsPerMonth, { optional: true, nullable: true }) jobs_per_month?: number | null;
  @Field(maxContentBytes, optional) max_content_bytes?: number;
  @Field(integer(1, 10), optional) max_auto_retries?: number;
}

export class EnvironmentBody {
  @Field(boolean()) enabled!: boolean;
}

export class CloseBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class CreateKeyBody {
  @Field(listOf(text({ max: 64 }), { min: 1, max: 32 })) scopes!: string[];
  @Field(dateTime(), optional) expires_at?: string;
  @Field(name({ max: 120 }), optional) name?: string;
}

export class CreatePartnerBody {
  @Field(name({ max: 120 })) name!: string;
}

export class CreateCredentialBody {
  @Field(oneOf('live', 'test')) kind!: 'live' | 'test';
  @Field(listOf(text({ max: 64 }), { min: 1, max: 32 })) scopes!: string[];
}

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), optional) ttl: number = 600;
}

export class ReleaseJobsBody {
  @Field(dateTime()) restored_before!: string;
}

export class OperatorListQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(integer(0, 1_000_000), optional) offset: number = 0;
}

export class JobListQuery extends OperatorListQuery {
  @Field(uuid(), optional) account_id?: string;
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
}

export class ComputerListQuery extends OperatorListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

export class EventsQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(text({ max: 20, pattern: /^\d{1,20}$/, says: 'must be a position' }), optional) after?: string;
}
