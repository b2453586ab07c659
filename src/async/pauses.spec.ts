import { getEventListeners } from 'node:events';
import { untilAborted } from './pauses.js';

describe('waiting for work until a shutdown', () => {
  const listeners = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length;

  it('returns its result or its error, and leaves no listener behind', async () => {
    const controller = new AbortController();
    expect(await untilAborted(Promise.resolve(1), controller.signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error('failed')), controller.signal)).rejects.toThrow(
      'failed',
    );
    await new Promise(setImmediate);
    expect(listeners(controller)).toBe(0);
  });

  it('returns undefined once the signal aborts, even before the call', async () => {
    const controller = new AbortController();
    const never = new Promise<number>(() => undefined);
    const waiting = untilAborted(never, controller.signal);
    controller.abort();
    expect(await waiting).toBeUndefined();
    expect(await untilAborted(never, controller.signal)).toBeUndefined();
  });
});
