import { makeAddressRule, PRIVATE_TOO, PUBLIC_ONLY, type AddressRanges } from './address-rule.js';
import type { Target } from './url-rule.js';

const PORT_RULE = 'must use port 443';
const target = (host: string, publicRule?: string): Target => ({
  url: new URL(`https://${host}/`),
  publicRule,
});
const ruleOf = (ranges: Partial<AddressRanges>) => makeAddressRule({ ...PUBLIC_ONLY, ...ranges });

describe('allowing networks of the operator', () => {
  const rule = ruleOf({ operatorAllowed: ['10.1.0.0/16', '192.168.7.7', '100.64.0.0/10', 'fd12::/16'] });

  it.each(['10.1.0.0', '10.1.255.255', '192.168.7.7', '100.64.0.1', 'fd12::1'])('allows %s', (address) => {
    expect(rule(address)).toBeUndefined();
    expect(rule(address, target('hooks.corp.internal:8443', PORT_RULE))).toBeUndefined();
  });

  it.each(['10.0.255.255', '10.2.0.0', '192.168.7.8', '127.0.0.1', '169.254.169.254', 'fd13::1', '::1'])(
    'refuses %s',
    (address) => {
      expect(rule(address)).toBeDefined();
    },
  );

  it('does not let an IPv4 network allow addresses that embed it', () => {
    for (const address of ['::ffff:10.1.0.1', '64:ff9b::a01:1', '2002:a01:1::']) {
      expect(rule(address)).toBeDefined();
    }
  });

  it('applies the rule of public targets to public addresses', () => {
    expect(rule('8.8.8.8', target('hooks.example.com'))).toBeUndefined();
    expect(rule('8.8.8.8', target('hooks.example.com', PORT_RULE))).toBe(PORT_RULE);
  });

  it('applies it in development too', () => {
    const dev = makeAddressRule({ ...PRIVATE_TOO, operatorAllowed: ['10.1.0.0/16'] });
    expect(dev('10.2.0.1', target('printer.local', 'must not name a local host'))).toBeDefined();
    expect(dev('10.1.0.1', target('printer.local', 'must not name a local host'))).toBeUndefined();
  });
});

describe('allowing names of the operator', () => {
  const rule = ruleOf({ operatorAllowed: ['receiver', '*.corp.internal'] });

  it.each(['receiver', 'hooks.corp.internal', 'a.b.corp.internal'])(
    'allows private and public addresses of %s',
    (host) => {
      for (const address of ['10.0.0.1', '172.18.0.2', 'fd00::1', '127.0.0.1', '8.8.8.8']) {
        expect(rule(address, target(`${host}:8443`, PORT_RULE))).toBeUndefined();
      }
    },
  );

  it('refuses link-local, mapped and other special addresses of allowed names', () => {
    for (const address of [
      '169.254.169.254',
      '168.63.129.16',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      'fe80::1',
      '::ffff:10.0.0.1',
    ]) {
      expect(rule(address, target('receiver'))).toBeDefined();
    }
  });

  it.each(['corp.internal', 'evilcorp.internal', 'hooks.corp.internal.example.com', 'receiver.example.com'])(
    'does not allow %s',
    (host) => {
      expect(rule('10.0.0.1', target(host))).toBeDefined();
      expect(rule('8.8.8.8', target(host, PORT_RULE))).toBe(PORT_RULE);
    },
  );

  it('allows no private address without the name', () => {
    expect(rule('10.0.0.1')).toBeDefined();
  });
});

describe('denying networks', () => {
  const rule = ruleOf({
    operatorAllowed: ['10.0.0.0/8', '::ffff:0:0/96', 'receiver'],
    operatorDenied: ['10.9.0.0/16', '93.184.215.0/24', '2606:2800::/32'],
  });

  it.each(['93.184.215.14', '2606:2800::1', '10.9.0.1', '::ffff:10.9.0.1', '::ffff:93.184.215.14'])(
    'refuses %s despite any allowance',
    (address) => {
      expect(rule(address)).toBe('network of the operator');
      expect(rule(address, target('receiver'))).toBe('network of the operator');
    },
  );

  it('refuses no other network', () => {
    for (const address of ['93.184.216.1', '2606:2801::1', '10.8.0.1']) expect(rule(address)).toBeUndefined();
  });
});
