import { readConfig } from './config.js';

describe('choosing the printers', () => {
  const config = (platform: string, ...more: string[]): ReturnType<typeof readConfig> =>
    readConfig(['--url', 'http://127.0.0.1:3000/v1', ...more], {}, platform);

  it('offers the printers of Windows by default on Windows', () => {
    expect(config('win32').winspool).toBe(true);
  });

  it.each([[['--virtual', './printed']], [['--cups']]])('leaves them out when %s is given', (args) => {
    expect(config('win32', ...args).winspool).toBe(false);
    expect(config('win32', ...args, '--winspool').winspool).toBe(true);
  });

  it('refuses --winspool on other systems, where no printer is the default', () => {
    expect(config('linux').winspool).toBe(false);
    expect(() => config('linux', '--winspool')).toThrow('--winspool needs Windows');
  });
});
