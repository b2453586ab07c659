import type { CommandBus, ICommandHandler } from '@nestjs/cqrs';
import { CancelJob, ExpireJob, SubmitJob, type JobDecision } from '../../src/contexts/jobs/index.js';
import type { CommandResult, RejectionOf } from '../../src/kernel/command.js';
import { reject } from '../../src/kernel/decider.js';
import { refusalOf, type RejectionTable } from '../../src/http/errors/api-error.js';

/** These tests fail at compile time (`npm run check`): an unused `@ts-expect-error` is an error. */
type Answers = RejectionTable<RejectionOf<CancelJob>>;

const complete: Answers = { JobNotFound: 'SVC_JOB_NOT_FOUND', JobNotCancellable: 'SVC_JOB_STATE_CONFLICT' };

describe('typing the results of commands', () => {
  it('refuses a rejection table without an answer to a rejection of its command', () => {
    // @ts-expect-error JobNotCancellable has no answer
    const incomplete: Answers = { JobNotFound: 'SVC_JOB_NOT_FOUND' };
    expect(Object.keys(incomplete)).not.toEqual(Object.keys(complete));
  });

  it('refuses a table entry for a rejection that none of its commands returns', () => {
    // @ts-expect-error cancelling needs no lease
    const tooMuch: Answers = { ...complete, LeaseLost: 'SVC_JOB_STATE_CONFLICT' };
    expect(Object.keys(tooMuch)).toContain('LeaseLost');
  });

  it('refuses a table of one command for the rejection of another', () => {
    const answer = (rejection: RejectionOf<SubmitJob>) =>
      // @ts-expect-error the table knows no rejection of a new job
      refusalOf(complete, rejection);
    expect(answer({ code: 'AccountClosed' }).key).toBeUndefined();
  });

  it('types the result of execute by the command', async () => {
    const bus = { execute: (command: unknown) => Promise.resolve(command) } as unknown as CommandBus;
    const by = { actor: { kind: 'operator', id: '1' }, correlationId: '1' } as const;
    const result: CommandResult<CancelJob> = await bus.execute(new CancelJob('1', undefined, '', by));
    // @ts-expect-error the result is no number
    const wrong: number = await bus.execute(new CancelJob('1', undefined, '', by));
    expect(wrong).toEqual(result);
  });

  it('refuses a handler that returns another result', () => {
    class Handler implements ICommandHandler<CancelJob> {
      // @ts-expect-error not the result of cancelling a job
      execute() {
        return Promise.resolve('cancelled');
      }
    }
    expect(Handler).toBeDefined();
  });

  it('refuses a decision with a rejection that the result does not name', () => {
    // @ts-expect-error expiring a job is harmless when it cannot expire
    const decision: JobDecision<ExpireJob> = reject({ code: 'JobExpired' });
    expect(decision.accepted).toBe(false);
  });
});
