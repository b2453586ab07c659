import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/webhooks.js';
import type { DeliveryEvent } from './delivery.events.js';
import { makeDeliveryDecider } from './delivery.decider.js';
import { defaultDeliveryPolicy } from './delivery.policy.js';

const { given } = storyOf(makeDeliveryDecider(defaultDeliveryPolicy));
const DELAYS = [30_000, 120_000, 600_000, 3_600_000, 21_600_000];
const { deliveryCreated: created, started, failed, later } = the;
const inFlight = [created, started()];

/** Events up to the n-th failure, each attempt at its scheduled time. */
function afterFailures(count: number): DeliveryEvent[] {
  const events: DeliveryEvent[] = [created];
  for (let n = 1; n <= count; n++) {
    const delay = DELAYS[n - 1];
    events.push(started(n), failed(n, delay === undefined ? undefined : later(delay)));
  }
  return events;
}

describe('creating a delivery', () => {
  it('makes it pending once', () => {
    given().when(the.deliver).then(created);
    given(created).when(the.deliver).thenNothing();
    given(...inFlight, the.succeeded())
      .when(the.deliver)
      .thenNothing();
  });
});

describe('attempting a delivery', () => {
  it('is accepted for a pending delivery', () => {
    given(created).when(the.start()).then(started());
    given(...inFlight)
      .when(the.start())
      .thenRejected('DeliveryStateConflict', { status: 'delivering' });
  });

  it('waits for the time of the retry', () => {
    const waiting = given(...afterFailures(1));
    waiting.when(the.start('schedule', later(29_999))).thenRejected('DeliveryStateConflict');
    waiting.when(the.start('schedule', later(30_000))).then(started(2));
    waiting.when(the.makeDue(1, later(29_999))).thenNothing();
    waiting.when(the.makeDue(1, later(30_000))).then(the.becameDue);
    waiting.when(the.makeDue(2, later(30_000))).thenNothing();
    given(...afterFailures(1), the.becameDue)
      .when(the.makeDue(1, later(30_000)))
      .thenNothing();
    given(...afterFailures(1), the.becameDue)
      .when(the.start())
      .then(started(2));
  });

  it('is refused for a delivery that does not exist', () => {
    given().when(the.start()).thenRejected('DeliveryNotFound');
  });
});

describe('recording an outcome', () => {
  it('completes a successful delivery', () => {
    given(...inFlight)
      .when(the.succeed())
      .then(the.succeeded());
  });

  it('waits exactly 30 s, 2 min, 10 min, 1 h and 6 h, and gives up after the sixth', () => {
    DELAYS.forEach((delay, n) => {
      given(...afterFailures(n), started(n + 1))
        .when(the.fail(n + 1))
        .then(failed(n + 1, later(delay)));
    });
    given(...afterFailures(5), started(6))
      .when(the.fail(6))
      .then(failed(6));
  });

  it('measures the delay from the outcome', () => {
    given(...inFlight)
      .when(the.fail(1, later(10_000)))
      .then(failed(1, later(40_000)));
  });

  it('lets Retry-After lengthen the delay up to 6 h, and never shorten it', () => {
    const asked = (retryAfterMs: number, delay: number) =>
      given(...inFlight)
        .when(the.fail(1, later(0), { retryAfterMs }))
        .then(failed(1, later(delay)));
    asked(1_000, 30_000);
    asked(90_000, 90_000);
    asked(1e12, 21_600_000);
  });

  it('changes nothing if repeated or late', () => {
    given(...inFlight, the.succeeded())
      .when(the.succeed())
      .thenNothing();
    given(...inFlight, the.succeeded())
      .when(the.fail())
      .thenNothing();
    given(...afterFailures(1))
      .when(the.fail())
      .thenNothing();
    given(...afterFailures(1), started(2))
      .when(the.succeed(1))
      .thenNothing();
    given(...inFlight, the.deliveryCancelled)
      .when(the.succeed())
      .thenNothing();
  });
});

describe('interrupting an attempt in flight', () => {
  it('makes it ready again at once without counting a failure', () => {
    given(...inFlight)
      .when(the.interrupt)
      .then(the.interrupted());
    given(...inFlight, the.interrupted())
      .when(the.start())
      .then(started(2));
    given(...inFlight, the.interrupted(), started(2))
      .when(the.fail(2))
      .then(failed(2, later(30_000)));
    given(...afterFailures(5), started(6), the.interrupted(6), started(7))
      .when(the.fail(7))
      .then(failed(7));
  });

  it('changes nothing without an attempt in flight', () => {
    given(created).when(the.interrupt).thenNothing();
    given(...inFlight, the.succeeded())
      .when(the.interrupt)
      .thenNothing();
  });
});

