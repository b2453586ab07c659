import { storyOf } from '../../../../test/kit/decider.js';
import { metadata, NOON } from '../../../../test/kit/recorded.js';
import { plus } from '../../../kernel/time.js';
import { RecordRestore, restoresDecider, type StoreRestored } from './restores.decider.js';

const { given } = storyOf(restoresDecider);
const BACKUP = plus(NOON, -60_000);
const LATER_BACKUP = plus(NOON, 3_600_000);
const record = (backupAt: string, parked: number, at = NOON) =>
  new RecordRestore({ backupAt, parked, at, by: metadata });
const restored = (backupAt: string, parked: number, restoredAt = NOON): StoreRestored => ({
  type: 'StoreRestored',
  data: { backupAt, restoredAt, parked },
});

describe('recording a restore', () => {
  it('stores the time of the backup, the time of the restore and the number of parked jobs', () => {
    given().when(record(BACKUP, 3)).then(restored(BACKUP, 3));
  });

  it('writes nothing when a start repeats it after a crash', () => {
    given(restored(BACKUP, 3))
      .when(record(BACKUP, 0, plus(NOON, 5_000)))
      .thenNothing();
  });

  it('stores the restore of another backup', () => {
    const evening = plus(LATER_BACKUP, 60_000);
    given(restored(BACKUP, 3))
      .when(record(LATER_BACKUP, 0, evening))
      .then(restored(LATER_BACKUP, 0, evening));
  });
});
