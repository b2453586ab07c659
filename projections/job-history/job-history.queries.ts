import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { jobHistoryView, type HistoryEvent, type JobHistoryDocument } from './job-history.js';

@Injectable()
export class JobHistoryQueries {
  constructor(private readonly views: ViewStore) {}

  /** The job's timeline, oldest first; undefined for a job of another account. */
  async getHistory(accountId: string, jobId: string): Promise<readonly HistoryEvent[] | undefined> {
    const document = await this.views.get<JobHistoryDocument>(jobHistoryView, jobId);
    return document?.account_id === accountId ? document.history : undefined;
  }
}
