import { createHash } from 'node:crypto';
import type { NoteKey } from './signed-note.js';
import { type Checkpoint, type HeadRange, rangeLine, signCheckpoint, signHead } from './statements.js';
import { consistencyProof, inclusionProof, type TileReader } from './tree.js';

export interface ShownEntry {
  readonly leaf: number;
  /** Its line, without `entry `. */
  readonly entry: string;
  /** Undefined: withheld. */
  readonly body: string | undefined;
}

export interface ProofFile {
  /** Entries `first` to `last`, at least one; leaves below the size of the checkpoint. */
  readonly range: HeadRange;
  readonly entries: AsyncIterable<ShownEntry>;
  /** Sizes, ascending, of earlier checkpoints that the file continues: from 1 to that of the checkpoint. */
  readonly since: readonly number[];
  /** Entry `last` of the range, as logged. */
  readonly last: { readonly leaf: number; readonly hash: Buffer };
}

/** What a proof is taken from and signed with. */
export interface Proving {
  readonly checkpoint: Checkpoint;
  readonly tiles: TileReader;
  readonly key: NoteKey;
}

/** Text of a proof file (docs/evidence.md), in pieces of an entry each. Has no head if the last entry is missing. */
export async function* proofFile(
  file: ProofFile,
  { checkpoint, tiles, key }: Proving,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const { range, since } = file;
  const { size } = checkpoint;

  async function linesOf({ leaf, entry, body }: ShownEntry, next: number): Promise<string> {
    const isProved = range.of === 'stream' || since.some((old) => leaf < old && old <= next) || next === size;
    const proof = isProved ? line(`proof ${leaf}`, await inclusionProof(tiles, leaf, size)) : '';
    return `entry ${entry}\n${body === undefined ? '' : `body ${body}\n`}${proof}`;
  }

  async function* signed(): AsyncGenerator<string, ShownEntry> {
    yield `rps-evidence/1 ${rangeLine(range)}\n`;
    let last: ShownEntry | undefined;
    for await (const next of file.entries) {
      if (last) yield await linesOf(last, next.leaf);
      last = next;
    }
    if (!last) throw new Error(`no entries of ${range.of} ${range.name}`);
    yield await linesOf(last, size);
    for (const old of since) yield line(`consistency ${old}`, await consistencyProof(tiles, old, size));
    yield `\n${signCheckpoint(key, checkpoint)}\n`;
    return last;
  }

  const pieces = signed();
  let piece = await pieces.next();
  for (; !piece.done; piece = await pieces.next()) {
    digest.update(piece.value);
    yield piece.value;
  }
  if (piece.value.leaf !== file.last.leaf) return;
  yield signHead(key, checkpoint, range, file.last.hash.toString('base64'), digest.digest('base64'));
}

const line = (start: string, hashes: readonly Buffer[]) =>
  `${[start, ...hashes.map((hash) => hash.toString('base64'))].join(' ')}\n`;
