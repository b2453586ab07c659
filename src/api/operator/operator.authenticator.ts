import { Injectable } from '@nestjs/common';
import { OPERATOR_TOKEN_ID, operatorTokens } from '../../contexts/operators/index.js';
import { AggregateStore } from '../../event-sourcing/index.js';
import type { Authenticator, Principal } from '../../http/authentication.js';
import { isCredential, parseCredential } from '../../kernel/credential.js';

/** Accepts the one operator token of the installation. */
@Injectable()
export class OperatorAuthenticator implements Authenticator {
  constructor(private readonly aggregates: AggregateStore) {}

  async authenticate(secret: string): Promise<Principal | undefined> {
    if (parseCredential(secret)?.prefix !== 'svc_operator_') return undefined;
    const { state } = await this.aggregates.load(operatorTokens, OPERATOR_TOKEN_ID);
    return holderOf(state.hash, secret);
  }

  peekCached(secret: string): Principal | undefined {
    return holderOf(this.aggregates.recall(operatorTokens, OPERATOR_TOKEN_ID)?.state.hash, secret);
  }
}

function holderOf(hash: string | undefined, secret: string): Principal | undefined {
  if (hash === undefined || !isCredential(secret, hash)) return undefined;
  return { kind: 'operator', credentialId: 'operator', scopes: new Set() };
}
