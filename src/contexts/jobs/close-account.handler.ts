import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accounts, CloseAccount } from '../accounts/index.js';
import { EndJobsOfAccount } from './coordinated.commands.js';
import { EndJobsOfAccountHandler } from './end-jobs-of-account.handler.js';
import { AggregateStore } from '../../event-sourcing/index.js';

/** The process `account-closure` cancels further jobs. */
const CANCELLED_BEFORE_ANSWER = 1_000;

/** Ends the account's jobs before the answer, so that the client can read the result. */
@CommandHandler(CloseAccount)
export class CloseAccountHandler implements ICommandHandler<CloseAccount> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly ending: EndJobsOfAccountHandler,
  ) {}

  async execute(command: CloseAccount) {
    const { accountId, at, by } = command;
    const closed = await this.aggregates.execute(accounts, accountId, command);
    if (closed.ok)
      await this.ending.end(new EndJobsOfAccount({ accountId, at, by }), CANCELLED_BEFORE_ANSWER);
    return closed;
  }
}
