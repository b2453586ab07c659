import { byteRange } from './job.messages.js';

describe('reading a Range header', () => {
  it.each([
    [undefined, 10, 'whole'],
    ['bytes=0-4', 10, { first: 0, end: 5 }],
    ['bytes=5-', 10, { first: 5, end: 10 }],
    ['bytes=-3', 10, { first: 7, end: 10 }],
    ['bytes=-30', 10, { first: 0, end: 10 }],
    ['bytes=0-99', 10, { first: 0, end: 10 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=4-2', 10, 'whole'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['lines=0-1', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
  ])('%s of %d bytes', (header, size, expected) => {
    expect(byteRange(header, size)).toEqual(expected);
  });
});
