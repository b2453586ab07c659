import { Controller } from '@nestjs/common';
import { computers, versionOfAdded } from '../../../contexts/devices/index.js';
import { AggregateStore } from '../../../event-sourcing/index.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { objects, text } from '../../../http/validation/rules.js';
import type { ComputerPrincipal } from '../agent.authenticator.js';
import { addedVersion } from '../agent.fields.js';
import { agent } from '../agent.surface.js';

class AddedPrinter {
  @Field(text({ max: 180 })) name!: string;
  @Field(text({ max: 255 }), { description: '`socket://host:9100`, `ipp://host/path`, `file:/dev/usb/lp0`' })
  address!: string;
}

class AddedPrinters {
  @Field(addedVersion) version!: string;
  @Field(objects(() => AddedPrinter, 100)) printers!: readonly AddedPrinter[];

  static readonly example: AddedPrinters = {
    version: '0a1b2c3d4e5f6071',
    printers: [{ name: 'Label 1', address: 'socket://10.0.0.7:9100?status=zpl' }],
  };
}

const Operation = operationsOf(agent, { tag: 'Printers' });

@Controller()
export class AddedPrintersController {
  constructor(private readonly aggregates: AggregateStore) {}

  @Operation({
    id: 'getAddedPrinters',
    route: 'GET /v1/agent/printers',
    summary: 'Get the printers that the service adds to this computer',
    description:
      'Printers without a queue, for agents with the feature `printers/1`. Fetch them when `added_printers` of a session or heartbeat differs from `version`; list them in the inventory.',
    success: ok('The whole list, which replaces the last one.', AddedPrinters),
  })
  async get(@Caller() { computerId }: ComputerPrincipal) {
    const { state } = await this.aggregates.load(computers, computerId);
    return { version: versionOfAdded(state), printers: state.addedPrinters };
  }
}
