import { Body, Controller, Inject, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { Waiter } from '../../../async/waiters.js';
import {
  LINE_ENDINGS,
  TEXT_ENCODINGS,
  TEXT_MODES,
  type TextSettings,
} from '../../../contexts/devices/index.js';
import {
  type GrantedLease,
  HeldLeases,
  JobNotifier,
  LeaseJobs,
  type PrintOptions,
  ReleaseLease,
  resolvePaper,
} from '../../../contexts/jobs/index.js';
import { AnswerPositions } from '../../../contexts/recovery/index.js';
import { noContent } from '../../../http/answer.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, onHangUp } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  integer,
  object,
  objects,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock, earlier, epochMs, type Instant, plus } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { millimetres, PageOptions } from '../../resources/print-options.resource.js';
import type { ComputerCaller } from '../agent.authenticator.js';
import {
  BUSY,
  busyPrinters,
  contentHash,
  HASH,
  ID,
  position,
  POSITION,
  SEEN,
  SESSION,
  SESSION_POSITION,
} from '../agent.fields.js';
import { agent } from '../agent.surface.js';
import { CallerSession } from '../caller-session.js';

export class LeaseBody {
  @Field(uuid()) session_id!: string;
  @Field(integer(0, 50), { description: 'How long to wait for work' }) wait_seconds!: number;
  @Field(integer(1, 10)) max!: number;
  @Field(busyPrinters, BUSY) busy_printers?: string[];
  @Field(position, SEEN) seen?: string;

  static readonly example: LeaseBody = { session_id: ID, wait_seconds: 25, max: 4 };
}

export class ReleaseBody {
  @Field(uuid(), SESSION) session_id?: string;

  static readonly example: ReleaseBody = { session_id: ID };
}

class LeasedPaper {
  @Field(text({ max: 120 }), { optional: true, description: 'PWG name, or one that the printer lists' })
  name?: string;
  @Field(millimetres, optional) width_mm?: number;
  @Field(millimetres, optional) height_mm?: number;
}

class LeasedOptions extends PageOptions {
  @Field(object(() => LeasedPaper), optional) paper?: LeasedPaper;
}

class LeasedText implements TextSettings {
  @Field(oneOf(...TEXT_ENCODINGS), optional) encoding?: TextSettings['encoding'];
  @Field(oneOf(...LINE_ENDINGS), optional) line_ending?: TextSettings['line_ending'];
  @Field(oneOf(...TEXT_MODES), optional) mode?: TextSettings['mode'];
  @Field(boolean(), { optional: true, description: 'Given for ESC/POS; true: cut after each copy' })
  cut_after?: boolean;
}

export class Lease {
  @Field(uuid()) lease_id!: string;
  @Field(uuid()) job_id!: string;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) fence!: number;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 200 })) printer_key!: string;
  @Field(oneOf('pdf', 'raw', 'text')) content_type!: string;
  @Field(contentHash) content_hash!: string;
  @Field(integer(1, 10_485_760)) content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(object(() => LeasedOptions), { optional: true, description: 'Only to sessions with options/1' })
  options?: LeasedOptions;
  @Field(object(() => LeasedText), {
    optional: true,
    description: 'Settings of the printer, with text documents; only to sessions with text/1',
  })
  text?: LeasedText;
  @Field(text({ max: 128 }), { description: 'Name of the document in the spooler: svc:<job_id>:<fence>' })
  document_name!: string;
  @Field(dateTime()) expires_at!: string;
  @Field(dateTime()) lease_expires_at!: string;
  @Field(text({ max: 55 }), {
    optional: true,
    description:
      'W3C Trace Context of the job, if the service traces it: send it with the calls about the job',
  })
  traceparent?: string;
}

export class LeasesAnswer {
  @Field(objects(() => Lease, 10))
  leases!: Lease[];
  @Field(position, POSITION) position!: string;

  static readonly example: LeasesAnswer = {
    leases: [
      {
        lease_id: ID,
        job_id: ID,
        fence: 1,
        printer_id: ID,
        printer_key: 'usb-001',
        content_type: 'pdf',
        content_hash: HASH,
        content_size_bytes: 14230,
        copies: 1,
        document_name: `svc:${ID}:1`,
        expires_at: '2026-11-22T12:00:00.000Z',
        lease_expires_at: '2026-11-21T12:01:00.000Z',
      },
    ],
    position: SESSION_POSITION,
  };
}

export class ReleasedLease {
  @Field(uuid()) lease_id!: string;
  @Field(constant(true)) released!: boolean;

  static readonly example: ReleasedLease = { lease_id: ID, released: true };
}

