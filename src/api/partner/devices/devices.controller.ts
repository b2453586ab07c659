import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { RevokeComputer } from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { integer, oneOf, text } from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { orRefuse } from '../../errors/answers.js';
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
