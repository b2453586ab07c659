import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { AlertSending } from '../contexts/alerts/index.js';
import { type Sending, UndiciWebhookClient, type WebhookClient } from '../contexts/webhooks/index.js';
import type { MasterKey } from '../kernel/sealing.js';
import { SigningKey } from '../kernel/signing-key.js';
import type { Tracing } from '../kernel/tracing.js';
import { deliveryMetrics } from '../operations/metrics/metrics.js';
import { retriedFailures } from './retried-failures.js';

interface Options {
  readonly config: Config;
  readonly masterKey: MasterKey;
  readonly tracing?: Tracing | undefined;
  readonly productVersion: string;
  readonly logger: Logger;
}

function webhookKeyOf(
  { webhookSigningKey }: Pick<Config, 'webhookSigningKey'>,
  masterKey: MasterKey,
): SigningKey {
  return new SigningKey(webhookSigningKey ?? masterKey.derive('webhook-signatures'));
}

export function sendingOf(
  { config, masterKey, productVersion, logger, tracing }: Options,
  registry: Registry,
): Sending {
  const failures = retriedFailures(logger);
  return {
    productVersion,
    signingKey: webhookKeyOf(config, masterKey),
    tracing,
    timeoutMs: config.webhookTimeoutMs,
    alone: config.eventStoreUrl === undefined,
    metrics: deliveryMetrics(registry),
    onError: (error, doing, deliveryId) =>
      failures(error, `${doing} failed; it is tried again`, { delivery_id: deliveryId }),
  };
}

export function alertSendingOf({ config, logger }: Pick<Options, 'config' | 'logger'>): AlertSending {
  const { alertsSmtpUrl: url, alertsMailFrom: from, publicUrl } = config;
  const failures = retriedFailures(logger);
  return {
    mail: url === undefined || from === undefined ? undefined : { url, from },
    publicUrl,
    onError: (error, doing) => failures(error, `${doing} failed; it is tried again`),
  };
}

export function webhookClientFor(config: Config, logger: Logger): WebhookClient {
  const { webhookTimeoutMs: timeoutMs, webhookAllowInsecureTargets: allowInsecure } = config;
  if (allowInsecure) logger.warn('webhooks may be sent to private addresses and over http: development only');
  const { webhookAllowedNetworks: operatorAllowed, webhookDeniedNetworks: operatorDenied } = config;
  return new UndiciWebhookClient({ timeoutMs, allowInsecure, operatorAllowed, operatorDenied });
}
