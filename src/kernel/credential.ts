import { timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from './ids.js';

export const CREDENTIAL_PREFIXES = [
  'svc_live_',
  'svc_partner_live_',
  'svc_partner_test_',
  'svc_device_live_',
  'svc_enroll_live_',
  'svc_operator_',
  'svc_link_live_',
  'svc_session_live_',
  'whsec_live_',
] as const;

type CredentialPrefix = (typeof CREDENTIAL_PREFIXES)[number];

interface ParsedCredential {
  readonly prefix: CredentialPrefix;
  readonly id: string;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** 16 bytes of id and 32 random ones fill 65 digits of base 62. */
const BODY_DIGITS = 65;
const BODY_LIMIT = 1n << 384n;
const CHECKSUM_DIGITS = 6;
const TAIL = BODY_DIGITS + CHECKSUM_DIGITS;
/** Eight base-62 digits fit a safe integer. */
const CHUNK = 8;
const ONLY_DIGITS = /^[0-9A-Za-z]+$/;

/** `<prefix><base 62 of id and random bytes><base 62 of the CRC-32 of both>`. @param random 32 bytes */
export function mintCredential(prefix: CredentialPrefix, id: string, random: Uint8Array): string {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`a credential takes ${RANDOM_BYTES} random bytes`);
  const hex = id.replaceAll('-', '') + Buffer.from(random).toString('hex');
  const text = prefix + toBase62(BigInt(`0x${hex}`), BODY_DIGITS);
  return text + toBase62(BigInt(crc32(text)), CHECKSUM_DIGITS);
}

/** No proof: compare the hash with `isCredential`. */
export function parseCredential(secret: string): ParsedCredential | undefined {
  const prefix = CREDENTIAL_PREFIXES.find(
    (known) => secret.length === known.length + TAIL && secret.startsWith(known),
  );
  if (!prefix || !ONLY_DIGITS.test(secret.slice(prefix.length))) return undefined;
  const text = secret.slice(0, -CHECKSUM_DIGITS);
  if (fromBase62(secret.slice(-CHECKSUM_DIGITS)) !== BigInt(crc32(text))) return undefined;
  const body = fromBase62(text.slice(prefix.length));
  if (body >= BODY_LIMIT) return undefined;
  const hex = (body >> BigInt(RANDOM_BYTES * 8)).toString(16).padStart(32, '0');
  return { prefix, id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** Matches truncated and mistyped credentials too, and `whsec_` of Standard Webhooks. */
const CREDENTIALS = new RegExp(
  `(${[...CREDENTIAL_PREFIXES, 'whsec_'].join('|')})[0-9A-Za-z+/=]{32}[0-9A-Za-z+/=_]*`,
  'g',
);

export function hideCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1***');
}

/** SHA-256 in lower-case hex; only this hash is stored. */
export function hashCredential(secret: string): string {
  return sha256(secret);
}

/** In constant time. */
export function isCredential(secret: string, hash: string): boolean {
  const given = Buffer.from(hashCredential(secret));
  const stored = Buffer.from(hash);
  return given.length === stored.length && timingSafeEqual(given, stored);
}

/** Part of the checksum, not of the secret: tells credentials apart. */
export function lastFour(secret: string): string {
  return secret.slice(-4);
}

function toBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text;
}

function fromBase62(text: string): bigint {
  let value = 0n;
  for (let start = 0; start < text.length; start += CHUNK) {
    const chunk = text.slice(start, start + CHUNK);
    let part = 0;
    for (const digit of chunk) part = part * 62 + DIGITS.indexOf(digit);
    value = value * 62n ** BigInt(chunk.length) + BigInt(part);
  }
  return value;
}
