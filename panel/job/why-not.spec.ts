import { whyNot } from './why-not.js';

describe('why a job cannot be printed again', () => {
  it('is not said of a job that can', () => {
    expect(whyNot({ can_retry: true, status: 'manual_review' })).toBeUndefined();
  });

  it('names a new job only where this one has ended', () => {
    const reasonOf = (status: Parameters<typeof whyNot>[0]['status']) => whyNot({ can_retry: false, status });
    expect(reasonOf('queued')).toBe('it waits to be printed');
    expect(reasonOf('leased')).toBe('its computer has it; wait for the outcome');
    for (const status of ['spooler_completed', 'cancelled', 'expired'] as const)
      expect(reasonOf(status)).toMatch('Reprint makes a new job');
  });

  it('depends on the failure of a job that failed', () => {
    const failed = { can_retry: false, status: 'failed' } as const;
    expect(whyNot({ ...failed, failure_class: 'temporary' })).toMatch('the document is gone');
    expect(whyNot({ ...failed, failure_class: 'permanent' })).toBe('another attempt would fail the same way');
  });
});
