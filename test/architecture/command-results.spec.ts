import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandBus, ICommandHandler } from '@nestjs/cqrs';
import { CancelJob, ExpireJob, type JobDecision } from '../../src/contexts/jobs/index.js';
import type { CommandResult, RejectionOf } from '../../src/kernel/command.js';
import { reject } from '../../src/kernel/decider.js';
import { columnOf, orRefuse, refusalOf } from '../../src/api/errors/answers.js';
import { ApiError, type RefusalKind } from '../../src/http/errors/api-error.js';

/** Most of these tests fail at compile time (`npm run check`): an unused `@ts-expect-error` is an error. */
describe('typing the results of commands', () => {
  it('refuses to answer a rejection without a code in the column of the surface', () => {
    const answer = (rejection: RejectionOf<CancelJob>) =>
      // @ts-expect-error partners cannot cancel a job
      refusalOf('partner', rejection);
    expect(answer({ code: 'JobNotCancellable', status: 'leased' }).key).toBeUndefined();
  });

  it('refuses to throw a rejection without a code in the column of the surface', () => {
    const accepted = (outcome: { ok: true } | { ok: false; rejection: RejectionOf<CancelJob> }) =>
      // @ts-expect-error partners cannot cancel a job
      orRefuse('partner', outcome);
    expect(accepted({ ok: true })).toEqual({ ok: true });
    expect(() => accepted({ ok: false, rejection: { code: 'JobNotFound' } })).toThrow(ApiError);
  });

  it('answers the rejections of a command with the codes of the surface', () => {
    const answer = (rejection: RejectionOf<CancelJob>) => refusalOf('integration', rejection);
    expect(answer({ code: 'JobNotFound' }).key).toBe('SVC_JOB_NOT_FOUND');
    expect(answer({ code: 'JobNotCancellable', status: 'leased' })).toMatchObject({
      key: 'SVC_JOB_STATE_CONFLICT',
      message: 'A job that is leased cannot be cancelled.',
    });
  });

  it('refuses a surface that has no code for a refusal of the HTTP layer', () => {
    const codes: Readonly<Record<RefusalKind, string>> = columnOf('panel').refusals;
    expect(codes.authorityOverride).toBe('INVALID_REQUEST');
  });

  it('types the result of execute by the command', async () => {
    const bus = { execute: (command: unknown) => Promise.resolve(command) } as unknown as CommandBus;
    const by = { actor: { kind: 'operator', id: '1' }, correlationId: '1' } as const;
    const result: CommandResult<CancelJob> = await bus.execute(new CancelJob({ jobId: '1', at: '', by }));
    // @ts-expect-error the result is no number
    const wrong: number = await bus.execute(new CancelJob({ jobId: '1', at: '', by }));
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

  it('refuses a command with a missing or unknown field', () => {
    const by = { actor: { kind: 'operator', id: '1' }, correlationId: '1' } as const;
    // @ts-expect-error the job is missing
    expect(new CancelJob({ at: '', by }).jobId).toBeUndefined();
    // @ts-expect-error a job has no such field
    expect(new CancelJob({ jobId: '1', at: '', by, job: '2' }).jobId).toBe('1');
  });

  it('finds no command with positional parameters', () => {
    const folder = fileURLToPath(new URL('../../src/contexts', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(commands?|agent-commands|decider|health|credential)\.ts$/.test(file),
    );
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(files.filter((file) => /extends command\('/.test(read(file))).length).toBeGreaterThan(10);
    expect(files.filter((file) => /extends Command<|^ {2}constructor\(/m.test(read(file)))).toEqual([]);
  });
});
