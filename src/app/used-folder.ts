import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestEvent } from '../adapters/sqlite/newest-event.js';
import { storedState, type StoredState } from '../adapters/sqlite/stored-state.js';
import { HkdfMasterKey } from '../adapters/system/hkdf-master-key.js';
import type { Config } from '../config.js';
import { bytes32 } from '../config.readers.js';
import { isSealedUnder, SEALING_EVENTS, type SealedSecret } from '../contexts/webhooks/index.js';
import type { MasterKey } from '../ports/master-key.port.js';

type FolderConfig = Pick<Config, 'dataDir' | 'masterKey'>;

/** The data folder was used before, and something of it is missing or does not fit: the process exits with 78. */
export class UsedFolderError extends Error {}

interface Problem {
  readonly found: string;
  /** Whether a person may begin an empty store, or take the new key, all the same. */
  readonly canInsist: boolean;
}

/** Names a master key without giving it away: what another key derives differs. */
export function keyCheckOf(masterKey: MasterKey): string {
  return Buffer.from(masterKey.derive('key-check')).toString('hex');
}

/**
 * Refuses an embedded data folder that would start as an empty store although it was used, or with another master key.
 * Agents would hear 401 from it and stop for good. @throws UsedFolderError, SqliteError
 */
export function refuseUsedFolder(config: FolderConfig & Pick<Config, 'newStore'>): void {
  const problem = folderProblem(config);
  if (!problem || (problem.canInsist && config.newStore)) return;
  throw new UsedFolderError(adviceOn(problem));
}

/** One sentence for a person, or undefined when the folder is new or whole. */
export function adviceOn({ found, canInsist }: Problem): string {
  if (!canInsist) return `${found}: start the newer release, or restore a backup of before the upgrade`;
  return `${found}: put back what is missing or restore a backup; to go on without it, start once with --new or NEW_STORE=true`;
}

export function folderProblem(config: FolderConfig): Problem | undefined {
  const state = storedState(config.dataDir);
  const found = databaseProblem(config.dataDir, state) ?? keyProblem(config, state);
  return found === undefined ? undefined : { found, canInsist: state.database !== 'newer' };
}

function databaseProblem(dataDir: string, { database, hasEvents, remains }: StoredState): string | undefined {
  const file = join(dataDir, 'rps.db');
  switch (database) {
    case 'absent':
      return remains.length > 0 ? `${dataDir} has ${remains.join(', ')} but no database (rps.db)` : undefined;
    case 'empty':
      return `${file} is an empty file`;
    case 'foreign':
      return `${file} is the database of another program`;
    case 'newer':
      return `${file} was written by a newer release`;
    case 'ours':
      // A first start writes the token after its event (operator-token.ts).
      return !hasEvents && remains.includes('operator-token')
        ? `${file} holds no events although ${dataDir} has been used`
        : undefined;
  }
}

/** Without a check value (older stores) the newest webhook secret shows which key was used. */
function keyProblem(config: FolderConfig, { hasEvents, keyCheck }: StoredState): string | undefined {
  if (!hasEvents) return undefined;
  const key = presentKey(config);
  const name = config.masterKey ? 'SVC_MASTER_KEY' : join(config.dataDir, 'master.key');
  if (keyCheck !== undefined) {
    if (!key) return `the master key is missing (${name}, or SVC_MASTER_KEY)`;
    return keyCheckOf(key) === keyCheck
      ? undefined
      : `${name} is not the master key that the store was used with`;
  }
  const newest = newestEvent<{ secret: SealedSecret }>(config.dataDir, SEALING_EVENTS);
  if (!newest) return undefined;
  if (!key) return `the master key that sealed webhook secrets is missing (${name}, or SVC_MASTER_KEY)`;
  return isSealedUnder(key, newest.secret)
    ? undefined
    : `${name} is not the key that sealed the webhook secrets`;
}

/** A file that holds no key counts as absent. */
function presentKey({ dataDir, masterKey }: FolderConfig): MasterKey | undefined {
  if (masterKey) return new HkdfMasterKey(masterKey);
  try {
    return new HkdfMasterKey(bytes32(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()));
  } catch {
    return undefined;
  }
}
