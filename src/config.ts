import { config as readDotEnv } from 'dotenv';
import {
  boolean,
  bytes32,
  choice,
  count,
  mailAddress,
  mailServer,
  networks,
  networksAndNames,
  publicAddress,
  publicKeys,
  seconds,
  secondsList,
  url,
  type Read,
} from './config.readers.js';

/** Settings of docs/operations.md. Durations are milliseconds here, seconds in the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Starts although the database or master key of a used data folder is missing. */
  readonly newStore: boolean;
  /** Restored by other means than `rps restore`: this start parks all active jobs. */
  readonly restored: boolean;
  readonly eventStoreUrl: string | undefined;
  readonly mongoUrl: string | undefined;
  /** Of the read models on server stores: as many projectors build them. */
  readonly projectorPartitions: number;
  readonly masterKey: Buffer | undefined;
  readonly publicUrl: string | undefined;
  readonly panel: boolean;
  /** Folder with the packages of the Agent; undefined: beside the build. */
  readonly agentPackages: string | undefined;
  /** Addresses and ranges with trusted `X-Forwarded-For`. */
  readonly trustedProxies: readonly string[];
  readonly role: 'all' | 'api' | 'worker';
  readonly logLevel: string;
  readonly rateLimitFactor: number;
  readonly metricsPublic: boolean;
  /** Checkpoint, key and tiles of the evidence log without a credential. */
  readonly evidencePublic: boolean;
  readonly leaseMs: number;
  readonly presenceTimeoutMs: number;
  readonly acceptGraceMs: number;
  readonly handoffGraceMs: number;
  readonly spoolWatchMs: number;
  readonly jobLifetimeMs: number;
  readonly jobRetryDelaysMs: readonly number[];
  readonly reviewWindowMs: number;
  readonly contentRetentionMs: number;
  readonly packAfterMs: number;
  /** Undefined: jobs stay in the read models for ever. */
  readonly archiveAfterMs: number | undefined;
  /** Folder of all instances for the events of archived jobs; undefined: they stay in the event store. */
  readonly archiveDir: string | undefined;
  /** 32 bytes that sign the evidence log; undefined: derived from the master key. */
  readonly evidenceKey: Buffer | undefined;
  /** Between two checkpoints of the evidence log; 0: none is published. */
  readonly evidenceIntervalMs: number;
  /** 32 bytes that sign webhooks; undefined: derived from the master key. */
  readonly webhookSigningKey: Buffer | undefined;
  /** Further public keys to list: of before or after a change of the signing key. */
  readonly webhookPublicKeys: readonly Buffer[];
  readonly webhookRetryDelaysMs: readonly number[];
  readonly webhookTimeoutMs: number;
  readonly webhookAllowInsecureTargets: boolean;
  /** Non-public addresses, ranges, names and `*.domain` that webhooks may reach. */
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookDeniedNetworks: readonly string[];
  /** Undefined: alerts are not sent by mail. */
  readonly alertsSmtpUrl: string | undefined;
  /** Sender of the mails: an address, or a name and `<address>`. */
  readonly alertsMailFrom: string | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: { readonly endpoint: string; readonly serviceName: string } | undefined;
}

