import type { EnrollmentEvent } from '../../src/contexts/devices/domain/enrollment.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import { enrollmentsView, type EnrollmentDocument } from './enrollments.js';

/** The current state of a token. */
export const enrollmentsProjection: Projection<EnrollmentDocument, EnrollmentEvent> = {
  view: enrollmentsView,
  handles: ['EnrollmentCreated', 'EnrollmentClaimed', 'EnrollmentCompleted'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    switch (event.type) {
      case 'EnrollmentCreated': {
        const { enrollmentId, accountId, hash, expiresAt } = event.data;
        return {
          enrollment_id: enrollmentId,
          account_id: accountId,
          status: 'open',
          created_at: event.metadata.at,
          expires_at: expiresAt,
          hash,
        };
      }
      case 'EnrollmentClaimed':
        return document && { ...document, status: 'claimed', computer_id: event.data.computerId };
      case 'EnrollmentCompleted':
        return document && { ...document, status: 'completed' };
    }
  },
};
