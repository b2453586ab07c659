import * as the from '../../../../test/kit/examples/jobs.js';
import { storyOf } from '../../../../test/kit/decider.js';
import { makeJobDecider } from './job.decider.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { DAY, seconds } = the;
const away = { printerId: the.printerIdOf(2), computerId: the.OTHER_COMPUTER_ID, computerName: 'LOBBY' };
const movedAway = [...the.withAgent, the.invalidated('moved'), the.moved(away)];

describe('moving a job to another printer', () => {
  it('names both printers', () => {
    given(...the.waiting)
      .when(the.move())
      .then(the.moved());
  });

  it('takes the lease away first', () => {
    given(...the.withAgent)
      .when(the.move(away))
      .then(the.invalidated('moved'), the.moved(away));
  });

  it('takes a scheduled retry along at once', () => {
    given(...the.failedOnce)
      .when(the.move())
      .then(the.requeued(), the.moved());
  });

  it.each([
    ['accepted_by_agent', the.taken],
    ['accepted_by_agent', the.handing],
    ['sent_to_spooler', the.printing],
    ['spooler_completed', the.done],
    ['manual_review', the.inReview],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
  ])('is refused in %s', (_, past) => {
    given(...past)
      .when(the.move())
      .thenRejected('JobNotMovable');
  });

  it('is refused for a job that waits for a third printer, or has expired', () => {
    given(...the.waiting, the.moved())
      .when(the.move({ printerId: the.printerIdOf(2) }))
      .thenRejected('JobNotMovable');
    given(...the.waiting)
      .when(the.move({}, seconds(DAY)))
      .thenRejected('JobNotMovable');
  });

  it('writes nothing when repeated', () => {
    given(...the.waiting, the.moved())
      .when(the.move())
      .thenNothing();
  });

  it('is refused after twenty moves', () => {
    const twenty = Array.from({ length: 20 }, () => the.moved({ printerId: the.PRINTER_ID }));
    given(...the.waiting, ...twenty)
      .when(the.move())
      .thenRejected('JobNotMovable');
  });
});

describe('a moved job', () => {
  const onward = { computerId: the.OTHER_COMPUTER_ID };

  it('is not leased from the queue of its former printer on the same computer', () => {
    const { printerId } = the.move().to;
    given(...the.waiting, the.moved())
      .when(the.grant())
      .thenRejected('JobNotQueued', { status: 'queued' });
    given(...the.waiting, the.moved())
      .when(Object.assign(the.grant(), { printerId }))
      .then(the.leased());
  });

  it('is leased by the computer of its new printer only', () => {
    given(...movedAway)
      .when(the.grant(2))
      .thenRejected('JobNotFound');
    const grant = Object.assign(the.grant(2), { ...onward, printerId: away.printerId });
    given(...movedAway)
      .when(grant)
      .then({ ...the.leased(2), data: { ...the.leased(2).data, ...onward } } as ReturnType<
        typeof the.leased
      >);
  });

  it('gives its former computer no permit', () => {
    given(...movedAway)
      .when(the.accept())
      .thenRejected('LeaseLost');
    given(...movedAway)
      .when(the.handOff())
      .thenRejected('LeaseLost');
    given(...movedAway)
      .when(the.release())
      .thenRejected('LeaseLost');
  });

  it('is parked if its former computer printed it all the same', () => {
    given(...movedAway)
      .when(the.report('spooled'))
      .then(expect.objectContaining({ type: 'ManualReviewOpened' }) as never);
    given(...movedAway)
      .when(the.reconcile({ touched: true }))
      .then(expect.objectContaining({ type: 'ManualReviewOpened' }) as never);
  });

  it('stays unknown to other computers', () => {
    const stranger = Object.assign(the.report('spooled'), { computerId: the.printerIdOf(9) });
    given(...movedAway)
      .when(stranger)
      .thenRejected('JobNotFound');
  });
});

describe('clearing the queue of a printer', () => {
  it('cancels what waits, with its lease or its scheduled retry', () => {
    given(...the.waiting)
      .when(the.clear())
      .then(the.cancelled());
    given(...the.withAgent)
      .when(the.clear())
      .then(the.invalidated('cancelled'), the.cancelled());
    given(...the.failedOnce)
      .when(the.clear())
      .then(the.requeued(), the.cancelled());
  });

  it('leaves jobs of other printers, and those that an Agent has accepted', () => {
    given(...the.waiting, the.moved())
      .when(the.clear())
      .thenRejected('JobNotCancellable');
    given(...the.taken)
      .when(the.clear())
      .thenRejected('JobNotCancellable');
  });
});
