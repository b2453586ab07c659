import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReleaseRestoredJobs } from '../../contexts/jobs/index.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { Clock } from '../../ports/clock.port.js';
import { answer } from '../../http/answer.js';
import { Operation } from '../../http/operation.js';
import { RequestOrigin } from '../../http/request.js';
import { operationOf } from './operation-of.js';
import { ReleaseJobsBody } from './operator.requests.js';

@Controller()
export class OperatorJobReleaseController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Operation(
    operationOf({
      id: 'releaseRestoredJobs',
      route: 'POST /v1/operator/jobs/release',
      summary: 'Print the jobs again that a restore parked before a moment',
      body: ReleaseJobsBody,
    }),
  )
  async release(@Body() { restored_before }: ReleaseJobsBody, @RequestOrigin() by: Origin) {
    const command = new ReleaseRestoredJobs(restored_before, this.clock.now(), by);
    return answer('OK', await this.commands.execute(command));
  }
}
