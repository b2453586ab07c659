import * as the from '../../test/kit/examples/members.js';
import { armedAfter } from '../../test/kit/process.js';
import { metadata, NOON, recorded } from '../../test/kit/recorded.js';
import { WatchAlerts } from '../contexts/alerts/index.js';
import type { MemberEvent } from '../contexts/members/domain/member.events.js';
import { alertWatch } from './alert-watch.process.js';

const armed = (...events: MemberEvent[]) =>
  armedAfter([alertWatch], recorded(`members-${the.ACCOUNT_ID}`, ...events)).get(`alert-watch:${the.BEA}`);

describe('watching what a member wants to be told of', () => {
  it('starts at once with the choice, and stays armed', () => {
    const expected = { subject: the.BEA, due: NOON, payload: { accountId: the.ACCOUNT_ID } };
    expect(armed(the.alertsChosen())).toMatchObject(expected);
    expect(armed(the.alertsChosen(), the.roleChanged('viewer'))).toMatchObject(expected);
  });

  it('ends with the last kind, the last channel and the membership', () => {
    expect(armed(the.alertsChosen(), the.alertsChosen({ kinds: [] }))).toBeUndefined();
    expect(armed(the.alertsChosen(), the.alertsChosen({ channels: [] }))).toBeUndefined();
    expect(armed(the.alertsChosen(), the.removed())).toBeUndefined();
  });

  it('looks when due', () => {
    const timer = {
      process: 'alert-watch',
      subject: the.BEA,
      due_at: NOON,
      payload: { accountId: the.ACCOUNT_ID },
      armed_by: 'event-1',
      correlation_id: 'correlation-1',
    };
    expect(alertWatch.command(timer, NOON, metadata)).toEqual(
      new WatchAlerts({ accountId: the.ACCOUNT_ID, memberId: the.BEA, at: NOON, by: metadata }),
    );
  });
});