describe('retrying manually', () => {
  it('makes the next attempt of the schedule', () => {
    given(...afterFailures(1))
      .when(the.start('manual'))
      .then(started(2, 'manual'));
    given(...afterFailures(1), started(2, 'manual'))
      .when(the.fail(2))
      .then(failed(2, later(120_000)));
  });

  it('makes one more attempt of a dead letter, which stays dead if it fails', () => {
    given(...afterFailures(6))
      .when(the.start('manual'))
      .then(started(7, 'manual'));
    given(...afterFailures(6), started(7, 'manual'))
      .when(the.fail(7))
      .then(failed(7));
    given(...afterFailures(6), started(7, 'manual'), the.interrupted(7))
      .when(the.start())
      .then(started(8));
  });

  it.each([
    ['pending', [created]],
    ['delivering', inFlight],
    ['delivered', [...inFlight, the.succeeded()]],
    ['cancelled', [created, the.deliveryCancelled]],
  ] as const)('is refused when %s', (status, past) => {
    given(...past)
      .when(the.start('manual'))
      .thenRejected('DeliveryStateConflict', { status });
  });

  it('ignores a dead letter otherwise', () => {
    given(...afterFailures(6))
      .when(the.start())
      .thenRejected('DeliveryStateConflict');
  });
});

describe('cancelling a delivery', () => {
  it.each([
    ['pending', [created]],
    ['delivering', inFlight],
    ['waiting for a retry', afterFailures(1)],
  ])('cancels one that is %s', (_, past) => {
    given(...past)
      .when(the.cancel)
      .then(the.deliveryCancelled);
  });

  it.each([
    ['delivered', [...inFlight, the.succeeded()]],
    ['a dead letter', afterFailures(6)],
    ['cancelled', [created, the.deliveryCancelled]],
  ])('changes nothing when it is %s', (_, past) => {
    given(...past)
      .when(the.cancel)
      .thenNothing();
  });
});

describe('removing a delivery', () => {
  const removed = [created, the.deliveryCancelled, the.deliveryRemoved];

  it.each([
    ['delivered', [...inFlight, the.succeeded()]],
    ['cancelled', [created, the.deliveryCancelled]],
  ])('removes one that is %s', (_, past) => {
    given(...past)
      .when(the.removeDelivery)
      .then(the.deliveryRemoved);
  });

  it.each([
    ['pending', [created]],
    ['delivering', inFlight],
    ['waiting for a retry', afterFailures(1)],
    ['a dead letter', afterFailures(6)],
    ['removed', removed],
  ])('changes nothing when it is %s', (_, past) => {
    given(...past)
      .when(the.removeDelivery)
      .thenNothing();
  });

  it.each([
    ['all of its events are there', removed],
    ['its last event alone is left', [the.deliveryRemoved]],
  ])('leaves a tombstone that no create revives, when %s', (_, past) => {
    given(...past)
      .when(the.deliver)
      .thenNothing();
    given(...past)
      .when(the.start('manual'))
      .thenRejected('DeliveryNotFound');
  });
});

describe('recovering a delivery', () => {
  const missing = { ...created, data: { ...created.data, recoveryId: the.RECOVERY_ID } };

  it.each([
    ['was never created', []],
    ['was removed', [created, the.deliveryCancelled, the.deliveryRemoved]],
  ])('creates one that %s', (_, past) => {
    given(...past)
      .when(the.recoverDelivery())
      .then(missing);
  });

  it.each([
    ['waiting for a retry', afterFailures(1)],
    ['a dead letter', afterFailures(6)],
    ['cancelled', [created, the.deliveryCancelled]],
  ])('sends one again that is %s', (_, past) => {
    given(...past)
      .when(the.recoverDelivery())
      .then(the.requeued);
  });

  it.each([
    ['pending', [created]],
    ['delivering', inFlight],
  ])('changes nothing of a delivery that is %s', (_, past) => {
    given(...past)
      .when(the.recoverDelivery(true))
      .thenNothing();
  });

  it('sends a delivered one again only if asked to', () => {
    given(...inFlight, the.succeeded())
      .when(the.recoverDelivery())
      .thenNothing();
    given(...inFlight, the.succeeded())
      .when(the.recoverDelivery(true))
      .then(the.requeued);
  });

  it('gives it all its attempts again, once for each recovery', () => {
    const dead = [...afterFailures(6), the.requeued, the.started(7), the.failed(7, the.later(30_000))];
    given(...afterFailures(6), the.requeued, the.started(7))
      .when(the.fail(7))
      .then(the.failed(7, the.later(30_000)));
    given(...dead)
      .when(the.recoverDelivery())
      .thenNothing();
    given(...dead)
      .when(the.recoverDelivery(false, the.OTHER_ID))
      .then({ type: 'DeliveryRequeued', data: { recoveryId: the.OTHER_ID } });
  });
});
