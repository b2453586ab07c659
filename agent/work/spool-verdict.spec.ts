import type { Sighting } from '../printers/provider.js';
import { spoolVerdict } from './spool-verdict.js';

type State = 'waiting' | 'printing' | 'completed' | 'cancelled' | 'aborted';
const seen = (state: State, started: boolean): Sighting => ({ state, spoolerJobId: '7', started });
const fresh = { epoch: 'monday', started: false, restarted: false };
const begun = { ...fresh, started: true };

describe('the verdict on a job at the spooler', () => {
  it('waits while the job is queued or printing, and records that pages may have been printed', () => {
    expect(spoolVerdict(fresh, seen('waiting', false), 'monday')).toEqual({ watched: fresh, ended: false });
    expect(spoolVerdict(fresh, seen('printing', true), 'monday')).toEqual({ watched: begun, ended: false });
  });

  it.each<[State, boolean, string, string | undefined]>([
    ['completed', true, 'spooler_completed', undefined],
    ['cancelled', false, 'spooler_cancelled', 'SPOOLER_CANCELLED_LOCALLY'],
    ['cancelled', true, 'spooler_failed', 'SPOOLER_CANCELLED_WHILE_PRINTING'],
    ['aborted', true, 'spooler_failed', 'SPOOLER_ABORTED'],
  ])('is final for state %s (started: %s): %s', (state, started, type, code) => {
    const verdict = spoolVerdict(fresh, seen(state, started), 'monday');
    expect(verdict.ended).toBe(true);
    expect(verdict.report?.type).toBe(type);
    expect(verdict.report?.details.failureCode).toBe(code);
  });

  it('does not report a cancellation as unprinted once the job was printing', () => {
    expect(spoolVerdict(begun, seen('cancelled', false), 'monday').report?.type).toBe('spooler_failed');
  });

  it.each([
    ['monday', 'SPOOLER_VANISHED'],
    ['tuesday', 'SPOOLER_RESTARTED'],
  ])('is uncertain if the job is gone (run: %s)', (epoch, failureCode) => {
    expect(spoolVerdict(begun, { state: 'absent' }, epoch)).toMatchObject({
      ended: true,
      report: { type: 'spooler_vanished', details: { failureCode, failureClass: 'ambiguous' } },
    });
  });

  it('reports a spooler restart during printing once and continues', () => {
    const verdict = spoolVerdict(begun, seen('printing', true), 'tuesday');
    expect(verdict).toMatchObject({
      ended: false,
      report: { details: { failureCode: 'SPOOLER_RESTARTED' } },
    });
    expect(spoolVerdict(verdict.watched, seen('printing', true), 'tuesday').report).toBeUndefined();
  });

  it('waits after a spooler restart before printing', () => {
    const verdict = spoolVerdict(fresh, seen('waiting', false), 'tuesday');
    expect(verdict).toEqual({ watched: { ...fresh, epoch: 'tuesday', restarted: true }, ended: false });
  });

  it('does not call a job unprinted that was cancelled after a restart, which may have forgotten pages', () => {
    const uncertain = { type: 'spooler_vanished', details: { failureCode: 'SPOOLER_RESTARTED' } };
    const atOnce = spoolVerdict(fresh, seen('cancelled', false), 'tuesday');
    expect(atOnce).toMatchObject({ ended: true, report: uncertain });
    const { watched } = spoolVerdict(fresh, seen('waiting', false), 'tuesday');
    const later = spoolVerdict(watched, seen('cancelled', false), 'tuesday');
    expect(later).toMatchObject({ ended: true, report: uncertain });
  });

  it('reports no second restart of a job that never printed', () => {
    const { watched } = spoolVerdict(fresh, seen('waiting', false), 'tuesday');
    expect(spoolVerdict(watched, seen('waiting', false), 'wednesday').report).toBeUndefined();
  });
});
