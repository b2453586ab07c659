import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jobView } from '../../../projections/job-view/job-view.js';
import { DataDirLockedError } from '../../kernel/errors.js';
import type { Instant, Clock } from '../../kernel/time.js';
import { readRestoreMark } from '../../app/restore-mark.js';
import {
  ARCHIVE,
  BackupError,
  contentPath,
  DATABASE,
  PATHS,
  SECRETS,
  writeManifest,
  type BackedUpFile,
} from './manifest.js';
import {
  copyFile,
  sumOf,
  syncFile,
  syncFolders,
  makeFolders,
  type OutsideDocument,
  embeddedStores,
} from '../../event-sourcing/index.js';

const { copyDatabase, damageOf, hasDatabase, isPurged, logOf, logOfUnused, lostArchive, outsideDocuments } =
  await embeddedStores();

export interface BackupOptions {
  readonly dataDir: string;
  readonly folder: string;
  readonly productVersion: string;
  readonly keyInEnvironment: boolean;
  readonly clock: Clock;
}

export interface BackupMade {
  readonly folder: string;
  readonly time: Instant;
  readonly files: number;
  readonly bytes: number;
  readonly events: number;
  readonly purged_meanwhile: number;
  readonly warnings: readonly string[];
}

const AT_ONCE = 16;
/** Statuses in which a job needs its document no longer. */
const OVER: ReadonlySet<string> = new Set(['spooler_completed', 'cancelled', 'expired', 'failed']);

/**
 * Database first: documents precede their jobs, so all exist by then. @throws BackupError; errors of the disk
 */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  const { dataDir, folder, productVersion, clock } = options;
  mustHoldStore(dataDir);
  mustHoldWholeLog(dataDir);
  makeEmptyFolder(folder);
  const time = clock.now();
  await copyDatabase(dataDir, folder);
  const damage = damageOf(folder);
  if (damage !== undefined) throw new BackupError(`the database in ${dataDir} is damaged: ${damage}`);
  await syncFile(join(folder, DATABASE));
  const files: BackedUpFile[] = [{ path: DATABASE, ...(await sumOf(join(folder, DATABASE))) }];
  // After the database: the files only grow.
  files.push(...(await copyArchive(dataDir, folder)));
  const lost = lostArchive(folder);
  if (lost !== undefined) throw new BackupError(`${lost}; keep an earlier backup`);
  const secrets = SECRETS.filter((name) => existsSync(join(dataDir, name)));
  for (const path of secrets)
    files.push({ path, ...(await copyFile(join(dataDir, path), join(folder, path))) });
  const documents = await copyDocuments(dataDir, folder);
  files.push(...documents.files);
  await syncFolders(folder, files);
  const { events, head = null, damaged } = logOf(folder);
  writeManifest(folder, {
    ...{ format: 1, product_version: productVersion, time, events, last_position: head, files },
  });
  return {
    ...{ folder, time, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), events },
    purged_meanwhile: documents.purged,
    warnings: [
      ...(damaged === undefined ? [] : [`of ${events} events, ${damaged}: keep an earlier backup`]),
      ...keyWarnings(options, secrets),
      ...documents.warnings,
    ],
  };
}

/** @throws BackupError */
function mustHoldStore(dataDir: string): void {
  if (!hasDatabase(dataDir)) throw new BackupError(`${dataDir} holds no database: give --data-dir`);
  if (readRestoreMark(dataDir)) {
    throw new BackupError(`${dataDir} was restored and not started since: keep the backup it came from`);
  }
}

/** SQLite would drop what stands behind the damage without a word. @throws BackupError */
function mustHoldWholeLog(dataDir: string): void {
  try {
    const damage = logOfUnused(dataDir)?.damage;
    if (damage !== undefined) throw new BackupError(`${damage}: keep an earlier backup`);
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) throw error;
  }
}

/** @throws BackupError */
function makeEmptyFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new BackupError(`${folder} is not empty: name a folder that is empty or does not exist`);
  }
  makeFolders(folder);
  chmodSync(folder, 0o700);
}

async function copyArchive(dataDir: string, folder: string): Promise<readonly BackedUpFile[]> {
  if (!existsSync(join(dataDir, ARCHIVE))) return [];
  const paths = readdirSync(join(dataDir, ARCHIVE))
    .map((name) => `${ARCHIVE}/${name}`)
    .filter((path) => PATHS.test(path));
  const files: BackedUpFile[] = [];
  for (const path of paths)
    files.push({ path, ...(await copyFile(join(dataDir, path), join(folder, path))) });
  return files;
}

async function copyDocuments(dataDir: string, folder: string) {
  const wanted = outsideDocuments(folder, jobView);
  const files: BackedUpFile[] = [];
  const warnings: string[] = [];
  let purged = 0;
  const copyOne = async (document: OutsideDocument) => {
    const path = contentPath(document.jobId);
    const sum = await copyFile(join(dataDir, path), join(folder, path)).catch(missing);
    if (sum) files.push({ path, ...sum });
    if (sum && sum.sha256 !== document.hash) {
      warnings.push(`the document of job ${document.jobId} is damaged: it does not match its hash`);
    }
    if (sum) return;
    if (OVER.has(document.listedAs) || isPurged(dataDir, jobView, document.jobId)) purged++;
    else warnings.push(`the document of job ${document.jobId} is missing: the job cannot be printed`);
  };
  for (let n = 0; n < wanted.length; n += AT_ONCE) {
    await Promise.all(wanted.slice(n, n + AT_ONCE).map(copyOne));
  }
  return { files, warnings, purged };
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function keyWarnings({ dataDir, keyInEnvironment }: BackupOptions, secrets: readonly string[]): string[] {
  if (keyInEnvironment) {
    return ['SVC_MASTER_KEY is set and is not part of the backup: keep the key elsewhere'];
  }
  if (secrets.includes('master.key')) return [];
  return [
    `${dataDir} holds no master.key, so the backup has none: keep SVC_MASTER_KEY of the service elsewhere`,
  ];
}
