import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aLease } from '../../test/kit/examples/lease-document.js';
import { Journal } from './journal.js';
import { Outbox } from './outbox.js';
import { reportOf } from '../work/reports.js';

describe('remembering jobs over a restart', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('knows the last phase of each job, in the order of their leases', async () => {
    const file = join(folder, 'journal');
    const [first, second, third] = [aLease(1), aLease(2), aLease(3)];
    const journal = await Journal.open(file);
    await journal.record({ lease: first, phase: 'leased' });
    await journal.record({ lease: second, phase: 'leased' });
    await journal.record({ lease: third, phase: 'leased' });
    await journal.record({ lease: first, phase: 'handed_off', spoolerJobId: '7' });
    await journal.done(second.document_name);
    await journal.close();

    const again = await Journal.open(file);
    expect(again.held()).toEqual([
      { lease: first, phase: 'handed_off', spoolerJobId: '7' },
      { lease: third, phase: 'leased' },
    ]);
    await again.close();
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3);
  });

  it('stays small however many jobs have come and gone', async () => {
    const file = join(folder, 'journal');
    const journal = await Journal.open(file);
    await Promise.all(
      Array.from({ length: 900 }, async (_, n) => {
        await journal.record({ lease: aLease(n), phase: 'leased' });
        await journal.done(aLease(n).document_name);
      }),
    );
    await journal.record({ lease: aLease(1000), phase: 'leased' });
    await journal.close();
    expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThan(1100);
    const again = await Journal.open(file);
    expect(again.held()).toHaveLength(1);
    await again.close();
  });

  it('keeps reports until they are acknowledged', async () => {
    const file = join(folder, 'outbox');
    const [spooled, completed] = (['spooled', 'spooler_completed'] as const).map((type) =>
      reportOf(aLease(1), type, new Date(0)),
    );
    const outbox = await Outbox.open(file);
    await outbox.put(spooled!);
    await outbox.put(completed!);
    await outbox.acknowledge([spooled!.event_id]);
    await outbox.close();

    const again = await Outbox.open(file);
    expect(again.oldest(100)).toEqual([JSON.parse(JSON.stringify(completed))]);
    await again.close();
  });
});
