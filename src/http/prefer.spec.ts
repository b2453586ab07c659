import { waitSeconds } from './prefer.js';

describe('preferring to wait', () => {
  it.each([
    ['wait=1', 1],
    ['wait=25', 25],
    ['Wait = 10', 10],
    ['respond-async, wait=5', 5],
    ['wait=5; strict=true, wait=7', 5],
    ['wait=0005', 5],
    ['wait=26', 25],
    ['wait=999999999', 25],
  ])('takes %j as %d seconds', (prefer, seconds) => {
    expect(waitSeconds(prefer)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'wait',
    'wait=',
    'wait=0',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    'await=5',
    'wait=1e1',
  ])('takes %j as no wish', (prefer) => {
    expect(waitSeconds(prefer)).toBeUndefined();
  });
});
