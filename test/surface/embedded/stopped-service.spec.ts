import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestService } from '../../kit/service.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function startAndStop(): Promise<WeakRef<object>> {
  const started = await startTestService();
  const app = new WeakRef(started.service.app);
  await started.close();
  return app;
}

describe('a stopped service', () => {
  it('leaves nothing in memory', async () => {
    const stopped = await startAndStop();
    for (let turn = 0; turn < 20 && stopped.deref(); turn++) {
      await setImmediate();
      collectGarbage();
    }
    expect(stopped.deref()).toBeUndefined();
  });
});
