import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { startDemo, type Demo } from '../../../../test/kit/http/demo-app.js';
import { HttpMetrics } from '../../../http/request-log.js';
import { HealthController, MetricsController } from './health.controller.js';
import { Readiness, type Checks } from '../../../kernel/readiness.js';

class Switched extends Readiness {
  static checks: Checks = { event_store: 'ok' };

  async check() {
    return Switched.checks;
  }
}

const registry = new Registry();

@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: Readiness, useClass: Switched },
    { provide: Registry, useValue: registry },
  ],
})
class HealthModule {}

describe('checking the health of the service', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ metrics: new HttpMetrics(registry) }, HealthModule)));
  afterAll(() => demo.close());

  it('answers that it is alive', async () => {
    expect(await demo.call('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('is ready when all checks are ok', async () => {
    expect(await demo.call('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { checks: { event_store: 'ok' } },
    });
    Switched.checks = { event_store: 'failing' };
    expect(await demo.call('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'unavailable' },
    });
  });

  it('shows metrics to the operator only', async () => {
    expect(await demo.call('GET', '/metrics')).toMatchObject({
      status: 401,
      body: { code: 'CREDENTIAL_INVALID' },
    });
    const { status, text, headers } = await demo.call('GET', '/metrics', { as: 'operator' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/rps_http_request_duration_seconds_count\{operation="live",status="200"\} 1/);
  });

  it('shows metrics without a credential when the installation opens them', async () => {
    const open = await startDemo({ openOperations: ['metrics'] }, HealthModule);
    expect(await open.call('GET', '/metrics')).toMatchObject({ status: 200 });
    await open.close();
  });
});
