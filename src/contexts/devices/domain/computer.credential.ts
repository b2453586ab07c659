import { hashCredential, mintCredential } from '../../../kernel/credential.js';
import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type { RenewCredential } from './computer.commands.js';
import type { ComputerEvent, DeviceCredential } from './computer.events.js';
import type { KnownComputer } from './computer.state.js';

const DAY: Milliseconds = 86_400_000;
const LIFE = 180 * DAY;
const RENEWAL = 30 * DAY;

/** Valid for 180 days. @param random 32 bytes */
export function newCredential(computerId: string, at: Instant, random: Uint8Array) {
  const secret = mintCredential('svc_device_live_', computerId, random);
  const stored = { credentialHash: hashCredential(secret), credentialExpiresAt: plus(at, LIFE) };
  return { secret, stored };
}

/** Renewal is due from 30 days before the end. */
export function isRenewalDue(
  { credentialExpiresAt }: Pick<DeviceCredential, 'credentialExpiresAt'>,
  at: Instant,
) {
  return plus(at, RENEWAL) >= credentialExpiresAt;
}

export function renewCredential(
  computer: KnownComputer,
  { credential, at }: RenewCredential,
): Decision<ComputerEvent, { readonly code: 'CredentialNotDue' }> {
  const { credentialHash } = credential;
  if ([computer.credentialHash, computer.renewed?.credentialHash].includes(credentialHash)) return accept();
  if (!isRenewalDue(computer, at)) return reject({ code: 'CredentialNotDue' });
  return accept({ type: 'DeviceCredentialRenewed', data: credential });
}

export function replaceCredential({ renewed }: KnownComputer, hash: string | undefined): ComputerEvent[] {
  return renewed && renewed.credentialHash === hash
    ? [{ type: 'DeviceCredentialReplaced', data: renewed }]
    : [];
}
