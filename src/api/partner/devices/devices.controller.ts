import { Body, Controller, Headers, Inject, Param, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { RedeemEnrollment, RevokeComputer } from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import {
  dateTime,
  integer,
  name,
  object,
  oneOf,
  reportedText,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import { parseCredential } from '../../../kernel/credential.js';
import { Clock } from '../../../kernel/time.js';
import { AGENT_TIMING, agentConfig, type AgentTiming } from '../../agent-timing.js';
import { orRefuse } from '../../errors/answers.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { ETAG, IF_NONE_MATCH, UNCHANGED } from '../../polling.js';
import { lastSeen } from '../../resources/computer.resource.js';
import { mustBeOpen, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerCaller, PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';
import {
  COMPUTER_STATUSES_OF,
  Device,
  DEVICE_STATUSES,
  deviceResource,
  type DeviceStatus,
} from './device.resource.js';

export class ListDevicesQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...DEVICE_STATUSES), optional) status?: DeviceStatus;
}

export class DeactivateDeviceBody {
  @Field(text({ min: 10, max: 500 }), optional) reason: string = 'deactivated by the partner';
}

const Operation = operationsOf(partner, { tag: 'Computers' });

@Controller()
export class PartnerDevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly lists: CursorLists,
    private readonly computers: ComputerQueries,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'listDevices',
    route: 'GET /v1/accounts/:account_id/devices',
    summary: 'List devices',
    description: 'Newest first.',
    scopes: ['devices:read'],
    limit: { perMinute: LIMITS.listDevices },
    query: ListDevicesQuery,
    headers: IF_NONE_MATCH,
    success: [ok('A page of devices.', Device, { list: 'cursor', headers: ETAG }), UNCHANGED],
  })
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListDevicesQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('devices', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const filter = { status: query.status && COMPUTER_STATUSES_OF[query.status] };
    const page = await list.read((keyset) => this.computers.listDevices(accountId, filter, keyset));
    const mark = ({ computer_id, sequence }: ComputerDocument) => `${computer_id} ${sequence}`;
    return this.lists.answer(page, ifNoneMatch, mark, () => this.resources(page.documents));
  }

  @Operation({
    id: 'deactivateDevice',
    route: 'POST /v1/accounts/:account_id/devices/:device_id/deactivate',
    summary: 'Deactivate a device',
    description:
      'Revokes its credential and ends its session at once; only a new enrolment brings it back. A repeat changes nothing and answers the same.',
    scopes: ['devices:write'],
    limit: { perMinute: LIMITS.deactivateDevice },
    body: DeactivateDeviceBody,
    bodyOptional: true,
    requestExample: { reason: 'the till was replaced' },
    success: ok('The device is revoked.', Device, {
      code: 'DEVICE_DEACTIVATED',
      example: { ...Device.example, status: 'revoked', raw_status: 'revoked' },
    }),
    errors: ['ACCOUNT_CLOSED'],
  })
  async deactivate(
    @Param('account_id') accountId: string,
    @Param('device_id') deviceId: string,
    @Body() { reason }: DeactivateDeviceBody,
    @Caller() caller: PartnerCaller,
  ) {
    const account = await this.accounts.known(caller, accountId);
    await this.device(accountId, deviceId);
    mustBeOpen(account);
    const command = new RevokeComputer({ computerId: deviceId, reason, at: this.clock.now(), by: caller.by });
    orRefuse('partner', await this.commands.execute(command));
    const [resource] = await this.resources([await this.device(accountId, deviceId)]);
    return resource;
  }

  private async device(accountId: string, deviceId: string): Promise<ComputerDocument> {
    return orNotFound(await this.computers.getComputer(accountId, deviceId), 'DEVICE_NOT_FOUND');
  }

  private async resources(computers: readonly ComputerDocument[]) {
    const seen = await lastSeen(this.liveness, computers);
    return computers.map((computer, i) => deviceResource(computer, seen[i]));
  }
}

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

/** Malformed tokens of an address share one counter. */
function tokenSubject({ body, ip }: FastifyRequest): string {
  return parseCredential((body as EnrollBody).enrollment_token)?.id ?? `malformed ${ip}`;
}

const enrollDevice = Operation({
  id: 'enrollDevice',
  route: 'POST /v1/managed/enroll',
  summary: 'Enrol a computer',
  description: 'Redeems an enrolment token for a device credential.',
  auth: 'none',
  limit: {
    perMinute: LIMITS.enrollDevice,
    key: tokenSubject,
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
    // The token is used: nothing that could fail comes after it.
    const { poll_wait_seconds, heartbeat_seconds } = agentConfig(this.timing);
    return {
      device_id: redeemed.computerId,
      account_id: redeemed.accountId,
      friendly_code: redeemed.friendlyCode,
      device_credential: redeemed.credential,
      credential_expires_at: redeemed.credentialExpiresAt,
      agent: { base_url: this.baseUrl(request), poll_wait_seconds, heartbeat_seconds },
    };
  }

  private baseUrl(request: FastifyRequest): string {
    return `${this.timing.publicUrl ?? `${request.protocol}://${request.host}`}/v1`;
  }
}
