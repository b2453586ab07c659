import { join } from 'node:path';
import { readSecretFile, writeSecretFile } from '../adapters/filesystem/secret-file.js';
import { IssueOperatorToken, OPERATOR_TOKEN_ID, operatorTokens } from '../contexts/operators/index.js';
import { hashCredential, isCredential, mintCredential } from '../kernel/credential.js';
import type { Clock } from '../ports/clock.port.js';
import type { MasterKey } from '../ports/master-key.port.js';
import type { Randomness } from '../ports/randomness.port.js';
import type { AggregateStore } from '../runtime/aggregate-store.js';

export interface TokenSurroundings {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Present when several instances share the events: all of them write the same token, made of their common secret. */
  readonly shared?: MasterKey;
}

/** The record that a shared token names: there is one. */
const SHARED_RECORD = '00000000-0000-7000-8000-000000000001';

/**
 * Sees to it that there is an operator token whose secret lies in `DATA_DIR/operator-token`. The file comes first:
 * a crash before the event leaves a file whose token is issued at the next start. A lost file means a new token,
 * and the old one is dead; unless the token is shared, then it is written again. Resolves to whether a shared token
 * takes the place of another: then instances do not share their secret, or it was changed.
 */
export async function ensureOperatorToken(
  dataDir: string,
  aggregates: AggregateStore,
  { clock, randomness, shared }: TokenSurroundings,
): Promise<boolean> {
  const path = join(dataDir, 'operator-token');
  const { state } = await aggregates.load(operatorTokens, OPERATOR_TOKEN_ID);
  const written = readSecretFile(path);
  const wanted = shared && sharedTokenOf(shared);
  const token = wanted ?? written ?? mintCredential('svc_operator_', randomness.uuid(), randomness.bytes(32));
  if (written !== token) writeSecretFile(path, token);
  if (state.hash !== undefined && isCredential(token, state.hash)) return false;
  const by = { actor: { kind: 'process', id: 'start' }, correlationId: randomness.uuid() } as const;
  const command = new IssueOperatorToken(hashCredential(token), clock.now(), by);
  await aggregates.execute(operatorTokens, OPERATOR_TOKEN_ID, command);
  return shared !== undefined && state.hash !== undefined;
}

/** The operator token of all instances that have this master key. */
export function sharedTokenOf(masterKey: MasterKey): string {
  return mintCredential('svc_operator_', SHARED_RECORD, masterKey.derive('operator-token'));
}
