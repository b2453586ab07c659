import type { AlertsBody, MemberAlerts } from '../../sdk/src/generated/panel.js';

export const KINDS: readonly (readonly [MemberAlerts['kinds'][number], string])[] = [
  ['job_in_review', 'A job needs a decision'],
  ['job_failed', 'A job failed'],
  ['printer_offline', 'A printer is offline and has jobs'],
  [
    'printer_behind',
    'A printer is behind: a job has waited for it, or been at its computer, for over five minutes',
  ],
  ['computer_offline', 'A computer went offline'],
  ['webhook_paused', 'A webhook was paused by the service'],
  ['credential_ends', 'A key or the credential of a computer ends within 14 days'],
  ['plan_nearly_used', '90 % of the jobs of the month are used'],
];

export const PACES: readonly (readonly [MemberAlerts['pace'], string])[] = [
  ['at_once', 'At once'],
  ['quarter_hour', 'At most every 15 minutes'],
  ['hour', 'At most every hour'],
];

export const CHANNELS = { mail: 'Mail', slack: 'Slack', teams: 'Teams' } as const;

export type ChannelType = keyof typeof CHANNELS;

/** A channel in the form; without an id it is new. */
export interface DraftChannel {
  readonly key: string;
  readonly channelId?: string;
  readonly type: ChannelType;
  readonly to: string;
}

export interface Draft extends Pick<AlertsBody, 'kinds' | 'pace' | 'when_over'> {
  readonly channels: readonly DraftChannel[];
  readonly quiet: { readonly from: string; readonly until: string; readonly time_zone: string } | undefined;
}

export const MAX_CHANNELS = 3;

export const draftOf = ({ kinds, pace, when_over, channels, quiet_hours }: MemberAlerts): Draft => ({
  ...{ kinds, pace, when_over },
  channels: channels.map(({ channel_id, type, to }) => ({
    key: channel_id,
    channelId: channel_id,
    type,
    to,
  })),
  quiet: quiet_hours ?? undefined,
});

/** What is sent: channels that stay are named by their id alone. */
export const bodyOf = ({ channels, quiet, ...draft }: Draft): AlertsBody => ({
  ...draft,
  channels: channels.map(({ channelId, type, to }) =>
    channelId === undefined ? { type, to: to.trim() } : { channel_id: channelId, type },
  ),
  quiet_hours: quiet ?? null,
});

/** Of this browser: quiet hours are those of the person. */
export const ownNight = () => ({
  from: '22:00',
  until: '07:00',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
