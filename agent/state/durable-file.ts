import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentStop, ExitCode } from '../exit-codes.js';

/** A file of the state folder cannot be written, so no further step can be taken. */
export class WriteFailed extends AgentStop {
  constructor(file: string, cause: unknown) {
    super(
      ExitCode.storage,
      `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
    this.name = 'WriteFailed';
    this.cause = cause;
  }
}

/** Replaces a file atomically: a crash leaves the old or the new content. */
export async function writeDurably(file: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${file}.tmp`;
  await writeFile(temporary, data, { mode, flush: true });
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** Makes new entries of a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
