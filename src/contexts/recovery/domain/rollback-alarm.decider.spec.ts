import { storyOf } from '../../../../test/kit/decider.js';
import { COMPUTER_ID } from '../../../../test/kit/examples/devices.js';
import { DAY, seconds } from '../../../../test/kit/examples/jobs.js';
import {
  RaiseRollbackAlarm,
  isRaised,
  rollbackAlarmDecider,
  type StoreRollbackDetected,
} from './rollback-alarm.decider.js';

const by = { actor: { kind: 'device', id: COMPUTER_ID }, correlationId: 'correlation-1' } as const;
const raise = (at: string) => new RaiseRollbackAlarm({ computerId: COMPUTER_ID, seen: 'seen', at, by });
const detected = (at: number): StoreRollbackDetected => ({
  type: 'StoreRollbackDetected',
  data: { computerId: COMPUTER_ID, seen: 'seen', alarmUntil: seconds(at + DAY) },
});
const { given } = storyOf(rollbackAlarmDecider);

describe('raising the rollback alarm', () => {
  it('lasts a day', () => {
    given()
      .when(raise(seconds(0)))
      .then(detected(0));
    const alarm = given(detected(0)).state();
    expect([isRaised(alarm, seconds(DAY - 1)), isRaised(alarm, seconds(DAY))]).toEqual([true, false]);
  });

  it('names no computer when the read models had projected the lost event', () => {
    given()
      .when(new RaiseRollbackAlarm({ at: seconds(0), by }))
      .then({ type: 'StoreRollbackDetected', data: { alarmUntil: seconds(DAY) } });
  });

  it('writes nothing while it is raised', () => {
    given(detected(0))
      .when(raise(seconds(DAY - 1)))
      .thenNothing();
  });

  it('raises it again when an agent reports a later rollback', () => {
    given(detected(0))
      .when(raise(seconds(DAY)))
      .then(detected(DAY));
  });

  it('is not raised before a detection', () => {
    expect(isRaised(given().state(), seconds(0))).toBe(false);
  });
});
