import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** Atomic and durable. Returns the checksum of the written bytes. */
export async function copyFile(from: string, to: string, mode = 0o666): Promise<FileSum> {
  await mkdir(dirname(to), { recursive: true });
  const aside = `${to}.copying`;
  const target = await open(aside, 'w', mode);
  let sum: FileSum;
  try {
    sum = await read(from, target);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(aside, to);
  return sum;
}

export function sumOf(file: string): Promise<FileSum> {
  return read(file);
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs parent folders too. */
export async function syncFolders(root: string, files: readonly { readonly path: string }[]): Promise<void> {
  const folders = new Set(files.flatMap(({ path }) => parents(path)));
  for (const folder of [...folders, '.']) await syncFile(join(root, folder));
}

/** `content/ab` and `content` of `content/ab/…`. */
function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, n) => parts.slice(0, parts.length - n).join('/'));
}

async function read(file: string, target?: FileHandle): Promise<FileSum> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    await target?.writeFile(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
