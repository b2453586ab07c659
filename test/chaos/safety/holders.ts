import { randomBytes, randomUUID } from 'node:crypto';
import { CREDENTIAL_PREFIXES, mintCredential } from '../../../src/kernel/credential.js';
import type { CallerKind } from '../../../src/http/surface.js';
import { SCOPES_OF_ROLE } from '../../../src/api/panel/session.authenticator.js';
import { joined, operatorBrowser } from '../../kit/panel.js';
import { PARTNER_SCOPES, TestPartner } from '../../kit/partner.js';
import type { TestService } from '../../kit/service.js';
import { ALL_SCOPES, TestAgent } from '../../kit/world.js';
import { DAY, HOUR } from '../../surface/asking.js';
import { tokenOf } from './tenant.js';

/** A caller with an Authorization header or a session cookie, and its rights. */
export interface Holder {
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind?: CallerKind;
  /** The surfaces that accept the credential. */
  readonly surfaces: readonly string[];
  readonly scopes: readonly string[];
}

const RESERVED = [...PARTNER_SCOPES, 'webhooks:write'];

/** Beyond the 180 days of a device credential. */
const LONG = 181 * DAY;

const bearer = (secret: string) => `Bearer ${secret}`;
const stranger = (label: string, authorization: string | undefined): Holder => ({
  label,
  headers: { ...(authorization !== undefined && { authorization }) },
  surfaces: [],
  scopes: [],
});

/** One holder for every kind of credential, every kind of invalidity, and every set of scopes. */
export async function everyHolder(service: TestService): Promise<Holder[]> {
  const outlived = await outlivedCredentials(service);
  const idle = await idleSession(service);
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
    idle,
    ...dead.map(([label, secret]) => stranger(label, bearer(secret))),
    ...keys.map(held('integration', 'key of')).map((key): Holder => ({ ...key, kind: 'api_key' })),
    operatorIn(accountId, service.operatorToken),
    ...(await sessionHolders(service, accountId)),
    ...credentials.map(held('partner', 'partner of')),
    held('partner', 'test credential of')({ secret: test.secret, scopes: ['diagnostics:read'] }),
    held('agent', 'device')({ secret: agent.credential, scopes: [] }),
    held('operator', 'operator')({ secret: service.operatorToken, scopes: [] }),
  ];
}

/** The operator token in an account, which counts on its own surface too. */
const operatorIn = (accountId: string, token: string): Holder => ({
  ...{ label: 'operator in an account', kind: 'operator', surfaces: ['integration', 'operator'] },
  headers: { authorization: bearer(token), 'x-svc-account': accountId },
  scopes: ALL_SCOPES,
});

interface Scoped {
  readonly secret: string;
  readonly scopes: readonly string[];
}

const held =
  (surface: string, what: string) =>
  ({ secret, scopes }: Scoped): Holder => ({
    label: `${what} ${scopes.join(' ')}`,
    headers: { authorization: bearer(secret) },
    surfaces: [surface],
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

const cookied = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

/** A session is used from a page of the service. */
const session = (label: string, cookie: string, rights: Partial<Holder> = {}): Holder => ({
  label: `a session ${label}`,
  headers: cookied(cookie),
  surfaces: [],
  scopes: [],
  ...rights,
});

/** Open for 12 hours without a request. */
async function idleSession(service: TestService): Promise<Holder> {
  const { account_id } = await service.operate('POST', '/accounts', { name: 'Idle' });
  const { browser } = await joined(service, String(account_id), 'idle', 'owner');
  return session('left for half a year', browser.cookie);
}

/** Each role, an operator, and every way for a session to end or not to count. */
async function sessionHolders(service: TestService, accountId: string): Promise<Holder[]> {
  const member = { kind: 'member', surfaces: ['integration', 'panel'] } as const;
  const holders: Holder[] = [];
  for (const [role, scopes] of Object.entries(SCOPES_OF_ROLE)) {
    const { browser } = await joined(service, accountId, role, role);
    holders.push(session(`of a ${role}`, browser.cookie, { ...member, scopes }));
  }
  const operator = await operatorBrowser(service);
  const rights = { kind: 'operator', surfaces: ['operator', 'panel'] } as const;
  const visitor = await operatorBrowser(service, 'vera');
  await visitor.post(`/panel/accounts/${accountId}/visit`);
  const asViewer = {
    kind: 'visitor',
    surfaces: ['integration', 'panel'],
    scopes: SCOPES_OF_ROLE.viewer,
  } as const;
  return [
    ...holders,
    session('of an operator', operator.cookie, rights),
    session('of an operator who visits', visitor.cookie, asViewer),
    ...(await endedSessions(service, accountId)),
    ...misused(holders.at(-1)!.headers.cookie!),
  ];
}

async function endedSessions(service: TestService, accountId: string): Promise<Holder[]> {
  const ended = await joined(service, accountId, 'ended', 'owner');
  const endedCookie = ended.browser.cookie;
  await ended.browser.post('/panel/session/end');
  const everywhere = await joined(service, accountId, 'everywhere', 'owner');
  const everywhereCookie = everywhere.browser.cookie;
  await everywhere.browser.post('/panel/session/end', { everywhere: true });
  const removed = await joined(service, accountId, 'removed', 'owner');
  await service.operate('POST', `/members/${removed.memberId}/remove`);
  const { account_id } = await service.operate('POST', '/accounts', { name: 'Closed' });
  const orphan = await joined(service, String(account_id), 'orphan', 'owner');
  await service.operate('POST', `/accounts/${String(account_id)}/close`);
  return [
    session('that was ended', endedCookie),
    session('that was ended everywhere', everywhereCookie),
    session('of a removed member', removed.browser.cookie),
    session('of a closed account', orphan.browser.cookie),
  ];
}

/** A living session in requests that do not come from a page of the service. */
function misused(cookie: string): Holder[] {
  const secret = cookie.slice(cookie.indexOf('=') + 1);
  const as = (label: string, headers: Readonly<Record<string, string>>): Holder => ({
    ...session(label, cookie),
    headers,
  });
  const page = cookied(cookie);
  return [
    as('across sites', { ...page, 'sec-fetch-site': 'cross-site' }),
    as('across ports', { ...page, 'sec-fetch-site': 'same-site' }),
    as('beside a wrong key', { ...page, authorization: bearer('wrong') }),
    as('beside an empty header', { ...page, authorization: '' }),
    as('twice', { ...page, cookie: `${cookie}; ${cookie}` }),
    as('under another name', { ...page, cookie: `svc_panel_1=${secret}` }),
    as('as a bearer token', { authorization: bearer(secret) }),
  ];
}
