import { parseSimulation } from './simulation.js';

describe('reading --simulate', () => {
  it('accepts several pairs and adds later options to earlier ones', () => {
    const first = parseSimulation('outcome=fail,delay=200');
    expect(parseSimulation('crash=after-accept,times=2', first)).toEqual({
      outcome: 'fail',
      delayMs: 200,
      crash: 'after-accept',
      times: 2,
    });
  });

  it('accepts a crash as an outcome, and dashes for underscores', () => {
    expect(parseSimulation('outcome=crash:handing-off')).toEqual({ crash: 'handing-off' });
    expect(parseSimulation('outcome=not-submitted')).toEqual({ outcome: 'not_submitted' });
  });

  it.each(['outcome=explode', 'crash=nowhere', 'times=-1', 'delay=1.5', 'colour=red', ''])(
    'refuses "%s"',
    (text) => {
      expect(() => parseSimulation(text)).toThrow(RangeError);
    },
  );
});
