import { bodyOf, draftOf } from './choice.js';

const alerts = {
  offers_mail: true,
  kinds: ['job_failed' as const],
  channels: [{ channel_id: 'c1', type: 'slack' as const, to: 'hooks.slack.com' }],
  pace: 'hour' as const,
  when_over: true,
  quiet_hours: null,
  messages: [],
};

describe('choosing alerts', () => {
  it('names a channel that stays by its id, and sends the address of a new one', () => {
    const draft = draftOf(alerts);
    const mail = { key: 'new', type: 'mail', to: ' bea@example.com ' } as const;
    expect(bodyOf({ ...draft, channels: [...draft.channels, mail] })).toEqual({
      kinds: ['job_failed'],
      channels: [
        { channel_id: 'c1', type: 'slack' },
        { type: 'mail', to: 'bea@example.com' },
      ],
      pace: 'hour',
      when_over: true,
      quiet_hours: null,
    });
  });
});
