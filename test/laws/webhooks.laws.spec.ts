import fc from 'fast-check';
import { makeDeliveryDecider } from '../../src/contexts/webhooks/domain/delivery.decider.js';
import { endpointDecider } from '../../src/contexts/webhooks/domain/endpoint.decider.js';
import type { DeliveryCommand, EndpointCommand } from '../../src/contexts/webhooks/index.js';
import { keepsTheLaws, live } from '../kit/decider-laws.js';
import * as the from '../kit/examples/webhooks.js';

const { later } = the;

const changes = fc.record(
  {
    description: fc.constantFrom('orders', 'all'),
    eventTypes: fc.constantFrom(['job.failed'] as const, the.settings.eventTypes),
    status: fc.constantFrom('active' as const, 'paused' as const),
    secret: fc.constantFrom('first', 'second', 'third').map(the.sealed),
  },
  { requiredKeys: [] },
);
const names = fc.nat({ max: 25 });
const endpointCommands: fc.Arbitrary<EndpointCommand> = fc.oneof(
  { weight: 3, arbitrary: names.map((n) => the.create(`webhook-${n}`, the.elsewhere(`h${n % 23}`))) },
  fc.constantFrom<EndpointCommand[]>(
    the.create(),
    the.pauseGone,
    the.settle,
    the.remove,
    the.test(),
    the.test('again'),
    the.recover(),
    the.recover('another'),
    the.noteRecovery(3, later(9)),
    the.noteRecovery(4),
  ),
  changes.map((it) => the.update(it)),
  names.map((n) => the.update(the.elsewhere(`h${n}`), later(n), `webhook-${n % 7}`)),
);

describe('every account’s endpoints', () => {
  keepsTheLaws(endpointDecider, endpointCommands);

  it('are at most twenty, with distinct addresses', () => {
    fc.assert(
      fc.property(fc.array(endpointCommands, { maxLength: 80 }), (commands) => {
        for (const { after } of live(endpointDecider, commands)) {
          const targets = Object.values(after.webhooks).map(({ target }) => target);
          expect(targets.length).toBeLessThanOrEqual(20);
          expect(new Set(targets).size).toBe(targets.length);
        }
      }),
    );
  });
});

const decider = makeDeliveryDecider({ retryDelaysMs: [30_000, 120_000] });
const attempts = fc.integer({ min: 1, max: 6 });
const times = fc.integer({ min: 0, max: 600_000 }).map(later);
const deliveryCommands: fc.Arbitrary<DeliveryCommand> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(the.deliver) },
  { weight: 4, arbitrary: times.map((at) => the.start('schedule', at)) },
  times.map((at) => the.start('manual', at)),
  attempts.map(the.succeed),
  { weight: 4, arbitrary: fc.tuple(attempts, times).map(([n, at]) => the.fail(n, at)) },
  fc.tuple(attempts, times).map(([n, at]) => the.makeDue(n, at)),
  fc.constantFrom<DeliveryCommand[]>(the.interrupt, the.cancel, the.recoverDelivery()),
);

describe('every delivery', () => {
  keepsTheLaws(decider, deliveryCommands);

  it('has at most one request in flight and ends once', () => {
    fc.assert(
      fc.property(fc.array(deliveryCommands, { maxLength: 60 }), (commands) => {
        const steps = live(decider, [the.deliver, ...commands]);
        const ends = steps.flatMap(({ events }) => events).filter(({ type }) => type === 'DeliverySucceeded');
        expect(ends.length).toBeLessThanOrEqual(1);
        for (const { before, events, after } of steps) {
          if (events[0]?.type === 'DeliveryAttemptStarted') expect(before.status).not.toBe('delivering');
          expect(after.attempts - before.attempts).toBe(events[0]?.type === 'DeliveryAttemptStarted' ? 1 : 0);
        }
      }),
    );
  });
});
