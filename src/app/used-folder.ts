import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { bytes32 } from '../config.readers.js';
import { MasterKey, type SealedSecret } from '../kernel/sealing.js';
import { isSealedUnder, SEALING_EVENTS } from '../contexts/webhooks/index.js';
import { StoreDamagedError } from '../kernel/errors.js';
import type { EmbeddedWing, StoredState } from '../event-sourcing/index.js';

type FolderConfig = Pick<Config, 'dataDir' | 'masterKey'>;

export class UsedFolderError extends Error {}

interface Problem {
  readonly found: string;
  /** `--new` accepts an empty store or a new key. */
  readonly canOverride: boolean;
}

export function keyCheckOf(masterKey: MasterKey): string {
  return Buffer.from(masterKey.derive('key-check')).toString('hex');
}

/** Otherwise agents would get 401 for good. @throws UsedFolderError, StoreDamagedError, SqliteError */
export function refuseUsedFolder(
  config: FolderConfig & Pick<Config, 'newStore'>,
  stored: EmbeddedWing,
): void {
  const { damage } = stored.readLogState(config.dataDir);
  if (damage !== undefined && !config.newStore)
    throw new StoreDamagedError(
      `${damage}: restore a backup; to go on without these commits, start once with --new or NEW_STORE=true`,
    );
  const problem = folderProblem(config, stored);
  if (!problem || (problem.canOverride && config.newStore)) return;
  throw new UsedFolderError(adviceOn(problem));
}

export function adviceOn({ found, canOverride }: Problem): string {
  if (!canOverride) return `${found}: start the newer release, or restore a backup of before the upgrade`;
  return `${found}: put back what is missing or restore a backup; to go on without it, start once with --new or NEW_STORE=true`;
}

export function folderProblem(config: FolderConfig, stored: EmbeddedWing): Problem | undefined {
  const state = stored.storedState(config.dataDir);
  const found = databaseProblem(config.dataDir, state) ?? keyProblem(config, state, stored);
  return found === undefined ? undefined : { found, canOverride: state.database !== 'newer' };
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

/** Stores of older releases have no check value: test the newest webhook secret. */
function keyProblem(
  config: FolderConfig,
  { hasEvents, keyCheck }: StoredState,
  { newestEvent }: EmbeddedWing,
): string | undefined {
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

/** A file without a valid key counts as absent. */
function presentKey({ dataDir, masterKey }: FolderConfig): MasterKey | undefined {
  if (masterKey) return new MasterKey(masterKey);
  try {
    return new MasterKey(bytes32(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()));
  } catch {
    return undefined;
  }
}
