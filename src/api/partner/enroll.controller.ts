import { Body, Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { RedeemEnrollment } from '../../contexts/devices/index.js';
import { Clock } from '../../ports/clock.port.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../agent-timing.js';
import { answer } from '../../http/answer.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Operation } from '../../http/operation.js';
import { enrollDevice } from './enroll.operations.js';
import { EnrollBody } from './enroll.requests.js';

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
    const redeemed = await this.commands.execute(command);
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
