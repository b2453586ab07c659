import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CreateEnrollment } from '../contexts/devices/index.js';
import { hashCredential, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, plus } from '../kernel/time.js';
import type { Enrollment } from './resources/enrollment.resource.js';

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
