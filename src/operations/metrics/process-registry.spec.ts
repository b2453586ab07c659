import { Gauge } from 'prom-client';
import { ProcessRegistry } from './process-registry.js';

const valueOf = (text: string, name: string) =>
  Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);

describe('the metrics of a process', () => {
  it('include those of Node, which is observed from the first scrape on', async () => {
    const registry = new ProcessRegistry();
    new Gauge({ name: 'own', help: 'One of the service.', registers: [registry] }).set(7);
    expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(['own']);

    const text = await registry.metrics();
    expect(valueOf(text, 'own')).toBe(7);
    expect(valueOf(text, 'process_start_time_seconds')).toBeLessThan(Date.now() / 1_000);
    expect(valueOf(text, 'nodejs_eventloop_lag_min_seconds')).toBeLessThan(60);
  });

  it('are those of one process in each of its services', async () => {
    const [one, other] = [new ProcessRegistry(), new ProcessRegistry()];
    await Promise.all([one.metrics(), other.metrics()]);
    const started = (text: string) => valueOf(text, 'process_start_time_seconds');
    expect(started(await one.metrics())).toBe(started(await other.metrics()));
  });
});
