import { randomBytes, randomUUID } from 'node:crypto';
import { CREDENTIAL_PREFIXES, mintCredential } from '../../../src/kernel/credential.js';
import { PARTNER_SCOPES, TestPartner } from '../../kit/partner.js';
import type { TestService } from '../../kit/service.js';
import { ALL_SCOPES, TestAgent } from '../../kit/world.js';
import { DAY, HOUR } from '../../surface/asking.js';
import { tokenOf } from './tenant.js';

/** A caller with an Authorization header, and its rights. */
export interface Holder {
  readonly label: string;
  readonly authorization: string | undefined;
  /** The surface that accepts the credential; undefined if none does. */
  readonly surface?: string;
  readonly scopes: readonly string[];
}

const RESERVED = [...PARTNER_SCOPES, 'webhooks:write'];

/** Beyond the 180 days of a device credential. */
const LONG = 181 * DAY;

const bearer = (secret: string) => `Bearer ${secret}`;
const stranger = (label: string, authorization: string | undefined): Holder => ({
  label,
  authorization,
  scopes: [],
});

/** One holder for every kind of credential, every kind of invalidity, and every set of scopes. */
export async function everyHolder(service: TestService): Promise<Holder[]> {
  const outlived = await outlivedCredentials(service);
  await service.advance(LONG);
  const partner = await TestPartner.open(service, RESERVED);
  const accountId = await partner.account();
  const agent = await TestAgent.enrol(service, accountId);
  const keys = await withScopes(ALL_SCOPES, (scopes) => keyOf(service, accountId, scopes));
  const credentials = await withScopes(RESERVED, async (scopes) => {
    const { secret } = await partner.credentialOf('live', scopes);
    return secret;
  });
  const test = await partner.credentialOf('test', ['diagnostics:read']);
  const dead = [
    ...outlived,
    ...(await endedCredentials(service)),
    ...unused(await tokenOf(service, accountId)),
  ];
  return [
    ...strangers(keys.at(-1)!.secret),
    ...dead.map(([label, secret]) => stranger(label, bearer(secret))),
    ...keys.map(held('integration', 'key of')),
    ...credentials.map(held('partner', 'partner of')),
    held('partner', 'test credential of')({ secret: test.secret, scopes: ['diagnostics:read'] }),
    held('agent', 'device')({ secret: agent.credential, scopes: [] }),
    held('operator', 'operator')({ secret: service.operatorToken, scopes: [] }),
  ];
}

interface Scoped {
  readonly secret: string;
  readonly scopes: readonly string[];
}

const held =
  (surface: string, what: string) =>
  ({ secret, scopes }: Scoped): Holder => ({
    label: `${what} ${scopes.join(' ')}`,
    authorization: bearer(secret),
    surface,
    scopes,
  });

/** Each scope alone, all but each, and all. */
async function withScopes(all: readonly string[], make: (scopes: readonly string[]) => Promise<string>) {
  const sets = [...all.map((one) => [one]), ...all.map((one) => all.filter((other) => other !== one)), all];
  const made: Scoped[] = [];
  for (const scopes of sets) made.push({ secret: await make(scopes), scopes });
  return made;
}

async function keyOf(service: TestService, accountId: string, scopes: readonly string[], more = {}) {
  const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes, ...more });
  return String(key.api_key);
}

const unused = (token: string): [string, string][] => [['an enrolment token', token]];

/** Headers that are no credential; `living` is a valid one. */
function strangers(living: string): Holder[] {
  const typo = living.slice(0, -1) + (living.endsWith('0') ? '1' : '0');
  const unknown = CREDENTIAL_PREFIXES.map((prefix) => mintCredential(prefix, randomUUID(), randomBytes(32)));
  const forms = [
    'Bearer',
    'Bearer ',
    'Bearer null',
    'Basic YTpi',
    living,
    `Basic ${living}`,
    `Bearer ${living}, x`,
  ];
  return [
    stranger('nothing', undefined),
    ...forms.map((form) => stranger(`the header ${form.slice(0, 14)}`, form)),
    stranger('a typo', bearer(typo)),
    stranger('a long one', bearer('x'.repeat(8_000))),
    ...unknown.map((secret) => stranger(`an unknown ${secret.slice(0, 18)}`, bearer(secret))),
  ];
}

/** Valid today, expired in half a year. */
async function outlivedCredentials(service: TestService): Promise<[string, string][]> {
  const partner = await TestPartner.open(service);
  const accountId = await partner.account();
  const expires_at = service.fromNow(HOUR);
  return [
    ['an expired key', await keyOf(service, accountId, ALL_SCOPES, { expires_at })],
    ['an expired device', (await TestAgent.enrol(service, accountId)).credential],
    ['an expired enrolment token', await tokenOf(service, accountId)],
  ];
}

/** Revoked, replaced, or closed with its account. */
async function endedCredentials(service: TestService): Promise<[string, string][]> {
  const partner = await TestPartner.open(service);
  const [accountId, closedId] = [await partner.account(), await partner.account()];
  const scopes = ALL_SCOPES;
  const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes });
  await service.operate('POST', `/keys/${String(key.key_id)}/revoke`);
  const revoked = await TestPartner.open(service);
  const test = await revoked.credentialOf('test', ['diagnostics:read']);
  for (const id of [revoked.credentialId, test.id])
    await service.operate('POST', `/credentials/${id}/revoke`);
  const [replaced, gone] = [
    await TestAgent.enrol(service, accountId),
    await TestAgent.enrol(service, accountId),
  ];
  await TestAgent.enrol(service, accountId, replaced.installationId);
  await partner.call('POST', `/accounts/${accountId}/devices/${gone.computerId}/deactivate`);
  const orphan = await TestAgent.enrol(service, closedId);
  const orphanKey = await keyOf(service, closedId, scopes);
  await partner.call('POST', `/accounts/${closedId}/deactivate`);
  return [
    ['a revoked key', String(key.api_key)],
    ['a revoked partner', revoked.credential],
    ['a revoked test credential', test.secret],
    ['a replaced device', replaced.credential],
    ['a revoked device', gone.credential],
    ['a device of a closed account', orphan.credential],
    ['a key of a closed account', orphanKey],
  ];
}
