import { ServiceProcess } from '../../kit/service-process.js';
import { openAccount } from '../../kit/world.js';

describe('sending a credential in the wrong place', () => {
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await ServiceProcess.prepare();
  });
  afterEach(() => service.remove());

  it('logs no part of it', async () => {
    await service.start({ LOG_LEVEL: 'trace' });
    const { key } = await openAccount(service);
    const escaped = key.replaceAll('_', '%5f');
    const headers = {
      'x-correlation-id': `a:${key}`,
      'idempotency-key': key,
      'user-agent': key,
      [key]: key,
    };
    for (const path of [key, escaped]) {
      await service.call('GET', `/svc-api-print-jobs/${path}?${path}=${path}`, { as: key, headers });
      await service.call('POST', `/svc-api-print-jobs/${path}/cancel`, {
        as: key,
        headers,
        json: { [key]: key },
      });
      await service.call('GET', `/nowhere/${path}`, { as: key, headers });
      await service.call('GET', `/operator/streams/${path}`, { as: await service.operatorToken(), headers });
    }
    await service.end('SIGTERM');
    expect(service.logs).toContain('svc_live_***');
    const secret = key.slice('svc_live_'.length);
    expect(service.logs.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  });
});
