import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  PRIVATE_RANGES,
  PUBLIC_IPV6,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
  type SpecialRange,
} from './special-ranges.js';

/** Reason for forbidding an address; undefined if allowed. */
export type AddressRule = (address: string) => string | undefined;

export interface AddressRanges {
  readonly specialIpv4: readonly SpecialRange[];
  readonly publicIpv6: string;
  readonly specialIpv6: readonly SpecialRange[];
  /** Special ranges that are allowed all the same. */
  readonly allowed: readonly SpecialRange[];
}

export const PUBLIC_ONLY: AddressRanges = {
  specialIpv4: SPECIAL_IPV4,
  publicIpv6: PUBLIC_IPV6,
  specialIpv6: SPECIAL_IPV6,
  allowed: [],
};

/** For development: allows loopback and private networks. Link-local metadata services stay forbidden. */
export const PRIVATE_TOO: AddressRanges = { ...PUBLIC_ONLY, allowed: PRIVATE_RANGES };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Matcher = (address: Address) => string | undefined;

/** The only address rule; pure. The only connector is built from it. */
export function makeAddressRule(ranges: AddressRanges): AddressRule {
  const allowed = matcher(ranges.allowed);
  const special4 = matcher(ranges.specialIpv4);
  const special6 = matcher(ranges.specialIpv6);
  const isPublic6 = matcher([{ cidr: ranges.publicIpv6, name: 'public' }]);
  return (text) => {
    if (isIP(text) === 0 || text.includes('%')) return 'no address';
    const address = ipaddr.parse(text);
    if (allowed(address)) return undefined;
    if (address.kind() === 'ipv4') return special4(address);
    return isPublic6(address) ? special6(address) : 'not public IPv6 unicast';
  };
}

/** True if two spellings denote the same address. */
export function isSameAddress(one: string, other: string): boolean {
  return (
    isIP(one) !== 0 && isIP(other) !== 0 && ipaddr.parse(one).toString() === ipaddr.parse(other).toString()
  );
}

function matcher(ranges: readonly SpecialRange[]): Matcher {
  const parsed = ranges.map(({ cidr, name }) => ({ name, range: ipaddr.parseCIDR(cidr) }));
  return (address) =>
    parsed.find(({ range }) => range[0].kind() === address.kind() && address.match(range))?.name;
}
