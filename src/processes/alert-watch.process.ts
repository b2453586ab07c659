import { WatchAlerts } from '../contexts/alerts/domain/alert.commands.js';
import type { MemberEvent } from '../contexts/members/domain/member.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';

/** Stays armed while the member has alerts: the timer loop repeats a timer without effect every 30 s. */
export const alertWatch: TimedProcess<MemberEvent> = {
  name: 'alert-watch',
  handles: ['MemberAlertsChosen', 'MemberRemoved'],

  react(event) {
    const { memberId } = event.data;
    if (event.type !== 'MemberAlertsChosen') return [unschedule(memberId)];
    const { kinds, channels } = event.data.alerts;
    if (kinds.length === 0 || channels.length === 0) return [unschedule(memberId)];
    return [schedule(memberId, event.metadata.at, { accountId: idOf(event.stream) })];
  },

  command: ({ subject, payload }, at, by) =>
    new WatchAlerts({ accountId: String(payload.accountId), memberId: subject, at, by }),
};
