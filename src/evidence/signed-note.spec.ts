import { vectors } from '../../test/kit/evidence-vectors.js';
import { NoteKey } from './signed-note.js';
import { signCheckpoint, signHead } from './statements.js';

const { origin } = vectors;
const key = new NoteKey(Buffer.from(vectors.seed, 'base64'));
const root = (size: number) => ({ origin, size, root: vectors.roots[size - 1]! });
const account = { of: 'account', name: '00000000-0000-7000-8000-0000000000aa' } as const;

describe('signing', () => {
  it('names the key of the vectors', () => {
    expect(key.vkey(origin)).toBe(vectors.vkey);
  });

  it('gives the checkpoints of the vectors', () => {
    expect(signCheckpoint(key, root(4))).toBe(vectors.checkpoint4);
    expect(signCheckpoint(key, root(7))).toBe(vectors.checkpoint7);
  });

  it('gives the heads of the vectors', () => {
    const [, , , third, , fifth] = vectors.entries.map(({ leafHash }) => leafHash);
    const head = (last: number) => ({ ...account, first: last, last, count: last + 1 });
    expect(signHead(key, root(4), head(2), third!)).toBe(vectors.head4);
    expect(signHead(key, root(7), head(3), fifth!)).toBe(vectors.head7);
  });

  it('gives the head of the file of an account', () => {
    const { account: file } = vectors.files;
    const at = file.indexOf('rps-head1 ');
    const fileHash = file.slice(at).split('\n')[5]!;
    const range = { ...account, first: 0, last: 3, count: 4 };
    expect(signHead(key, root(7), range, vectors.entries[5]!.leafHash, fileHash)).toBe(file.slice(at));
  });
});
