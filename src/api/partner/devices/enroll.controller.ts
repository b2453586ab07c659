import { Body, Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { RedeemEnrollment } from '../../../contexts/devices/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, integer, name, object, reportedText, text, uuid } from '../../../http/validation/rules.js';
import { parseCredential } from '../../../kernel/credential.js';
import { Clock } from '../../../kernel/time.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../../agent-timing.js';
import { LIMITS, partner } from '../partner.surface.js';

/** The token authenticates the request; there is no Bearer credential. */
class EnrollBody {
  @Field(text({ max: 200 })) enrollment_token!: string;
  @Field(uuid()) installation_id!: string;
  @Field(name({ max: 120 }), optional) display_name?: string;
  @Field(reportedText({ max: 255 }), optional) hostname?: string;
  @Field(reportedText({ max: 120 }), optional) operating_system?: string;
  @Field(reportedText({ max: 40 }), optional) agent_version?: string;
}

class AgentEndpoint {
  @Field(text({ max: 2048 })) base_url!: string;
  @Field(integer(0, 50)) poll_wait_seconds!: number;
  @Field({ ...integer(0, 60), schema: { type: 'number', minimum: 0 } }) heartbeat_seconds!: number;
}

class EnrolledDevice {
  @Field(uuid()) device_id!: string;
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 40 })) friendly_code!: string;
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) device_credential!: string;
  @Field(dateTime()) credential_expires_at!: string;
  @Field(object(() => AgentEndpoint)) agent!: AgentEndpoint;
}

const id = '01990000-0000-7000-8000-000000000001';

/** Malformed tokens share one counter. */
function tokenSubject(token: string): string {
  return parseCredential(token)?.id ?? 'malformed';
}

const Operation = operationsOf(partner, { tag: 'Computers' });

const enrollDevice = Operation({
  id: 'enrollDevice',
  route: 'POST /v1/managed/enroll',
  summary: 'Enrol a computer',
  description: 'Redeems an enrolment token for a device credential.',
  auth: 'none',
  limit: {
    perMinute: LIMITS.enrollDevice,
    key: ({ body }) => tokenSubject((body as EnrollBody).enrollment_token),
  },
  body: EnrollBody,
  requestExample: {
    enrollment_token: 'svc_enroll_live_…',
    installation_id: id,
    hostname: 'FRONT-DESK',
    operating_system: 'Windows 11',
    agent_version: '2.0.59',
  },
  success: ok('The computer is enrolled; the credential is shown this once.', EnrolledDevice, {
    code: 'DEVICE_ENROLLED',
    example: {
      device_id: id,
      account_id: id,
      friendly_code: 'PC-0A1B2C3D',
      device_credential: 'svc_device_live_…',
      credential_expires_at: '2027-05-20T12:00:00.000Z',
      agent: { base_url: 'http://127.0.0.1:3000/v1', poll_wait_seconds: 25, heartbeat_seconds: 20 },
    },
  }),
  errors: ['ENROLLMENT_TOKEN_INVALID'],
});

@Controller()
export class EnrollController {
  constructor(
    private readonly commands: CommandBus,
    private readonly computers: ComputerQueries,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

  @enrollDevice
  async enroll(@Body() body: EnrollBody, @Req() request: FastifyRequest) {
    const description = {
      displayName: body.display_name,
      hostname: body.hostname,
      operatingSystem: body.operating_system,
      agentVersion: body.agent_version,
    };
    const by = { correlationId: request.correlationId!, requestId: request.id };
    const { enrollment_token: token, installation_id: installationId } = body;
    const at = this.clock.now();
    const command = new RedeemEnrollment({ token, installationId, description, at, by });
    const redeemed = await this.commands.execute(command);
    if (!redeemed.ok) throw new ApiError('ENROLLMENT_TOKEN_INVALID');
    const computer = await this.computers.findComputer(redeemed.computerId);
    const { poll_wait_seconds, heartbeat_seconds } = agentConfig(this.timing);
    return {
      device_id: redeemed.computerId,
      account_id: computer!.account_id,
      friendly_code: computer!.friendly_code,
      device_credential: redeemed.credential,
      credential_expires_at: redeemed.credentialExpiresAt,
      agent: { base_url: this.baseUrl(request), poll_wait_seconds, heartbeat_seconds },
    };
  }

  private baseUrl(request: FastifyRequest): string {
    return `${this.timing.publicUrl ?? `${request.protocol}://${request.host}`}/v1`;
  }
}
