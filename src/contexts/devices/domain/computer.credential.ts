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

/** An offline computer is online again, and its credential is in use. */
export class RecordAgentCall extends command('RecordAgentCall')<
  {
    computerId: string;
    credentialHash: string;
  },
  Outcome<Computer, ComputerEvent, Refused>
> {}

/** Takes effect at its first use, but replaces an unused renewal at once. */
export class RenewCredential extends command('RenewCredential')<
  { computerId: string; credential: DeviceCredential },
  Outcome<Computer, ComputerEvent, Refused | NotDue>
> {}

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
): Decision<ComputerEvent, NotDue> {
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
