import { ConfigError, loadConfig } from './config.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64');

describe('loading the configuration', () => {
  it('uses the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      role: 'all',
      leaseMs: 60_000,
      presenceTimeoutMs: 90_000,
      jobRetryDelaysMs: [15_000, 60_000, 300_000, 900_000, 1_800_000],
    });
  });

  it('accepts fractions of seconds', () => {
    expect(loadConfig({ LEASE_SECONDS: '0.2' }).leaseMs).toBe(200);
  });

  it.each(['', '/', '/v1', '/v1/'])('takes an address that ends with "%s"', (end) => {
    const { publicUrl } = loadConfig({ PUBLIC_URL: `https://print.example.com/office${end}` });
    expect(publicUrl).toBe('https://print.example.com/office');
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PROJECTOR_PARTITIONS', '0'],
    ['PROJECTOR_PARTITIONS', '17'],
    ['LEASE_SECONDS', '0'],
    ['LEASE_SECONDS', '1e3'],
    ['JOB_LIFETIME_SECONDS', '9999999'],
    ['EVIDENCE_INTERVAL_SECONDS', '1801'],
    ['ARCHIVE_AFTER_DAYS', '30'],
    ['JOB_RETRY_DELAYS_SECONDS', '15,,60'],
    ['ROLE', 'both'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PUBLIC', 'yes'],
    ['RATE_LIMIT_FACTOR', '-1'],
    ['SVC_MASTER_KEY', 'short'],
    ['SVC_MASTER_KEY', Buffer.alloc(32).toString('base64')],
    ['PUBLIC_URL', 'ftp://x'],
    ['PUBLIC_URL', 'https://'],
    ['PUBLIC_URL', 'https://print.example.com/?a=b'],
    ['PUBLIC_URL', 'https://print.example.com/#part'],
    ['PUBLIC_URL', 'https://name:password@print.example.com'],
    ['WEBHOOK_ALLOW_INSECURE_TARGETS', '1'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '0x7f.1'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,,receiver'],
    ['WEBHOOK_ALLOWED_NETWORKS', '*'],
    ['WEBHOOK_ALLOWED_NETWORKS', 'hooks.*.internal'],
    ['WEBHOOK_ALLOWED_NETWORKS', 'https://receiver/'],
    ['WEBHOOK_ALLOWED_NETWORKS', 'receiver:8443'],
    ['WEBHOOK_SIGNING_KEY', 'short'],
    ['WEBHOOK_PUBLIC_KEYS', 'short'],
    ['WEBHOOK_PUBLIC_KEYS', Array(9).fill('A'.repeat(43)).join(',')],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
    ['WEBHOOK_DENIED_NETWORKS', 'receiver.example.com'],
    ['WEBHOOK_DENIED_NETWORKS', '2001:db8::/129'],
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it.each(['smtp://', 'smtp://mail.example.com?requireTls=true'])('refuses the mail server %s', (server) => {
    const from = { ALERTS_MAIL_FROM: 'print@example.com' };
    expect(problemsOf({ ALERTS_SMTP_URL: server, ...from })).toEqual([
      expect.stringMatching(/^ALERTS_SMTP_URL/),
    ]);
    expect(problemsOf({ ALERTS_SMTP_URL: 'smtp://mail.example.com?requireTLS=true', ...from })).toEqual([]);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('refuses %s=%s, but only with a collector', (name, value) => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(problemsOf({ [name]: value, ...collector })).toEqual([expect.stringContaining(name)]);
    expect(problemsOf({ [name]: value })).toEqual([]);
  });

  it('reads the networks of webhooks', () => {
    const config = loadConfig({
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,Receiver,*.Corp.Internal',
      WEBHOOK_DENIED_NETWORKS: '93.184.215.14',
    });
    expect(config.webhookAllowedNetworks).toEqual(['10.0.0.0/8', 'fd00::/8', 'receiver', '*.corp.internal']);
    expect(config.webhookDeniedNetworks).toEqual(['93.184.215.14']);
  });

  it('names every wrong variable at once', () => {
    expect(problemsOf({ PORT: 'x', ROLE: 'x', LOG_LEVEL: 'x' })).toHaveLength(3);
  });

  it('requires both server stores or none, and their master key', () => {
    expect(problemsOf({ EVENTSTORE_URL: 'esdb://h:2113', SVC_MASTER_KEY: key })).toEqual([
      expect.stringContaining('MONGODB_URL'),
    ]);
    expect(problemsOf({ EVENTSTORE_URL: 'esdb://h:2113', MONGODB_URL: 'mongodb://h/rps' })).toEqual([
      expect.stringContaining('SVC_MASTER_KEY'),
    ]);
  });

  it.each(['esdb://a:2113', 'esdb+discover://a', 'kurrentdb://a:2113,b:2113', 'kurrentdb+discover://a'])(
    'takes %s for the event store',
    (events) => {
      const given = { EVENTSTORE_URL: events, MONGODB_URL: 'mongodb://h/rps', SVC_MASTER_KEY: key };
      expect(problemsOf(given)).toEqual([]);
    },
  );

  it.each([
    ['EVENTSTORE_URL', 'http://h:2113'],
    ['MONGODB_URL', 'postgres://h/rps'],
    ['SVC_MASTER_KEY', 'short'],
  ])('treats a wrong %s as set', (name, value) => {
    const right = { EVENTSTORE_URL: 'esdb://h:2113', MONGODB_URL: 'mongodb://h/rps', SVC_MASTER_KEY: key };
    expect(problemsOf({ ...right, ROLE: 'worker', [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must `)),
    ]);
  });

  it('reports missing variables together with a wrong one', () => {
    expect(problemsOf({ EVENTSTORE_URL: 'http://h:2113' })).toEqual([
      expect.stringMatching(/^EVENTSTORE_URL must be a URL/),
      expect.stringContaining('must be set together'),
      expect.stringContaining('SVC_MASTER_KEY is required'),
    ]);
  });

  it('refuses an archive folder for embedded stores, which have their own', () => {
    expect(problemsOf({ ARCHIVE_DIR: '/mnt/archive' })).toEqual([expect.stringContaining('DATA_DIR')]);
    const servers = { EVENTSTORE_URL: 'esdb://h:2113', MONGODB_URL: 'mongodb://h/rps', SVC_MASTER_KEY: key };
    expect(problemsOf({ ...servers, ARCHIVE_DIR: '/mnt/archive' })).toEqual([]);
  });

  it('refuses insecure webhook targets in production', () => {
    expect(problemsOf({ WEBHOOK_ALLOW_INSECURE_TARGETS: 'true', NODE_ENV: 'production' })).toEqual([
      expect.stringContaining('NODE_ENV=production'),
    ]);
  });
});
