import { closeSync, constants } from 'node:fs';
import { NamedPipe } from '../../../test/kit/log-targets.js';
import { soon } from '../../../test/kit/polling.js';
import { LineOutput } from './line-output.js';

const linesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => `line ${first + at} ${'.'.repeat(1_000)}\n`);

describe('writing lines to a pipe without a reader', () => {
  it('writes every accepted line once and in order after the reader returns', async () => {
    const pipe = await NamedPipe.make();
    const fd = pipe.open(constants.O_NONBLOCK);
    try {
      let dropped = 0;
      const output = new LineOutput(fd, (lines) => (dropped += lines));
      const lines = linesFrom(0, 2_000);
      lines.forEach((line) => output.write(line));
      const accepted = lines.slice(0, lines.length - dropped);
      expect(dropped).toBeGreaterThan(0);
      const onRecovery = [`${dropped} were dropped\n`, ...linesFrom(5_000, 500)];
      output.onRecovered = () => onRecovery.forEach((line) => output.write(line));
      const expected = [...accepted, ...onRecovery].join('');
      let log = '';
      await soon(() => (log += pipe.read()).length >= expected.length);
      await output.flush(1_000);
      expect(log + pipe.read()).toBe(expected);
    } finally {
      closeSync(fd);
      await pipe.remove();
    }
  });
});
