import { Injectable } from '@nestjs/common';
import { accounts, INTEGRATION_SCOPES } from '../../contexts/accounts/index.js';
import { OPERATOR_TOKEN_ID, operatorTokens } from '../../contexts/operators/index.js';
import { AggregateStore } from '../../event-sourcing/index.js';
import type { Authenticator, Principal } from '../../http/authentication.js';
import { UUID } from '../../http/validation/rules.js';
import { isCredential, parseCredential } from '../../kernel/credential.js';

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

  /** The operator with all scopes of an account that is not closed. */
  async inAccount(secret: string, given: string): Promise<Principal | undefined> {
    const operator = await this.authenticate(secret);
    const accountId = given.toLowerCase();
    if (!operator || !UUID.test(given) || !(await this.isOpen(accountId))) return undefined;
    const isStillValid = async () =>
      (await this.authenticate(secret)) !== undefined && this.isOpen(accountId);
    return { ...operator, accountId, scopes: new Set(INTEGRATION_SCOPES), isStillValid };
  }

  private async isOpen(accountId: string): Promise<boolean> {
    const { state } = await this.aggregates.load(accounts, accountId);
    return state.status !== 'absent' && state.status !== 'closed';
  }
}

function holderOf(hash: string | undefined, secret: string): Principal | undefined {
  if (hash === undefined || !isCredential(secret, hash)) return undefined;
  return { kind: 'operator', credentialId: 'operator', scopes: new Set() };
}
