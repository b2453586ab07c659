import { events } from './examples.js';
import { lanesOf } from './lanes.js';

const told = events(
  ['JobCreated', 0],
  ['JobQueued', 0],
  ['JobLeased', 62.14, { fence: 1 }],
  ['JobAccepted', 62.31, { fence: 1 }],
  ['HandoffStarted', 62.345, { fence: 1 }],
  ['ManualReviewOpened', 662.345, { fence: 1, failureCode: 'HANDOFF_UNCONFIRMED' }],
  ['JobRequeued', 700, { cause: 'manual', reason: 'no paper' }],
  ['JobLeased', 701, { fence: 2 }],
  ['JobSpooled', 702, { fence: 2 }],
  ['JobCompleted', 703, { fence: 2 }],
  ['SomethingNew', 704, {}],
);

describe('the lanes of a job', () => {
  const groups = lanesOf(told);
  const rows = groups.flatMap((group) => group.rows);

  it('show every event once, in the order of the stream', () => {
    expect(rows.map(({ id }) => id)).toEqual(told.map(({ event_id }) => event_id));
  });

  it('group the rows by attempt, and say what is certain about each', () => {
    expect(groups.map(({ attempt, summary, rows: { length } }) => [attempt, length, summary])).toEqual([
      [0, 2, 'not printed'],
      [1, 4, 'may have been printed'],
      [2, 5, 'the spooler finished'],
    ]);
  });

  it('begin a group at each lease, also of a job that was queued again', () => {
    const again = lanesOf(
      events(
        ['JobFailed', 0, { fence: 1 }],
        ['JobRequeued', 1, { cause: 'automatic' }],
        ['JobLeased', 2, { fence: 2 }],
        ['LeaseLapsed', 3, { fence: 2 }],
        ['JobLeased', 4, { fence: 3 }],
        ['HandoffStarted', 5, { fence: 3 }],
        ['ManualReviewOpened', 6, { fence: 3, failureCode: 'HANDOFF_UNCONFIRMED' }],
      ),
    );
    expect(again.slice(1).map(({ attempt, summary }) => [attempt, summary])).toEqual([
      [2, 'certainly not printed'],
      [3, 'may have been printed'],
    ]);
  });

  it('draw lines between who gives and who takes, and dots for what one decides', () => {
    const drawn = Object.fromEntries(rows.map(({ type, from, to }) => [type, to ? `${from}→${to}` : from]));
    expect(drawn).toEqual({
      JobCreated: 'Service',
      JobQueued: 'Service',
      JobLeased: 'Service→Agent',
      JobAccepted: 'Agent',
      HandoffStarted: 'Agent',
      ManualReviewOpened: 'Service',
      JobRequeued: 'Service',
      JobSpooled: 'Agent→Spooler',
      JobCompleted: 'Spooler→Service',
      SomethingNew: 'Service',
    });
  });

  it('draw results that the Agent reported as lines to the service', () => {
    const [group] = lanesOf(
      events(
        ['JobLeased', 0, { fence: 1 }],
        ['LeaseReleased', 1, { fence: 1 }],
        ['JobFailed', 2, { fence: 1, reportId: 'r', failureCode: 'RENDER_FAILED', message: 'broken' }],
        ['JobFailed', 3, { fence: 1, failureCode: 'LEASE_LAPSED' }],
        ['LateResultRecorded', 4, { fence: 1, report: 'spooled' }],
      ),
    );
    expect(group!.rows.map(({ from, to, text, reason }) => [from, to, text, reason])).toEqual([
      ['Service', 'Agent', 'leased', undefined],
      ['Agent', 'Service', 'released by the Agent', undefined],
      ['Agent', 'Service', 'failed: RENDER_FAILED', 'broken'],
      ['Service', undefined, 'failed: LEASE_LAPSED', undefined],
      ['Agent', 'Service', 'late result of attempt 1: spooled', undefined],
    ]);
  });

  it('measure from the first event, and name pauses of more than a second', () => {
    const review = rows.find(({ type }) => type === 'ManualReviewOpened');
    expect(review).toMatchObject({ offsetMs: 662_345, pauseMs: 600_000, needsDecision: true });
    expect(review?.text).toBe('needs a decision: HANDOFF_UNCONFIRMED');
    expect(rows.find(({ type }) => type === 'JobAccepted')).not.toHaveProperty('pauseMs');
  });

  it('mark the hand-off, from which on the document may have been printed', () => {
    expect(rows.filter(({ isHandoff }) => isHandoff).map(({ type }) => type)).toEqual(['HandoffStarted']);
  });

  it('show events that this page does not know by their type', () => {
    expect(rows.at(-1)).toMatchObject({ text: 'SomethingNew', isKnown: false });
  });

  it('show what a person wrote', () => {
    expect(rows.find(({ type }) => type === 'JobRequeued')).toMatchObject({
      text: 'queued again by a person',
      reason: 'no paper',
    });
  });
});
