import type { EnrollmentEvent } from '../../src/contexts/devices/domain/enrollment.events.js';
import * as pc from '../../test/kit/examples/devices.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { enrollmentsProjection } from './enrollments.projection.js';

const after = (...events: EnrollmentEvent[]) =>
  project(enrollmentsProjection, recorded(`enrollment-${pc.ENROLLMENT_ID}`, ...events)).get(pc.ENROLLMENT_ID);

describe('showing an enrolment token', () => {
  it('is open until it expires', () => {
    const { hash, expiresAt } = pc.enrollmentCreated.data;
    expect(after(pc.enrollmentCreated)).toEqual({
      enrollment_id: pc.ENROLLMENT_ID,
      account_id: pc.ACCOUNT_ID,
      status: 'open',
      created_at: NOON,
      expires_at: expiresAt,
      hash,
    });
  });

  it('names the computer that redeemed it', () => {
    const claimed = { status: 'claimed', computer_id: pc.COMPUTER_ID };
    expect(after(pc.enrollmentCreated, pc.enrollmentClaimed)).toMatchObject(claimed);
    const used = after(pc.enrollmentCreated, pc.enrollmentClaimed, pc.enrollmentCompleted);
    expect(used).toMatchObject({ ...claimed, status: 'completed' });
  });
});
