import { Controller, Injectable, Logger, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { OpenDocument } from '../../../contexts/members/index.js';
import { type CheckedContent, EventStore } from '../../../event-sourcing/index.js';
import { BareAnswer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { bytes, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { object, objects } from '../../../http/validation/rules.js';
import { streamOf } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { Documents } from '../../documents.js';
import { orRefuse } from '../../errors/answers.js';
import { StoredEvent, storedEvent } from '../../resources/stored-event.resource.js';
import { ActorNames, NamedActor } from '../actor-names.js';
import { CLOSED_TO_WRITES, panel } from '../panel.surface.js';
import type { MemberCaller, MemberPrincipal } from '../session.authenticator.js';

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
  async open(job: JobDocument, caller: MemberCaller): Promise<Uint8Array | Readable> {
    const { job_id: jobId } = job;
    const found = await this.documents.open(job, caller.by.actor.id);
    if (found.state === 'damaged') this.logger.error(`the document of job ${jobId} is damaged in the store`);
    const body = whole(found);
    try {
      if (!(await caller.isStillValid())) throw new ApiError('credentialInvalid');
      const { credentialId: sessionId, by } = caller;
      const opened = new OpenDocument({ sessionId, jobId, at: this.clock.now(), by });
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

const MAX_EVENTS = 1_000;

/** The browser must not render what others sent in the origin of the service. */
const DOWNLOAD = {
  'content-type': 'application/octet-stream',
  'content-security-policy': 'sandbox',
};

const EXTENSIONS = { pdf: 'pdf', text: 'txt', raw: 'bin' } as const;

export class PanelEvent extends StoredEvent {
  @Field(object(() => NamedActor)) actor!: NamedActor;

  static override readonly example: PanelEvent = { ...StoredEvent.example, actor: NamedActor.example };
}

export class PanelEvents {
  @Field(objects(() => PanelEvent, 1_000), { description: 'Oldest first' })
  items!: readonly PanelEvent[];
}

const Operation = operationsOf(panel, { tag: 'Jobs' });

@Controller()
export class PanelJobsController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly names: ActorNames,
    private readonly events: EventStore,
    private readonly documents: OpenedDocuments,
  ) {}

  @Operation({
    id: 'getJobEvents',
    route: 'GET /v1/panel/jobs/:job_id/events',
    summary: 'List the stored events of a job',
    description: 'With the names of those who caused them; the first thousand.',
    scopes: ['jobs:read'],
    limit: { perMinute: 120 },
    success: ok('The events as they are stored.', PanelEvents),
  })
  async eventsOf(@Param('job_id') jobId: string, @Caller() { accountId }: MemberPrincipal) {
    await this.job(accountId, jobId);
    const events = await this.events.load(streamOf('job', jobId), { max: MAX_EVENTS });
    const named = await this.names.of(
      accountId,
      events.map(({ metadata }) => metadata.actor),
    );
    const items = events.map((event) => ({ ...storedEvent(event), actor: named(event.metadata.actor) }));
    return { items };
  }

  @Operation({
    id: 'getJobDocument',
    route: 'GET /v1/panel/jobs/:job_id/document',
    summary: 'Download the document of a job',
    description: 'Stores who opened it.',
    scopes: ['panel:documents'],
    limit: { perMinute: 30 },
    success: bytes('The bytes as they were sent, as an attachment.'),
    errors: ['CONTENT_NOT_FOUND', ...CLOSED_TO_WRITES],
  })
  async document(
    @Param('job_id') jobId: string,
    @Caller() caller: MemberCaller,
    @Req() { method }: FastifyRequest,
  ) {
    const job = await this.job(caller.accountId, jobId);
    const { documents } = this;
    const body = method === 'HEAD' ? await documents.peek(job) : await documents.open(job, caller);
    const name = `${jobId}.${EXTENSIONS[job.content_type]}`;
    return new BareAnswer(200, body, {
      ...DOWNLOAD,
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': `${job.content_size_bytes}`,
    });
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    return orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
  }
}