/** One invalid variable a line; the process exits with 78 (EX_CONFIG). */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`configuration refused:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The second name is that of KurrentDB. */
const EVENT_STORES = ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'] as const;

const text: Read<string> = (value) => value;

type Reading = <T>(name: string, reader: Read<T>, fallback: T) => T;

/** `.env` never overrides the environment. @throws ConfigError */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  if (env === process.env) readDotEnv({ quiet: true });
  const problems: string[] = [];
  function read<T>(name: string, reader: Read<T>, fallback: T): T {
    const value = env[name];
    if (value === undefined || value === '') return fallback;
    try {
      return reader(value);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return fallback;
    }
  }
  const config: Config = {
    host: read('HOST', text, '127.0.0.1'),
    port: read('PORT', count(0, 65_535), 3000),
    dataDir: read('DATA_DIR', text, './data'),
    newStore: read('NEW_STORE', boolean, false),
    restored: read('RESTORED', boolean, false),
    eventStoreUrl: read('EVENTSTORE_URL', url(...EVENT_STORES), undefined),
    mongoUrl: read('MONGODB_URL', url('mongodb:', 'mongodb+srv:'), undefined),
    projectorPartitions: read('PROJECTOR_PARTITIONS', count(1, 16), 1),
    archiveDir: read('ARCHIVE_DIR', text, undefined),
    masterKey: read('SVC_MASTER_KEY', bytes32, undefined),
    evidenceKey: read('EVIDENCE_KEY', bytes32, undefined),
    webhookSigningKey: read('WEBHOOK_SIGNING_KEY', bytes32, undefined),
    webhookPublicKeys: read('WEBHOOK_PUBLIC_KEYS', publicKeys, []),
    publicUrl: read('PUBLIC_URL', publicAddress, undefined),
    panel: read('PANEL', choice('on', 'off'), 'on') === 'on',
    agentPackages: read('AGENT_PACKAGES', text, undefined),
    trustedProxies: read('TRUSTED_PROXIES', networks, []),
    role: read('ROLE', choice('all', 'api', 'worker'), 'all'),
    logLevel: read('LOG_LEVEL', choice(...LOG_LEVELS), 'info'),
    rateLimitFactor: read('RATE_LIMIT_FACTOR', seconds(0, 1e9, 1), 1),
    metricsPublic: read('METRICS_PUBLIC', boolean, false),
    evidencePublic: read('EVIDENCE_PUBLIC', boolean, false),
    ...durations(read),
    webhookAllowInsecureTargets: read('WEBHOOK_ALLOW_INSECURE_TARGETS', boolean, false),
    webhookAllowedNetworks: read('WEBHOOK_ALLOWED_NETWORKS', networksAndNames, []),
    webhookDeniedNetworks: read('WEBHOOK_DENIED_NETWORKS', networks, []),
    alertsSmtpUrl: read('ALERTS_SMTP_URL', mailServer, undefined),
    alertsMailFrom: read('ALERTS_MAIL_FROM', mailAddress, undefined),
    tracing: tracing(read),
  };
  problems.push(...contradictions(config, env));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

const DAY = 86_400;
const YEAR = 366 * DAY;

function durations(read: Reading) {
  const positive = seconds(0.001, YEAR);
  return {
    leaseMs: read('LEASE_SECONDS', positive, 60_000),
    presenceTimeoutMs: read('PRESENCE_TIMEOUT_SECONDS', positive, 90_000),
    acceptGraceMs: read('ACCEPT_GRACE_SECONDS', positive, 120_000),
    handoffGraceMs: read('HANDOFF_GRACE_SECONDS', positive, 600_000),
    spoolWatchMs: read('SPOOL_WATCH_SECONDS', positive, 1_800_000),
    jobLifetimeMs: read('JOB_LIFETIME_SECONDS', seconds(0.001, 30 * DAY), DAY * 1000),
    jobRetryDelaysMs: read(
      'JOB_RETRY_DELAYS_SECONDS',
      secondsList,
      [15_000, 60_000, 300_000, 900_000, 1_800_000],
    ),
    reviewWindowMs: read('REVIEW_WINDOW_SECONDS', positive, 3 * DAY * 1000),
    contentRetentionMs: read('CONTENT_RETENTION_SECONDS', seconds(0, YEAR), DAY * 1000),
    packAfterMs: read('PACK_AFTER_SECONDS', positive, 3_600_000),
    // Charts reach back 720 hours, and plans count the jobs of a month.
    archiveAfterMs: read('ARCHIVE_AFTER_DAYS', seconds(31, 36_500, DAY * 1000), undefined),
    // Verifiers call an event LATE that is logged more than an hour after its time.
    evidenceIntervalMs: read('EVIDENCE_INTERVAL_SECONDS', seconds(0, 1_800), 300_000),
    webhookRetryDelaysMs: read(
      'WEBHOOK_RETRY_DELAYS_SECONDS',
      secondsList,
      [30_000, 120_000, 600_000, 3_600_000, 21_600_000],
    ),
    webhookTimeoutMs: read('WEBHOOK_TIMEOUT_SECONDS', positive, 10_000),
  };
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/** The SDK reads the sampler itself, and silently uses its default for an unknown one. */
function tracing(read: Reading): Config['tracing'] {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', url('http:', 'https:'), undefined);
  if (endpoint === undefined) return undefined;
  const serviceName = read('OTEL_SERVICE_NAME', text, 'remote-printing-service');
  const samplers = SAMPLERS.flatMap((sampler) => [sampler, `parentbased_${sampler}` as const]);
  read('OTEL_TRACES_SAMPLER', choice(...samplers), undefined);
  read('OTEL_TRACES_SAMPLER_ARG', seconds(0, 1, 1), undefined);
  return { endpoint, serviceName };
}

/** Skips invalid variables, which are reported already. */
function contradictions(config: Config, env: NodeJS.ProcessEnv): string[] {
  const found: string[] = [];
  if (!env.EVENTSTORE_URL !== !env.MONGODB_URL) {
    found.push('EVENTSTORE_URL and MONGODB_URL must be set together, or neither for the embedded stores');
  }
  if (env.EVENTSTORE_URL && !env.SVC_MASTER_KEY) {
    found.push('SVC_MASTER_KEY is required with the server stores: 32 bytes, base64');
  }
  if (!env.EVENTSTORE_URL && env.ARCHIVE_DIR) {
    found.push('ARCHIVE_DIR is for the server stores; the embedded stores have their archive in DATA_DIR');
  }
  if (!env.EVENTSTORE_URL && config.role === 'worker') {
    found.push('ROLE must be all or api with the embedded stores: they serve one process');
  }
  if (config.tracing && !URL.canParse(config.tracing.endpoint)) {
    found.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector, such as http://127.0.0.1:4318',
    );
  }
  if (!env.ALERTS_SMTP_URL !== !env.ALERTS_MAIL_FROM) {
    found.push('ALERTS_SMTP_URL and ALERTS_MAIL_FROM must be set together, or neither to send no mail');
  }
  if (config.webhookAllowInsecureTargets && env.NODE_ENV === 'production') {
    found.push('WEBHOOK_ALLOW_INSECURE_TARGETS must not be true with NODE_ENV=production');
  }
  return found;
}
