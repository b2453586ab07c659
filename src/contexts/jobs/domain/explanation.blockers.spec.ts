import * as the from '../../../../test/kit/examples/jobs.js';
import { recorded, recordedAt } from '../../../../test/kit/recorded.js';
import type { Circumstances } from './explanation.blockers.js';
import { explain } from './job.explanation.js';

const { seconds } = the;

const usual: Circumstances = {
  now: seconds(60),
  accountStatus: 'active',
  isPlanUsedUp: false,
  computer: { name: 'RECEPTION', status: 'online', takesOptions: true },
  printer: { printerId: the.PRINTER_ID, name: 'Front desk', status: 'online', isPaused: false },
  ahead: 0,
  newest: [],
};

const since = (circumstances: Partial<Circumstances>) =>
  explain(recorded(the.JOB_STREAM, ...the.waiting), { ...usual, ...circumstances }).since;

describe('the event that holds a job up', () => {
  it.each([
    ['disabled', 'ComputerDisabled', 'ComputerReenrolled'],
    ['offline', 'ComputerWentOffline', 'ComputerReenrolled'],
    ['revoked', 'ComputerRevoked', 'ComputerWentOffline'],
    ['pending', 'ComputerRegistered', 'ComputerWentOffline'],
    ['pending', 'ComputerReenrolled', 'ComputerDisabled'],
    ['pending', 'ComputerEnabled', 'ComputerDisabled'],
  ])('names what made a computer %s: %s, not %s', (status, type, other) => {
    const newest = [type, other].map((one, n) =>
      recordedAt(seconds(20 + n), 'computer-x', 7 + n, { type: one, data: {} }),
    );
    expect(since({ computer: { ...usual.computer, status }, newest })).toBe(seconds(20));
  });

  it.each([
    ['the first report', [['a'], ['a', 'b'], ['b', 'a']], 20],
    ['the first report since it was well', [['a'], ['b'], ['b', 'a'], ['a']], 22],
    ['the first report since no printer was stuck', [['a'], [], ['a']], 22],
  ])('names %s of a stuck printer', (_, reports, first) => {
    const newest = reports.map((keys, n) => {
      const stuckPrinters = keys.map((printerKey) => ({ printerKey }));
      const data = stuckPrinters.length > 0 ? { stuckPrinters } : {};
      return recordedAt(seconds(20 + n), 'computer-x', 7 + n, { type: 'AgentHealthChanged', data });
    });
    const stuck = { ...usual.printer, printerKey: 'a', trouble: 'no progress' };
    expect(since({ printer: stuck, newest })).toBe(seconds(first));
  });
});
