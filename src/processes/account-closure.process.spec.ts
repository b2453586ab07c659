import type { AccountEvent } from '../contexts/accounts/domain/account.events.js';
import { metadata, NOON, recorded } from '../../test/kit/recorded.js';
import { accountClosure } from './account-closure.process.js';

const closed: AccountEvent = { type: 'AccountClosed', data: { reason: 'moved away' } };
const settled: AccountEvent = { type: 'AccountSettled', data: {} };

function reactionsTo(event: AccountEvent) {
  const [first] = recorded('account-a1', event);
  return accountClosure.react(first!);
}

describe('closing an account', () => {
  it('is due at once', () => {
    expect(reactionsTo(closed)).toEqual([{ kind: 'schedule', subject: 'a1', due: NOON, payload: {} }]);
  });

  it('is disarmed when all jobs have ended', () => {
    expect(reactionsTo(settled)).toEqual([{ kind: 'unschedule', subject: 'a1' }]);
  });

  it('sends a command for that account', () => {
    const timer = {
      process: 'account-closure',
      subject: 'a1',
      due_at: NOON,
      payload: {},
      armed_by: 'e1',
      correlation_id: 'c1',
    };
    expect(accountClosure.command(timer, NOON, metadata)).toMatchObject({ accountId: 'a1', at: NOON });
  });
});
