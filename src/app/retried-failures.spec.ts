import { pino } from 'pino';
import { retriedFailures } from './retried-failures.js';
import { StoreDamagedError, UnavailableError } from '../kernel/errors.js';

function reporting() {
  const lines: { level: number; msg: string; failures?: number; timer?: string }[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  let now = 0;
  return {
    lines,
    report: retriedFailures(logger, () => now),
    passes: (ms: number) => (now += ms),
    levels: () => lines.map(({ level }) => pino.levels.labels[level]),
  };
}
const down = new UnavailableError('no answer');

describe('reporting failures of background work', () => {
  it('warns once for each kind of work in an outage', () => {
    const { report, levels, lines } = reporting();
    report(down, 'a timer failed', { timer: 't1' });
    report(down, 'projection failed');
    report(down, 'a timer failed', { timer: 't2' });
    expect(levels()).toEqual(['warn', 'warn', 'debug']);
    expect(lines[2]).toMatchObject({ msg: 'a timer failed', failures: 2, timer: 't2' });
  });

  it('warns again in the next outage', () => {
    const { report, levels, passes } = reporting();
    report(down, 'a timer failed');
    passes(20_000);
    report(down, 'a timer failed');
    passes(30_001);
    report(down, 'a timer failed');
    expect(levels()).toEqual(['warn', 'debug', 'warn']);
  });

  it('reports every other failure as an error', () => {
    const { report, levels } = reporting();
    for (const error of [new TypeError('bug'), new TypeError('bug'), new StoreDamagedError('disk')]) {
      report(error, 'a timer failed');
    }
    expect(levels()).toEqual(['error', 'error', 'error']);
  });
});
