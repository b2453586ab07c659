import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aLease } from '../../test/kit/examples/lease-document.js';
import { Journal } from './journal.js';
import { Outbox } from './outbox.js';
import { reportOf } from '../work/reports.js';

describe('the journal after a restart', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the last phase of each job, in the order of their leases', async () => {
    const file = join(folder, 'journal');
    const [first, second, third] = [aLease(1), aLease(2), aLease(3)];
    const journal = await Journal.open(file, 'pc-1');
    await journal.record({ lease: first, phase: 'leased' });
    await journal.record({ lease: second, phase: 'leased' });
    await journal.record({ lease: third, phase: 'leased' });
    await journal.record({ lease: first, phase: 'handed_off', spoolerJobId: '7' });
    await journal.done(second.document_name);
    await journal.close();

    const again = await Journal.open(file, 'pc-1');
    expect(again.held()).toEqual([
      { lease: first, phase: 'handed_off', spoolerJobId: '7' },
      { lease: third, phase: 'leased' },
    ]);
    await again.close();
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(4);
  });

  it('keeps the highest position received, across compactions', async () => {
    const file = join(folder, 'journal');
    const journal = await Journal.open(file, 'pc-1');
    await journal.saw('0005');
    await journal.record({ lease: aLease(1), phase: 'leased' }, '0007');
    await journal.record({ lease: aLease(2), phase: 'leased' }, '0006');
    await journal.saw(undefined);
    expect(journal.seen).toBe('0007');
    await journal.close();

    for (let start = 0; start < 2; start++) {
      const again = await Journal.open(file, 'pc-1');
      expect(again.seen).toBe('0007');
      await again.close();
    }
  });

  it('writes a position in the same line as the step that follows from it', async () => {
    const file = join(folder, 'journal');
    const journal = await Journal.open(file, 'pc-1');
    await journal.record({ lease: aLease(1), phase: 'leased' }, '0007');
    await journal.close();
    const last = (await readFile(file, 'utf8')).trim().split('\n').at(-1)!;
    expect(JSON.parse(last)).toEqual({ held: { lease: aLease(1), phase: 'leased' }, seen: '0007' });
  });

  it('drops the positions of another computer', async () => {
    const file = join(folder, 'journal');
    const journal = await Journal.open(file, 'pc-1');
    await journal.saw('0009');
    await journal.close();
    const enrolledAnew = await Journal.open(file, 'pc-2');
    expect(enrolledAnew.seen).toBeUndefined();
    await enrolledAnew.saw('0001');
    await enrolledAnew.close();
    const again = await Journal.open(file, 'pc-2');
    expect(again.seen).toBe('0001');
    await again.close();
  });

  it('accepts a journal without positions', async () => {
    const file = join(folder, 'journal');
    await writeFile(file, `${JSON.stringify({ held: { lease: aLease(1), phase: 'accepted' } })}\n`);
    const journal = await Journal.open(file, 'pc-1');
    expect([journal.seen, journal.held()]).toEqual([undefined, [{ lease: aLease(1), phase: 'accepted' }]]);
    await journal.close();
  });

  it('marks the jobs of a damaged journal as doubtful for all later starts', async () => {
    const file = join(folder, 'journal');
    const line = JSON.stringify({ held: { lease: aLease(1), phase: 'accepted' } });
    await writeFile(file, `${line}\n\u0000\n`);
    for (let start = 0; start < 2; start++) {
      const journal = await Journal.open(file, 'pc-1');
      expect(journal.held()).toEqual([{ lease: aLease(1), phase: 'accepted', doubtful: true }]);
      await journal.close();
    }
  });

  it('stays small after any number of jobs', async () => {
    const file = join(folder, 'journal');
    const journal = await Journal.open(file, 'pc-1');
    await Promise.all(
      Array.from({ length: 900 }, async (_, n) => {
        await journal.record({ lease: aLease(n), phase: 'leased' });
        await journal.done(aLease(n).document_name);
      }),
    );
    await journal.record({ lease: aLease(1000), phase: 'leased' });
    await journal.close();
    expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThan(1100);
    const again = await Journal.open(file, 'pc-1');
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
