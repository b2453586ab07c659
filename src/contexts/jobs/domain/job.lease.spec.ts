import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import { makeJobDecider } from './job.decider.js';
import { GrantLease } from './job.commands.js';
import type { JobEvent } from './job.events.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds, DAY } = the;

/** Leased and lapsed this many times in a row. */
const lapses = (count: number): JobEvent[] =>
  Array.from({ length: count }, (_, i) => [the.leased(i + 1), the.lapsed(i + 1)]).flat();

describe('granting a lease', () => {
  it('gives a queued job to the agent', () => {
    given(...the.waiting)
      .when(the.grant())
      .then(the.leased());
  });

  it('raises the fence with every lease', () => {
    given(...the.withAgent, the.lapsed())
      .when(the.grant(2))
      .then(the.leased(2));
    expect(given(...the.withAgent, the.lapsed(), the.leased(2)).state()).toMatchObject({ attemptCount: 2 });
  });

  it('succeeds for one of several agents', () => {
    given(...the.withAgent)
      .when(the.grant(2))
      .thenRejected('JobNotQueued', { status: 'leased' });
    given(...the.withAgent)
      .when(the.grant(1))
      .thenNothing();
  });

  it('is refused to another computer', () => {
    given(...the.waiting)
      .when(the.grant(1, seconds(0), 'another computer'))
      .thenRejected('JobNotFound');
  });

  it('is refused to an agent that would print without the options of the job', () => {
    const data = { ...the.created.data, options: { duplex: 'long-edge' } } as const;
    const withOptions = given({ type: 'JobCreated', data }, the.queued);
    withOptions.when(the.grant()).thenRejected('OptionsNotTaken');
    withOptions.when(new GrantLease({ ...the.grant(), takesOptions: true })).then(the.leased());
  });

  it('is refused once the job has expired', () => {
    given(...the.waiting)
      .when(the.grant(1, seconds(DAY)))
      .thenRejected('JobExpired');
  });
});

describe('a lease that is not renewed', () => {
  it('lapses, and the job is queued again', () => {
    given(...the.withAgent)
      .when(the.expireLease())
      .then(the.lapsed());
  });

  it('lapses four times in a row; the fifth lapse fails the job', () => {
    given(...the.waiting, ...lapses(3), the.leased(4))
      .when(the.expireLease(4))
      .then(the.lapsed(4));
    const failure = { failureCode: 'LEASE_LAPSED', message: 'The lease lapsed 5 times in a row.' };
    given(...the.waiting, ...lapses(4), the.leased(5))
      .when(the.expireLease(5))
      .then(the.lapsed(5), ...the.failedTemporarily(failure, 5));
  });

  it('restarts the count after a release or an accept', () => {
    given(...the.waiting, ...lapses(4), the.leased(5), the.released(5), the.leased(6))
      .when(the.expireLease(6))
      .then(the.lapsed(6, 1));
    expect(given(...the.waiting, ...lapses(4), the.leased(5), the.accepted(5)).state().lapsesInARow).toBe(0);
  });

  it('is ignored if the job changed meanwhile', () => {
    given(...the.taken)
      .when(the.expireLease())
      .thenNothing();
    given(...the.withAgent, the.lapsed())
      .when(the.expireLease())
      .thenNothing();
    given(...the.withAgent, the.lapsed(), the.leased(2))
      .when(the.expireLease(1))
      .thenNothing();
  });
});

describe('releasing a lease', () => {
  it('requeues the job without counting a lapse', () => {
    given(...the.withAgent)
      .when(the.release())
      .then(the.released());
  });

  it('can be repeated', () => {
    given(...the.withAgent, the.released())
      .when(the.release())
      .thenNothing();
  });

  it('is refused after accept', () => {
    given(...the.taken)
      .when(the.release())
      .thenRejected('LeaseNotReleasable');
  });

  it('is refused once the lease is lost', () => {
    given(...the.withAgent, the.lapsed())
      .when(the.release())
      .thenRejected('LeaseLost');
    given(...the.withAgent, the.released(), the.leased(2))
      .when(the.release(1))
      .thenRejected('LeaseLost');
    given(...the.done)
      .when(the.release())
      .thenRejected('LeaseLost');
  });

  it('is refused to another computer', () => {
    given(...the.withAgent)
      .when(the.release(1, { computerId: 'another computer' }))
      .thenRejected('JobNotFound');
  });
});

describe('a new session that does not name the lease', () => {
  it('requeues a leased job', () => {
    given(...the.withAgent)
      .when(the.voidLease())
      .then(the.lapsed(1, 1, 'session_replaced'));
  });

  it('fails a job that was accepted but not handed off', () => {
    given(...the.taken)
      .when(the.voidLease())
      .then(...the.failedTemporarily());
  });

  it('leaves a handed-off job to its timeouts', () => {
    given(...the.handing)
      .when(the.voidLease())
      .thenNothing();
    given(...the.printing)
      .when(the.voidLease())
      .thenNothing();
  });
});

