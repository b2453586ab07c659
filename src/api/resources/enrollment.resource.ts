import { Field } from '../../http/validation/field.js';
import { dateTime, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

/** An enrolment token; shown only at its creation. */
export class Enrollment {
  @Field(uuid()) enrollment_id!: string;
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) enrollment_token!: string;
  @Field(dateTime()) expires_at!: Instant;
  @Field(uuid()) account_id!: string;

  static readonly example: Enrollment = {
    enrollment_id: '01990000-0000-7000-8000-000000000001',
    enrollment_token: 'svc_enroll_live_…',
    expires_at: '2026-11-21T12:10:00.000Z',
    account_id: '01990000-0000-7000-8000-000000000001',
  };
}
