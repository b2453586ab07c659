import { resolve } from 'node:path';
import { serviceArguments } from './install.js';

describe('the arguments of an installed service', () => {
  const config = { state: '/state', logFile: undefined, virtual: undefined };

  it.each([[['--token', 'secret']], [['--token=secret']], [['--once']]])(
    'do not repeat %j, which is for the installation',
    (given) => {
      expect(serviceArguments(['--url', 'u', ...given, '--cups'], config)).toEqual(
        ['--url', 'u', '--cups'].concat(['--state', '/state', '--log-file', '/state/agent.log']),
      );
    },
  );

  it('end with absolute paths, which count more than the given ones', () => {
    const given = { state: 'state', logFile: 'log.json', virtual: 'paper' };
    const args = ['--state', given.state, '--log-file', given.logFile, '--virtual', given.virtual];

    expect(serviceArguments(args, given).slice(args.length)).toEqual([
      ...['--state', resolve('state'), '--log-file', resolve('log.json'), '--virtual', resolve('paper')],
    ]);
  });
});
