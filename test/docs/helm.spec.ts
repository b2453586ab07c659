import { Ajv } from 'ajv';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config.js';
import { documentText } from './markdown.js';

const CHART = 'deploy/helm/remote-printing';
const RENDERER = fileURLToPath(new URL('helm-template.go', import.meta.url));
const hasGo = spawnSync('go', ['version']).status === 0;
const withGo = hasGo ? describe : describe.skip;
if (!hasGo) console.warn('golang-go is not installed: the chart is not rendered');

type Values = Readonly<Record<string, unknown>>;

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly unknown[];
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: { readonly type: string };
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[];
      };
    };
  };
}

const defaults = parse(documentText(`${CHART}/values.yaml`)) as Values;
const chart = parse(documentText(`${CHART}/Chart.yaml`)) as { name: string; appVersion: string };
const isValid = new Ajv({ allErrors: true }).compile(
  JSON.parse(documentText(`${CHART}/values.schema.json`)) as object,
);

function rendered(values: Values): { readonly manifests: readonly Manifest[]; readonly error: string } {
  const names = readdirSync(`${CHART}/templates`);
  const files = Object.fromEntries(names.map((name) => [name, documentText(`${CHART}/templates/${name}`)]));
  const Chart = { Name: chart.name, AppVersion: chart.appVersion };
  const context = { Values: { ...defaults, ...values }, Chart, Release: { Name: 'shop' } };
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOCACHE: fileURLToPath(new URL('../../node_modules/.cache/go-build', import.meta.url)),
  };
  const { stdout, stderr } = spawnSync('go', ['run', RENDERER], {
    ...{ input: JSON.stringify({ files, context }), encoding: 'utf8', env },
  });
  const documents = parseAllDocuments(stdout).map((one) => one.toJS({ maxAliasCount: 0 }) as Manifest | null);
  return { manifests: documents.filter((one) => one !== null), error: stderr };
}

const containerOf = ({ spec }: Manifest) => spec.template!.spec.containers[0];
const settingsOf = (manifest: Manifest) =>
  Object.fromEntries(containerOf(manifest).env.map(({ name, value }) => [name, value]));

describe('the values of the chart', () => {
  it('are valid, and need a secret for server stores', () => {
    expect([isValid(defaults), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...defaults, stores: 'servers' })).toBe(false);
    expect(isValid({ ...defaults, stores: 'servers', existingSecret: 'rps' })).toBe(true);
    expect(isValid({ ...defaults, store: 'servers' })).toBe(false);
  });

  it('name the version of the product', () => {
    expect(documentText('package.json')).toContain(`"version": "${chart.appVersion}"`);
  });
});

withGo('the chart', () => {
  it('runs one process with a volume on embedded stores', () => {
    const { manifests, error } = rendered({
      env: { LOG_LEVEL: 'debug' },
      publicUrl: 'https://print.example',
    });
    expect(error).toBe('');
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      ...['Deployment', 'PersistentVolumeClaim', 'Service'],
    ]);
    const deployment = manifests.find(({ kind }) => kind === 'Deployment')!;
    expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(containerOf(deployment)).toMatchObject({
      image: `remote-printing-service:${chart.appVersion}`,
      readinessProbe: { httpGet: { path: '/health/ready' } },
    });
    expect(deployment.spec.template!.spec.volumes).toContainEqual({
      ...{ name: 'data', persistentVolumeClaim: { claimName: 'shop-data' } },
    });
    expect(loadConfig(settingsOf(deployment))).toMatchObject({
      ...{ role: 'all', publicUrl: 'https://print.example', logLevel: 'debug' },
    });
  });

  it('mounts what the image writes to, because its root is read-only', () => {
    const [deployment] = rendered({}).manifests.filter(({ kind }) => kind === 'Deployment');
    const paths = containerOf(deployment!).volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toEqual(['/data', '/tmp']);
    expect(documentText('Dockerfile')).toContain('DATA_DIR=/data');
  });

  it('runs api and worker apart on server stores, and sends requests to the api alone', () => {
    const { manifests, error } = rendered({ stores: 'servers', existingSecret: 'rps' });
    expect(error).toBe('');
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map((one) => [settingsOf(one).ROLE, one.spec.replicas])).toEqual([
      ['api', 2],
      ['worker', 2],
    ]);
    for (const one of deployments) {
      expect(containerOf(one).envFrom).toEqual([{ secretRef: { name: 'rps' } }]);
      expect(one.spec.selector).toEqual({ matchLabels: one.spec.template!.metadata.labels });
    }
    expect(manifests.find(({ kind }) => kind === 'Service')!.spec.selector).toEqual(
      deployments[0]!.spec.template!.metadata.labels,
    );
    expect(manifests.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
  });

  it('needs a host for an ingress, and lets bodies and polls through it', () => {
    const ingress = { ...(defaults.ingress as object), enabled: true };
    expect(rendered({ ingress }).error).toContain('ingress.host is the name of the service in DNS');
    const { manifests } = rendered({ ingress: { ...ingress, host: 'print.example', tlsSecret: 'tls' } });
    const made = manifests.find(({ kind }) => kind === 'Ingress')!;
    expect(made.spec).toMatchObject({ tls: [{ secretName: 'tls', hosts: ['print.example'] }] });
    expect(made.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-body-size': '16m',
    });
  });
});
