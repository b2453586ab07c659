import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { type FileSum, readSecretFile, writeSecretFile } from '../../event-sourcing/index.js';

/** The message says what to do. */
export class BackupError extends Error {}

export interface BackedUpFile extends FileSum {
  /** Relative to the folder, with slashes. */
  readonly path: string;
}

/** `backup.json`, written last: a backup without it is incomplete. */
export interface Manifest {
  readonly format: 1;
  readonly product_version: string;
  /** Start of the database copy: every write answered before is in the backup. */
  readonly time: Instant;
  readonly events: number;
  /** Null in an empty store. */
  readonly last_position: Position | null;
  readonly files: readonly BackedUpFile[];
}

export const DATABASE = 'rps.db';
export const ARCHIVE = 'archive';
export const SECRETS = ['master.key', 'operator-token'] as const;
const FILE = 'backup.json';
/** Prevents a manifest from making a restore write outside the data folder. */
export const PATHS =
  /^(rps\.db|master\.key|operator-token|archive\/\d{4}-\d\d|content\/[\w-]{2}\/[\w-]{2,100})$/;

export function contentPath(jobId: string): string {
  return `content/${jobId.slice(-2)}/${jobId}`;
}

/** Durable on return. */
export function writeManifest(folder: string, manifest: Manifest): void {
  writeSecretFile(join(folder, FILE), JSON.stringify(manifest, null, 1));
}

/** @throws BackupError if the manifest is missing, damaged or of an unknown format */
export function readManifest(folder: string): Manifest {
  const text = readSecretFile(join(folder, FILE));
  if (text === undefined) {
    throw new BackupError(`${folder} is no backup: ${FILE} is missing; an interrupted backup has none`);
  }
  const manifest = parsed(text);
  if (manifest === undefined) throw new BackupError(`${FILE} in ${folder} is damaged`);
  if (manifest.format !== 1) {
    throw new BackupError(`${folder} has format ${String(manifest.format)}: restore it with a newer release`);
  }
  const { files } = manifest;
  if (files.some(({ path }) => !PATHS.test(path)) || !files.some(({ path }) => path === DATABASE)) {
    throw new BackupError(`${FILE} in ${folder} names files that no backup holds, or no database`);
  }
  return manifest;
}

/** @throws BackupError if size or checksum differ from the manifest */
export function compare(file: BackedUpFile, found: FileSum): void {
  if (found.bytes === file.bytes && found.sha256 === file.sha256) return;
  throw new BackupError(`${file.path} of the backup is damaged: its SHA-256 is not the one in ${FILE}`);
}

/** @throws BackupError */
export function mustBeFile(folder: string, path: string): void {
  if (!lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile()) {
    throw new BackupError(`${path} of the backup is missing`);
  }
}

function parsed(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null;
    const isWhole =
      typeof manifest?.time === 'string' &&
      !Number.isNaN(Date.parse(manifest.time)) &&
      Array.isArray(manifest.files) &&
      manifest.files.every((file: { path?: unknown } | null) => typeof file?.path === 'string');
    return isWhole ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
