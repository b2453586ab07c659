import { existsSync } from 'node:fs';
import { parseConnectionString } from '../../src/event-sourcing/servers/eventstoredb/connection-string.js';
import { loadConfig } from '../../src/config.js';
import { CLUSTER, composed, SINGLE, substituted, type Compose, type ComposeService } from './compose.js';
import { documentText } from './markdown.js';

const OURS = ['api1', 'api2', 'worker'];
const ENV = {
  SVC_MASTER_KEY: '8a0Wg3lQe0aYyF0r5x0cX9WJ4bq3b3S6y0w1v2u3t4s=',
  EVENTSTORE_ADMIN_PASSWORD: 'a1b2c3',
  EVENTSTORE_OPS_PASSWORD: 'd4e5f6',
};
const served = new Set(
  [...documentText('src/api/operator/service/health.controller.ts').matchAll(/route: 'GET (\S+)'/g)].map(
    ([, path]) => path,
  ),
);
/** Services that run only once. */
const ONE_SHOT = ['certificates', 'replica-set'];

describe.each<[string, Compose]>([
  [SINGLE, composed(SINGLE)],
  [`${SINGLE} and ${CLUSTER}`, composed(SINGLE, CLUSTER)],
])('%s', (_, { services, volumes }) => {
  const lasting = Object.entries(services).filter(([name]) => !ONE_SHOT.includes(name));
  const databases = lasting.map(([name]) => name).filter((name) => !OURS.includes(name));
  const environmentOf = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]!.environment!).map(([key, value]) => [key, substituted(value, ENV)]),
    );

  it('runs two instances for the API and a worker', () => {
    expect(OURS.map((name) => services[name]!.environment!.ROLE)).toEqual(['api', 'api', 'worker']);
  });

  it.each(OURS)('gives %s a valid configuration', (name) => {
    const read = [...documentText('src/config.ts').matchAll(/read\(\s*'([A-Z_]+)'/g)].map(([, one]) => one);
    expect(read).toEqual(expect.arrayContaining(Object.keys(services[name]!.environment!)));
    const config = loadConfig({ NODE_ENV: 'production', ...environmentOf(name) });
    expect(() => parseConnectionString(config.eventStoreUrl!)).not.toThrow();
    const members = databases.filter((one) => one.startsWith('mongodb')).map((one) => `${one}:27017`);
    expect(config.mongoUrl).toBe(`mongodb://${members.join()}/rps?replicaSet=rs0`);
    expect(services['replica-set']!.environment!.MEMBERS).toBe(members.join());
  });

  it('publishes ports only on this machine', () => {
    const ports = lasting.flatMap(([, { ports: published = [] }]) => published);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('contains no secret and requires the needed ones', () => {
    const settings = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
    for (const [name, value] of settings) {
      if (/KEY$|PASSWORD|SECRET|TOKEN/.test(name)) expect(value).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
      if (/_URL$/.test(name) && value.includes('@')) expect(value).toMatch(/:\/\/\w+:\$\{[A-Z_]+:\?[^}]+\}@/);
    }
    expect(() => substituted(services.worker!.environment!.SVC_MASTER_KEY!, {})).toThrow('SVC_MASTER_KEY');
  });

  it('restarts every service and has a health check for each', () => {
    for (const [name, { restart, healthcheck }] of lasting) {
      expect([name, restart, healthcheck?.test[0]]).toEqual([name, 'unless-stopped', 'CMD']);
    }
  });

  it.each(OURS)('checks the health of %s at its endpoint', (name) => {
    const { healthcheck } = services[name]!;
    const [, path] = /127\.0\.0\.1:3000(\/[a-z/]+)/.exec(healthcheck!.test.join(' '))!;
    expect(served).toContain(path);
  });

  it('waits for healthy stores and for the replica set', () => {
    const ended = 'service_completed_successfully';
    for (const name of OURS) {
      const awaited = Object.entries(services[name]!.depends_on!);
      expect(awaited.map(([store]) => store)).toEqual(expect.arrayContaining(['eventstore', 'replica-set']));
      for (const [store, { condition }] of awaited)
        expect([store in services, condition]).toEqual([
          true,
          ONE_SHOT.includes(store) ? ended : 'service_healthy',
        ]);
    }
    const members = Object.keys(services['replica-set']!.depends_on!);
    expect(members).toEqual(databases.filter((name) => name.startsWith('mongodb')));
  });

  it('limits the memory of every service and fixes no address', () => {
    for (const [name, { mem_limit }] of lasting)
      expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\dg$/)]);
    expect(JSON.stringify(services)).not.toMatch(/ipv4_address|subnet|_INT_IP/);
  });

  it('names the platform of images that exist for one only', () => {
    const single = Object.values(services).filter(({ image }) => /kurrent|gencert/.test(image));
    for (const { platform } of single) expect(platform).toBe('linux/amd64');
  });

  it('keeps data in separate volumes and pins image versions', () => {
    const stores = lasting.filter(([name]) => !OURS.includes(name));
    const data = stores.map(([, service]) => volumeAt(service, /^\/(var\/lib\/kurrentdb|data\/db)$/));
    expect(new Set(data).size).toBe(stores.length);
    for (const volume of data) expect(Object.keys(volumes)).toContain(volume);
    for (const [, { image }] of stores) expect(image).toMatch(/:\d+\.\d+/);
  });
});

function volumeAt({ volumes = [] }: ComposeService, place: RegExp): string {
  const [volume] = volumes.map((each) => each.split(':')).find(([, target = '']) => place.test(target))!;
  return volume!;
}

describe('the image', () => {
  const lines = documentText('Dockerfile').split('\n');

  it('copies only existing files of the build context', () => {
    const allowed = documentText('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    for (const file of copied) {
      expect([file, existsSync(new URL(`../../${file}`, import.meta.url))]).toEqual([file, true]);
      expect(allowed).toContain(`!${file}`);
    }
    expect(copied).toEqual(expect.arrayContaining(sourcesOfTheBuild()));
  });

  it('runs as an unprivileged user and checks health at the service endpoint', () => {
    expect(lines).toContain('USER node');
    const [, path] = /127\.0\.0\.1:\$\{process\.env\.PORT\}(\/[a-z/]+)/.exec(lines.join('\n'))!;
    expect(served).toContain(path);
  });
});

const sourcesOfTheBuild = () =>
  (JSON.parse(documentText('tsconfig.build.json')) as { include: string[] }).include;
