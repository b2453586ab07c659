import type { MemberAlerts } from '../../sdk/src/generated/panel.js';
import { Text } from '../look/parts.js';
import { CHANNELS, MAX_CHANNELS, type ChannelType, type Draft, type DraftChannel } from './choice.js';

const PLACES: Readonly<Record<ChannelType, string>> = {
  mail: 'Mail address',
  slack: 'URL of the incoming webhook',
  teams: 'URL of the workflow',
};

interface Props {
  readonly draft: Draft;
  readonly offersMail: MemberAlerts['offers_mail'];
  readonly onChange: (channels: readonly DraftChannel[]) => void;
}

export function Channels({ draft: { channels }, offersMail, onChange }: Props) {
  const types = (Object.keys(CHANNELS) as ChannelType[]).filter((type) => type !== 'mail' || offersMail);
  const change = (key: string, to: string) =>
    onChange(channels.map((one) => (one.key === key ? { ...one, to } : one)));
  return (
    <fieldset className="stack">
      <legend>Where</legend>
      {channels.map(({ key, channelId, type, to }) => (
        <div key={key} className="row">
          {channelId === undefined ? (
            <label className="field">
              {CHANNELS[type]}: {PLACES[type]}
              <input
                type={type === 'mail' ? 'email' : 'url'}
                required
                maxLength={type === 'mail' ? 254 : 2048}
                value={to}
                onChange={(event) => change(key, event.target.value)}
              />
            </label>
          ) : (
            <span>
              {CHANNELS[type]} <Text text={to} />
            </span>
          )}
          <button type="button" onClick={() => onChange(channels.filter((one) => one.key !== key))}>
            Remove
            <span className="hidden">
              {' '}
              {CHANNELS[type]} {to}
            </span>
          </button>
        </div>
      ))}
      {channels.length < MAX_CHANNELS && (
        <div className="row">
          {types.map((type) => (
            <button
              key={type}
              type="button"
              onClick={() => onChange([...channels, { key: crypto.randomUUID(), type, to: '' }])}
            >
              Add {CHANNELS[type]}
            </button>
          ))}
        </div>
      )}
      {!offersMail && (
        <small className="quiet">This service sends no mail: its operator has set no mail server.</small>
      )}
    </fieldset>
  );
}
