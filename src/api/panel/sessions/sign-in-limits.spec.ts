import { networksOf } from './sign-in-limits.js';

describe('the networks of a source address', () => {
  it.each([
    ['192.0.2.7', { address: '192.0.2.7' }],
    ['::ffff:192.0.2.7', { address: '192.0.2.7' }],
    ['::FFFF:192.0.2.7', { address: '192.0.2.7' }],
    ['2001:db8:1:2:3:4:5:6', { address: '2001:db8:1:2::/64', site: '2001:db8:1::/48' }],
    ['2001:0DB8:0001:0002::6', { address: '2001:db8:1:2::/64', site: '2001:db8:1::/48' }],
    ['2001:db8::1', { address: '2001:db8:0:0::/64', site: '2001:db8:0::/48' }],
    ['::1', { address: '0:0:0:0::/64', site: '0:0:0::/48' }],
    ['fe80::1%eth0', { address: 'fe80:0:0:0::/64', site: 'fe80:0:0::/48' }],
    ['64:ff9b::192.0.2.7', { address: '64:ff9b:0:0::/64', site: '64:ff9b:0::/48' }],
    ['not an address', { address: 'not an address' }],
  ])('of %s are %j', (source, expected) => {
    expect(networksOf(source)).toEqual(expected);
  });
});
