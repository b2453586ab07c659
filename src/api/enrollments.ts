import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CreateEnrollment } from '../contexts/devices/index.js';
import { Field } from '../http/validation/field.js';
import { dateTime, text, uuid } from '../http/validation/rules.js';
import { hashCredential, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Instant, plus } from '../kernel/time.js';

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

/** Creates enrolment tokens; the caller has checked the account. */
@Injectable()
export class Enrollments {
  constructor(
    private readonly commands: CommandBus,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  /** The token is in the answer alone. */
  async create(accountId: string, ttlSeconds: number, by: Origin): Promise<Enrollment> {
    const enrollmentId = this.randomness.uuid();
    const token = mintCredential('svc_enroll_live_', enrollmentId, this.randomness.bytes(32));
    const at = this.clock.now();
    const expiresAt = plus(at, ttlSeconds * 1000);
    const stored = { accountId, hash: hashCredential(token), expiresAt, createdBy: by.actor };
    await this.commands.execute(new CreateEnrollment({ enrollmentId, token: stored, at, by }));
    return {
      enrollment_id: enrollmentId,
      enrollment_token: token,
      expires_at: expiresAt,
      account_id: accountId,
    };
  }
}
