import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SubmitReprint, type ReprintRejection, type Submitted } from './coordinated.commands.js';
import { SubmitJobHandler } from './submit-job.handler.js';

@CommandHandler(SubmitReprint)
export class SubmitReprintHandler implements ICommandHandler<SubmitReprint> {
  constructor(private readonly jobs: SubmitJobHandler) {}

  execute(command: SubmitReprint): Promise<Submitted<ReprintRejection>> {
    return this.jobs.submitted(command);
  }
}
