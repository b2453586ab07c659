import * as the from '../../test/kit/examples/jobs.js';
import { plus } from '../../src/kernel/time.js';
import { holdUpOf, waitingSince } from './hold-up.js';
import type { JobDocument } from './job-view.js';

const now = the.seconds(600);
const ago = (seconds: number) => plus(now, -1_000 * seconds);
const job = (job_id: string, status: JobDocument['status'], seconds: number) =>
  ({ job_id, status, updated_at: ago(seconds) }) as JobDocument;
const online = { status: 'online', updated_at: ago(1_000) } as const;
const heldUpBy = (...jobs: readonly JobDocument[]) => holdUpOf(online, jobs, now)?.job.job_id;

describe('the job that holds a printer up', () => {
  it.each(['queued', 'leased', 'accepted_by_agent', 'sent_to_spooler'] as const)(
    'is one that has been %s for more than five minutes',
    (status) => {
      expect(holdUpOf(online, [job('a', status, 300)], now)).toBeUndefined();
      expect(holdUpOf(online, [job('a', status, 301)], now)).toMatchObject({ since: ago(301) });
    },
  );

  it('is the one nearest to the paper, then the one that came there first', () => {
    const [queued, accepted, first, second] = [
      ...[job('queued', 'queued', 900), job('accepted', 'accepted_by_agent', 800)],
      ...[job('first', 'sent_to_spooler', 700), job('second', 'sent_to_spooler', 600)],
    ] as const;
    expect(heldUpBy(second!, queued!, first!, accepted!)).toBe('first');
    expect(heldUpBy(queued!, accepted!)).toBe('accepted');
    expect(heldUpBy(queued!, job('new', 'sent_to_spooler', 10))).toBe('queued');
  });

  it('is none at a printer that is not online', () => {
    expect(holdUpOf({ ...online, status: 'offline' }, [job('a', 'queued', 900)], now)).toBeUndefined();
  });

  it.each(['queued', 'sent_to_spooler'] as const)(
    'is none that was %s before the printer came online or was resumed, until five minutes later',
    (status) => {
      const late = job('a', status, 900);
      expect(holdUpOf({ ...online, updated_at: ago(300) }, [late], now)).toBeUndefined();
      expect(holdUpOf({ ...online, updated_at: ago(301) }, [late], now)).toMatchObject({ since: ago(900) });
    },
  );

  it('is none in the spooler while the printer finishes others', () => {
    const inSpooler = job('labels', 'sent_to_spooler', 900);
    const holdUp = (finishedSecondsAgo: number, ...jobs: readonly JobDocument[]) =>
      holdUpOf(online, jobs, now, ago(finishedSecondsAgo))?.job.job_id;
    expect(holdUp(300, inSpooler)).toBeUndefined();
    expect(holdUp(301, inSpooler)).toBe('labels');
    expect(holdUp(300, inSpooler, job('queued', 'queued', 400))).toBe('queued');
  });

  it('is at a paused printer only one that its computer has', () => {
    const paused = { ...online, paused: true };
    const queued = job('queued', 'queued', 900);
    expect(holdUpOf(paused, [queued], now)).toBeUndefined();
    expect(holdUpOf(paused, [queued, job('held', 'leased', 400)], now)?.job.job_id).toBe('held');
  });
});

describe('the wait of a queue', () => {
  it('begins with that of the queued job that has waited longest', () => {
    const jobs = [job('held', 'sent_to_spooler', 900), job('b', 'queued', 20), job('a', 'queued', 40)];
    expect(waitingSince(jobs)).toBe(ago(40));
    expect(waitingSince(jobs.slice(0, 1))).toBeUndefined();
  });
});
