import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { enrollmentsView, type EnrollmentDocument } from './enrollments.js';

/** Queries about enrolment tokens. */
@Injectable()
export class EnrollmentQueries {
  constructor(private readonly views: ViewStore) {}

  async getEnrollment(accountId: string, enrollmentId: string): Promise<EnrollmentDocument | undefined> {
    const enrollment = await this.views.get<EnrollmentDocument>(enrollmentsView, enrollmentId);
    return enrollment?.account_id === accountId ? enrollment : undefined;
  }
}