describe('accepting a job', () => {
  it('gives the job to the agent', () => {
    given(...the.withAgent)
      .when(the.accept())
      .then(the.accepted());
  });

  it('can be repeated while the lease is valid', () => {
    given(...the.taken)
      .when(the.accept())
      .thenNothing();
    given(...the.handing)
      .when(the.accept())
      .thenNothing();
  });

  it('is refused once the lease is lost', () => {
    for (const past of [[...the.withAgent, the.lapsed()], the.failedOnce, the.inReview, the.done]) {
      given(...past)
        .when(the.accept())
        .thenRejected('LeaseLost');
    }
  });

  it('is refused under an older or unknown fence', () => {
    given(...the.withAgent, the.lapsed(), the.leased(2))
      .when(the.accept(1))
      .thenRejected('LeaseLost');
    given(...the.withAgent)
      .when(the.accept(2))
      .thenRejected('LeaseLost');
  });

  it('is refused if the content differs from that of the job', () => {
    given(...the.withAgent)
      .when(the.accept(1, seconds(0), 'b'.repeat(64)))
      .thenRejected('ContentMismatch');
  });

  it('is refused to another computer', () => {
    const stranger = the.accept(1, seconds(0), the.description.contentHash, 'another computer');
    given(...the.withAgent)
      .when(stranger)
      .thenRejected('JobNotFound');
  });

  it('expires the job from its expiry on', () => {
    given(...the.withAgent)
      .when(the.accept(1, seconds(DAY - 0.001)))
      .then(the.accepted(1, seconds(DAY - 0.001)));
    const expiry = [the.invalidated('expired'), the.expired()];
    given(...the.withAgent)
      .when(the.accept(1, seconds(DAY)))
      .then(...expiry);
    given(...the.withAgent, ...expiry)
      .when(the.accept(1, seconds(DAY)))
      .thenRejected('JobExpired');
  });
});

describe('silence of the agent after accept', () => {
  it('fails the job temporarily', () => {
    given(...the.taken)
      .when(the.agentGone())
      .then(...the.failedTemporarily());
  });

  it('is ignored before accept, after the hand-off and under another lease', () => {
    for (const past of [the.withAgent, the.handing, the.printing, the.failedOnce]) {
      given(...past)
        .when(the.agentGone())
        .thenNothing();
    }
    given(...the.taken)
      .when(the.agentGone(2))
      .thenNothing();
  });
});

describe('a temporary failure', () => {
  /** Accepted again after this many retries. */
  const retried = (count: number): JobEvent[] => [
    ...the.waiting,
    the.requeued(count),
    the.leased(1),
    the.accepted(1),
  ];

  it.each([
    [0, 15],
    [1, 60],
    [2, 300],
  ])('is retried after %i retries in %i seconds', (count, delay) => {
    given(...retried(count))
      .when(the.agentGone())
      .then(...the.failedTemporarily({}, 1, delay));
  });

  it('is final after the retries of the plan', () => {
    given(...retried(3))
      .when(the.agentGone())
      .then(the.exhausted());
    given(...retried(4))
      .when(the.agentGone())
      .then(the.exhausted());
  });

  it('repeats the last delay, and rounds up the delay in the history', () => {
    const policy = { ...defaultJobPolicy, retryDelaysMs: [200, 1500] };
    const decider = storyOf(makeJobDecider(policy));
    const [failure, schedule] = the.failedTemporarily({ nextAttemptAt: seconds(1.5) });
    const data = { fence: 1, nextAttemptAt: seconds(1.5), retryDelaySeconds: 2 };
    decider
      .given(...retried(2))
      .when(the.agentGone())
      .then(failure!, { ...schedule!, data } as JobEvent);
  });

  it('keeps the content while a retry is possible', () => {
    const late = seconds(2 * DAY);
    const contentUntil = seconds(3 * DAY);
    given(...retried(3))
      .when(the.agentGone(1, late))
      .then({ ...the.exhausted(), data: { ...the.exhausted().data, contentUntil } } as JobEvent);
  });
});

describe('a document that is missing when the agent fetches it', () => {
  const failure = the.failedForGood({
    failureCode: 'CONTENT_NOT_FOUND',
    message: 'The service has lost the document. Nothing was printed.',
  });

  it('fails the attempt permanently, even after accept, because nothing can be printed', () => {
    given(...the.withAgent)
      .when(the.contentLost())
      .then(failure);
    given(...the.taken)
      .when(the.contentLost())
      .then(failure);
  });

  it('fails the attempt permanently if the document is damaged', () => {
    const damaged = the.failedForGood({
      failureCode: 'CONTENT_DAMAGED',
      message: "The document is damaged in the service's store. Nothing was printed.",
    });
    given(...the.withAgent)
      .when(the.contentLost(undefined, undefined, 'damaged'))
      .then(damaged);
  });

  it('changes nothing after the hand-off, because the spooler may be printing', () => {
    for (const story of [the.handing, the.printing, the.inReview]) {
      given(...story)
        .when(the.contentLost())
        .thenNothing();
    }
  });

  it('changes nothing if no agent holds the job', () => {
    for (const story of [the.waiting, the.failedOnce, the.done, [...the.waiting, the.cancelled()]]) {
      given(...story)
        .when(the.contentLost())
        .thenNothing();
    }
  });

  it('refuses another computer', () => {
    given(...the.withAgent)
      .when(the.contentLost(seconds(0), 'another computer'))
      .thenRejected('JobNotFound');
  });
});
