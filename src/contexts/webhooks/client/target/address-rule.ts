import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { hostOf, type Target } from './url-rule.js';

interface SpecialRange {
  readonly cidr: string;
  readonly name: string;
}

/** Allowed in development, and for names that the operator allows. */
const PRIVATE_RANGES: readonly SpecialRange[] = [
  { cidr: '10.0.0.0/8', name: 'private use (RFC 1918)' },
  { cidr: '127.0.0.0/8', name: 'loopback (RFC 1122)' },
  { cidr: '172.16.0.0/12', name: 'private use (RFC 1918)' },
  { cidr: '192.168.0.0/16', name: 'private use (RFC 1918)' },
  { cidr: '::1/128', name: 'loopback (RFC 4291)' },
  { cidr: 'fc00::/7', name: 'unique local (RFC 4193)' },
];

/** The IANA special-purpose registry regardless of reachability, multicast and reserved ranges. */
export const SPECIAL_IPV4: readonly SpecialRange[] = [
  { cidr: '0.0.0.0/8', name: 'this network (RFC 791)' },
  { cidr: '10.0.0.0/8', name: 'private use (RFC 1918)' },
  { cidr: '100.64.0.0/10', name: 'shared address space (RFC 6598)' },
  { cidr: '127.0.0.0/8', name: 'loopback (RFC 1122)' },
  { cidr: '168.63.129.16/32', name: 'platform service of Azure' },
  { cidr: '169.254.0.0/16', name: 'link local (RFC 3927)' },
  { cidr: '172.16.0.0/12', name: 'private use (RFC 1918)' },
  { cidr: '192.0.0.0/24', name: 'IETF protocol assignments (RFC 6890)' },
  { cidr: '192.0.2.0/24', name: 'documentation (RFC 5737)' },
  { cidr: '192.31.196.0/24', name: 'AS112 (RFC 7535)' },
  { cidr: '192.52.193.0/24', name: 'AMT (RFC 7450)' },
  { cidr: '192.88.99.0/24', name: '6to4 relay (RFC 7526)' },
  { cidr: '192.168.0.0/16', name: 'private use (RFC 1918)' },
  { cidr: '192.175.48.0/24', name: 'AS112 (RFC 7534)' },
  { cidr: '198.18.0.0/15', name: 'benchmarking (RFC 2544)' },
  { cidr: '198.51.100.0/24', name: 'documentation (RFC 5737)' },
  { cidr: '203.0.113.0/24', name: 'documentation (RFC 5737)' },
  { cidr: '224.0.0.0/4', name: 'multicast (RFC 5771)' },
  { cidr: '240.0.0.0/4', name: 'reserved and broadcast (RFC 1112)' },
];

/** Excludes mapped, translated and local addresses. */
const PUBLIC_IPV6 = '2000::/3';

/** Special ranges within 2000::/3, from the IANA special-purpose registry. */
export const SPECIAL_IPV6: readonly SpecialRange[] = [
  { cidr: '2001::/23', name: 'IETF protocol assignments: Teredo, ORCHID, benchmarking (RFC 2928)' },
  { cidr: '2001:db8::/32', name: 'documentation (RFC 3849)' },
  { cidr: '2002::/16', name: '6to4 (RFC 3056)' },
  { cidr: '2620:4f:8000::/48', name: 'AS112 (RFC 7534)' },
  { cidr: '3fff::/20', name: 'documentation (RFC 9637)' },
];

export type AddressRule = (address: string, target?: Target) => string | undefined;

export interface AddressRanges {
  readonly specialIpv4: readonly SpecialRange[];
  readonly publicIpv6: string;
  readonly specialIpv6: readonly SpecialRange[];
  readonly allowed: readonly SpecialRange[];
  /** Networks, names and `*.domain` that targets may reach on any port and by local names. */
  readonly operatorAllowed: readonly string[];
  /** Denied even if they are allowed. */
  readonly operatorDenied: readonly string[];
}

export const PUBLIC_ONLY: AddressRanges = {
  specialIpv4: SPECIAL_IPV4,
  publicIpv6: PUBLIC_IPV6,
  specialIpv6: SPECIAL_IPV6,
  allowed: [],
  operatorAllowed: [],
  operatorDenied: [],
};

/** For development. Link-local metadata services stay forbidden. */
export const PRIVATE_TOO: AddressRanges = { ...PUBLIC_ONLY, allowed: PRIVATE_RANGES };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Matcher = (address: Address) => string | undefined;

/** The only connector is built from this pure rule. */
export function makeAddressRule(ranges: AddressRanges): AddressRule {
  const allowed = matcher(ranges.allowed);
  const special4 = matcher(ranges.specialIpv4);
  const special6 = matcher(ranges.specialIpv6);
  const isPublic6 = matcher([{ cidr: ranges.publicIpv6, name: 'public' }]);
  const isPrivate = matcher(PRIVATE_RANGES);
  const denied = matcher(rangesOf(ranges.operatorDenied));
  const isOwn = matcher(rangesOf(ranges.operatorAllowed));
  return (text, target) => {
    if (isIP(text) === 0 || text.includes('%')) return 'no address';
    const address = ipaddr.parse(text);
    // An IPv4-mapped address reaches the IPv4 one.
    const forbidden = denied(address) ?? denied(ipaddr.process(text));
    if (forbidden !== undefined || isOwn(address)) return forbidden;
    const isNamed = target !== undefined && hasName(ranges.operatorAllowed, hostOf(target.url));
    if (!isNamed && target?.publicRule !== undefined) return target.publicRule;
    if (allowed(address) || (isNamed && isPrivate(address))) return undefined;
    if (address.kind() === 'ipv4') return special4(address);
    return isPublic6(address) ? special6(address) : 'not public IPv6 unicast';
  };
}

export function isSameAddress(one: string, other: string): boolean {
  return (
    isIP(one) !== 0 && isIP(other) !== 0 && ipaddr.parse(one).toString() === ipaddr.parse(other).toString()
  );
}

function rangesOf(entries: readonly string[]): readonly SpecialRange[] {
  return entries.flatMap((entry) => {
    const [address = '', prefix = isIP(address) === 4 ? '32' : '128'] = entry.split('/');
    return isIP(address) === 0 ? [] : [{ cidr: `${address}/${prefix}`, name: 'network of the operator' }];
  });
}

function hasName(entries: readonly string[], host: string): boolean {
  return entries.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry));
}

function matcher(ranges: readonly SpecialRange[]): Matcher {
  const parsed = ranges.map(({ cidr, name }) => ({ name, range: ipaddr.parseCIDR(cidr) }));
  return (address) =>
    parsed.find(({ range }) => range[0].kind() === address.kind() && address.match(range))?.name;
}
