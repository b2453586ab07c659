import type { NoteKey } from './signed-note.js';

/** State of a log. */
export interface Checkpoint {
  readonly origin: string;
  /** Number of leaves, never 0. */
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

/** What a head says of the entries of an account or a stream, within a checkpoint. */
export interface HeadRange {
  readonly of: 'account' | 'stream';
  /** Id of the account or name of the stream. */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The first line of a proof file after its format, and the second of a head. */
export function rangeLine({ of, name, first, last, count }: HeadRange): string {
  return `${of} ${name} ${first} ${last} ${count}`;
}

/** C2SP tlog-checkpoint. */
export function signCheckpoint(key: NoteKey, { origin, size, root }: Checkpoint): string {
  return key.sign(origin, `${origin}\n${size}\n${root}\n`);
}

/**
 * @param lastLeaf leaf hash of entry `last`, base64
 * @param fileHash SHA-256 of the proof file up to this note, base64; `-` for a head alone
 */
export function signHead(
  key: NoteKey,
  { origin, size, root }: Checkpoint,
  range: HeadRange,
  lastLeaf: string,
  fileHash = '-',
): string {
  const lines = [`rps-head1 ${origin}`, rangeLine(range), lastLeaf, size, root, fileHash];
  return key.sign(origin, `${lines.join('\n')}\n`);
}
