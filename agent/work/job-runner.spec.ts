import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { aLease } from '../../test/kit/examples/lease-document.js';
import { OtlpCollector } from '../../test/kit/otlp-collector.js';
import { Journal } from '../state/journal.js';
import { openTracing } from '../tracing.js';
import type { Dependencies } from './dependencies.js';
import { JobRunner } from './job-runner.js';
import { StuckPrinters } from './stuck-printers.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('a job that was leased for a stuck printer', () => {
  let folder: string;
  let collector: OtlpCollector;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runner-'));
    collector = await OtlpCollector.start();
  });
  afterEach(async () => {
    await collector.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is released, and its span ends', async () => {
    const lease = { ...aLease(1), traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const released: string[] = [];
    let expire: () => void = () => undefined;
    const stuck = new StuckPrinters(1000, (_, run) => ((expire = run), () => undefined));
    void stuck.watch(lease.printer_key, () => new Promise(() => undefined));
    expire();
    const log = pino({ level: 'silent' });
    const tracing = await openTracing({ traces: { collector: collector.url, name: 'agent' } }, log);
    const journal = await Journal.open(join(folder, 'journal'), 'computer');
    const deps = {
      client: { release: (_: string, { lease_id }: typeof lease) => void released.push(lease_id) },
      sessions: { under: (call: (session: object) => unknown) => call({}) },
      simulation: { at: () => Promise.resolve() },
      ...{ journal, stuck, log, tracing },
    } as unknown as Dependencies;
    const runner = new JobRunner(deps, new AbortController().signal, fail);
    await runner.take(lease);
    await tracing?.close();
    await journal.close();

    expect(released).toEqual([lease.lease_id]);
    expect(journal.held()).toEqual([]);
    expect(collector.spans).toMatchObject([{ name: 'print', traceId: TRACE }]);
  });
});

const fail = (error: unknown): never => {
  throw error;
};
