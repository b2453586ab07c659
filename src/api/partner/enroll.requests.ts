import { Field } from '../../http/validation/field.js';
import { dateTime, integer, object, reportedText, text, uuid } from '../../http/validation/rules.js';

const optional = { optional: true } as const;

/** Contract, section 4.4: authenticates by the token, without a Bearer credential. */
export class EnrollBody {
  @Field(text({ max: 200 })) enrollment_token!: string;
  @Field(uuid()) installation_id!: string;
  @Field(text({ max: 120 }), optional) display_name?: string;
  @Field(reportedText({ max: 255 }), optional) hostname?: string;
  @Field(reportedText({ max: 120 }), optional) operating_system?: string;
  @Field(reportedText({ max: 40 }), optional) agent_version?: string;
}

export class AgentEndpoint {
  @Field(text({ max: 2048 })) base_url!: string;
  @Field(integer(0, 50)) poll_wait_seconds!: number;
  @Field({ ...integer(0, 60), schema: { type: 'number', minimum: 0 } }) heartbeat_seconds!: number;
}

export class EnrolledDevice {
  @Field(uuid()) device_id!: string;
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 40 })) friendly_code!: string;
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) device_credential!: string;
  @Field(dateTime()) credential_expires_at!: string;
  @Field(object(() => AgentEndpoint)) agent!: AgentEndpoint;
}
