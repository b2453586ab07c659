import { Readable } from 'node:stream';
import { boundedText } from './preview.controller.js';

describe('the answer of the process that draws', () => {
  it('is read to its bound, and not beyond', async () => {
    const answer = () => Readable.from([Buffer.from('pa'), Buffer.from('ges')]);
    expect(await boundedText(answer(), 5)).toBe('pages');
    const long = answer();
    expect(await boundedText(long, 4)).toBe('');
    expect(long.destroyed).toBe(true);
  });
});
