import { join } from 'node:path';
import { readSecretFile, writeSecretFile } from '../adapters/filesystem/secret-file.js';
import { IssueOperatorToken, OPERATOR_TOKEN_ID, operatorTokens } from '../contexts/operators/index.js';
import { hashCredential, isCredential, mintCredential } from '../kernel/credential.js';
import type { Clock } from '../ports/clock.port.js';
import type { Randomness } from '../ports/randomness.port.js';
import type { AggregateStore } from '../runtime/aggregate-store.js';

/**
 * Sees to it that there is an operator token whose secret lies in `DATA_DIR/operator-token`. The file comes first:
 * a crash before the event leaves a file whose token is issued at the next start. A lost file means a new token,
 * and the old one is dead.
 */
export async function ensureOperatorToken(
  dataDir: string,
  aggregates: AggregateStore,
  { clock, randomness }: { readonly clock: Clock; readonly randomness: Randomness },
): Promise<void> {
  const path = join(dataDir, 'operator-token');
  const { state } = await aggregates.load(operatorTokens, OPERATOR_TOKEN_ID);
  const written = readSecretFile(path);
  if (written !== undefined && state.hash !== undefined && isCredential(written, state.hash)) return;
  const token = written ?? mintCredential('svc_operator_', randomness.uuid(), randomness.bytes(32));
  if (written === undefined) writeSecretFile(path, token);
  const by = { actor: { kind: 'process', id: 'start' }, correlationId: randomness.uuid() } as const;
  const command = new IssueOperatorToken(hashCredential(token), clock.now(), by);
  await aggregates.execute(operatorTokens, OPERATOR_TOKEN_ID, command);
}
