import { hostOf, checkUrl } from './url-rule.js';

const ruleOf = (text: string, insecure = false) => {
  const judged = checkUrl(text, insecure);
  return 'rule' in judged ? judged.rule : undefined;
};
const long = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;

describe('checking a URL', () => {
  it.each([
    'https://example.com',
    'https://example.com:443/hooks?for=orders&x=%2F',
    'HTTPS://EXAMPLE.COM/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://a_b.example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
    'https://internal.example/',
    'https://example.com?for=a@b.example',
    'https://example.com/@me?at=\\',
    'https://notlocal/'.replace('notlocal', 'my.notlocal'),
    long(2048),
  ])('accepts %s', (text) => {
    expect(ruleOf(text)).toBeUndefined();
    expect(ruleOf(text, true)).toBeUndefined();
  });

  it.each([
    ['http://example.com/', 'must start with https://'],
    ['ftp://example.com/', 'must start with https://'],
    ['javascript:alert(1)', 'must start with https://'],
    ['https://example.com:8443/', 'must use port 443'],
    ['https://example.com:80/', 'must use port 443'],
    ['https://user@example.com/', 'must not name a user'],
    ['https://user:word@example.com/', 'must not name a user'],
    ['https://:word@example.com/', 'must not name a user'],
    ['https://8.8.8.8@127.0.0.1/', 'must not name a user'],
    ['https://@example.com/', 'must not name a user'],
    ['https://:@example.com/', 'must not name a user'],
    ['https:/example.com/', 'must start with https://'],
    ['https:example.com', 'must start with https://'],
    ['https:\\\\example.com\\x', 'must not have a backslash'],
    ['https://example.com\\x', 'must not have a backslash'],
    ['https://example.com/a\\b', 'must not have a backslash'],
    ['https:///example.com/', 'must name its host after https://'],
    ['https://example.com:0/', 'must use port 443'],
    ['https://example.com/#', 'must not have a fragment'],
    ['https://example.com/a#b', 'must not have a fragment'],
    ['https://example/', 'must name a host of at least two labels'],
    ['https://localhost/', 'must name a host of at least two labels'],
    ['https://example.com./', 'must not end its name in a dot'],
    ['https://localhost./', 'must not end its name in a dot'],
    ['https://a.localhost/', 'must not name a local host'],
    ['https://printer.local/', 'must not name a local host'],
    ['https://PRINTER.LOCAL/', 'must not name a local host'],
    ['https://printer.loca%6c/', 'must not name a local host'],
    ['https://metadata.google.internal/', 'must not name a local host'],
    ['https://nas.home.arpa/', 'must not name a local host'],
    ['https://expyuzz4wqqyqhjn.onion/', 'must not name a local host'],
    [long(2049), 'must be a URL of at most 2048 characters'],
    [`https://example.com/${'ü'.repeat(400)}`, 'must have at most 2048 characters'],
    ['', 'must be a URL of at most 2048 characters'],
    ['example.com', 'must be a URL of at most 2048 characters'],
    ['https://', 'must be a URL of at most 2048 characters'],
    [' https://example.com', 'must be a URL of at most 2048 characters'],
    ['https://exam\nple.com', 'must be a URL of at most 2048 characters'],
    ['https://exam\tple.com', 'must be a URL of at most 2048 characters'],
    ['https://example.com/\u0000', 'must be a URL of at most 2048 characters'],
    ['https://example.com/\ud800', 'must be a URL of at most 2048 characters'],
  ])('refuses %s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it('allows http, any port, single labels and local addresses in development', () => {
    for (const text of ['http://localhost:8080/', 'https://receiver:9000/x', 'http://127.0.0.1:1/']) {
      expect(ruleOf(text, true)).toBeUndefined();
    }
    for (const text of [
      'http://a.local/',
      'http://u@localhost/',
      'http://localhost/#a',
      'ftp://localhost/',
    ]) {
      expect(ruleOf(text, true)).toBeDefined();
    }
  });

  it.each([
    ['http://@127.0.0.1/at', 'must not name a user'],
    ['http:\\\\127.0.0.1\\x', 'must not have a backslash'],
    ['http:/127.0.0.1/x', 'must start with https:// or http://'],
    ['http:127.0.0.1/x', 'must start with https:// or http://'],
    ['http:////127.0.0.1/x', 'must name its host after http://'],
    ['http://127.0.0.1:0/', 'must use a port from 1 to 65535'],
  ])('refuses %s in development too', (text, rule) => {
    expect(ruleOf(text, true)).toBe(rule);
  });

  describe('if the operator allows networks', () => {
    const judged = (text: string) => checkUrl(text, false, true);

    it.each([
      ['https://example.com:8443/', 'must use port 443'],
      ['https://receiver/', 'must name a host of at least two labels'],
      ['https://printer.local/', 'must not name a local host'],
      ['https://printer.local:8443/', 'must use port 443'],
      ['https://10.0.0.1/', undefined],
    ])('leaves %s to the rule for addresses', (text, publicRule) => {
      expect(judged(text)).toEqual({ url: new URL(text), publicRule });
    });

    it.each([
      ['http://receiver/', 'must start with https://'],
      ['https://receiver:0/', 'must use port 443'],
      ['https://user@receiver:8443/', 'must not name a user'],
      ['https://receiver./', 'must not end its name in a dot'],
      ['https://receiver/#a', 'must not have a fragment'],
    ])('refuses %s', (text, rule) => {
      expect(judged(text)).toEqual({ rule });
    });
  });

  it('returns the host of a literal IPv6 address without brackets', () => {
    expect(hostOf(new URL('https://[::FFFF:1.2.3.4]/'))).toBe('::ffff:102:304');
    expect(hostOf(new URL('https://0x7f.1/'))).toBe('127.0.0.1');
  });
});
