import { parseConnectionString } from './connection-string.js';

describe('checking the URL of an event store', () => {
  it('returns its credentials', () => {
    const { credentials, warnings } = parseConnectionString('esdb://ops:p%40ss@db.example:2113?tls=true');

    expect(credentials).toEqual({ username: 'ops', password: 'p@ss' });
    expect(warnings).toEqual([]);
  });

  it('returns placeholder credentials without TLS, and does not warn on the same machine', () => {
    for (const host of ['localhost:2113', '127.0.0.1:2113', '127.1.2.3']) {
      const { credentials, warnings } = parseConnectionString(`esdb://${host}?tls=false`);
      expect(credentials.username).not.toBe('');
      expect(warnings).toEqual([]);
    }
  });

  it('warns when events cross a network without TLS', () => {
    expect(parseConnectionString('esdb://db1:2113,localhost:2113,db2?tls=false').warnings).toEqual([
      'no TLS to the event store on db1, db2',
    ]);
  });

  it('warns when credentials would not be sent', () => {
    expect(parseConnectionString('esdb://ops:secret@localhost?tls=false').warnings).toEqual([
      'user and password of the event store are not sent without TLS',
    ]);
  });

  it.each([
    ['kurrentdb://ops:secret@a:2113?tls=true', 'esdb://ops:secret@a:2113?tls=true&gossipTimeout=1', false],
    ['kurrentdb+discover://db?tls=false', 'esdb+discover://db?tls=false&gossipTimeout=1', true],
    [' KurrentDB://a,b?tls=false', 'esdb://a,b?tls=false&gossipTimeout=1', true],
  ])('reads %s as KurrentDB names its addresses', (url, read, isCluster) => {
    expect(parseConnectionString(url).client).toMatchObject({ url: read, isCluster });
  });

  it.each([
    ['esdb://localhost?tls=false&throwOnAppendFailure=false', 'throwOnAppendFailure'],
    ['esdb+discover://db?tls=false&nodePreference=follower', 'leader'],
    ['esdb+discover://db?tls=false&nodePreference=random', 'leader'],
    ['esdb://db.example:2113', 'user and password'],
    ['mongodb://db.example', 'esdb:// or esdb+discover:// expected'],
    ['kurrentdb://ops:secret@db?nodePreference=follower', 'leader'],
    ['esdb://db?tls=perhaps', 'true or false expected'],
    ['esdb://ops:secret@db?tlsVerifyCert=false', 'does nothing here: tlsVerifyCert'],
    ['esdb://db?tls=false&retries=3', 'does nothing here: retries'],
    ['esdb://db?tls=false&keepAliveInterval=-1', 'keepAliveInterval=-1'],
    ['esdb://db?tls=false&keepAliveTimeout=60000', 'keepAliveTimeout=60000'],
    ['esdb+discover://db?tls=false&gossipTimeout=30', 'gossipTimeout=30'],
    ['', 'cannot be read'],
  ])('refuses %s', (url, why) => {
    expect(() => parseConnectionString(url)).toThrow(why);
  });

  it('detects a silent server within five seconds by default, and outlasts a stall of three', () => {
    const { client } = parseConnectionString('esdb://a,b/?tls=false');
    expect(client).toEqual({
      url: 'esdb://a,b/?tls=false&gossipTimeout=1',
      isCluster: true,
      keepAlive: { intervalMs: 1_000, timeoutMs: 4_000 },
    });
    const other = parseConnectionString(
      'esdb://a?keep_alive_interval=5000&tls=false&keepAliveTimeout=10000&gossipTimeout=2',
    );
    expect(other.client).toEqual({
      url: 'esdb://a?tls=false&gossipTimeout=2',
      isCluster: false,
      keepAlive: { intervalMs: 5_000, timeoutMs: 10_000 },
    });
  });

  it('never repeats a password', () => {
    for (const url of ['esdb://ops:secret@db:port', 'esdb://ops:secret@', 'es://ops:secret@db']) {
      expect(() => parseConnectionString(url)).toThrow(expect.not.stringContaining('secret'));
      try {
        parseConnectionString(url);
      } catch (error) {
        expect(JSON.stringify([String(error), error])).not.toContain('secret');
      }
    }
  });
});
