import * as the from '../../../../test/kit/examples/jobs.js';
import { NOON, recorded } from '../../../../test/kit/recorded.js';
import { plus, type Instant } from '../../../kernel/time.js';
import { explain } from './job.explanation.js';
import type { JobEvent } from './job.events.js';

const explained = (events: readonly JobEvent[], now: Instant) =>
  explain(recorded(the.JOB_STREAM, ...events), {
    ...{ now, accountStatus: 'active', isPlanUsedUp: false, ahead: 0, newest: [] },
    computer: { name: 'RECEPTION', status: 'online', takesOptions: true },
    printer: { printerId: the.PRINTER_ID, name: 'Front desk', status: 'online', isPaused: false },
  });

describe('explaining a job that is next at a printer that is online', () => {
  const told = (now: Instant) => {
    const { cause, evidence, next_steps } = explained(the.waiting, now);
    return [cause, evidence[0]!.text, ...next_steps.map(({ action }) => action)];
  };
  const waiting = 'Waiting for “Front desk” on “RECEPTION”. Nothing has been printed.';

  it('asks for patience during the first five minutes', () => {
    expect(told(the.seconds(300))).toEqual(['next_in_turn', waiting, 'wait']);
  });

  it('says afterwards since when it waits, and what else to do', () => {
    const { since } = explained(the.waiting, NOON);
    const text = `It has been waiting since ${since}. ${waiting}`;
    expect(told(plus(since, 300_001))).toEqual(['next_in_turn', text, 'wait', 'check_printer', 'move_queue']);
  });
});

describe('explaining a job that its computer has', () => {
  it.each([
    ['leased', the.withAgent],
    ['handed off', the.handing],
    ['in the spooler', the.printing],
  ])('proposes a look at the printer after five minutes if it is %s', (_, events) => {
    const steps = (now: Instant) => explained(events, now).next_steps.map(({ action }) => action);
    const { since } = explained(events, NOON);
    expect(steps(plus(since, 300_000))).toEqual(['wait']);
    expect(steps(plus(since, 300_001))).toEqual(['check_printer', 'wait']);
  });
});

describe('explaining a job in review', () => {
  it('proposes another print only for what was not printed', () => {
    const { next_steps } = explained(the.inReview, the.seconds(60));
    expect(next_steps.at(-1)).toMatchObject({
      action: 'retry',
      text: 'If it was not printed, print the job again.',
    });
  });

  it('says what becomes of it if it was printed', () => {
    expect(explained(the.inReview, the.seconds(60)).evidence[0]!.text).toMatch(
      /Without a decision the job expires at \S+Z\. If it was printed, nothing is to be done: it is closed as expired then\.$/,
    );
  });
});
