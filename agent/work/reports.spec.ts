import { aLease } from '../../test/kit/examples/lease-document.js';
import type { Receipt } from '../service/protocol.js';
import { ofOneTrace, reportOf } from './reports.js';

describe('making a report', () => {
  const at = new Date('2026-11-21T10:00:00Z');

  it('has the same id for the same status of the same attempt at any time', () => {
    const first = reportOf(aLease(1), 'spooled', at);
    expect(reportOf(aLease(1), 'spooled', new Date(0)).event_id).toBe(first.event_id);
    expect(reportOf(aLease(1), 'spooler_completed', at).event_id).not.toBe(first.event_id);
    expect(reportOf(aLease(2), 'spooled', at).event_id).not.toBe(first.event_id);
  });

  it('carries the trace of its lease, and only reports of one trace go together', () => {
    const traced = (traceparent: string) => ({ ...aLease(1), traceparent });
    const reports = [aLease(1), aLease(2), traced('a'), traced('b'), traced('b')].map((lease) =>
      reportOf(lease, 'spooled', at),
    );
    const tracesFrom = (first: number) =>
      ofOneTrace(reports.slice(first)).map(({ traceparent }) => traceparent);
    expect([0, 2, 3].map(tracesFrom)).toEqual([[undefined, undefined], ['a'], ['b', 'b']]);
    expect(ofOneTrace([])).toEqual([]);
  });

  it('truncates its message and removes control characters', () => {
    expect(reportOf(aLease(1), 'rejected', at, { message: 'no\npaper\u0000' }).message).toBe('no paper');
    const { message } = reportOf(aLease(1), 'rejected', at, { message: `${'x'.repeat(239)}😀` });
    expect(message).toBe(`${'x'.repeat(239)}😀`);
  });

  it('keeps the receipt within the bounds of the service', () => {
    const receipt: Receipt = {
      applied: { paper: `tray\u0007 ${'x'.repeat(200)}`, tray: '\u0007', page_count: 2 },
      ignored: Array.from({ length: 50 }, () => ({ option: 'tray', reason: `a\n${'b'.repeat(300)}` })),
    };
    const { applied, ignored } = reportOf(aLease(1), 'spooled', at, { receipt });
    expect(applied).toEqual({ paper: `tray  ${'x'.repeat(114)}`, tray: undefined, page_count: 2 });
    expect(ignored).toHaveLength(40);
    expect(ignored?.[0]?.reason).toBe(`a ${'b'.repeat(238)}`);
  });

  it.each<Receipt['applied']>([
    ...[{ drawn_percent: 100_000.1 }, { drawn_percent: -0.1 }, { drawn_percent: NaN }],
    ...[{ sheet_mm: [5001, 10] as [number, number] }, { sheet_mm: [10, Infinity] as [number, number] }],
    ...[{ resolution_dpi: 0 }, { resolution_dpi: 203.2 }, { resolution_dpi: 10_001 }],
    ...[{ page_count: -1 }, { page_count: 1.5 }, { page_count: 1_000_001 }],
  ])('leaves out %j, which the service would refuse, and keeps the rest of the receipt', (beyond) => {
    const within: Receipt['applied'] = {
      ...{ paper: 'A4', color: false, resolution_dpi: 10_000, page_count: 0 },
      ...{ sheet_mm: [0, 5000], drawn_percent: 100_000 },
    };
    const receipt = { applied: { ...within, ...beyond }, ignored: [] };
    const { applied } = reportOf(aLease(1), 'spooled', at, { receipt });
    const [field] = Object.keys(beyond);
    expect(applied).toEqual({ ...within, [field!]: undefined });
  });
});
