import { HkdfMasterKey } from '../../app/system/hkdf-master-key.js';
import {
  OPERATOR_TOKEN_ID,
  operatorTokens,
  type OperatorTokenIssued,
} from '../../contexts/operators/index.js';
import { isCredential } from '../../kernel/credential.js';
import { fold } from '../../kernel/decider.js';
import { streamOf } from '../../kernel/ids.js';
import type { Milliseconds } from '../../kernel/time.js';
import { sharedTokenOf } from '../../app/operator-token.js';
import { fail, ok, serverStores } from '../../event-sourcing/index.js';

const { EventStoreDb } = await serverStores();

const TIMEOUT_MS: Milliseconds = 5_000;

/** Checks that the newest operator token was derived from this master key. */
export async function usedKey(url: string, masterKey: Uint8Array) {
  const store = EventStoreDb.open({ url, timeoutMs: TIMEOUT_MS });
  try {
    const issued = await store.load(streamOf(operatorTokens.category, OPERATOR_TOKEN_ID));
    const { hash } = fold(operatorTokens.decider, issued as unknown as readonly OperatorTokenIssued[]);
    if (hash === undefined) return ok('none was used before');
    return isCredential(sharedTokenOf(new HkdfMasterKey(masterKey)), hash)
      ? ok('the one that was used before')
      : fail('SVC_MASTER_KEY is not the one that was used before: what that one sealed cannot be opened');
  } finally {
    await store.close();
  }
}
