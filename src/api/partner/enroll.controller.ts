import { Body, Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { RedeemEnrollment, type Redeemed } from '../../contexts/devices/index.js';
import { parseCredential } from '../../kernel/credential.js';
import { Clock } from '../../ports/clock.port.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../shared/agent-timing.js';
import { answer } from '../shared/answer.js';
import { ApiError } from '../shared/errors/api-error.js';
import { Operation, type OperationSpec } from '../shared/operation.js';
import { partner } from '../shared/surfaces.js';
import { EnrollBody, EnrolledDevice } from './enroll.requests.js';

const id = '01990000-0000-7000-8000-000000000001';

const enrollDevice: OperationSpec = {
  id: 'enrollDevice',
  surface: partner,
  route: 'POST /v1/managed/enroll',
  summary: 'Redeem an enrolment token for a device credential',
  auth: 'none',
  limit: { perMinute: 20, key: ({ body }) => tokenSubject((body as EnrollBody).enrollment_token) },
  body: EnrollBody,
  requestExample: {
    enrollment_token: 'svc_enroll_live_…',
    installation_id: id,
    hostname: 'FRONT-DESK',
    operating_system: 'Windows 11',
    agent_version: '2.0.59',
  },
  success: {
    status: 200,
    description: 'The computer is enrolled; the credential is shown this once.',
    type: EnrolledDevice,
    codes: ['DEVICE_ENROLLED'],
    example: {
      device_id: id,
      account_id: id,
      friendly_code: 'PC-0A1B2C3D',
      device_credential: 'svc_device_live_…',
      credential_expires_at: '2027-05-20T12:00:00.000Z',
      agent: { base_url: 'http://127.0.0.1:3000/v1', poll_wait_seconds: 25, heartbeat_seconds: 20 },
    },
  },
  errors: ['ENROLLMENT_TOKEN_INVALID'],
};

@Controller()
export class EnrollController {
  constructor(
    private readonly commands: CommandBus,
    private readonly computers: ComputerQueries,
    private readonly clock: Clock,
    @Inject(AGENT_TIMING) private readonly timing: AgentTiming,
  ) {}

  @Operation(enrollDevice)
  async enroll(@Body() body: EnrollBody, @Req() request: FastifyRequest) {
    const description = {
      displayName: body.display_name,
      hostname: body.hostname,
      operatingSystem: body.operating_system,
      agentVersion: body.agent_version,
    };
    const origin = { correlationId: request.correlationId!, requestId: request.id };
    const { enrollment_token: token, installation_id: installationId } = body;
    const command = new RedeemEnrollment(token, installationId, description, this.clock.now(), origin);
    const redeemed = await this.commands.execute<RedeemEnrollment, Redeemed>(command);
    if (!redeemed.ok) throw new ApiError('ENROLLMENT_TOKEN_INVALID');
    const computer = await this.computers.findComputer(redeemed.computerId);
    const { poll_wait_seconds, heartbeat_seconds } = agentConfig(this.timing, 0);
    return answer('DEVICE_ENROLLED', {
      device_id: redeemed.computerId,
      account_id: computer!.account_id,
      friendly_code: computer!.friendly_code,
      device_credential: redeemed.credential,
      credential_expires_at: redeemed.credentialExpiresAt,
      agent: { base_url: this.baseUrl(request), poll_wait_seconds, heartbeat_seconds },
    });
  }

  private baseUrl(request: FastifyRequest): string {
    return `${this.timing.publicUrl ?? `${request.protocol}://${request.host}`}/v1`;
  }
}

/** Tokens that never were share one counter. */
function tokenSubject(token: string): string {
  return parseCredential(token)?.id ?? 'malformed';
}
