import { join } from 'node:path';
import { readSecretFile, writeSecretFile } from '../adapters/filesystem/secret-file.js';
import { IssueOperatorToken, OPERATOR_TOKEN_ID, operatorTokens } from '../contexts/operators/index.js';
import { hashCredential, isCredential, mintCredential } from '../kernel/credential.js';
import type { Clock } from '../ports/clock.port.js';
import type { MasterKey } from '../ports/master-key.port.js';
import type { Randomness } from '../ports/randomness.port.js';
import type { AggregateStore } from '../event-sourcing/write/aggregate-store.js';

export interface TokenSurroundings {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Present when several instances share the events: all of them write the same token, made of their common secret. */
  readonly shared?: MasterKey;
}

/** The record that a shared token names: there is one. */
const SHARED_RECORD = '00000000-0000-7000-8000-000000000001';

/**
 * Ensures an operator token whose secret lies in `DATA_DIR/operator-token`. The event comes first, so the file proves
 * that the store has events. After a crash in between, or when the file was lost, the next start issues another token
 * and the old one is dead; a shared token is written again instead. Resolves to whether a shared token takes the place
 * of another: then instances do not share their secret, or it was changed.
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
  const isIssued = state.hash !== undefined && isCredential(token, state.hash);
  if (!isIssued) {
    const by = { actor: { kind: 'process', id: 'start' }, correlationId: randomness.uuid() } as const;
    const command = new IssueOperatorToken(hashCredential(token), clock.now(), by);
    await aggregates.execute(operatorTokens, OPERATOR_TOKEN_ID, command);
  }
  if (written !== token) writeSecretFile(path, token);
  return !isIssued && shared !== undefined && state.hash !== undefined;
}

/** The operator token of all instances that have this master key. */
export function sharedTokenOf(masterKey: MasterKey): string {
  return mintCredential('svc_operator_', SHARED_RECORD, masterKey.derive('operator-token'));
}
