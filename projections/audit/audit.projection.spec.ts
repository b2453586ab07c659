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

  it('shows where sign-ins came from, and who made the link', () => {
    const client = { address: '192.0.2.7', userAgent: 'curl' };
    const user = { kind: 'member', accountId: the.ACCOUNT_ID, memberId: the.BEA, generation: 0 } as const;
    const carl = { kind: 'member', id: the.CARL } as const;
    const session = { sessionId: the.SESSION_ID, hash: 'h', user, openedAt: NOON, linkBy: carl };
    const data = { ...session, ...client, signedInBy: 'link' } as const;
    const shown = (event: Parameters<typeof recorded>[1]) => {
      const [one] = recorded(stream, event);
      const metadata = { ...one!.metadata, accountId: the.ACCOUNT_ID };
      return [...project(auditProjection, [{ ...one!, metadata } as never]).values()][0];
    };
    expect(shown({ type: 'SessionOpened', data })).toMatchObject({
      ...{ address: '192.0.2.7', user_agent: 'curl', link_by: carl, session_of: the.BEA },
    });
    const visited = { accountId: the.ACCOUNT_ID, endsAt: the.later(1), ...client };
    expect(shown({ type: 'AccountVisited', data: visited })).toMatchObject({
      ...{ address: '192.0.2.7', user_agent: 'curl', subject: { kind: 'account', id: the.ACCOUNT_ID } },
    });
    const failed = { by: 'password', ...client, count: 3 };
    expect(shown({ type: 'SignInFailed', data: failed })).toMatchObject({
      ...{ address: '192.0.2.7', user_agent: 'curl', failures: 3 },
      subject: { kind: 'account', id: the.ACCOUNT_ID },
    });
    expect(shown({ type: 'SignInFailed', data: { ...failed, memberId: the.BEA } })).toMatchObject({
      subject: { kind: 'member', id: the.BEA },
    });
  });

  it('shows failed sign-ins of a minute by address', () => {
    const source = {
      by: 'link',
      address: '192.0.2.7',
      count: 2,
      firstAt: NOON,
      lastAt: the.later(9),
    } as const;
    const data = { memberId: the.BEA, sources: [source], count: 2 };
    const [event] = recorded(stream, { type: 'SignInsFailed', data });
    const metadata = { ...event!.metadata, accountId: the.ACCOUNT_ID };
    const [shown] = project(auditProjection, [{ ...event!, metadata } as never]).values();
    expect(shown).toMatchObject({
      subject: { kind: 'member', id: the.BEA },
      failures: 2,
      sources: [{ by: 'link', address: '192.0.2.7', count: 2, first_at: NOON, last_at: the.later(9) }],
    });
  });

  it('omits events of earlier releases, which name no account', () => {
    expect(project(auditProjection, audited(undefined)).size).toBe(0);
  });

  it('shows every event of accounts, members and webhooks except notes of processes', () => {
    const categories =
      /^(Account|Environment|Plan|Member|Webhook|PanelLink|Session(?!Naming)|Document|SignIn|Operator(?!Token))/;
    const all = [...storedEvents().keys()].filter((type) => categories.test(type));
    const others = Object.keys(AUDITED).filter((type) => !categories.test(type));
    expect(all.filter((type) => !Object.hasOwn(AUDITED, type)).sort()).toEqual([
      'AccountSettled',
      'WebhookRecoveryAdvanced',
      'WebhookRecoveryFinished',
      'WebhookSettled',
    ]);
    expect(others.sort()).toEqual(
      [
        ...['ApiKeyCreated', 'ApiKeyRevoked', 'EnrollmentCreated', 'ComputerDisabled', 'ComputerEnabled'],
        ...['ComputerRevoked', 'PrinterAdded', 'AddedPrinterRemoved', 'PrinterUpdated'],
        ...['JobCreated', 'JobCancelled', 'JobRequeued', 'JobReprinted', 'JobMoved', 'ComputerRenamed'],
      ].sort(),
    );
  });
});
