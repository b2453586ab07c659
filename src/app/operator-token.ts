import { join } from 'node:path';
import { IssueOperatorToken, OPERATOR_TOKEN_ID, operatorTokens } from '../contexts/operators/index.js';
import { hashCredential, isCredential, mintCredential } from '../kernel/credential.js';
import type { Clock } from '../kernel/time.js';
import type { MasterKey } from '../kernel/sealing.js';
import type { Randomness } from '../kernel/ids.js';
import { readSecretFile, writeSecretFile, type AggregateStore } from '../event-sourcing/index.js';

export interface TokenDependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Set for several instances: each derives the same token from the common master key. */
  readonly shared?: MasterKey;
}

const SHARED_RECORD = '00000000-0000-7000-8000-000000000001';

/**
 * The event precedes the file, so the file proves that the store has events. Resolves to true if a shared
 * token replaced another: master keys differ, or the key was changed.
 */
export async function ensureOperatorToken(
  dataDir: string,
  aggregates: AggregateStore,
  { clock, randomness, shared }: TokenDependencies,
): Promise<boolean> {
  const path = join(dataDir, 'operator-token');
  const { state } = await aggregates.load(operatorTokens, OPERATOR_TOKEN_ID);
  const written = readSecretFile(path);
  const wanted = shared && sharedTokenOf(shared);
  const token = wanted ?? written ?? mintCredential('svc_operator_', randomness.uuid(), randomness.bytes(32));
  const isIssued = state.hash !== undefined && isCredential(token, state.hash);
  if (!isIssued) {
    const by = { actor: { kind: 'process', id: 'start' }, correlationId: randomness.uuid() } as const;
    const command = new IssueOperatorToken({ hash: hashCredential(token), at: clock.now(), by });
    await aggregates.execute(operatorTokens, OPERATOR_TOKEN_ID, command);
  }
  if (written !== token) writeSecretFile(path, token);
  return !isIssued && shared !== undefined && state.hash !== undefined;
}

export function sharedTokenOf(masterKey: MasterKey): string {
  return mintCredential('svc_operator_', SHARED_RECORD, masterKey.derive('operator-token'));
}
