import { Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, onHangUp, RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Turns } from '../../turns.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { OpenedDocuments } from './opened-documents.js';
import { DocumentPreview, notDrawn, PageDrawing } from './page-drawing.js';

/** At most two drawings at once, and one for each account, so that no account takes both places. */
const DRAWINGS = { ofProcess: 2, ofAccount: 1, ofOwner: 1, waiting: 4 } as const;

const Operation = operationsOf(panel, { tag: 'Jobs' });

@Controller()
export class PreviewController {
  private readonly turns = new Turns('drawings', DRAWINGS);

  constructor(
    private readonly jobs: JobQueries,
    private readonly opened: OpenedDocuments,
    private readonly drawing: PageDrawing,
  ) {}

  @Operation({
    id: 'previewDocument',
    route: 'GET /v1/panel/jobs/:job_id/preview',
    summary: 'Show the first pages of a document',
    description: 'Up to three pages of a PDF, as pictures. Stores who opened the document.',
    scopes: ['jobs:read', 'panel:documents'],
    limit: { perMinute: 30 },
    success: ok('The pages, or why there are none.', DocumentPreview),
    errors: ['CONTENT_NOT_FOUND'],
  })
  async preview(
    @Param('job_id') jobId: string,
    @Caller() caller: MemberPrincipal,
    @RequestOrigin() by: Origin,
    @Req() request: FastifyRequest,
  ): Promise<DocumentPreview> {
    const { accountId } = caller;
    const job = orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
    const { problem } = this.drawing;
    if (problem !== undefined) return notDrawn(problem);
    if (job.content_type !== 'pdf') return notDrawn('draws only PDF');
    if (request.method === 'HEAD') {
      await this.opened.peek(job);
      return notDrawn('draws nothing for HEAD');
    }
    const gone = new AbortController();
    const settle = onHangUp(request, () => gone.abort());
    const leave = await this.turns.take(accountId, by.actor.id);
    try {
      if (gone.signal.aborted) return notDrawn('draws nothing for a closed connection');
      const body = await this.opened.open(job, caller, by);
      const bytes = body instanceof Readable ? await buffer(body) : body;
      return await this.drawing.draw(bytes, gone.signal);
    } finally {
      leave();
      settle();
    }
  }
}