export function leaseResource(
  { leaseId, fence, leaseUntil, job, printerKey, text }: GrantedLease,
  namesTraces = false,
) {
  return {
    lease_id: leaseId,
    job_id: job.jobId,
    fence,
    printer_id: job.printerId,
    printer_key: printerKey,
    content_type: job.contentType,
    content_hash: job.contentHash,
    content_size_bytes: job.contentSizeBytes,
    copies: job.copies,
    ...(job.title !== undefined && { title: job.title }),
    ...(job.options && { options: leasedOptions(job.options) }),
    ...(text && { text }),
    document_name: `svc:${job.jobId}:${fence}`,
    expires_at: job.expiresAt,
    lease_expires_at: leaseUntil,
    ...(namesTraces && job.traceparent !== undefined && { traceparent: job.traceparent }),
  };
}

/** Without defaults, except for `unsupported`. */
function leasedOptions({ paper, ...options }: PrintOptions): LeasedOptions {
  return { unsupported: 'refuse', ...options, ...(paper !== undefined && { paper: resolvePaper(paper) }) };
}

/** Provider token: whether this installation traces. */
export const NAMES_TRACES = Symbol('leases name the traces of their jobs');

const Operation = operationsOf(agent, { tag: 'Jobs' });

const leaseJobs = Operation({
  id: 'leaseJobs',
  route: 'POST /v1/agent/leases',
  summary: 'Lease print jobs',
  description: 'A long poll: waits up to `wait_seconds` for a job.',
  body: LeaseBody,
  success: [
    ok('Work: one job of each printer in turn, oldest first per printer.', LeasesAnswer),
    { status: 204, description: 'No work within the wait.' },
  ],
  errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
});

@Controller()
export class LeasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: CallerSession,
    private readonly leases: HeldLeases,
    private readonly notifier: JobNotifier,
    private readonly positions: AnswerPositions,
    private readonly clock: Clock,
    @Inject(NAMES_TRACES) private readonly namesTraces: boolean,
  ) {}

  @leaseJobs
  async lease(
    @Body() body: LeaseBody,
    @Caller() { computerId, by }: ComputerCaller,
    @Req() request: FastifyRequest,
  ) {
    this.notifier.setBusy(computerId, body.session_id, body.busy_printers);
    const waiter = this.notifier.open(computerId);
    const stopListening = onHangUp(request, () => waiter.close());
    try {
      const position = { computerId, seen: body.seen, by };
      let isLook = await this.sessions.checkSeen(position);
      const deadline = plus(this.clock.now(), body.wait_seconds * 1000);
      for (;;) {
        await this.sessions.heard(computerId, body.session_id, by);
        const granted = await this.grant(body, { computerId, by, isLook });
        const { leases, lookAgainAt, full = false, replaced = false, hasWork = false } = granted;
        if (leases.length > 0) {
          return {
            leases: leases.map((lease) => leaseResource(lease, this.namesTraces)),
            position: await this.positions.ofLeases(leases),
          };
        }
        if (isLook && hasWork) {
          isLook = await this.sessions.checkSeen(position, { isFresh: true });
          continue;
        }
        // Refuses it: the stream has just been read.
        if (replaced) await this.sessions.current(computerId, body.session_id, by);
        if (this.notifier.setFull(computerId, full)) continue;
        const until = earlier(deadline, lookAgainAt ?? deadline);
        const woken = await this.sleep(waiter, until);
        // The poll ended early: the client hung up or the service stops.
        if (!woken && (until === deadline || this.clock.now() < until)) return noContent();
      }
    } finally {
      stopListening();
      waiter.close();
    }
  }

  private grant(
    { session_id: sessionId, max }: LeaseBody,
    caller: { readonly computerId: string; readonly by: Origin; readonly isLook: boolean },
  ) {
    const busy = this.notifier.busyOf(caller.computerId, sessionId);
    const at = this.clock.now();
    return this.commands.execute(new LeaseJobs({ ...caller, sessionId, max, busy, at }));
  }

  @Operation({
    id: 'releaseLease',
    route: 'POST /v1/agent/leases/:lease_id/release',
    summary: 'Release a lease',
    description: 'Gives a job back that was not handed to the spooler.',
    body: ReleaseBody,
    bodyOptional: true,
    success: ok('The job is queued again.', ReleasedLease),
    errors: ['LEASE_LOST', 'SESSION_REPLACED', 'SESSION_NOT_FOUND'],
  })
  async release(
    @Param('lease_id') leaseId: string,
    @Body() { session_id: given }: ReleaseBody,
    @Caller() { computerId, by }: ComputerCaller,
  ) {
    const session = await this.sessions.named(computerId, given, by);
    const { jobId } = orNotFound(await this.leases.find(computerId, leaseId), 'LEASE_NOT_FOUND');
    const at = this.clock.now();
    const command = new ReleaseLease({ jobId, computerId, session, leaseId, at, by });
    orRefuse('agent', await this.commands.execute(command));
    return { lease_id: leaseId, released: true };
  }

  /** True if a notification ended the wait. */
  private async sleep(waiter: Waiter, until: Instant): Promise<boolean> {
    const left = epochMs(until) - epochMs(this.clock.now());
    return left > 0 && waiter.wait(left);
  }
}
