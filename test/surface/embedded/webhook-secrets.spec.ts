import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../../kit/service-process.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { openAccount } from '../../kit/world.js';
import { INSECURE, WebhookClerk } from '../webhook-asking.js';

describe('webhook secrets', () => {
  let service: ServiceProcess;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    service = await ServiceProcess.prepare();
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await service.remove();
    await receiver.close();
  });

  it('are neither logged nor stored in plain text, and sign after a restart', async () => {
    const env = { ...INSECURE, LOG_LEVEL: 'trace' };
    await service.start(env);
    const { key } = await openAccount(service);
    const clerk = new WebhookClerk(service, key);
    const { webhookId, secret } = await clerk.open(`http://127.0.0.1:${receiver.port}/ok`);
    await clerk.open(`http://127.0.0.1:${receiver.port}/error`);
    const rotated = (await clerk.update(webhookId, { rotate_secret: true })).body.data!;
    for (const webhook of (await clerk.list()).webhooks) await clerk.test(webhook.webhook_id);
    await service.end('SIGKILL');
    await service.start(env);
    expect((await clerk.test(webhookId)).body.data).toMatchObject({ delivery: { status: 'delivered' } });
    expect(receiver.requests.at(-1)!.headers).toHaveProperty('x-svc-signature-previous');
    await service.end('SIGTERM');

    const files = (await readdir(service.dataDir, { recursive: true, withFileTypes: true })).filter((it) =>
      it.isFile(),
    );
    const kept = await Promise.all(files.map((it) => readFile(join(it.parentPath, it.name))));
    expect(files.length).toBeGreaterThan(2);
    expect(service.logs).toContain('webhooks may be sent to private addresses');
    for (const known of [secret, String(rotated.secret)]) {
      for (const form of [known, Buffer.from(known).toString('base64'), known.slice(-40)]) {
        expect(service.logs).not.toContain(form);
        for (const bytes of kept) expect(bytes.includes(form)).toBe(false);
      }
    }
  });
});
