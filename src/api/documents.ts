import { Injectable, Module } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import {
  type CheckedContent,
  type ContentPart,
  ContentStore,
  PART_BYTES,
  readChecked,
} from '../event-sourcing/index.js';
import { ApiError } from '../http/errors/api-error.js';

/** Large documents sent at once: each takes about 1 MiB of memory. */
const OF_PROCESS = 32;
const OF_ACCOUNT = 8;
const OF_OWNER = 2;
/** Of an account; a waiting download holds its request only. */
const MAX_WAITING = 64;

interface Download {
  readonly accountId: string;
  readonly owner: string;
  readonly start: () => void;
}

/**
 * Documents for those who print or read them. Large ones are streamed, two at once for a computer or person; others
 * wait for their turn until their client gives up (docs/decisions/073-streamed-documents.md).
 */
@Injectable()
export class Documents {
  private readonly running = new Set<Download>();
  private readonly waiting = new Set<Download>();

  constructor(private readonly contents: ContentStore) {}

  /**
   * @param owner the computer or person that reads it
   * @throws ApiError 429 if too many downloads of the account wait
   */
  async open(job: JobDocument, owner: string, part?: ContentPart): Promise<CheckedContent> {
    if (job.content_size_bytes <= PART_BYTES) return readChecked(this.contents, job, part);
    const download = await this.turn(job.account_id, owner);
    const end = () => this.end(download);
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

  private turn(accountId: string, owner: string): Promise<Download> {
    const waiting = [...this.waiting].filter((one) => one.accountId === accountId);
    if (waiting.length >= MAX_WAITING)
      throw new ApiError('rateLimited', 'Too many downloads at once.', { 'retry-after': '1' });
    return new Promise((resolve) => {
      const download = { accountId, owner, start: () => resolve(download) };
      this.waiting.add(download);
      this.serve();
    });
  }

  private end(download: Download): void {
    if (this.running.delete(download)) this.serve();
  }

  private serve(): void {
    for (const download of this.waiting) {
      if (!this.mayRun(download)) continue;
      this.waiting.delete(download);
      this.running.add(download);
      download.start();
    }
  }

  private mayRun({ accountId, owner }: Download): boolean {
    const ofAccount = [...this.running].filter((one) => one.accountId === accountId);
    const ofOwner = ofAccount.filter((one) => one.owner === owner);
    return this.running.size < OF_PROCESS && ofAccount.length < OF_ACCOUNT && ofOwner.length < OF_OWNER;
  }
}

@Module({ providers: [Documents], exports: [Documents] })
export class DocumentsModule {}
