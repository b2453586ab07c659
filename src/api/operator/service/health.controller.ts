import { Controller } from '@nestjs/common';
import { Registry } from 'prom-client';
import { BareAnswer } from '../../../http/answer.js';
import { isReady, Readiness } from '../../../kernel/readiness.js';
import { OperatorOperation } from '../operator.surface.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** For supervisors and load balancers; outside the API's versions. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @OperatorOperation({
    id: 'live',
    route: 'GET /health/live',
    summary: 'The process answers',
    auth: 'none',
    isRoutine: true,
    success: { status: 200, description: 'Alive.' },
  })
  live() {
    return new BareAnswer(200, '{"status":"ok"}', JSON_TYPE);
  }

  @OperatorOperation({
    id: 'ready',
    route: 'GET /health/ready',
    summary: 'The process can do its work',
    auth: 'none',
    isRoutine: true,
    success: { status: 200, description: 'Ready.' },
  })
  async ready() {
    const [checks, details] = await Promise.all([this.readiness.check(), this.readiness.details()]);
    const ready = isReady(checks);
    const body = JSON.stringify({ status: ready ? 'ok' : 'unavailable', checks, details });
    return new BareAnswer(ready ? 200 : 503, body, JSON_TYPE);
  }
}

/** Prometheus text; requires the operator token unless the installation opens the operation `metrics`. */
@Controller()
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  @OperatorOperation({
    id: 'metrics',
    auth: 'remembered',
    isRoutine: true,
    route: 'GET /metrics',
    summary: 'Measurements of this process',
    success: { status: 200, description: 'Prometheus text.' },
  })
  async metrics() {
    return new BareAnswer(200, await metricsText(this.registry), {
      'content-type': this.registry.contentType,
    });
  }
}

/**
 * The metrics, then those of this service once more without the prefix `rps_`, which they had up to 2.0.
 * https://prometheus.io/docs/instrumenting/exposition_formats/ wants the lines of one metric together.
 */
async function metricsText(registry: Registry): Promise<string> {
  const text = await registry.metrics();
  const old = text.split('\n').filter((line) => PREFIX.test(line));
  return `${text}${old.map((line) => line.replace(PREFIX, '$1')).join('\n')}\n`;
}

const PREFIX = /^((?:# (?:HELP|TYPE) )?)rps_/;
