import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddPrinter, RemoveAddedPrinter, type Computer } from '../../../contexts/devices/index.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { text } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { OperatorOperation } from '../operator.surface.js';
import { problemOfAddress } from './printer-address.js';

const NAME = { notFound: 'PRINTER_NOT_FOUND', pattern: /^\P{Cc}{1,180}$/u } as const;

export class AddedPrinterBody {
  @Field(text({ max: 180 })) name!: string;
  @Field(text({ max: 255 })) address!: string;
}

/** Printers without a queue, which the agent of a computer prints on by their addresses. */
@Controller()
export class OperatorAddedPrintersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'addPrinter',
    route: 'POST /v1/operator/computers/:id/printers',
    summary: 'Add a printer without a queue to a computer, or change its address',
    params: { id: 'COMPUTER_NOT_FOUND' },
    body: AddedPrinterBody,
    errors: ['STATE_CONFLICT'],
  })
  async add(
    @Param('id') computerId: string,
    @Body() { name, address }: AddedPrinterBody,
    @RequestOrigin() by: Origin,
  ) {
    const problem = problemOfAddress(address);
    if (problem) throw new ApiError('INVALID_REQUEST', `address ${problem}.`);
    const command = new AddPrinter({ computerId, printer: { name, address }, at: this.clock.now(), by });
    return shown(orRefuse('operator', await this.commands.execute(command)).state);
  }

  @OperatorOperation({
    id: 'removeAddedPrinter',
    route: 'DELETE /v1/operator/computers/:id/printers/:name',
    summary: 'Take back a printer that was added to a computer',
    params: { id: 'COMPUTER_NOT_FOUND', name: NAME },
    errors: ['STATE_CONFLICT'],
  })
  async remove(@Param('id') computerId: string, @Param('name') name: string, @RequestOrigin() by: Origin) {
    const command = new RemoveAddedPrinter({ computerId, name, at: this.clock.now(), by });
    return shown(orRefuse('operator', await this.commands.execute(command)).state);
  }
}

function shown({ computerId, addedPrinters }: Computer) {
  return { computer_id: computerId, added_printers: addedPrinters };
}
