import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/alerts.js';
import type { AlertEvent } from './alert.events.js';
import { alertDecider } from './alert.decider.js';

const { given } = storyOf(alertDecider);
const { MINUTE, FIRST, SECOND, offline } = the;
const begun = [the.raised(offline, 0), the.started([the.line(offline)], 0), the.attempt(0)];
const look = (ms: number, changed: Parameters<typeof the.note>[3] = {}) =>
  the.note([offline], ms, SECOND, changed);

describe('sending a message', () => {
  it('ends when it was acknowledged, once', () => {
    given(...begun)
      .when(the.sent(100))
      .then(the.delivered());
    given(...begun, the.delivered())
      .when(the.sent(200))
      .thenNothing();
  });

  it('repeats an attempt without an outcome after thirty seconds', () => {
    given(...begun)
      .when(look(29_000))
      .thenNothing();
    given(...begun)
      .when(look(30_000))
      .then(the.attempt(30_000, FIRST, 2));
  });

  it('ignores the late outcome of an attempt that was repeated', () => {
    const again = [...begun, the.attempt(30_000, FIRST, 2)];
    given(...again)
      .when(the.refused(31_000))
      .thenNothing();
    given(...again)
      .when(the.sent(31_000, FIRST, 2))
      .then(the.delivered(FIRST, 2));
  });

  it('is tried again a minute, five and fifteen minutes after failures, then no more', () => {
    const past: AlertEvent[] = [...begun];
    let ms = 0;
    for (const [n, delay] of [MINUTE, 5 * MINUTE, 15 * MINUTE].entries()) {
      const failed = the.failed('SMTP_451', the.later(ms + delay), FIRST, n + 1);
      given(...past)
        .when(the.refused(ms, FIRST, n + 1))
        .then(failed);
      past.push(failed);
      given(...past)
        .when(look(ms + delay - 1))
        .thenNothing();
      ms += delay;
      given(...past)
        .when(look(ms))
        .then(the.attempt(ms, FIRST, n + 2));
      past.push(the.attempt(ms, FIRST, n + 2));
    }
    given(...past)
      .when(the.refused(ms, FIRST, 4))
      .then(the.failed('SMTP_451', undefined, FIRST, 4));
  });

  it('is not tried again in quiet hours', () => {
    const waiting = [...begun, the.failed('TIMEOUT', the.later(MINUTE))];
    const quiet = { from: '00:00', until: '13:00', timeZone: 'UTC' };
    given(...waiting)
      .when(look(MINUTE, { quiet }))
      .thenNothing();
    given(...waiting)
      .when(look(60 * MINUTE, { quiet }))
      .then(the.attempt(60 * MINUTE, FIRST, 2));
  });

  it('is sent anew through the corrected channel, unless another channel delivered it', () => {
    const corrected = { channels: ['corrected'] };
    const refused = [...begun, the.failed('SMTP_451', the.later(MINUTE)), the.failed('CHANNEL_REMOVED')];
    given(...refused)
      .when(look(2 * MINUTE, corrected))
      .then(
        the.started([the.line(offline)], 2 * MINUTE, SECOND, corrected),
        the.attempt(2 * MINUTE, SECOND, 1, 'corrected'),
      );
    given(...refused)
      .when(the.note([], 2 * MINUTE, SECOND, corrected))
      .then(the.cleared(offline, false));
    const both = [
      the.raised(offline, 0),
      the.started([the.line(offline)], 0, FIRST, { channels: [the.MAIL, the.CHAT] }),
    ];
    const toChat = [the.attempt(0, FIRST, 1, the.CHAT), the.delivered(FIRST, 1, the.CHAT)];
    given(...both, the.attempt(0), ...toChat, the.failed('CHANNEL_REMOVED'))
      .when(look(2 * MINUTE, { channels: ['corrected', the.CHAT] }))
      .thenNothing();
  });

  it('ends when its channel was removed, or after ten attempts without an outcome', () => {
    given(...begun)
      .when(look(MINUTE, { channels: ['another'] }))
      .then(the.failed('CHANNEL_REMOVED'));
    const ten = Array.from({ length: 9 }, (_, n) => the.attempt((n + 1) * MINUTE, FIRST, n + 2));
    given(...begun, ...ten)
      .when(look(20 * MINUTE))
      .then(the.failed('INTERRUPTED', undefined, FIRST, 10));
  });

  it('ends with its message, a day after that began', () => {
    const waiting = [...begun, the.failed('SMTP_451', the.later(MINUTE))];
    given(...waiting)
      .when(look(24 * 60 * MINUTE - 1))
      .then(the.attempt(24 * 60 * MINUTE - 1, FIRST, 2));
    given(...waiting)
      .when(look(24 * 60 * MINUTE))
      .then(the.failed('TOO_OLD'));
  });

  it.each([
    ['SMTP_451', 1],
    ['HTTP_503', 1],
    ['TIMEOUT', 0],
    ['ESOCKET', 0],
    ['CONNECTION_FAILED', 0],
  ])('counts %s as %i refusals', (reason, refusals) => {
    const [message] = given(...begun, the.failed(reason, the.later(MINUTE))).state().messages;
    expect(message!.sends).toMatchObject([{ failures: 1, refusals }]);
  });

  it('keeps the newest twenty finished messages, and all others', () => {
    const events = Array.from({ length: 30 }, (_, n) => {
      const id = `message-${n}`;
      const ended = n < 5 ? [] : [the.delivered(id)];
      return [the.started([the.line(offline)], n, id), the.attempt(n, id), ...ended];
    }).flat();
    const ids = given(...events, the.started([], 99, 'last'))
      .state()
      .messages.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(5 + 20 + 1);
    expect(ids.slice(0, 6)).toEqual([
      'message-0',
      'message-1',
      'message-2',
      'message-3',
      'message-4',
      'message-10',
    ]);
  });
});

describe('sending a test', () => {
  it('reaches every channel, also in quiet hours, and tells nothing else', () => {
    const quiet = { from: '00:00', until: '23:59', timeZone: 'UTC' };
    const text = { text: 'This is a test. Alerts arrive here.', link: '#/account' };
    given(the.raised(offline, 0))
      .when(the.test(0, FIRST, { quiet }))
      .then(the.started([text], 0, FIRST, { test: true }), the.attempt(0));
    expect(
      given(the.raised(offline, 0), the.started([text], 0, FIRST, { test: true })).state().open,
    ).toMatchObject({
      [offline.key]: { told: false },
    });
  });

  it('does not delay the next message', () => {
    given(the.started([], 0, FIRST, { test: true }))
      .when(the.note([offline], 1_000, SECOND, { pace: 'hour' }))
      .then(
        the.raised(offline, 1_000),
        the.started([the.line(offline)], 1_000, SECOND),
        the.attempt(1_000, SECOND),
      );
  });

  it('is refused without a channel', () => {
    given()
      .when(the.test(0, FIRST, { channels: [] }))
      .thenRejected('AlertChannelsMissing');
  });
});
