import type { MemberEvent } from '../../src/contexts/members/domain/member.events.js';
import { storedEvents } from '../../test/docs/stored-events.js';
import * as the from '../../test/kit/examples/members.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { AUDITED, auditProjection } from './audit.projection.js';

const stream = `members-${the.ACCOUNT_ID}`;
const removed: MemberEvent = { type: 'MemberRemoved', data: { memberId: the.BEA } };

function audited(accountId: string | undefined) {
  const [event] = recorded(stream, removed);
  const metadata = { ...event!.metadata, requestId: 'request-1', ...(accountId && { accountId }) };
  return [{ ...event!, metadata }];
}

describe('the audit of an account', () => {
  it('shows who did what to whom, and when', () => {
    const [event] = audited(the.ACCOUNT_ID);
    const documents = project(auditProjection, [event!]);
    expect([...documents.values()]).toEqual([
      {
        event_id: event!.id,
        account_id: the.ACCOUNT_ID,
        recorded_at: NOON,
        actor: { kind: 'operator', id: 'operator' },
        action: 'MemberRemoved',
        subject: { kind: 'member', id: the.BEA },
        request_id: 'request-1',
      },
    ]);
  });

  it('leaves out events of earlier releases, which name no account', () => {
    expect(project(auditProjection, audited(undefined)).size).toBe(0);
  });

  it('shows every event of accounts, members and webhooks but the notes of processes', () => {
    const categories = /^(Account|Environment|Plan|Member|Webhook|PanelLink|Session|Document)/;
    const all = [...storedEvents().keys()].filter((type) => categories.test(type));
    const others = Object.keys(AUDITED).filter((type) => !categories.test(type));
    expect(all.filter((type) => !Object.hasOwn(AUDITED, type)).sort()).toEqual([
      'AccountSettled',
      'WebhookSettled',
    ]);
    expect(others.sort()).toEqual(
      [
        ...['ApiKeyCreated', 'ApiKeyRevoked', 'EnrollmentCreated', 'ComputerDisabled', 'ComputerEnabled'],
        ...['ComputerRevoked', 'PrinterUpdated', 'JobCancelled', 'JobRequeued'],
      ].sort(),
    );
  });
});
