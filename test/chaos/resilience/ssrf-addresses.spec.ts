import { readFileSync } from 'node:fs';
import {
  makeAddressRule,
  PRIVATE_TOO,
  PUBLIC_ONLY,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
  type AddressRanges,
} from '../../../src/contexts/webhooks/client/target/address-rule.js';
import { hostOf, checkUrl } from '../../../src/contexts/webhooks/client/target/url-rule.js';
import { compareWithOracle } from '../../kit/address-oracle.js';
import { countOf, fixedSeed } from '../../kit/length.js';

interface Vector {
  readonly host: string;
  readonly allowed: boolean;
  readonly why: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('./ssrf-vectors.json', import.meta.url), 'utf8'),
) as readonly Vector[];
const SEED = fixedSeed(20261121);
const RANDOM_ADDRESSES = countOf('RUNS', { short: 100_000, long: 100_000, soak: 1_000_000 });

/** Verdict on `https://<host>/` before DNS. */
function isAllowed(host: string, ranges: AddressRanges = PUBLIC_ONLY): boolean {
  const judged = checkUrl(`https://${host}/`, false);
  return 'url' in judged && makeAddressRule(ranges)(hostOf(judged.url)) === undefined;
}

/** Vectors with another verdict under the given ranges. */
function turned(ranges: Partial<AddressRanges>): readonly Vector[] {
  const rule = makeAddressRule({ ...PUBLIC_ONLY, ...ranges });
  return vectors.filter(({ host, allowed }) => {
    const judged = checkUrl(`https://${host}/`, false);
    return ('url' in judged && rule(hostOf(judged.url)) === undefined) !== allowed;
  });
}

describe('refusing addresses that are not public', () => {
  it('matches every fixed vector', () => {
    expect(vectors.length).toBeGreaterThan(400);
    expect(turned({})).toEqual([]);
  });

  it('refuses text that is no address', () => {
    const rule = makeAddressRule(PUBLIC_ONLY);
    for (const text of [
      '',
      'example.com',
      '0x7f.1',
      '2130706433',
      '[::1]',
      'fe80::1%eth0',
      '2606::1%1',
      '1.1',
    ]) {
      expect(rule(text)).toBe('no address');
    }
  });

  it(`agrees with an independent oracle about random addresses (seed ${SEED})`, () => {
    const { disagreements, refused } = compareWithOracle(
      makeAddressRule(PUBLIC_ONLY),
      SEED,
      RANDOM_ADDRESSES,
    );
    expect(disagreements).toEqual([]);
    // Both verdicts must occur.
    expect(refused / RANDOM_ADDRESSES).toBeGreaterThan(0.2);
    expect(refused / RANDOM_ADDRESSES).toBeLessThan(0.9);
  }, 600_000);
});

describe('removing one range from the rule', () => {
  it.each(SPECIAL_IPV4.map((row) => [row.cidr, row] as const))(
    'is caught by a test vector of %s',
    (_, row) => {
      expect(turned({ specialIpv4: SPECIAL_IPV4.filter((it) => it !== row) })).not.toEqual([]);
    },
  );

  it.each(SPECIAL_IPV6.map((row) => [row.cidr, row] as const))('fails a vector of %s', (_, row) => {
    expect(turned({ specialIpv6: SPECIAL_IPV6.filter((it) => it !== row) })).not.toEqual([]);
  });

  it('fails a vector of the public IPv6 ranges', () => {
    for (const publicIpv6 of ['::/0', '2000::/2', '::/2']) expect(turned({ publicIpv6 })).not.toEqual([]);
  });
});

describe('allowing private addresses in development', () => {
  const rule = makeAddressRule(PRIVATE_TOO);

  it('allows the local machine and network', () => {
    for (const address of [
      '127.0.0.1',
      '127.9.9.9',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.9',
      '::1',
      'fd00::1',
    ]) {
      expect(rule(address)).toBeUndefined();
    }
  });

  it('still refuses all other addresses', () => {
    const others = [
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '100.64.0.1',
      '::',
      'fe80::1',
    ];
    for (const address of [...others, '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::']) {
      expect(rule(address)).toBeDefined();
    }
    expect(isAllowed('127.0.0.1', PRIVATE_TOO)).toBe(true);
  });
});
