import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dial, head } from '../../kit/http/raw.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';
import { ServiceProcess } from '../../kit/service-process.js';

describe('running the service as a process', () => {
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await ServiceProcess.prepare();
  });
  afterEach(() => service.remove());

  it('prints one JSON line with its address on stdout when ready', async () => {
    const ready = await service.start();
    expect(ready).toEqual({
      msg: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      pid: expect.any(Number),
      stores: 'embedded',
      version: (JSON.parse(await readFile('package.json', 'utf8')) as { version: string }).version,
    });
    const { status } = await fetch(service.url.replace('/v1', '/health/ready'));
    expect(status).toBe(200);
    const { code, stdout } = await service.end('SIGTERM');
    expect([code, stdout.trim().split('\n')]).toEqual([0, [JSON.stringify(ready)]]);
  });

  it.each([
    ['PORT', 'http'],
    ['RATE_LIMIT_FACTOR', '-1'],
    ['LEASE_SECONDS', '0'],
    ['JOB_RETRY_DELAYS_SECONDS', '1,two'],
    ['METRICS_PUBLIC', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['ROLE', 'worker'],
    ['SVC_MASTER_KEY', 'c2hvcnQ='],
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113'],
    ['MONGODB_URL', 'http://127.0.0.1/rps'],
  ])('exits with 78 and names the variable for %s=%s', async (name, value) => {
    const { code, stdout, stderr } = await service.another({ [name]: value });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('names every wrong variable at once', async () => {
    const { stderr } = await service.another({ PORT: '99999', LEASE_SECONDS: 'x' });
    expect(stderr).toContain('PORT');
    expect(stderr).toContain('LEASE_SECONDS');
  });

  it('answers requests received before SIGTERM', async () => {
    await service.start();
    const { accountId, key } = await openAccount(service);
    const { printerId } = await TestAgent.ready(service, accountId);
    const data = Buffer.alloc(3_000_000, 1).toString('base64');
    const content = { type: 'raw', encoding: 'base64', data };
    const answers = Array.from({ length: 6 }, () =>
      createJob(service, key, printerId, { content }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    );
    await Promise.race(answers);
    const asked = Date.now();
    const { code } = await service.end('SIGTERM');
    expect(code).toBe(0);
    expect(Date.now() - asked).toBeLessThan(8_000);
    const created = (await Promise.all(answers)).filter((status) => status === 201).length;
    await service.start();
    const listed = await service.call('GET', '/svc-api-print-jobs', { as: key });
    expect(created).toBeGreaterThan(0);
    expect(listed.body.data!.total).toBe(created);
  });

  it('disconnects slow clients after ten seconds and still exits with 0', async () => {
    await service.start();
    const { key } = await openAccount(service);
    const { socket } = await dial(Number(new URL(service.url).port));
    socket.write(
      head(
        'POST /v1/svc-api-print-jobs HTTP/1.1',
        'Host: 127.0.0.1',
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
      ) + '{',
    );
    socket.on('error', () => undefined);
    expect((await service.call('GET', '/svc-api-account', { as: key })).status).toBe(200);
    const asked = Date.now();
    const { code, signal } = await service.end('SIGTERM');
    expect([code, signal]).toEqual([0, null]);
    expect(Date.now() - asked).toBeLessThan(14_000);
    socket.destroy();
  });

  it('writes no secret into its folder or its log, except the operator token in its file', async () => {
    await service.start({ LOG_LEVEL: 'trace' });
    const { accountId, key } = await openAccount(service);
    const { enrollment_token } = await service.operate('POST', `/accounts/${accountId}/enrollments`, {});
    const partner = await service.operate('POST', '/partners', { name: 'Till Systems' });
    const { credential } = await service.operate(
      'POST',
      `/partners/${String(partner.partner_id)}/credentials`,
      { kind: 'live', scopes: ['diagnostics:read'] },
    );
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    await createJob(service, key, printerId);
    await agent.print();
    await service.call('GET', '/managed/health', { as: String(credential) });
    await service.call('GET', '/svc-api-account', { as: `${key}x` });
    await service.call('GET', `/svc-api-account?key=${key}`, { as: key });
    await service.call('POST', '/managed/enroll', {
      json: { enrollment_token, installation_id: randomUUID(), colour: 'blue' },
    });
    await service.call('POST', '/svc-api-print-jobs', { as: key, raw: `{"key":"${key}"` });
    const operator = await service.operatorToken();
    await service.end('SIGTERM');
    const files = await filesBelow(service.dataDir);
    expect([...files.keys()]).toContain('operator-token');
    files.set('the log', Buffer.from(service.logs));
    expect(service.logs).toContain('/v1/svc-api-account');
    for (const [what, secret] of Object.entries({
      key,
      credential: String(credential),
      enrollment_token: String(enrollment_token),
      device: agent.credential,
      operator,
    })) {
      const tail = secret.slice(secret.lastIndexOf('_') + 1);
      const leaks = [...files].filter(([, bytes]) => bytes.includes(tail)).map(([name]) => name);
      expect([what, leaks]).toEqual([what, what === 'operator' ? ['operator-token'] : []]);
    }
  });
});

async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), await readFile(path)] as const;
  });
  return new Map(await Promise.all(contents));
}
