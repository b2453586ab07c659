import { serviceAttention } from './service.controller.js';

const GIB = 1_024 ** 3;
const well = {
  checks: { event_store: 'ok', projections: 'ok' },
  details: { store_rolled_back: 0 },
  freeBytes: 20 * GIB,
  overdueTimers: 0,
  credentialsEnding: 0,
} as const;

describe('what an operator should look at', () => {
  it('is nothing while all is well, or unknown', () => {
    expect(serviceAttention(well)).toEqual([]);
    expect(serviceAttention({ ...well, details: {}, freeBytes: undefined })).toEqual([]);
  });

  it.each([
    ['checks that fail', { checks: { event_store: 'ok', projections: 'lagging' } }, 'not_ready', 1],
    ['a store that was rolled back', { details: { store_rolled_back: 1 } }, 'store_rolled_back', 1],
    ['less than 1 GiB of free space', { freeBytes: GIB - 1 }, 'disk_low', 1_023],
    ['timers that are overdue', { overdueTimers: 3 }, 'timers_overdue', 3],
    ['device credentials that end', { credentialsEnding: 2 }, 'device_credentials_end', 2],
  ] as const)('is about %s', (_, more, kind, count) => {
    expect(serviceAttention({ ...well, ...more })).toEqual([{ kind, count }]);
  });
});
