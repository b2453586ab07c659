import { OtlpCollector } from '../../../test/kit/otlp-collector.js';
import { OtlpTracing } from './otlp-tracing.js';

const WAITING = 2048;
const IN_ONE_EXPORT = 512;

const tracingTo = (endpoint: string, onError: (error: Error) => void = () => undefined) =>
  new OtlpTracing(endpoint, { 'service.name': 'a' }, onError);

describe('exporting spans', () => {
  let collector: OtlpCollector;
  beforeEach(async () => {
    collector = await OtlpCollector.start();
  });
  afterEach(() => collector.close());

  it('drops those beyond the bounded queue while the collector does not answer', async () => {
    collector.hold();
    const tracing = tracingTo(collector.url);
    for (let n = 0; n < 10_000; n++)
      tracing.start({ name: String(n), kind: 'internal', begins: true })!.end({});
    const closed = tracing.close();
    collector.answer();
    await closed;
    expect(collector.spans.length).toBeGreaterThanOrEqual(WAITING);
    expect(collector.spans.length).toBeLessThanOrEqual(WAITING + IN_ONE_EXPORT);
  });

  it('exports a failed span, and none without an end or without a trace', async () => {
    const tracing = tracingTo(collector.url);
    tracing.start({ name: 'failed', kind: 'client', begins: true })!.end({ 'rps.n': 1 }, true);
    tracing.start({ name: 'endless', kind: 'client', begins: true });
    expect(tracing.start({ name: 'none', kind: 'client' })).toBeUndefined();
    await tracing.close();
    expect(collector.spans).toMatchObject([{ name: 'failed', failed: true, attributes: { 'rps.n': 1 } }]);
  });

  it('accepts later versions of traceparent, as the recommendation requires', async () => {
    const tracing = tracingTo(collector.url);
    const ids = `${'a'.repeat(32)}-${'b'.repeat(16)}`;
    const parentOf = (traceparent: string) =>
      tracing.start({ name: 'a', kind: 'client', parent: traceparent })?.traceparent.slice(3, 35);
    expect(parentOf(`cc-${ids}-01-what-the-future-brings`)).toBe('a'.repeat(32));
    for (const refused of [`ff-${ids}-01`, `00-${ids}`, `00-${ids}-1`, `00-${ids.toUpperCase()}-01`])
      expect([refused, parentOf(refused)]).toEqual([refused, undefined]);
    await tracing.close();
  });
});
