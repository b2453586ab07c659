import { jobSpecification, type JobCall } from './job-specification.js';
import { isLinearizable, type Operation } from './linearizable.js';

const call = (began: number, ended: number, name: JobCall): Operation<JobCall> => ({ name, began, ended });
const lease = (began: number, ended: number, fence = 1) => call(began, ended, { call: 'lease', fence });
const accept = (began: number, ended: number, fence = 1) => call(began, ended, { call: 'accept', fence });
const handOff = (began: number, ended: number, fence = 1) => call(began, ended, { call: 'hand off', fence });
const cancel = (began: number, ended: number, answer: 'done' | 'conflict' = 'done') =>
  call(began, ended, { call: 'cancel', answer });
const retry = (began: number, ended: number, answer: 'done' | 'conflict' | 'risk' = 'done') =>
  call(began, ended, { call: 'retry', answer });

const isPossible = (...calls: Operation<JobCall>[]) => isLinearizable(calls, jobSpecification(2));

describe('judging the calls on a job', () => {
  it.each<[string, Operation<JobCall>[]]>([
    ['a life', [lease(0, 1), accept(2, 3), handOff(4, 5)]],
    [
      'a repeated accept and hand-off',
      [lease(0, 1), accept(2, 3), accept(2, 4), handOff(5, 6), handOff(6, 7)],
    ],
    ['a cancel that wins over the accept', [lease(0, 1), cancel(2, 3)]],
    ['a cancel that is refused after the accept', [lease(0, 1), accept(2, 3), cancel(4, 5, 'conflict')]],
    ['a refused cancel that overlaps the accept', [lease(0, 1), accept(2, 6), cancel(3, 4, 'conflict')]],
    ['a lapse, and another lease', [lease(0, 1), lease(2, 3, 2), accept(4, 5, 2)]],
    ['a retry after the hand-off', [lease(0, 1), accept(2, 3), handOff(4, 5), retry(6, 7), lease(8, 9, 2)]],
    ['a grant that nobody heard of', [lease(5, 6, 2), accept(7, 8, 2)]],
    ['a cancel without an answer', [lease(0, 1), cancel(2, Infinity), accept(3, 4), handOff(5, 6)]],
  ])('accepts %s', (_, calls) => {
    expect(isPossible(...calls)).toBe(true);
  });

  it('accepts a retry of a job that a rollback parked before its first attempt', () => {
    const retried = [retry(0, 1), cancel(2, 3)];
    expect(isLinearizable(retried, jobSpecification(0))).toBe(false);
    expect(isLinearizable(retried, jobSpecification(0, true))).toBe(true);
  });

  it.each<[string, Operation<JobCall>[]]>([
    ['a hand-off after a cancel', [lease(0, 1), accept(1, 2), cancel(3, 4), handOff(5, 6)]],
    ['an accept after a cancel', [lease(0, 1), cancel(2, 3), accept(4, 5)]],
    ['two grants of one fence', [lease(0, 1), lease(2, 3)]],
    ['a hand-off without an accept', [lease(0, 1), handOff(2, 3)]],
    ['a hand-off under an older fence', [lease(0, 1), accept(2, 3), lease(4, 5, 2), handOff(6, 7)]],
    ['a refused cancel of a queued job', [cancel(0, 1, 'conflict'), lease(2, 3), cancel(4, 5)]],
    ['two cancels', [cancel(0, 1), cancel(2, 3)]],
    [
      'a retry while the Agent holds it, then its hand-off',
      [lease(0, 1), accept(2, 3), retry(4, 5), handOff(6, 7)],
    ],
    ['a risk that is none', [cancel(0, 1), retry(2, 3, 'risk')]],
  ])('refuses %s', (_, calls) => {
    expect(isPossible(...calls)).toBe(false);
  });

  it('decides soon about many calls without an answer', () => {
    const calls = Array.from({ length: 6 }, (_, n) => [
      ...[lease(0, 10 * n + 1, n + 1), accept(10 * n + 2, Infinity, n + 1)],
      ...[handOff(10 * n + 3, Infinity, n + 1), retry(10 * n + 4, Infinity), retry(10 * n + 5, Infinity)],
    ]);
    const specification = jobSpecification(6);
    let applied = 0;
    const counting: typeof specification = {
      ...specification,
      apply(state, called) {
        applied++;
        return specification.apply(state, called);
      },
    };
    expect(isLinearizable([...calls.flat(), cancel(200, 201), cancel(202, 203)], counting)).toBe(false);
    expect(applied).toBeLessThan(20_000);
  });
});
