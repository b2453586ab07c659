import { Field } from '../../http/validation/field.js';
import { INTEGRATION_SCOPES } from '../../contexts/accounts/index.js';
import { CursorQuery } from '../cursor-lists.js';
import {
  boolean,
  dateTime,
  integer,
  listOf,
  name,
  oneOf,
  type Rule,
  text,
} from '../../http/validation/rules.js';

/** Any characters: what a person enters is compared, or judged by the rules for passwords. */
const secret: Rule = {
  schema: { type: 'string', minLength: 1, maxLength: 1_024 },
  says: 'must be 1 to 1024 characters',
  accepts: (value) => typeof value === 'string' && value.length >= 1 && value.length <= 1_024,
};

export class SignInBody {
  @Field(text({ max: 120 })) sign_in_name!: string;
  @Field(secret) password!: string;
}

export class LinkSignInBody {
  @Field(secret) token!: string;
}

export class EndSessionBody {
  @Field(boolean(), { optional: true }) everywhere: boolean = false;
}

export class PasswordBody {
  @Field(secret, { optional: true }) current?: string;
  @Field(secret) next!: string;
}

export class CreatePanelKeyBody {
  @Field(name({ max: 120 })) name!: string;
  @Field(listOf(oneOf(...INTEGRATION_SCOPES), { min: 1, max: INTEGRATION_SCOPES.length })) scopes!: string[];
  @Field(dateTime(), { optional: true }) expires_at?: string;
}

export class EnrollmentBody {
  @Field(integer(60, 1800), { optional: true }) ttl: number = 600;
}

export class AuditQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
}
