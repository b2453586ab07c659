import { vectors } from '../../test/kit/evidence-vectors.js';
import { proofFile, type ProofFile, type ShownEntry } from './proof-file.js';
import { NoteKey } from './signed-note.js';
import { HASH_BYTES } from './tree.js';

const { origin, roots, entries } = vectors;
const leaves = Buffer.concat(entries.map(({ leafHash }) => Buffer.from(leafHash, 'base64')));
const proving = {
  checkpoint: { origin, size: 7, root: roots[6]! },
  tiles: { tile: async (_: number, __: number, width: number) => leaves.subarray(0, width * HASH_BYTES) },
  key: new NoteKey(Buffer.from(vectors.seed, 'base64')),
};
const AA = '00000000-0000-7000-8000-0000000000aa';
const JOB = 'job-00000000-0000-7000-8000-0000000000cc';

async function* shown(...numbers: number[]): AsyncGenerator<ShownEntry> {
  for (const leaf of numbers) yield { ...entries[leaf]!, leaf };
}

async function textOf(file: ProofFile): Promise<string> {
  let text = '';
  for await (const piece of proofFile(file, proving)) text += piece;
  return text;
}

const rangeOf = (of: 'account' | 'stream', name: string, first: number, last: number, count: number) => ({
  range: { of, name, first, last, count },
});
const lastOf = (leaf: number) => ({
  last: { leaf, hash: Buffer.from(entries[leaf]!.leafHash, 'base64') },
});

describe('writing a proof file', () => {
  it('gives the files of the vectors', async () => {
    const account = {
      ...rangeOf('account', AA, 0, 3, 4),
      entries: shown(0, 2, 3, 5),
      since: [4],
      ...lastOf(5),
    };
    const job = { ...rangeOf('stream', JOB, 0, 2, 3), entries: shown(2, 3, 5), since: [4], ...lastOf(5) };
    const period = { ...rangeOf('account', AA, 1, 2, 4), entries: shown(2, 3), since: [], ...lastOf(3) };
    const system = { ...rangeOf('account', 'system', 0, 0, 1), entries: shown(4), since: [], ...lastOf(4) };
    for (const [name, file] of Object.entries({ account, job, period, system }))
      expect(await textOf(file)).toBe(vectors.files[name as 'account']);
  });

  it('keeps the entry of a withheld body', async () => {
    const entry = { leaf: 4, entry: entries[4]!.entry, body: undefined };
    const text = await textOf({
      ...rangeOf('account', 'system', 0, 0, 1),
      entries: (async function* () {
        yield entry;
      })(),
      since: [],
      ...lastOf(4),
    });
    expect(text).toMatch(/^rps-evidence\/1 account system 0 0 1\nentry rps1 [^\n]+\nproof 4 /);
  });
});
