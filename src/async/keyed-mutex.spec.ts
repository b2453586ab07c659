import { KeyedMutex } from './keyed-mutex.js';

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('running work one at a time', () => {
  it('keeps the order on one key, also after a failure', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const first = gate();
    const a = mutex.run('k', async () => {
      await first.opened;
      log.push('a');
      throw new Error('a failed');
    });
    const b = mutex.run('k', async () => log.push('b'));
    first.open();
    await expect(a).rejects.toThrow('a failed');
    await b;
    expect(log).toEqual(['a', 'b']);
  });

  it('does not block other keys', async () => {
    const mutex = new KeyedMutex();
    const first = gate();
    const a = mutex.run('k', () => first.opened);
    await mutex.run('other', async () => undefined);
    first.open();
    await a;
  });
});
