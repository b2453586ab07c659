import { command, type Outcome } from '../../../kernel/command.js';
import { hashCredential, mintCredential } from '../../../kernel/credential.js';
import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type { ComputerEvent, DeviceCredential } from './computer.events.js';
import type { Computer, KnownComputer } from './computer.state.js';

const DAY: Milliseconds = 86_400_000;
const LIFE = 180 * DAY;
const RENEWAL = 30 * DAY;

type Refused = { readonly code: 'ComputerNotFound' } | { readonly code: 'ComputerRevoked' };
type NotDue = { readonly code: 'CredentialNotDue' };

/** Records a call of the agent: an offline computer is online again, and its credential is in use. */
export class RecordAgentCall extends command('RecordAgentCall')<
  {
    computerId: string;
    /** SHA-256 of the credential of the call. */
    credentialHash: string;
  },
  Outcome<Computer, ComputerEvent, Refused>
> {}

/** Adds a credential, which replaces the current one when it is first used, and an unused one at once. */
export class RenewCredential extends command('RenewCredential')<
  { computerId: string; credential: DeviceCredential },
  Outcome<Computer, ComputerEvent, Refused | NotDue>
> {}

/** A credential of 180 days: the secret, which is shown once, and what is stored. @param random 32 bytes */
export function newCredential(computerId: string, at: Instant, random: Uint8Array) {
  const secret = mintCredential('svc_device_live_', computerId, random);
  const stored = { credentialHash: hashCredential(secret), credentialExpiresAt: plus(at, LIFE) };
  return { secret, stored };
}

/** From 30 days before its end. */
export function isRenewalDue(
  { credentialExpiresAt }: Pick<DeviceCredential, 'credentialExpiresAt'>,
  at: Instant,
) {
  return plus(at, RENEWAL) >= credentialExpiresAt;
}

export function renewCredential(
  computer: KnownComputer,
  { credential, at }: RenewCredential,
): Decision<ComputerEvent, NotDue> {
  const { credentialHash } = credential;
  if ([computer.credentialHash, computer.renewed?.credentialHash].includes(credentialHash)) return accept();
  if (!isRenewalDue(computer, at)) return reject({ code: 'CredentialNotDue' });
  return accept({ type: 'DeviceCredentialRenewed', data: credential });
}

/** The first call with the renewed credential ends the older one. */
export function replaceCredential({ renewed }: KnownComputer, hash: string | undefined): ComputerEvent[] {
  return renewed && renewed.credentialHash === hash
    ? [{ type: 'DeviceCredentialReplaced', data: renewed }]
    : [];
}
