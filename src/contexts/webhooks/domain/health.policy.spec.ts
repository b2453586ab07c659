import { NOON } from '../../../../test/kit/recorded.js';
import { plus } from '../../../kernel/time.js';
import { FAILING_AFTER_MS, isBacklogFull, MAX_BACKLOG, MAX_BACKLOG_FAILING } from './health.policy.js';

const ago = (ms: number) => plus(NOON, -ms);
const isFull = (unfinished: number, lastSuccessAt?: string, lastFailureAt?: string) =>
  isBacklogFull({ unfinished, lastSuccessAt, lastFailureAt }, NOON);

describe('the backlog of an endpoint', () => {
  it('is full at 10,000 deliveries if no attempt has succeeded for an hour', () => {
    const lastSuccessAt = ago(FAILING_AFTER_MS + 1);
    expect(isFull(MAX_BACKLOG_FAILING, lastSuccessAt, ago(1))).toBe(true);
    expect(isFull(MAX_BACKLOG_FAILING, undefined, ago(1))).toBe(true);
    expect(isFull(MAX_BACKLOG_FAILING - 1, undefined, ago(1))).toBe(false);
  });

  it('is not full at 10,000 deliveries within an hour of a success', () => {
    expect(isFull(MAX_BACKLOG_FAILING, ago(FAILING_AFTER_MS), ago(1))).toBe(false);
  });

  it('is not full at 10,000 deliveries before an attempt has failed since the last success', () => {
    expect(isFull(MAX_BACKLOG_FAILING)).toBe(false);
    expect(isFull(MAX_BACKLOG_FAILING, ago(2 * FAILING_AFTER_MS), ago(3 * FAILING_AFTER_MS))).toBe(false);
  });

  it('is full at 100,000 deliveries in any case', () => {
    expect(isFull(MAX_BACKLOG)).toBe(true);
    expect(isFull(MAX_BACKLOG, ago(0), ago(1))).toBe(true);
    expect(isFull(MAX_BACKLOG - 1, ago(0), ago(1))).toBe(false);
  });
});
