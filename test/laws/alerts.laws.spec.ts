import fc from 'fast-check';
import { alertDecider } from '../../src/contexts/alerts/domain/alert.decider.js';
import type { AlertCommand } from '../../src/contexts/alerts/domain/alert.commands.js';
import { keepsTheLaws, live } from '../kit/decider-laws.js';
import * as the from '../kit/examples/alerts.js';

const found = fc.subarray([the.offline, the.review, the.failure]);
const moments = fc.nat({ max: 30 }).map((minutes) => minutes * the.MINUTE);
const messages = fc.uuid();
const known = fc.constantFrom('message-1', 'message-2');
const attempts = fc.integer({ min: 1, max: 3 });
const commands: fc.Arbitrary<AlertCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(found, moments, messages).map((given) => the.note(...given)) },
  { weight: 2, arbitrary: fc.tuple(found, moments, known).map((given) => the.note(...given)) },
  fc.tuple(moments, known).map((given) => the.test(...given)),
  fc.tuple(moments, known, attempts).map((given) => the.sent(...given)),
  fc.tuple(moments, known, attempts).map((given) => the.refused(...given)),
);

describe('the alerts of every member', () => {
  keepsTheLaws(alertDecider, commands);

  it('tell the beginning of each condition in exactly one message', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 60 }), (sequence) => {
        const steps = live(alertDecider, sequence);
        const events = steps.flatMap((step) => step.events);
        const raised = events.filter(({ type }) => type === 'AlertRaised').length;
        const lines = events.flatMap((event) =>
          event.type === 'AlertMessageStarted' && !event.data.test ? event.data.lines : [],
        );
        const untold = Object.values(steps.at(-1)?.after.open ?? {}).filter(({ told }) => !told).length;
        const begun = lines.filter(({ over }) => !over).length;
        const dropped = events.filter((event) => event.type === 'AlertCleared').length;
        expect(begun + untold).toBeLessThanOrEqual(raised);
        expect(begun + untold + dropped).toBeGreaterThanOrEqual(raised);
      }),
    );
  });
});
