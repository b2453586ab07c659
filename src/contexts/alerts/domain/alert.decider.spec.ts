import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/alerts.js';
import { alertDecider } from './alert.decider.js';

const { given } = storyOf(alertDecider);
const { MINUTE, FIRST, SECOND, offline, review, failure } = the;
const HOUR = 60 * MINUTE;

describe('noting what a member wants to be told of', () => {
  it('tells a new condition at once', () => {
    given()
      .when(the.note([offline], 0))
      .then(the.raised(offline, 0), the.started([the.line(offline)], 0), the.attempt(0));
  });

  it('tells nothing twice, before and after the message arrived', () => {
    const underWay = [the.raised(offline, 0), the.started([the.line(offline)], 0), the.attempt(0)];
    given(...underWay)
      .when(the.note([offline], 1_000, SECOND))
      .thenNothing();
    given(...underWay, the.delivered())
      .when(the.note([offline], HOUR, SECOND))
      .thenNothing();
  });

  it('tells several in one message, to each channel', () => {
    const channels = [the.MAIL, the.CHAT];
    given()
      .when(the.note([offline, review], 0, FIRST, { channels }))
      .then(
        the.raised(offline, 0),
        the.raised(review, 0),
        the.started([the.line(offline), the.line(review)], 0, FIRST, { channels }),
        the.attempt(0),
        the.attempt(0, FIRST, 1, the.CHAT),
      );
  });

  it('lists at most twenty, and counts the others', () => {
    const many = Array.from({ length: 23 }, (_, n) => ({ ...review, key: `job_in_review:${n}` }));
    const { messages } = given(
      ...many.map((one) => the.raised(one, 0)),
      the.started(
        many.slice(0, 20).map((one) => the.line(one)),
        0,
        FIRST,
        { more: 3 },
      ),
    ).state();
    given()
      .when(the.note(many, 0))
      .then(
        ...many.map((one) => the.raised(one, 0)),
        the.started(messages[0]!.lines, 0, FIRST, { more: 3 }),
        the.attempt(0),
      );
  });

  it('forgets failures before what lasts', () => {
    const failures = Array.from({ length: 500 }, (_, n) =>
      the.raised({ ...failure, key: `job_failed:${n}` }, n),
    );
    const { open } = given(the.raised(offline, 0), ...failures, the.raised(review, 1_000)).state();
    const keys = Object.keys(open);
    expect([keys.length, keys[0], keys[1], keys.at(-1)]).toEqual([
      500,
      offline.key,
      'job_failed:2',
      review.key,
    ]);
  });

  it('keeps what is raised until there is a channel', () => {
    given()
      .when(the.note([offline], 0, FIRST, { channels: [] }))
      .then(the.raised(offline, 0));
  });
});

describe('the end of a condition', () => {
  it('is told if its beginning was', () => {
    given(...the.told(offline, 0))
      .when(the.note([], MINUTE, SECOND))
      .then(
        the.cleared(offline),
        the.started([the.line(offline, true)], MINUTE, SECOND),
        the.attempt(MINUTE, SECOND),
      );
  });

  it('is not told to those who do not want it, nor later', () => {
    given(...the.told(offline, 0))
      .when(the.note([], MINUTE, SECOND, { whenOver: false }))
      .then(the.cleared(offline));
    const [begun, arrival] = [the.started([the.line(review)], HOUR, SECOND), the.delivered(SECOND)];
    given(...the.told(offline, 0), the.cleared(offline), the.raised(review, HOUR), begun, arrival)
      .when(the.note([review], 2 * HOUR, 'message-3'))
      .thenNothing();
  });

  it('leaves nothing to tell if its beginning was not told', () => {
    given(the.raised(offline, 0)).when(the.note([], MINUTE)).then(the.cleared(offline, false));
  });

  it('is not told of a failure, of a kind no longer wanted, and of what ended while alerts were off', () => {
    given(...the.told(failure, 0))
      .when(the.note([], MINUTE, SECOND))
      .then(the.cleared(failure, false));
    given(...the.told(offline, 0))
      .when(the.note([], MINUTE, SECOND, { kinds: ['job_failed'] }))
      .then(the.cleared(offline, false));
    given(...the.told(offline, 0))
      .when(the.note([], HOUR, SECOND, { since: the.later(HOUR) }))
      .then(the.cleared(offline, false));
  });

  it('is unknown while more conditions exist than are listed, for two days', () => {
    const past = the.told(review, 0);
    given(...past)
      .when(the.note([], HOUR, SECOND, { cut: ['job_in_review'] }))
      .thenNothing();
    given(...past)
      .when(the.note([], 49 * HOUR, SECOND, { cut: ['job_in_review'], whenOver: false }))
      .then(the.cleared(review));
  });

  it('is not seen by a look from before the beginning', () => {
    given(...the.told(offline, 2_000))
      .when(the.note([], 1_000, SECOND))
      .thenNothing();
  });
});

describe('the pace of messages', () => {
  it('gathers for a quarter of an hour', () => {
    const grouped = { pace: 'quarter_hour' } as const;
    given(...the.told(offline, 0))
      .when(the.note([offline, review], MINUTE, SECOND, grouped))
      .then(the.raised(review, MINUTE));
    given(...the.told(offline, 0), the.raised(review, MINUTE), the.raised(failure, 2 * MINUTE))
      .when(the.note([offline, review, failure], 15 * MINUTE, SECOND, grouped))
      .then(
        the.started([the.line(review), the.line(failure)], 15 * MINUTE, SECOND),
        the.attempt(15 * MINUTE, SECOND),
      );
  });

  it('waits for the end of quiet hours in the time zone of the member', () => {
    // Noon in UTC is one in the afternoon in Berlin.
    const quiet = { from: '13:00', until: '14:00', timeZone: 'Europe/Berlin' };
    given()
      .when(the.note([offline], 0, FIRST, { quiet }))
      .then(the.raised(offline, 0));
    given(the.raised(offline, 0))
      .when(the.note([offline], 59 * MINUTE, FIRST, { quiet }))
      .thenNothing();
    given(the.raised(offline, 0))
      .when(the.note([offline], HOUR, FIRST, { quiet }))
      .then(the.started([the.line(offline)], HOUR), the.attempt(HOUR));
  });

  it('knows quiet hours over midnight', () => {
    const quiet = { from: '22:00', until: '12:30', timeZone: 'UTC' };
    given()
      .when(the.note([offline], 0, FIRST, { quiet }))
      .then(the.raised(offline, 0));
    given(the.raised(offline, 0))
      .when(the.note([offline], 30 * MINUTE, FIRST, { quiet }))
      .then(the.started([the.line(offline)], 30 * MINUTE), the.attempt(30 * MINUTE));
  });

  it('stops at sixty messages an hour, and then tells all that waited in one', () => {
    const sixty = Array.from({ length: 60 }, (_, n) => [
      the.started([the.line(offline)], n * 1_000, `message-${n}`),
      the.attempt(n * 1_000, `message-${n}`),
      the.delivered(`message-${n}`),
    ]).flat();
    given(...sixty)
      .when(the.note([review], 2 * MINUTE, 'next'))
      .then(the.raised(review, 2 * MINUTE));
    given(...sixty, the.raised(review, 2 * MINUTE))
      .when(the.note([review, failure], HOUR, 'next'))
      .then(
        the.raised(failure, HOUR),
        the.started([the.line(review), the.line(failure)], HOUR, 'next'),
        the.attempt(HOUR, 'next'),
      );
    given(...sixty)
      .when(the.test(2 * MINUTE, 'next'))
      .thenRejected('TooManyAlerts');
  });
});
