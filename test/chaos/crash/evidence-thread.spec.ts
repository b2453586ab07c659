import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from './kit/service-process.js';

/** Open connections to the hash store: the main thread has one, the reading thread another. */
function connections({ pid }: ServiceProcess): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => linkOf(join(folder, fd)).endsWith('/evidence.db')).length;
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return ''; // Closed between the two calls.
  }
}

interface Status {
  readonly events: number;
  readonly events_behind: number;
}

/** One more account in a service on this folder, which is then ended. */
async function growth(
  folder: string,
  { end, interval, publish }: { end: 'kill' | 'stop'; interval: string; publish: boolean },
) {
  const service = await ServiceProcess.start(folder, { env: { EVIDENCE_INTERVAL_SECONDS: interval } });
  const as = service.operatorToken;
  const before = connections(service);
  await service.call('POST', '/operator/accounts', { as, json: { name: 'Acme' } });
  const path = `/operator/evidence${publish ? '/publish' : ''}`;
  const { body } = await service.call(publish ? 'POST' : 'GET', path, { as });
  const after = connections(service);
  const { code } = await service[end]();
  return { ...(body.data as unknown as Status), before, after, code, log: service.log };
}

describe('the evidence log of the built service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rps-evidence-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is built in a thread that starts with the first publication, and covers all events after a stop', async () => {
    const off = { interval: '0', publish: true };
    const killed = await growth(folder, { ...off, end: 'kill' });
    expect(killed).toMatchObject({ before: 1, after: 2, events_behind: 0, log: '' });
    const again = await growth(folder, { ...off, end: 'stop' });
    expect(again).toMatchObject({ before: 1, after: 2, events_behind: 0, code: 0, log: '' });
    expect(again.events).toBeGreaterThan(killed.events);
    expect(await growth(folder, { interval: '300', publish: false, end: 'stop' })).toMatchObject({
      ...{ code: 0, log: '' },
    });
    const status = await growth(folder, { interval: '0', publish: false, end: 'stop' });
    expect(status).toMatchObject({ before: 1, after: 1, events_behind: 0 });
    expect(status.events).toBeGreaterThan(again.events);
  });
});
