import { Field, optional } from '../../../http/validation/field.js';
import { boolean, type Rule, text } from '../../../http/validation/rules.js';

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
  @Field(boolean(), optional) everywhere: boolean = false;
}

export class PasswordBody {
  @Field(secret, optional) current?: string;
  @Field(secret) next!: string;
}
