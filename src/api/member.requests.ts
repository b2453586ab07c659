import { MEMBER_ROLES, type MemberRole } from '../contexts/members/index.js';
import { Field, optional } from '../http/validation/field.js';
import { boolean, integer, name, oneOf, text } from '../http/validation/rules.js';

const ttl = integer(60, 259_200);
const NAME = {
  max: 40,
  pattern: /^[a-z0-9][a-z0-9._-]{0,39}$/,
  says: 'must be 1 to 40 of a-z, 0-9, dot, underscore and hyphen, and begin with a letter or digit',
};

export class InviteMemberBody {
  @Field(text(NAME)) name!: string;
  @Field(name({ max: 80 }), optional) display_name?: string;
  @Field(oneOf(...MEMBER_ROLES)) role!: MemberRole;
  @Field(ttl, optional) ttl?: number;
}

export class MemberLinkBody {
  @Field(ttl, optional) ttl?: number;
}

export class MemberRoleBody {
  @Field(oneOf(...MEMBER_ROLES)) role!: MemberRole;
}

export class RemoveMemberBody {
  @Field(boolean(), optional) revoke_keys: boolean = false;
}

export class PanelLinkBody {
  @Field(text(NAME), optional) name: string = 'operator';
  @Field(ttl, optional) ttl?: number;
}
