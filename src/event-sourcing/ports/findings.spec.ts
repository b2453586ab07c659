import { clockFinding, runCheck, ok, versionFinding } from './findings.js';

describe('running a check', () => {
  it('returns its finding', async () => {
    expect(await runCheck('the disk', () => ok('3 GiB free'))).toEqual({
      what: 'the disk',
      verdict: 'ok',
      found: '3 GiB free',
    });
  });

  it('turns an error into a failed finding with a one-line message', async () => {
    const broken = () => Promise.reject(new Error('no such host\nat x.ts:1'));
    expect(await runCheck('the disk', broken)).toEqual({
      what: 'the disk',
      verdict: 'fail',
      found: 'no such host',
    });
  });
});

describe('comparing clocks', () => {
  it.each([
    [5, 0, 10, 'ok', /within 10 ms/],
    [-500, 0, 10, 'ok', /within 510 ms/],
    [3_010, 0, 10, 'warn', /^3\.0 s ahead of ours/],
    [-3_000, 0, 10, 'warn', /^3\.0 s behind ours/],
    [-61_000, 0, 10, 'fail', /^61\.0 s behind ours/],
    [3_600_000, 0, 10, 'fail', /ahead of ours/],
  ])('compares %i with the interval from %i to %i: %s', (theirs, before, after, verdict, found) => {
    expect(clockFinding(theirs, before, after)).toEqual({ verdict, found: expect.stringMatching(found) });
  });
});

describe('checking a version', () => {
  const known = { atLeast: [22, 6], below: [25, 0] } as const;

  it.each([
    ['21.10.9', 'fail'],
    ['22.5', 'fail'],
    ['22.6.0', 'ok'],
    ['23.10.7', 'ok'],
    ['24.10.0-rc1', 'ok'],
    ['25.0.1', 'warn'],
    ['Unknown', 'warn'],
    ['', 'warn'],
  ])('%s: %s', (text, verdict) => {
    expect(versionFinding(text, known).verdict).toBe(verdict);
  });
});
