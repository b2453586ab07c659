import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import type { DocumentProcess } from './document-process.js';

const PLACES = 8;
const { signal } = new AbortController();

describe('processes of documents', () => {
  it('draws eight documents at once, lets further ones wait in turn, and raw ones pass', async () => {
    const { processes, started } = documentProcessesInMemory(new FakeWindowsSpooler());
    const busy: DocumentProcess[] = [];
    for (let n = 0; n < PLACES; n++) busy.push(await processes.take(`busy-${n}`, signal));
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (printer) => {
      const process = await processes.take(printer, signal);
      order.push(printer);
      process.end();
    });
    expect(started).toHaveLength(PLACES);
    await processes.take('label');
    expect(order).toEqual([]);
    busy[3]?.end();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
  });

  it('lets a document whose lease is lost give up its wait', async () => {
    const { processes, started } = documentProcessesInMemory(new FakeWindowsSpooler());
    for (let n = 0; n < PLACES; n++) await processes.take(`busy-${n}`, signal);
    const lost = new AbortController();
    const waiting = processes.take('label', lost.signal);
    lost.abort(new Error('the lease is lost'));
    await expect(waiting).rejects.toThrow('the lease is lost');
    expect(started).toHaveLength(PLACES);
  });
});
