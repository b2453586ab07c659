import { JobStatus, observed, sightingOf, sightingOfGone, WORK_OFFLINE, type Track } from './job-status.js';
import type { JobInfo, QueueInfo } from './spooler-api.js';

const EPOCH = '4@100';
const queue: QueueInfo = { name: 'desk', port: 'USB001', driver: 'Office', attributes: 0, status: 0 };
const track = (stage: Track['stage'] = 'ended'): Track => ({
  ...{ queue: 'desk', spoolerJobId: '7', epoch: EPOCH, stage, flags: 0, trouble: false },
});
const job = (status: number, more: Partial<JobInfo> = {}): JobInfo => ({
  ...{ id: 7, document: 'svc:a:1', status, statusText: '', size: 100, pagesPrinted: 0 },
  ...more,
});
const { paused, error, deleting, spooling, printing, offline, paperOut, printed, complete, retained } =
  JobStatus;

/** Looks at the job with each status in turn; the last look is the sighting. */
function sees(stage: Track['stage'], ...jobs: JobInfo[]): ReturnType<typeof sightingOf> {
  const seen = jobs.reduce((before, look) => observed(before, look, queue), track(stage));
  return sightingOf(seen, jobs.at(-1) as JobInfo);
}

/** The job was seen with each status in turn and then left the queue. */
function gone(stage: Track['stage'], ...statuses: number[]): ReturnType<typeof sightingOfGone> {
  const seen = statuses.reduce((before, status) => observed(before, job(status), queue), track(stage));
  return sightingOfGone(seen, EPOCH);
}

describe('looking at a job in a Windows queue', () => {
  it.each([
    ['nothing', 0, 'waiting'],
    ['PAUSED', paused, 'waiting'],
    ['ERROR', error, 'waiting'],
    ['OFFLINE', offline, 'waiting'],
    ['DELETING', deleting, 'waiting'],
    ['SPOOLING', spooling, 'waiting'],
    ['PRINTING', printing, 'printing'],
    ['PRINTING and ERROR', printing | error, 'printing'],
    ['COMPLETE', complete, 'printing'],
    ['PRINTED', printed, 'completed'],
    ['RETAINED', retained, 'completed'],
    ['RETAINED and PAUSED', retained | paused, 'completed'],
    ['PRINTED and DELETING', printed | deleting, 'completed'],
  ])('with %s finds it %s', (_, status, state) => {
    expect(sees('ended', job(status)).state).toBe(state);
  });

  it('remembers that it was printing before it was paused', () => {
    expect(sees('ended', job(paused))).toMatchObject({ state: 'waiting', started: false });
    expect(sees('ended', job(printing), job(paused))).toMatchObject({ state: 'waiting', started: true });
    expect(sees('ended', job(paused, { pagesPrinted: 1 }))).toMatchObject({ started: true });
  });

  it('names the obstacle, or shows the text of the driver', () => {
    expect(sees('ended', job(offline | paperOut))).toMatchObject({ message: 'offline, paperOut' });
    expect(sees('ended', job(error, { statusText: 'Jam in tray 2' }))).toMatchObject({
      message: 'Jam in tray 2',
    });
    expect(sees('ended', job(printing))).not.toHaveProperty('message', expect.any(String));
  });

  it('recognises a job that another run of the Agent created but sent no bytes to', () => {
    expect(sees('found', job(spooling, { size: 0 }))).toEqual({ state: 'empty', spoolerJobId: '7' });
    expect(sees('withdrawn', job(spooling | deleting, { size: 0 })).state).toBe('empty');
  });

  it('reports a document left unfinished by an earlier run of the Agent as aborted', () => {
    expect(sees('found', job(spooling, { size: 5 }))).toMatchObject({ state: 'aborted', started: true });
    expect(sees('found', job(spooling | printing, { size: 0 }))).toMatchObject({ state: 'aborted' });
  });
});

describe('looking for a job that left its Windows queue', () => {
  it.each<[string, Track['stage'], number[], string]>([
    ['a document that we ended and never saw', 'ended', [], 'completed'],
    ['a document that printed', 'ended', [0, printing], 'completed'],
    ['a document that was sent to the printer', 'ended', [complete], 'completed'],
    ['a document sent to the printer after an error', 'ended', [error, complete], 'completed'],
    ['a document in error', 'ended', [printing | error], 'absent'],
    ['a document that was offline', 'ended', [offline], 'absent'],
    ['a document without paper', 'ended', [printing, printing | paperOut], 'absent'],
    ['a paused document', 'ended', [paused], 'absent'],
    ['a document deleted while it waited', 'ended', [0, deleting], 'cancelled'],
    ['a printed document that is removed', 'ended', [printed | deleting], 'completed'],
    ['a document that we deleted before any byte', 'withdrawn', [], 'cancelled'],
    ['a document that we deleted after its first bytes', 'broken', [spooling], 'aborted'],
    ['a document whose end is unknown', 'open', [], 'absent'],
    ['a document of an earlier run', 'found', [0, printing], 'absent'],
    ['a document of an earlier run that was sent to the printer', 'found', [complete], 'completed'],
  ])('finds %s (%s, flags %j) %s', (_, stage, flags, state) => {
    expect(gone(stage, ...flags).state).toBe(state);
  });

  it('distinguishes a deletion before the first page from one during printing', () => {
    expect(gone('ended', 0, deleting)).toMatchObject({ state: 'cancelled', started: false });
    expect(gone('ended', printing, printing | deleting)).toMatchObject({ state: 'cancelled', started: true });
  });

  it.each([
    ['paused', { status: 0x1 }],
    ['offline', { status: 0x80 }],
    ['out of paper', { status: 0x10 }],
    ['set to work offline', { attributes: WORK_OFFLINE }],
  ])('never trusts its end when the queue was %s', (_, state) => {
    const seen = observed(track(), job(0), { ...queue, ...state });
    expect(sightingOfGone(seen, EPOCH)).toEqual({ state: 'absent' });
  });

  it('never trusts its end after a restart of the spooler', () => {
    expect(sightingOfGone(track(), 'another')).toEqual({ state: 'absent' });
  });
});
