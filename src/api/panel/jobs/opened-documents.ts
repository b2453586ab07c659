import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Readable } from 'node:stream';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { OpenDocument } from '../../../contexts/members/index.js';
import type { CheckedContent } from '../../../event-sourcing/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { Documents } from '../../documents.js';
import { orRefuse } from '../../errors/answers.js';
import type { MemberPrincipal } from '../session.authenticator.js';

/** Documents that members see: each opening is stored, and without its trace nothing is shown. */
@Injectable()
export class OpenedDocuments {
  private readonly logger = new Logger(OpenedDocuments.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  /** For an answer to HEAD, which shows nothing. @throws ApiError CONTENT_NOT_FOUND */
  async peek(job: JobDocument): Promise<Uint8Array | Readable> {
    return whole(await this.documents.peek(job));
  }

  /** @throws ApiError CONTENT_NOT_FOUND, 429 if too many downloads of the account wait, 401 if the caller's rights ended meanwhile */
  async open(job: JobDocument, caller: MemberPrincipal, by: Origin): Promise<Uint8Array | Readable> {
    const { job_id: jobId } = job;
    const found = await this.documents.open(job, by.actor.id);
    if (found.state === 'damaged') this.logger.error(`the document of job ${jobId} is damaged in the store`);
    const body = whole(found);
    try {
      if (!(await caller.isStillValid())) throw new ApiError('credentialInvalid');
      const opened = new OpenDocument({ sessionId: caller.credentialId, jobId, at: this.clock.now(), by });
      orRefuse('panel', await this.commands.execute(opened));
    } catch (error) {
      // An unsent stream would keep its turn among the downloads.
      if (body instanceof Readable) body.destroy();
      throw error;
    }
    return body;
  }
}

function whole(found: CheckedContent): Uint8Array | Readable {
  if (found.state !== 'whole') throw new ApiError('CONTENT_NOT_FOUND');
  return found.body;
}
