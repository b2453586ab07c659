import type { Milliseconds } from '../../../src/kernel/time.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { TestPartner } from '../../kit/partner.js';
import { startTestService } from '../../kit/service.js';
import { servedOperations } from '../safety/served.js';
import { INSECURE } from '../../surface/webhook-asking.js';
import { furnish } from '../safety/tenant.js';
import type { FuzzWorld } from './fuzz-operation.js';
import { RawClient } from './raw-client.js';

/** Maximum wait that a request may ask for. */
const MAX_WAIT: Milliseconds = 50_000;

/** The clock stands still; waits for clients end at once. */
class ImpatientClock extends ManualClock {
  hurries = false;

  override after(delay: Milliseconds, callback: () => void): () => void {
    if (!this.hurries || delay > MAX_WAIT) return super.after(delay, callback);
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  }
}

export async function openFuzzWorld(): Promise<FuzzWorld & { close(): Promise<void> }> {
  const clock = new ImpatientClock();
  const service = await startTestService({ clock, env: INSECURE });
  const client = new RawClient(service.url);
  const victim = await furnish(service, await TestPartner.open(service), 'victim');
  const reader = await furnish(service, await TestPartner.open(service), 'reader');
  await service.operate('POST', '/evidence/publish');
  const operations = await servedOperations(service.url);
  await service.service.timers.stop();
  clock.hurries = true;
  const close = async () => {
    clock.hurries = false;
    client.close();
    await service.close();
  };
  return { service, client, operations, victim, reader, close };
}
