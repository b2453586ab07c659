import { BlockList, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressRule } from '../../src/contexts/webhooks/client/target/address-rule.js';
import { Random } from './random.js';

/** The IANA special-purpose registries, checked by Node's own matcher, and 168.63.129.16 of Azure. */
const REGISTRY_IPV4 =
  `0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 168.63.129.16/32`.split(/\s+/);
const REGISTRY_IPV6 =
  `::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32
  2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28
  2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10
  ff00::/8`.split(/\s+/);

/** One per family, because Node also matches IPv4 rules against mapped IPv6. */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const cidr of [...REGISTRY_IPV4, ...REGISTRY_IPV6]) {
  const [network = '', prefix = ''] = cidr.split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  special[family].addSubnet(network, Number(prefix), family);
}
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

/** Uses Node's block lists and ipaddr.js, so it shares no table with the rule. */
function isPublicByOracle(address: string): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (special[family].check(address, family) || ipaddr.parse(address).range() !== 'unicast') return false;
  return family === 'ipv4' || given.check(address, 'ipv6');
}

/** Compares rule and oracle on random addresses; returns the disagreements and the number refused. */
export function compareWithOracle(rule: AddressRule, seed: number, count: number) {
  const disagreements: string[] = [];
  let refused = 0;
  for (const address of randomAddresses(seed, count)) {
    const allowed = rule(address) === undefined;
    if (!allowed) refused++;
    if (allowed !== isPublicByOracle(address)) disagreements.push(address);
  }
  return { disagreements, refused };
}

/** A third anywhere in IPv4, a third anywhere in 2000::/3 or IPv6, a third around the borders of special ranges. */
function* randomAddresses(seed: number, count: number): Generator<string> {
  const random = new Random(seed);
  const next = () => random.bits();
  const borders = [...REGISTRY_IPV4, ...REGISTRY_IPV6].flatMap(bordersOf);
  for (let n = 0; n < count; n++) {
    if (n % 3 === 0) yield textOf(randomBits(next, 32), 32);
    else if (n % 3 === 1) {
      const bits = randomBits(next, 128);
      yield textOf(next() % 3 === 0 ? bits : (bits >> 3n) | (1n << 125n), 128);
    } else {
      const { at, width } = borders[next() % borders.length]!;
      const limit = 1n << BigInt(width);
      const around = at + randomBits(next, 8 + (next() % (width - 8))) * (next() % 2 ? 1n : -1n);
      yield textOf(((around % limit) + limit) % limit, width);
    }
  }
}

function bordersOf(cidr: string): { at: bigint; width: number }[] {
  const [network = '', prefix = ''] = cidr.split('/');
  const bytes = ipaddr.parse(network).toByteArray();
  const width = bytes.length * 8;
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const last = first + (1n << BigInt(width - Number(prefix))) - 1n;
  return [first, last].map((at) => ({ at, width }));
}

function textOf(bits: bigint, width: number): string {
  const bytes = Buffer.from(bits.toString(16).padStart(width / 4, '0'), 'hex');
  return ipaddr.fromByteArray([...bytes]).toString();
}

function randomBits(next: () => number, width: number): bigint {
  let bits = 0n;
  for (let got = 0; got < width; got += 32) bits = (bits << 32n) | BigInt(next());
  return bits & ((1n << BigInt(width)) - 1n);
}
