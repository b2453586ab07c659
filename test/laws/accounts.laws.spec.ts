import fc from 'fast-check';
import { accountDecider } from '../../src/contexts/accounts/domain/account.decider.js';
import type { AccountCommand } from '../../src/contexts/accounts/index.js';
import { apiKeyDecider } from '../../src/contexts/accounts/domain/api-key.decider.js';
import {
  partnerCredentialDecider,
  partnerDecider,
} from '../../src/contexts/accounts/domain/partner.decider.js';
import { keepsTheLaws, live } from '../kit/decider-laws.js';
import * as acme from '../kit/examples/accounts.js';

const plans = fc.record(
  {
    jobsPerMonth: fc.constantFrom(null, 0, 10),
    maxContentBytes: fc.constantFrom(1024, 10_485_760),
    maxAutoRetries: fc.constantFrom(1, 3, 10),
  },
  { requiredKeys: [] },
);
const accountCommands: fc.Arbitrary<AccountCommand> = fc.oneof(
  fc.constantFrom<AccountCommand[]>(acme.open, acme.suspend, acme.resume, acme.suspend, acme.close),
  fc.constantFrom('Acme', 'Acme Ltd').map(acme.rename),
  fc.boolean().map(acme.switchEnvironment),
  plans.map(acme.changePlan),
);

describe('every account', () => {
  keepsTheLaws(accountDecider, accountCommands);

  it('never reopens after it was closed', () => {
    fc.assert(
      fc.property(fc.array(accountCommands), (commands) => {
        const steps = live(accountDecider, [acme.open, acme.close, ...commands]);
        expect(steps.flatMap(({ events }) => events)).toHaveLength(2);
      }),
    );
  });
});

describe('every API key', () => {
  keepsTheLaws(apiKeyDecider, fc.constantFrom(acme.createKey(), acme.createKey([]), acme.revokeKey));
});

describe('every partner', () => {
  keepsTheLaws(partnerDecider, fc.constant(acme.createPartner));
});

describe('every partner credential', () => {
  const commands = [acme.createCredential(), acme.createCredential('test'), acme.revokeCredential];
  keepsTheLaws(partnerCredentialDecider, fc.constantFrom(...commands));
});
