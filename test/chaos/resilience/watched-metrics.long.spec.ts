import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { serverStoreMetrics } from '../../../src/operations/metrics/metrics.js';
import { documentText } from '../../docs/markdown.js';
import { ServiceProcess } from '../../kit/service-process.js';

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: Readonly<Record<string, unknown>>;
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const METRIC = /\b(?:rps|process|nodejs)_\w+/g;

const alerts = (parse(documentText('deploy/prometheus/alerts.yml')) as Alerts).groups.flatMap(
  ({ rules }) => rules,
);
const { panels } = JSON.parse(documentText('deploy/grafana/remote-printing.json')) as Dashboard;
const expressions = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

describe('alerts and dashboard', () => {
  let service: ServiceProcess;
  let names: string[];
  let shown: Set<string>;
  beforeAll(async () => {
    service = await ServiceProcess.prepare();
    await service.start({ METRICS_PUBLIC: 'true' });
    const text = await (await fetch(service.url.replace('/v1', '/metrics'))).text();
    const onServers = new Registry();
    serverStoreMetrics(onServers);
    const types = [...`${text}${await onServers.metrics()}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    names = types.map(([, name = '']) => name);
    shown = new Set(
      types.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
  });
  afterAll(() => service.remove());

  it.each(expressions)('ask for metrics that the service shows: %s', (_, expr) => {
    const asked = expr.match(METRIC) ?? ['up'];
    expect(asked.filter((name) => name !== 'up' && !shown.has(name))).toEqual([]);
  });

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations] as const))(
    'say in a sentence what happens: %s',
    (_, annotations) =>
      expect(annotations).toEqual({ summary: expect.stringMatching(/^(?:[A-Z]|\{\{ \$value \}\}).*\.$/) }),
  );

  it('are about metrics that the documentation names, each of them', () => {
    const text = documentText('docs/operations.md');
    const ours = names.filter((name) => name.startsWith('rps_'));
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });

  it('have different names', () => {
    const told = alerts.map(({ alert }) => alert);
    expect(told.length).toBeGreaterThan(10);
    expect(new Set(told).size).toBe(told.length);
  });
});
