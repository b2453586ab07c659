import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { RevokeComputer } from '../../../contexts/devices/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { CursorLists, pageAnswer } from '../../cursor-lists.js';
import { COMPUTER_STATUSES_OF, deviceResource } from './device.resource.js';
import { deactivateDevice, listDevices } from './devices.operations.js';
import { DeactivateDeviceBody, ListDevicesQuery } from '../partner.requests.js';
import { mustBeOpen, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { refusalOf } from '../../errors/answers.js';

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

  @Operation(listDevices)
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListDevicesQuery,
    @Headers('if-none-match') known: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('devices', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const filter = { status: query.status && COMPUTER_STATUSES_OF[query.status] };
    const page = await list.read((keyset) => this.computers.listDevices(accountId, filter, keyset));
    const mark = ({ computer_id, sequence }: ComputerDocument) => `${computer_id} ${sequence}`;
    return pageAnswer(page, known, mark, () => this.resources(page.documents));
  }

  @Operation(deactivateDevice)
  async deactivate(
    @Param('account_id') accountId: string,
    @Param('device_id') deviceId: string,
    @Body() { reason }: DeactivateDeviceBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const account = await this.accounts.known(caller, accountId);
    await this.device(accountId, deviceId);
    mustBeOpen(account);
    const outcome = await this.commands.execute(
      new RevokeComputer({ computerId: deviceId, reason, at: this.clock.now(), by }),
    );
    if (!outcome.ok) throw refusalOf('partner', outcome.rejection);
    const [resource] = await this.resources([await this.device(accountId, deviceId)]);
    return answer('DEVICE_DEACTIVATED', resource);
  }

  private async device(accountId: string, deviceId: string): Promise<ComputerDocument> {
    const computer = await this.computers.getComputer(accountId, deviceId);
    if (!computer) throw new ApiError('DEVICE_NOT_FOUND');
    return computer;
  }

  private async resources(computers: readonly ComputerDocument[]) {
    const seen = await this.liveness.lastHeartbeats(
      computers.map(({ computer_id }) => `computer:${computer_id}`),
    );
    return computers.map((computer, i) => deviceResource(computer, seen[i]));
  }
}
