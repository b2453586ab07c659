import { Body, Controller, Headers, Logger, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import {
  AcceptJob,
  type CallingSession,
  ContentLost,
  isHeld,
  type Receipt,
  ReportProgress,
  reportResult,
  StartHandoff,
} from '../../../contexts/jobs/index.js';
import { AnswerPositions } from '../../../contexts/recovery/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { BareAnswer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { bytes, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { validated } from '../../../http/validation/read-input.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { Documents } from '../../documents.js';
import { orRefuse, refusalOf } from '../../errors/answers.js';
import type { ComputerCaller } from '../agent.authenticator.js';
import { BATCH_BYTES } from '../agent.fields.js';
import { agent } from '../agent.surface.js';
import { CallerSession } from '../caller-session.js';
import {
  AcceptBody,
  AcceptedJob,
  byteRange,
  HandoffBody,
  HandoffPermit,
  ReportedEvent,
  ReportedResult,
  ReportResults,
  ReportsBody,
} from './job.messages.js';

/** Lifetime of a hand-off permit. */
const PERMIT_SECONDS = 15;

const Operation = operationsOf(agent, { tag: 'Jobs' });

const getJobContent = Operation({
  id: 'getJobContent',
  route: 'GET /v1/agent/jobs/:job_id/content',
  summary: 'Download the document of a job',
  headers: {
    Range: 'One range of bytes (RFC 9110)',
    'If-Range': 'The ETag of the part already held: another document is sent whole',
    'If-None-Match': 'The ETag already held',
  },
  success: [
    bytes('The whole document.', { headers: { ETag: 'SHA-256 of the document, quoted' } }),
    bytes('The range asked for.', { status: 206, headers: { 'Content-Range': 'Which bytes these are' } }),
    { status: 304, description: 'The agent holds it already.' },
    { status: 416, description: 'The range lies outside the document.' },
  ],
  errors: ['CONTENT_NOT_FOUND', 'CONTENT_DAMAGED'],
});

@Controller()
export class AgentJobsController {
  private readonly logger = new Logger(AgentJobsController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly sessions: CallerSession,
    private readonly documents: Documents,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
    private readonly positions: AnswerPositions,
  ) {}

  @getJobContent
  async content(
    @Param('job_id') jobId: string,
    @Headers('range') range: string | undefined,
    @Headers('if-range') begun: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Caller() { computerId, by }: ComputerCaller,
    @Req() { method }: FastifyRequest,
  ) {
    const job = await this.job(computerId, jobId);
    const size = job.content_size_bytes;
    const etag = `"${job.content_hash}"`;
    if (ifNoneMatch === etag) return new BareAnswer(304, undefined, { etag });
    const sameDocument = begun === undefined || begun === etag;
    const part = byteRange(sameDocument ? range : undefined, size);
    if (part === 'unsatisfiable')
      return new BareAnswer(416, undefined, { 'content-range': `bytes */${size}` });
    const asked = part === 'whole' ? undefined : part;
    const found =
      method === 'HEAD' ? await this.documents.peek(job) : await this.documents.open(job, computerId, asked);
    if (found.state !== 'whole') {
      // Fails the job, because another lease would end the same way.
      const command = new ContentLost({ jobId, computerId, reason: found.state, at: this.clock.now(), by });
      await this.commands.execute(command);
      if (found.state === 'missing') throw new ApiError('CONTENT_NOT_FOUND');
      this.logger.error(`the document of job ${jobId} is damaged in the store and cannot be printed`);
      throw new ApiError('CONTENT_DAMAGED');
    }
    const { first, end } = asked ?? { first: 0, end: size };
    return new BareAnswer(asked ? 206 : 200, found.body, {
      etag,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': `${end - first}`,
      ...(asked && { 'content-range': `bytes ${first}-${end - 1}/${size}` }),
    });
  }

  @Operation({
    id: 'acceptJob',
    route: 'POST /v1/agent/jobs/:job_id/accept',
    summary: 'Accept a print job',
    description: 'Confirms that the agent holds the document and has verified its hash.',
    body: AcceptBody,
    success: ok('The job is the agent’s until it reports.', AcceptedJob),
    errors: ['LEASE_LOST', 'JOB_EXPIRED', 'CONTENT_MISMATCH', 'SESSION_REPLACED', 'SESSION_NOT_FOUND'],
  })
  async accept(
    @Param('job_id') jobId: string,
    @Body() body: AcceptBody,
    @Caller() { computerId, by }: ComputerCaller,
  ) {
    const { lease_id: leaseId, fence, content_hash: hash } = body;
    const session = await this.sessions.named(computerId, body.session_id, by);
    const at = this.clock.now();
    const command = new AcceptJob({ jobId, computerId, session, leaseId, fence, contentHash: hash, at, by });
    const outcome = orRefuse('agent', await this.commands.execute(command));
    if (outcome.state.status === 'expired') throw new ApiError('JOB_EXPIRED');
    await this.liveness.recordHeartbeat([`lease:${leaseId}`], at);
    return { job_id: jobId, fence, status: outcome.state.status };
  }

  @Operation({
    id: 'startHandoff',
    route: 'POST /v1/agent/jobs/:job_id/handoff',
    summary: 'Request the hand-off permit',
    description: 'Without the permit the document must not reach the spooler.',
    body: HandoffBody,
    success: ok('Begin now: from here on the document may have been printed.', HandoffPermit),
    errors: ['LEASE_LOST', 'JOB_EXPIRED', 'SESSION_REPLACED', 'SESSION_NOT_FOUND'],
  })
  async handoff(
    @Param('job_id') jobId: string,
    @Body() { lease_id: leaseId, fence, session_id: given }: HandoffBody,
    @Caller() { computerId, by }: ComputerCaller,
  ) {
    const session = await this.sessions.named(computerId, given, by);
    const at = this.clock.now();
    const command = new StartHandoff({ jobId, computerId, session, leaseId, fence, at, by });
    const outcome = orRefuse('agent', await this.commands.execute(command));
    if (outcome.state.status === 'expired') throw new ApiError('JOB_EXPIRED');
    await this.liveness.recordHeartbeat([`lease:${leaseId}`], at);
    const position = await this.positions.ofHandoff(jobId, outcome.events);
    return { permit: true, permit_seconds: PERMIT_SECONDS, position };
  }

  /** In the given order, each on its own. */
  @Operation({
    id: 'reportEvents',
    route: 'POST /v1/agent/events',
    summary: 'Report progress and results',
    description:
      'Each event is judged on its own: applied, duplicate, late (recorded, nothing changed) or rejected with a code. ' +
      'Fields of an event: event_id, job_id, lease_id, fence, type, occurred_at, spooler_provider?, spooler_job_id?, ' +
      'failure_code?, failure_class?, message?; with spooled also applied? and ignored?.',
    body: ReportsBody,
    maxBodyBytes: BATCH_BYTES,
    success: ok('What became of each event.', ReportResults),
    errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
  })
  async report(
    @Body() { events, session_id: given }: ReportsBody,
    @Caller() { computerId, by }: ComputerCaller,
  ) {
    const results: ReportedResult[] = [];
    for (const event of events) {
      const session = await this.sessions.named(computerId, given, by);
      results.push(await this.reportOne(event, computerId, session, by));
    }
    return { results };
  }

  private async reportOne(
    given: object,
    computerId: string,
    session: CallingSession,
    by: Origin,
  ): Promise<ReportedResult> {
    const { value: event, problems } = validated(ReportedEvent, given);
    if (!event)
      return {
        event_id: eventIdOf(given),
        result: 'rejected',
        code: 'INVALID_REQUEST',
        message: problems.join('; '),
      };
    const at = this.clock.now();
    const { event_id, job_id: jobId, lease_id: leaseId, fence } = event;
    const report = {
      id: event_id,
      type: event.type,
      occurredAt: event.occurred_at,
      spoolerProvider: event.spooler_provider,
      spoolerJobId: event.spooler_job_id,
      failureCode: event.failure_code,
      failureClass: event.failure_class,
      message: event.message,
      receipt: receiptOf(event),
    };
    const command = new ReportProgress({ jobId, computerId, session, leaseId, fence, report, at, by });
    const outcome = await this.commands.execute(command);
    if (!outcome.ok && outcome.rejection.code === 'LateResultNotKept') return { event_id, result: 'late' };
    if (!outcome.ok) return { event_id, result: 'rejected', code: refusalOf('agent', outcome.rejection).key };
    const { lease, status } = outcome.state;
    // A heartbeat is recorded only for the current lease while it is held.
    if (lease?.leaseId === leaseId && isHeld(status))
      await this.liveness.recordHeartbeat([`lease:${leaseId}`], at);
    return { event_id, result: reportResult(outcome.events) };
  }

  private async job(computerId: string, jobId: string): Promise<JobDocument> {
    return orNotFound(await this.jobs.getJobOfComputer(computerId, jobId), 'JOB_NOT_FOUND');
  }
}

function receiptOf({ applied, ignored }: ReportedEvent): Receipt | undefined {
  return applied || ignored ? { applied: applied ?? {}, ignored: ignored ?? [] } : undefined;
}

function eventIdOf(given: object): string {
  const { event_id: id } = given as { event_id?: unknown };
  return typeof id === 'string' ? id.slice(0, 64) : '';
}
