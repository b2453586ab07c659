import { Controller, Logger, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { OpenDocument } from '../../contexts/members/index.js';
import { readChecked } from '../../event-sourcing/write/checked-content.js';
import { answer, BareAnswer } from '../../http/answer.js';
import { ApiError, refusalOf } from '../../http/errors/api-error.js';
import { Operation } from '../../http/operation.js';
import { Caller, RequestOrigin } from '../../http/request.js';
import { streamOf } from '../../kernel/ids.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { Clock } from '../../ports/clock.port.js';
import { ContentStore } from '../../ports/content-store.port.js';
import { EventStore } from '../../ports/event-store.port.js';
import { storedEvent } from '../resources/stored-event.resource.js';
import { ActorNames } from './actor-names.js';
import { PanelEvents } from './event.resource.js';
import { documentRejections } from './panel.errors.js';
import { CLOSED_TO_WRITES, operationOf } from './panel.surface.js';
import type { MemberPrincipal } from './session.authenticator.js';

const MAX_EVENTS = 1_000;
const params = { job_id: 'JOB_NOT_FOUND' } as const;

const getJobEvents = operationOf({
  id: 'getJobEvents',
  route: 'GET /v1/panel/jobs/:job_id/events',
  summary: 'List the stored events of a job',
  description: 'With the names of those who caused them; the first thousand.',
  tag: 'Jobs',
  scopes: ['jobs:read'],
  limit: { perMinute: 120 },
  params,
  success: { status: 200, type: PanelEvents, description: 'The events as they are stored.', codes: ['OK'] },
});

const getJobDocument = operationOf({
  id: 'getJobDocument',
  route: 'GET /v1/panel/jobs/:job_id/document',
  summary: 'Download the document of a job',
  description: 'Stores who opened it.',
  tag: 'Jobs',
  scopes: ['panel:documents'],
  limit: { perMinute: 30 },
  params,
  success: {
    status: 200,
    description: 'The bytes as they were sent, as an attachment.',
    media: 'application/octet-stream',
  },
  errors: ['CONTENT_NOT_FOUND', ...CLOSED_TO_WRITES],
});

/** The browser must not render what others sent in the origin of the service. */
const DOWNLOAD = {
  'content-type': 'application/octet-stream',
  'content-security-policy': 'sandbox',
};

const EXTENSIONS = { pdf: 'pdf', text: 'txt', raw: 'bin' } as const;

@Controller()
export class PanelJobsController {
  private readonly logger = new Logger(PanelJobsController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly names: ActorNames,
    private readonly events: EventStore,
    private readonly contents: ContentStore,
    private readonly clock: Clock,
  ) {}

  @Operation(getJobEvents)
  async eventsOf(@Param('job_id') jobId: string, @Caller() { accountId }: MemberPrincipal) {
    await this.job(accountId, jobId);
    const events = await this.events.load(streamOf('job', jobId), { max: MAX_EVENTS });
    const named = await this.names.of(
      accountId,
      events.map(({ metadata }) => metadata.actor),
    );
    const items = events.map((event) => ({ ...storedEvent(event), actor: named(event.metadata.actor) }));
    return answer('OK', { items });
  }

  @Operation(getJobDocument)
  async document(
    @Param('job_id') jobId: string,
    @Caller() { accountId, credentialId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const { content_hash, content_type } = await this.job(accountId, jobId);
    const found = await readChecked(this.contents, jobId, content_hash);
    if (found.state === 'damaged') this.logger.error(`the document of job ${jobId} is damaged in the store`);
    if (found.state !== 'whole') throw new ApiError('CONTENT_NOT_FOUND');
    const opened = await this.commands.execute(new OpenDocument(credentialId, jobId, this.clock.now(), by));
    if (!opened.ok) throw refusalOf(documentRejections, opened.rejection);
    const name = `${jobId}.${EXTENSIONS[content_type]}`;
    const headers = { ...DOWNLOAD, 'content-disposition': `attachment; filename="${name}"` };
    return new BareAnswer(200, found.bytes, headers);
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    const job = await this.jobs.getJob(accountId, jobId);
    if (!job) throw new ApiError('JOB_NOT_FOUND');
    return job;
  }
}
