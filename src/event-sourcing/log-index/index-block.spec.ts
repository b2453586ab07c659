import fc from 'fast-check';
import { BLOCK_ENTRIES, entriesOf, extendedBlocks, type BlockEntry } from './index-block.js';

const stream = fc.oneof(
  fc.uuid().map((id) => `job-${id}`),
  fc.uuid().map((id) => `computer-${id}`),
  fc.constantFrom('note-1', 'note-ü', 'note-019AA000-0000-7000-8000-0000000000A1'),
);

/** Entries as a log has them: positions ascend, and so do the revisions of a stream. */
const entries = fc
  .tuple(
    fc.array(stream, { minLength: 1, maxLength: 9 }),
    fc.array(fc.tuple(fc.nat(8), fc.nat(2 ** 40), fc.nat(3)), { maxLength: 400 }),
  )
  .map(([streams, steps]) => {
    const revisions = new Map<string, number>();
    let at = 0;
    return steps.map(([n, distance, missing]): BlockEntry => {
      const name = streams[n % streams.length]!;
      const revision = (revisions.get(name) ?? -1) + 1 + missing;
      revisions.set(name, revision);
      return { at: (at += distance + 1), stream: name, revision };
    });
  });

describe('blocks of the log index', () => {
  it('hold the entries of an owner, however often the last one was extended', () => {
    fc.assert(
      fc.property(entries, fc.nat(400), fc.nat(400), (all, first, second) => {
        const stored = new Map<string, ReturnType<typeof extendedBlocks>[number]>();
        for (const end of [...[first, second].sort((a, b) => a - b), all.length]) {
          // Entries that are stored already are given again after a crash.
          for (const block of extendedBlocks('a', [...stored.values()].at(-1), all.slice(0, end))) {
            expect(block.count).toBeGreaterThan(stored.get(block.first)?.count ?? 0);
            stored.set(block.first, block);
          }
        }
        const blocks = [...stored.values()];
        expect(blocks.flatMap(entriesOf)).toEqual(all);
        expect(blocks.slice(0, -1).every(({ count }) => count === BLOCK_ENTRIES)).toBe(true);
      }),
    );
  });

  it('have the bytes that earlier releases read', () => {
    const job = 'job-019aa000-0000-7000-8000-000000000001';
    const all = [
      { at: 1, stream: job, revision: 0 },
      { at: 2, stream: job, revision: 1 },
      { at: 300, stream: 'computer-019aa000-0000-7000-8000-000000000002', revision: 7 },
      { at: 40_000, stream: job, revision: 4 },
      { at: 2 ** 40, stream: 'note-ü', revision: 200 },
    ];
    const [block] = extendedBlocks('a', undefined, all);
    expect(Buffer.from(block!.bytes).toString('hex')).toBe(
      '000000046a6f622d00019aa000000070008000000000000001000100aa02020109636f6d70757465722d00019aa000000070' +
        '0080000000000000020794b6020102c0c7fdffff1f0402056e6f74652d02c3bcc801',
    );
  });

  it('take at most seven bytes an event of jobs that alternate', () => {
    const uuid = (n: number) => `019aa000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const lives = Array.from({ length: 600 }, (_, n): BlockEntry => {
      const job = 4 * Math.floor(n / 24) + (n % 4);
      return {
        at: 3_000 * n + 1,
        stream: `job-${uuid(job)}`,
        revision: Math.floor((n % 24) / 4),
      };
    });
    const bytes = extendedBlocks('a', undefined, lives).reduce((sum, block) => sum + block.bytes.length, 0);
    expect(bytes / lives.length).toBeLessThan(7);
  });
});
