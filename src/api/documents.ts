import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import {
  type CheckedContent,
  type ContentPart,
  ContentStore,
  PART_BYTES,
  readChecked,
} from '../event-sourcing/index.js';
import { Turns } from './turns.js';

/** Of large documents: each takes about 1 MiB of memory. A waiting download holds its request only. */
const DOWNLOADS = { ofProcess: 32, ofAccount: 8, ofOwner: 2, waiting: 64 } as const;

/**
 * Documents for those who print or read them. Large ones are streamed, two at once for a computer or person; others
 * wait for their turn until their client gives up (docs/decisions/073-streamed-documents.md).
 */
@Injectable()
export class Documents {
  private readonly turns = new Turns('downloads', DOWNLOADS);

  constructor(private readonly contents: ContentStore) {}

  /**
   * @param owner the computer or person that reads it
   * @throws ApiError 429 if too many downloads of the account wait
   */
  async open(job: JobDocument, owner: string, part?: ContentPart): Promise<CheckedContent> {
    if (job.content_size_bytes <= PART_BYTES) return readChecked(this.contents, job, part);
    const end = await this.turns.take(job.account_id, owner);
    try {
      const found = await readChecked(this.contents, job, part);
      if (found.state === 'whole' && found.body instanceof Readable) found.body.once('close', end);
      else end();
      return found;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** For an answer to HEAD, which needs no bytes. */
  async peek({ job_id: jobId }: JobDocument): Promise<CheckedContent> {
    return (await this.contents.has(jobId))
      ? { state: 'whole', body: Readable.from([]) }
      : { state: 'missing' };
  }
}
