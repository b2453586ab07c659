import fc from 'fast-check';
import {
  RaiseRollbackAlarm,
  rollbackAlarmDecider,
} from '../../src/contexts/recovery/domain/rollback-alarm.decider.js';
import { seconds } from '../kit/examples/jobs.js';
import { keepsTheLaws } from '../kit/decider-laws.js';

const by = { actor: { kind: 'device', id: '1' }, correlationId: 'correlation-1' } as const;
const raised = fc
  .record({ computer: fc.constantFrom('1', '2'), at: fc.integer({ min: 0, max: 300_000 }) })
  .map(
    ({ computer, at }) =>
      new RaiseRollbackAlarm({ computerId: computer, seen: `seen by ${computer}`, at: seconds(at), by }),
  );

describe('every rollback alarm', () => {
  keepsTheLaws(rollbackAlarmDecider, raised);
});
